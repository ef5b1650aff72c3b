import { expect } from 'chai';
import type { StrategyName } from '../../src/core/model/playbook/playbook.js';
import { goOn, keptRun, momentAfter, settledStep, unknownWrites, type KeptRun, type Moment } from '../rig/cut_run.js';
import { shareOf } from '../rig/random_seed.js';
import { Recorder, type Entry } from '../rig/recorder.js';
import { runText } from '../rig/run_text.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

const ROLLOUT = `
- hosts: fleet
  tasks:
    - name: create
      cloud_present: { name: edge, mtu: 1500 }
      register: created
      notify: note
    - name: update
      cloud_present: { name: edge, mtu: 9000 }
      register: updated
    - name: system
      system_config: { dns_configuration: { search_domain: example.com } }
    - name: several
      cloud_present: { name: '{{item}}' }
      loop: [a, b]
      register: several
    - name: say
      debug: { msg: '{{created.change.kind}} {{updated.change.kind}} {{updated.object.mtu}} {{several.results | length}}' }
  handlers:
    - name: note
      cloud_present: { name: noted }
`;

/** The object of a resource task, without the fields that the controller sets. */
function stateOf(fleet: Fleet, name: string): unknown {
  const controller = fleet.controller(name);
  const clouds = controller.objects('/api/cloud/').map(({ name: cloud, mtu = null }) => ({ cloud, mtu }));
  return { clouds, dns: controller.object('/api/systemconfiguration')['dns_configuration'] };
}

/** Writes that the controller confirmed. */
function applied(entries: readonly Entry[]): readonly string[] {
  const done = new Set(
    entries.flatMap((entry) => (entry.type === 'write-finished' && entry.outcome === 'applied' ? [entry.write] : [])),
  );
  return entries.flatMap((entry) =>
    entry.type === 'write-intended' && done.has(entry.write)
      ? [`${entry.target} ${entry.object} ${entry.change.kind}`]
      : [],
  );
}

describe('writes of a run that was cut off', () => {
  let fleet: Fleet;
  afterEach(() => fleet.dispose());

  for (const strategy of ['linear', 'host_pinned'] as const satisfies readonly StrategyName[])
    it(`have the same result, and applied ones are not repeated, under ${strategy}`, async () => {
      fleet = await startFleet({ controllers: 2 });
      const options = { inventory: fleet.inventory, strategy, forks: 2 };
      const { ran, moments } = await keptRun(ROLLOUT, options, fleet);
      const states = fleet.names.map((name) => stateOf(fleet, name));
      for (const moment of [...shareOf(moments.slice(0, -1), 3), ...unknownWrites(moments)]) {
        const { ran: resumed, journal } = await goOn(ROLLOUT, moment, options, fleet);
        const where = `cut after ${moment.entries.length} of ${moments.length}`;
        expect(resumed.finished.stats, where).to.deep.equal(ran.finished.stats);
        expect(resumed.finished.exitCode, where).to.equal(0);
        expect(
          fleet.names.map((name) => stateOf(fleet, name)),
          where,
        ).to.deep.equal(states);
        for (const said of resumed.said) expect(said).to.equal(ran.said[0]);
        const all = applied(journal.entries);
        expect(all, where).to.deep.equal([...new Set(all)]);
      }
    }).timeout(120_000);

  it('are reported as applied or repeated', async () => {
    fleet = await startFleet();
    const options = { inventory: fleet.inventory };
    for (const [isMasked, task] of [
      [undefined, 'cloud_present: { name: edge }'],
      [true, 'cloud_present: { name: core }, no_log: true'],
    ] as const) {
      const playbook = `- hosts: fleet\n  tasks: [{ ${task} }]\n`;
      const run = await keptRun(playbook, options, fleet);
      const resumed = async (moment: Moment | undefined) => {
        if (moment === undefined) throw new Error('nothing was written');
        const { ran } = await goOn(playbook, moment, options, fleet);
        expect(ran.tasks.map(({ maskedChange }) => maskedChange)).to.deep.equal([isMasked]);
        return ran.tasks.map((one) => one.resumed);
      };
      expect(run.ran.tasks.map((one) => one.resumed)).to.deep.equal([undefined]);
      expect(await resumed(unknownWrites(run.moments)[0])).to.deep.equal(['found']);
      expect(await resumed(momentAfter(run, ({ type }) => type === 'write-intended'))).to.deep.equal(['repeated']);
      expect(await resumed(momentAfter(run, ({ type }) => type === 'write-finished'))).to.deep.equal(['found']);
      expect(await resumed(momentAfter(run, ({ type }) => type === 'task-started'))).to.deep.equal([undefined]);
    }
  });

  it('cause no requests to a finished controller', async () => {
    fleet = await startFleet({ controllers: 2 });
    const options = { inventory: fleet.inventory, forks: 1 };
    const run = await keptRun(ROLLOUT, options, fleet);
    const moment = momentAfter(run, (entry) => entry.type === 'controller-finished' && entry.controller === 'lb1');
    for (const name of fleet.names) fleet.controller(name).clearRequests();
    const { ran } = await goOn(ROLLOUT, moment, options, fleet);
    expect(fleet.controller('lb1').requests).to.deep.equal([]);
    expect(ran.lines.filter((line) => line.startsWith('lb1'))).to.deep.equal([]);
    expect(ran.finished.stats).to.deep.equal(run.ran.finished.stats);
    expect(ran.events[0]).to.deep.include({ type: 'run-started', resumed: true });
  });

  it('record every write before it is sent, its outcome, and the object after it', async () => {
    fleet = await startFleet();
    const playbook = `
- name: roll out
  hosts: fleet
  tasks:
    - { name: cloud, cloud_present: { name: edge }, no_log: true }
    - { name: raw, api_request: { method: POST, path: /api/cloud/, body: { name: raw } } }
    - { name: read, api_request: { path: /api/cloud/ } }
`;
    const { journal } = await keptRun(playbook, { inventory: fleet.inventory }, fleet);
    const types = journal.entries.map(({ type }) => type).filter((type) => !/^(run|play|batch|controller)-/.test(type));
    expect(types).to.deep.equal([
      'task-started',
      'write-intended',
      'write-finished',
      'write-verified',
      'step-settled',
      'task-finished',
      'task-started',
      'write-intended',
      'write-finished',
      'step-settled',
      'task-finished',
      'task-started',
      'step-settled',
      'task-finished',
    ]);
    const [first, second] = journal.of('write-intended');
    const { source, key, reached } = first ?? {};
    expect(first).to.deep.equal({
      type: 'write-intended',
      write: 1,
      controller: 'lb1',
      place: '0:1',
      key,
      target: 'lb1',
      reached,
      play: 'roll out',
      task: 'cloud',
      module: 'cloud_present',
      source,
      hidden: true,
      object: 'cloud "edge"',
      method: 'POST',
      path: '/api/cloud/',
      name: 'edge',
      change: { kind: 'create', object: 'cloud "edge"', before: null, after: { name: 'edge' } },
      body: { name: 'edge' },
    });
    expect(source?.line).to.equal(5);
    expect(second).to.deep.include({
      write: 2,
      place: '0:2',
      object: 'POST /api/cloud/',
      method: 'POST',
      path: '/api/cloud/',
      change: { kind: 'invoke', object: 'POST /api/cloud/', before: null, after: null },
      body: { name: 'raw' },
    });
    const [one, two] = journal.of('write-finished');
    expect(one).to.deep.equal({ type: 'write-finished', write: 1, controller: 'lb1', outcome: 'applied' });
    expect(two).to.deep.include({ write: 2, outcome: 'applied' });
    expect(two?.answer).to.deep.include({ status: 201 });
    const [seen] = journal.of('write-verified');
    expect(seen).to.deep.include({ write: 1, controller: 'lb1', hidden: true });
    expect(seen?.seen).to.deep.include({ name: 'edge' });
    const [{ key: settledKey, ...settled } = {}] = journal.of('step-settled');
    expect(settledKey).to.equal(key);
    expect(settled).to.deep.equal({
      type: 'step-settled',
      controller: 'lb1',
      place: '0:1',
      module: 'cloud_present',
      title: 'cloud',
      end: 'completed',
      counted: { status: 'changed' },
      // A resume masks it, too.
      left: { masked: true, secrets: ['edge'] },
    });
  });

  it('record no write of a check', async () => {
    fleet = await startFleet();
    const { journal } = await keptRun(ROLLOUT, { inventory: fleet.inventory, check: true }, fleet);
    expect(journal.of('write-intended')).to.deep.equal([]);
    expect(journal.of('step-settled')).to.have.length(8);
  });

  it('are reported with their change if it is unknown whether they took effect, on that controller only', async () => {
    fleet = await startFleet({ controllers: 2 });
    for (const name of fleet.names)
      fleet.controller(name).setObjects('/api/cloud/', [{ name: 'edge', uuid: 'cloud-1', mtu: 1500 }]);
    const lost = fleet.controller('lb1');
    const { watch } = lost;
    lost.watch = async (moment, request) => {
      await watch?.(moment, request);
      if (request.method === 'PUT') lost.behaviour = { faults: [{ type: 'drop' }] };
    };
    const playbook = '- hosts: fleet\n  tasks: [{ cloud_present: { name: edge, mtu: 9000 } }, { debug: }]\n';
    const { ran, journal } = await keptRun(playbook, { inventory: fleet.inventory }, fleet);
    const writes = ran.tasks.filter(({ module }) => module === 'cloud_present');
    const reported = writes.map(({ controller, status, unconfirmed, change }) =>
      [controller, status, unconfirmed, change?.kind].join(' '),
    );
    expect(reported.toSorted()).to.deep.equal(['lb1 unreachable true update', 'lb2 changed  update']);
    const outcomes = journal.of('write-finished').map(({ controller, outcome }) => `${controller} ${outcome}`);
    expect(outcomes.toSorted()).to.deep.equal(['lb1 unknown', 'lb2 applied']);
  });

  it('keep what was written to an object that its controller does not show', async () => {
    fleet = await startFleet({ behaviour: { unreadable: 405 } });
    const tasks = [
      { dns_configuration: { search_domain: 'example.com' } },
      { portal_configuration: { http_port: 8080 } },
    ];
    const playbook = JSON.stringify([{ hosts: 'all', tasks: tasks.map((args) => ({ system_config: args })) }]);
    const options = { inventory: fleet.inventory };
    const { ran, moments } = await keptRun(playbook, options, fleet);
    const before = fleet.controller('lb1').requests.filter(({ method }) => method === 'PUT').length;
    expect(before).to.equal(2);
    let compared = 0;
    for (const moment of moments.slice(0, -1)) {
      fleet.controller('lb1').clearRequests();
      const { ran: resumed } = await goOn(playbook, moment, options, fleet);
      expect(resumed.finished.stats).to.deep.equal(ran.finished.stats);
      const last = fleet.controller('lb1').requests.findLast(({ method }) => method === 'PUT');
      if (last === undefined || applied(moment.entries).length === 0) continue;
      expect(JSON.parse(last.body)).to.deep.equal({ ...tasks[0], ...tasks[1] });
      compared += 1;
    }
    expect(compared, 'resumes that wrote').to.be.greaterThan(0);
  });

  const RAW = `
- hosts: fleet
  tasks:
    - name: raw
      api_request: { method: POST, path: /api/cloud/, body: { name: raw } }
      register: answer
    - debug: { msg: '{{answer.json.name}}' }
`;
  const posts = (): number => fleet.controller('lb1').requests.filter(({ method }) => method === 'POST').length;

  it('are not repeated if a raw request has an unknown outcome', async () => {
    fleet = await startFleet();
    const options = { inventory: fleet.inventory };
    const run = await keptRun(RAW, options, fleet);
    const sent = posts();
    const moment = momentAfter(run, ({ type }) => type === 'write-intended');
    const { ran } = await goOn(
      RAW.replace(
        'register: answer',
        'register: answer\n      retries: 1\n      delay: 0\n      until: answer is success',
      ),
      moment,
      options,
      fleet,
    );
    expect(ran.tasks[0]).to.deep.include({
      status: 'failed',
      message: 'it is unknown whether POST /api/cloud/ took effect when the run was cut off, so it is not sent again',
      hint: 'look at the controller; if it did not take effect, run the playbook again for this controller',
    });
    expect(posts()).to.equal(sent);
    expect(ran.finished.exitCode).to.equal(2);
  });

  it('replay the answers of an interrupted action', async () => {
    fleet = await startFleet();
    const options = { inventory: fleet.inventory };
    const run = await keptRun(RAW, options, fleet);
    const sent = posts();
    const { ran } = await goOn(
      RAW,
      momentAfter(run, ({ type }) => type === 'write-finished'),
      options,
      fleet,
    );
    expect(ran.lines).to.deep.equal(['lb1 raw: changed', 'lb1 debug: ok']);
    expect(ran.said).to.deep.equal(['raw']);
    expect(posts()).to.equal(sent);
  });

  it('replay an answer to one attempt only, and send the request of the next one', async () => {
    fleet = await startFleet();
    const options = { inventory: fleet.inventory };
    const playbook = RAW.replace('register: answer', 'retries: 1\n      delay: 0\n      until: false');
    const run = await keptRun(playbook, options, fleet);
    expect(posts()).to.equal(2);
    const firstAnswer = momentAfter(run, ({ type }) => type === 'write-finished');
    await goOn(playbook, firstAnswer, options, fleet);
    expect(posts()).to.equal(3);
  });

  it('repeat a PUT', async () => {
    fleet = await startFleet();
    const put = RAW.replace('POST', 'PUT').replace('/api/cloud/', '/api/systemconfiguration').replace('.name', '.uuid');
    const options = { inventory: fleet.inventory };
    const run = await keptRun(put, options, fleet);
    const { ran } = await goOn(
      put,
      momentAfter(run, ({ type }) => type === 'write-intended'),
      options,
      fleet,
    );
    expect(ran.lines[0]).to.equal('lb1 raw: changed');
  });

  it('are not sent if they cannot be recorded, and nothing more starts', async () => {
    fleet = await startFleet({ controllers: 2 });
    const { ran } = await broken(ROLLOUT, 'at the next write');
    expect(ran.tasks.map(({ controller, task, status, message }) => [controller, task, status, message])).to.deep.equal(
      [['lb1', 'create', 'failed', 'nothing was written: the disk is full']],
    );
    expect(ran.tasks[0]?.hint).to.equal('free disk space, or restore the state folder, then resume the run');
    expect(ran.events.flatMap((event) => (event.type === 'warning' ? [event.message] : []))).to.deep.equal([
      'the disk is full: nothing new starts',
    ]);
    expect(ran.finished).to.deep.include({ status: 'failed', exitCode: 2, unstarted: ['lb2'], unkept: true });
    expect(posts()).to.equal(0);
  });

  it('make the run end with 2 if it succeeded but could not be recorded', async () => {
    fleet = await startFleet();
    const { ran } = await broken('- hosts: fleet\n  tasks: [debug: { msg: a }, debug: { msg: b }]\n');
    expect(ran.lines).to.deep.equal(['lb1 debug: ok']);
    expect(ran.finished).to.deep.include({ status: 'failed', exitCode: 2, reason: 'the disk is full', unkept: true });
    expect(ran.finished.cutOff).to.deep.equal(['lb1']);
  });

  it('are repeated if their task failed because the journal could not be written', async () => {
    fleet = await startFleet({ controllers: 2 });
    const { journal } = await broken(ROLLOUT);
    const { ran } = await goOn(
      ROLLOUT,
      { entries: journal.entries, restore: () => undefined },
      { inventory: fleet.inventory },
      fleet,
    );
    expect(ran.finished.exitCode).to.equal(0);
  });

  /** The disk is full as soon as the first task has started. */
  async function broken(
    playbook: string,
    when: 'now' | 'at the next write' = 'now',
  ): Promise<Pick<KeptRun, 'ran' | 'journal'>> {
    const journal = new Recorder();
    const ran = await runText(playbook, {
      inventory: fleet.inventory,
      forks: 1,
      journal,
      watch: (event) => {
        journal.watch(event);
        if (event.type === 'task-started') journal.break('the disk is full', when);
      },
    });
    return { ran, journal };
  }

  it('are verified if a create was applied, and an adopted object is not updated twice', async () => {
    fleet = await startFleet();
    const options = { inventory: fleet.inventory };
    const run = await keptRun(ROLLOUT, options, fleet);
    const moment = momentAfter(run, ({ type }) => type === 'write-finished');
    fleet.controller('lb1').clearRequests();
    const { ran } = await goOn(ROLLOUT, moment, options, fleet);
    const first = fleet
      .controller('lb1')
      .requests.slice(0, 2)
      .map(({ method, path }) => `${method} ${path}`);
    expect(first).to.deep.equal(['GET /api/cloud/', 'GET /api/cloud/']);
    expect(ran.tasks[0]).to.deep.include({ task: 'create', status: 'changed' });
    expect(ran.tasks[0]?.change).to.deep.include({ kind: 'create' });
  });

  it('continue in the middle of a loop', async () => {
    fleet = await startFleet();
    const options = { inventory: fleet.inventory };
    const run = await keptRun(ROLLOUT, options, fleet);
    const { ran } = await goOn(ROLLOUT, momentAfter(run, settledStep('lb1', 'several', 0)), options, fleet);
    expect(ran.lines.slice(0, 2)).to.deep.equal(['lb1 several [b]: changed', 'lb1 several: changed']);
    expect(ran.said).to.deep.equal(['create update 9000 2']);
  });
});
