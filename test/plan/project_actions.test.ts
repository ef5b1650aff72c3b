import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { emptyProject, type Ended, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

const action = (name: string, parts: string): string =>
  `export default { type: 'action', name: '${name}', summary: 'acts', args: { type: 'object' }, examples: ['- ${name}: {}'], ${parts} };\n`;

/** Has an error of its own after a request that was refused. */
const OWN_ERROR = action(
  'own_error',
  `check: true, run: async (request, context) => {
    if (context.checkMode) return { status: 'ok' };
    await context.request(request).catch((error) => { throw new Error('cannot set it: ' + error.message); });
    return { status: 'changed' };
  }`,
);

/** Tries until there is an answer. */
const TRY_AGAIN = action(
  'try_again',
  `check: false, writes: true, run: async (request, context) => {
    for (;;) {
      const answer = await context.attempt(request, false);
      if (answer.status !== undefined) return { status: 'changed' };
    }
  }`,
);

const REPLACE = action(
  'replace',
  `check: false, writes: true, run: async ({ body, old }, context) => {
    await context.request({ method: 'POST', path: '/api/cloud/', body });
    await context.request({ method: 'DELETE', path: old });
    return { status: 'changed' };
  }`,
);

/** What `idle` has seen. */
const SEEN: WeakRef<object>[] = [];

const IDLE = action(
  'idle',
  `check: true, writes: true, run: async (args, context) => {
    seen(context.variable('own'));
    return { status: 'ok' };
  }`,
);

/** Acts without a request. */
const speaking = (name: string, parts: string): string =>
  action(
    name,
    `${parts}, run: async (args, context) => {
      await (await context.connect({ host: '127.0.0.1', port: args.port })).destroy();
      return { status: 'changed', message: 'spoke to ' + context.address() };
    }`,
  );

describe('an apply of an action of the project', () => {
  let fleet: Fleet;
  let project: Project;
  beforeEach(async () => {
    fleet = await startFleet({ controllers: 3 });
    const modules = {
      'modules/own_error.js': OWN_ERROR,
      'modules/try_again.js': TRY_AGAIN,
      'modules/replace.js': REPLACE,
      'modules/idle.js': IDLE,
      'modules/speak.js': speaking('speak', 'check: false'),
      'modules/shout.js': speaking('shout', 'check: false, writes: ({ loud }) => loud'),
    };
    project = await emptyProject({ 'inventory.yml': fleet.inventory, ...modules });
  });
  afterEach(async () => {
    await fleet.dispose();
    await project.remove();
  });

  function run(...args: readonly string[]): Promise<Ended> {
    return evenkeel(args, { cwd: project.directory });
  }

  async function plan(tasks: string): Promise<void> {
    await project.write('site.yml', `- hosts: lb1\n  tasks:\n${tasks}`);
    const ended = await run('plan', 'site.yml', '-i', 'inventory.yml', '--out', 'site.plan');
    expect(ended.code, ended.stdout + ended.stderr).to.equal(0);
    for (const name of fleet.names) fleet.controller(name).clearRequests();
  }

  const written = (): readonly (readonly string[])[] =>
    fleet.names.map((name) =>
      fleet
        .controller(name)
        .requests.filter(({ method }) => method !== 'GET')
        .map(({ method, body }) => `${method} ${/"name":"(\w+)"/.exec(body)?.[1] ?? ''}`.trim()),
    );

  const setLeader = (name: string): void => {
    fleet.controller('lb1').setObjects('/api/cloud/', [{ name, uuid: 'cloud-leader' }]);
  };
  const LEADER = '    - { api_request: { path: /api/cloud/ }, register: known }\n';
  const MADE = '    - { cloud_present: { name: new }, register: made }\n';
  const UNKNOWN =
    "delegate_to: \"{{ made.object.uuid is search('cloud') | ternary(known.json.results[0].name, 'lb1') }}\"";

  for (const keyword of ['failed_when: false', 'ignore_errors: true'])
    it(`that has its own error after a refused request is stale, with ${keyword}`, async () => {
      setLeader('lb2');
      const task = `    - { own_error: { method: POST, path: /api/cloud/, body: { name: raw } }, ${UNKNOWN}, ${keyword} }\n`;
      await plan(`${LEADER}${MADE}${task}`);
      const { code, stdout } = await run('apply', 'site.plan');
      expect(code, stdout).to.equal(5);
      expect(stdout).to.include('stale: the task would write on lb2');
      expect(written()).to.deep.equal([['POST new'], [], []]);
    });

  it('may find the controller busy before it writes', async () => {
    const lb1 = fleet.controller('lb1');
    await plan(
      `    - try_again: { method: POST, path: /api/cloud/, body: { name: raw } }\n    - cloud_present: { name: later }\n`,
    );
    lb1.behaviour = {
      faults: [{ type: 'answer', status: 503, when: { method: 'GET', path: '/api/cloud*', first: 1 } }],
    };
    const { code, stdout } = await run('apply', 'site.plan');
    expect(code, stdout).to.equal(0);
    expect(written()).to.deep.equal([['POST raw', 'POST later'], [], []]);
  });

  it('that may not delete after a write does not say that nothing is written', async () => {
    setLeader('lb3');
    const there = '    - { cloud_present: { name: there }, delegate_to: lb3 }\n';
    const task = `    - { replace: { body: { name: raw }, old: /api/cloud/cloud-old }, ${UNKNOWN} }\n`;
    await plan(`${LEADER}${MADE}${there}${task}`);
    const { code, stdout } = await run('apply', 'site.plan');
    expect(code, stdout).to.equal(5);
    expect(stdout).to.include('stale: the task would delete on lb3').and.to.include('; nothing more is written to it');
    expect(written()).to.deep.equal([['POST new'], [], ['POST there', 'POST raw']]);
  });

  it('that has nothing to do leaves nothing in memory but its step', async () => {
    const tasks = `    - { idle: {}, loop: [1, 2, 3, 4], vars: { own: "{{ [item] }}" } }\n    - api_request: { path: /api/cloud/ }\n`;
    let kept: readonly unknown[] = [];
    fleet.controller('lb1').watch = async () => {
      // A reference is strong until the end of the turn in which it was made.
      await setImmediate();
      setFlagsFromString('--expose-gc');
      runInNewContext('gc()');
      kept = SEEN.map((own) => own.deref());
    };
    Object.assign(globalThis, { seen: (own: object) => SEEN.push(new WeakRef(own)) });
    await plan(tasks);
    Reflect.deleteProperty(globalThis, 'seen');
    expect(kept).to.deep.equal([undefined, undefined, undefined, undefined]);
  });

  describe('that acts without a request', () => {
    const speak = (): string => `speak: { port: ${new URL(fleet.url('lb1')).port} }`;

    it('acts once', async () => {
      await plan(`    - ${speak()}\n`);
      const first = await run('apply', 'site.plan');
      expect(first.code, first.stdout).to.equal(0);
      const { code, stdout } = await run('apply', 'site.plan');
      expect(code, stdout).to.equal(5);
      expect(stdout).to.include('began to apply this plan here').and.not.to.include('spoke');
    });

    it('goes to no controller that the plan does not show', async () => {
      setLeader('lb2');
      await plan(`${LEADER}${MADE}    - { ${speak()}, ${UNKNOWN} }\n`);
      const { code, stdout } = await run('apply', 'site.plan');
      expect(code, stdout).to.equal(5);
      expect(stdout).to.include('stale: the task would write on lb2').and.not.to.include('spoke');
    });

    it('that contacts no controller acts once for each host', async () => {
      const tasks = `    - { ${speak()}, delegate_to: localhost }\n    - cloud_present: { name: new }\n`;
      await project.write('site.yml', `- hosts: lb1,lb2\n  serial: 1\n  tasks:\n${tasks}`);
      const planned = await run('plan', 'site.yml', '-i', 'inventory.yml', '--out', 'site.plan');
      expect(planned.code, planned.stdout + planned.stderr).to.equal(0);
      const first = await run('apply', 'site.plan', '--limit', 'lb1');
      expect(first.code, first.stdout).to.equal(0);
      const { code, stdout } = await run('apply', 'site.plan');
      expect(code, stdout).to.equal(5);
      expect(written()).to.deep.equal([['POST new'], ['POST new'], []]);
    });

    for (const [loud, says] of [
      ['true', 'shout is not in the plan, so it is not carried out'],
      ['false', 'spoke to'],
    ] as const)
      it(`and says that it writes (${loud}) acts only where the plan has it if it does`, async () => {
        const port = new URL(fleet.url('lb1')).port;
        const rescue = `      rescue: [{ shout: { port: ${port}, loud: ${loud} } }]\n`;
        await plan(`    - block: [{ api_request: { path: /api/cloud/ } }]\n${rescue}`);
        fleet.controller('lb1').behaviour = {
          faults: [{ type: 'answer', status: 404, when: { method: 'GET', path: '/api/cloud*', first: 1 } }],
        };
        const { stdout } = await run('apply', 'site.plan');
        expect(stdout).to.include(says);
        if (loud === 'true') expect(stdout).not.to.include('spoke');
      });

    it('leaves a stale controller alone', async () => {
      const lb1 = fleet.controller('lb1');
      lb1.setObjects('/api/cloud/', [{ name: 'old', uuid: 'cloud-old', mtu: 1400 }]);
      const change = '    - { cloud_present: { name: old, mtu: 9000 }, ignore_errors: true }\n';
      await plan(`    - { ${speak()}, when: inventory_hostname == 'lb1' }\n${change}`);
      lb1.setObjects('/api/cloud/', [{ name: 'old', uuid: 'cloud-old', mtu: 1500 }]);
      const { code, stdout } = await run('apply', 'site.plan');
      expect(code, stdout).to.equal(5);
      expect(stdout).to.include('was changed since the plan was made').and.not.to.include('spoke');
    });
  });
});
