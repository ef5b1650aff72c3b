import { expect } from 'chai';
import { placeText } from '../../../src/model/source/source.js';
import type { PlanMaker } from '../../../src/model/run/plan.js';
import { atEachLoss, FOUR, outcomeOf, SCENARIOS } from '../../rig/dispatch_scenarios.js';
import { EFFECTS } from '../../rig/effect_scenarios.js';
import { Recorder } from '../../rig/recorder.js';
import { goOn, keptRun, momentAfter, settledStep } from '../../rig/cut_run.js';
import { runText, type Ran, type TextOptions } from '../../rig/run_text.js';

const share = (from: number) => ({ each: 5, from });

describe('a dispatcher', () => {
  for (const [index, [name, { playbook, ...options }]] of Object.entries(SCENARIOS).entries()) {
    it(`has the same outcome as one process: ${name}`, async () => {
      const alone = await runText(playbook, { inventory: FOUR, ...options, workers: 0 });
      expect(alone.lines).to.not.deep.equal([]);
      for (const workers of [1, 3]) {
        const shared = await runText(playbook, { inventory: FOUR, ...options, workers });
        expect(outcomeOf(shared), `${workers} workers`).to.deep.equal(outcomeOf(alone));
      }
    });

    if (options.isRace === true) continue;
    it(`loses nothing when it loses a worker: ${name}`, async () => {
      const alone = await runText(playbook, { inventory: FOUR, ...options, workers: 0 });
      await atEachLoss(async (loseAfter, onText) => {
        const shared = await runText(playbook, { inventory: FOUR, ...options, workers: 2, loseAfter, onText });
        expect(finalOf(shared), `lost after ${loseAfter} texts`).to.deep.equal(finalOf(alone));
      }, share(index));
    });
  }
});

describe('an effect of a step on other controllers', () => {
  const mixed = FOUR.replace('lb1: {', 'lb1: {worker_site: here, ').replace('lb4: {', 'lb4: {worker_site: here, ');
  for (const [index, [name, { playbook, ...options }]] of Object.entries(EFFECTS).entries()) {
    const ran = (given: TextOptions): Promise<Ran> => runText(playbook, { inventory: FOUR, ...options, ...given });

    it(`is the same as in one process: ${name}`, async () => {
      const alone = await ran({ workers: 0 });
      expect(alone.lines).to.not.deep.equal([]);
      for (const workers of [1, 2, 3])
        for (const inventory of [FOUR, mixed])
          expect(outcomeOf(await ran({ workers, inventory })), `${workers}`).to.deep.equal(outcomeOf(alone));
    });

    it(`is the same although workers are lost: ${name}`, async () => {
      const alone = await ran({ workers: 0 });
      for (const isOne of [false, true])
        await atEachLoss(async (loseAfter, onText) => {
          const rotate = loseAfter % 2 === 1;
          const loser = isOne ? `lb${(loseAfter % 3) + 1}` : undefined;
          const shared = await ran({ workers: 2, loseAfter, loser, rotate, onText });
          expect(finalOf(shared), `${loser} lost after ${loseAfter} texts`).to.deep.equal(finalOf(alone));
        }, share(index));
    });
  }
});

describe('a controller that no worker accepts any more', () => {
  for (const strategy of ['linear', 'host_pinned']) {
    it(`does not make others wait for it, with the strategy ${strategy}`, async () => {
      const playbook = `
- hosts: all
  strategy: ${strategy}
  tasks:
    - { debug: { msg: first } }
    - { debug: { msg: once }, run_once: true, throttle: 1 }
    - { debug: { msg: last } }
`;
      const options = { inventory: FOUR, workers: 2, lostForGood: 'lb1' };
      for (let texts = 0; texts < 10; texts++) {
        const { lines } = await runText(playbook, { ...options, loseAfter: texts });
        const isLost = lines.includes('lb1 Hand over to a worker: unreachable');
        expect(isLost || lines.filter((line) => line.startsWith('lb1')).length === 3, `${texts} texts`).to.equal(true);
        if (texts < 2) expect(isLost, `${texts} texts`).to.equal(true);
      }
    });
  }
});

describe('the data that all batches of a play share', () => {
  it('is sent once to each worker', async () => {
    const calls: string[] = [];
    const onText = (text: string): void => {
      for (const [, type = ''] of text.matchAll(/"call":\{"type":"(batch|targets)"/g)) calls.push(type);
    };
    const playbook =
      "- { hosts: all, serial: 1, tasks: [{ debug: { msg: '{{ ansible_play_hosts_all | length }}' } }] }";
    const { said } = await runText(playbook, { inventory: FOUR, workers: 2, onText });
    expect(said).to.deep.equal(['4', '4', '4', '4']);
    expect(calls.filter((type) => type === 'batch')).to.have.length(4);
    expect(calls.filter((type) => type === 'targets')).to.have.length(2);
  });
});

describe('a plan that workers make', () => {
  const playbook = `
- hosts: all
  vars_files: ['{{ site }}.yml']
  tasks:
    - { name: skipped, debug: { msg: '{{ size }}' }, when: size > 1 }
    - { include_tasks: more.yml, vars: { from: '{{ site }}' } }
    - { include_role: { name: web } }
    - { name: waits, pause: { seconds: 0 }, loop: [x, y] }
`;
  const files = {
    'a.yml': 'size: 1',
    'b.yml': 'size: 2',
    'more.yml': '- { name: more, pause: { seconds: 0 } }\n- { include_tasks: most.yml }',
    'most.yml': '- { name: most, pause: { seconds: 0 } }',
    'roles/web/tasks/main.yml': '- { name: web, pause: { seconds: 0 } }',
  };

  async function planned(workers: number, loseAfter?: number): Promise<object> {
    const steps: string[] = [];
    const read = new Set<string>();
    const plan: PlanMaker = {
      type: 'make',
      digest: (value) => JSON.stringify(value),
      keep: (controller, { place, title, item, decided }) => {
        steps.push(JSON.stringify([controller, place, title, item, decided]));
      },
      included: ({ source }, args, { steps: brought }) => {
        read.add(`${placeText(source)} ${JSON.stringify(args)}: ${brought.length}`);
      },
      keepPositions: ({ source }) => {
        read.add(`positions of ${placeText(source)}`);
      },
    };
    const { finished } = await runText(playbook, {
      inventory: FOUR,
      files,
      check: true,
      plan,
      journal: new Recorder(),
      workers,
      loseAfter,
    });
    expect(finished.status).to.equal('ok');
    expect(steps).to.not.deep.equal([]);
    return { steps: steps.sort(), read: [...read].sort() };
  }

  it('contains the decisions and includes of workers once, although workers are lost', async () => {
    const alone = await planned(0);
    expect(await planned(3)).to.deep.equal(alone);
    for (let texts = 0; texts < 8; texts++)
      expect(await planned(2, texts), `lost after ${texts} texts`).to.deep.equal(alone);
  });
});

describe('a user who is asked about each task', () => {
  const playbook = `
- hosts: all
  tasks:
    - { name: first, debug: { msg: first } }
    - { name: unwanted, debug: { msg: second } }
    - { name: loop, include_tasks: more.yml, loop: [1, 2] }
    - { name: enough, debug: { msg: last } }
    - { name: end, debug: { msg: end } }
`;

  it('is asked once for each task, even if workers are lost', async () => {
    const ask = async (options: Partial<TextOptions>): Promise<readonly string[]> => {
      const asked: string[] = [];
      await runText(playbook, {
        inventory: FOUR,
        files: { 'more.yml': '- { name: more, debug: { msg: "{{ item }}" } }' },
        confirmTask: (title) => {
          asked.push(title);
          return Promise.resolve(title === 'unwanted' ? 'skip' : title === 'enough' ? 'continue' : 'run');
        },
        ...options,
      });
      return asked;
    };
    const asked = await ask({ workers: 0 });
    expect(asked).to.deep.equal(['first', 'unwanted', 'loop', 'more', 'more', 'enough']);
    for (const workers of [1, 3]) expect(await ask({ workers })).to.deep.equal(asked);
    for (const loseAfter of [1, 4, 7]) expect(await ask({ workers: 2, loseAfter })).to.deep.equal(asked);
  });

  it('is not asked again by a resume about a declined task', async () => {
    const asked: string[] = [];
    const options: TextOptions = {
      files: { 'more.yml': '[]' },
      workers: 2,
      confirmTask: (title) => {
        asked.push(title);
        return Promise.resolve(title === 'unwanted' ? 'skip' : 'run');
      },
    };
    const run = await keptRun(playbook, options);
    asked.length = 0;
    await goOn(playbook, momentAfter(run, settledStep('lb1', 'enough')), options);
    expect(asked).to.deep.equal(['end']);
  });
});

describe('the site of a controller', () => {
  it('can be a template, applies to controllers that a task adds, and fails a controller if it is invalid', async () => {
    const playbook = `
- hosts: all
  tasks: [{ add_host: { name: new, worker_site: '{{ "here" }}' } }]
- hosts: lb1:new:lb2
  tasks: [{ debug: { msg: '{{ inventory_hostname }}' } }]
`;
    const inventory = `
all:
  hosts:
    lb1: { worker_site: '{{ "here" if inventory_hostname == "lb1" }}' }
    lb2: { worker_site: '{{ no_such_variable }}' }
`;
    const { lines, said, finished } = await runText(playbook, { inventory, workers: 1 });
    expect(finished.status).to.equal('failed');
    expect(said.toSorted()).to.deep.equal(['lb1', 'new']);
    expect(lines.filter((line) => line.startsWith('lb2'))).to.deep.equal(['lb2 site: failed']);
  });

  it('is in the events of plays and tasks', async () => {
    const playbook = `
- hosts: all
  tasks: [{ add_host: { name: new, worker_site: paris } }]
- hosts: all:new
  tasks: [{ debug: { msg: hello } }]
`;
    const inventory = `
all:
  hosts: { lb1: { worker_site: here }, lb2: { worker_site: '{{ "ma" ~ "drid" }}' }, lb3: {}, lb4: { worker_site: paris } }
`;
    const { events, tasks } = await runText(playbook, { inventory, workers: 2 });
    const plays = events.flatMap((event) => (event.type === 'play-started' ? [event] : []));
    expect(plays.map(({ routes }) => routes)).to.deep.equal([
      { madrid: [1], paris: [3] },
      { madrid: [1], paris: [3, 4] },
    ]);
    const sites = tasks.slice(-5).map(({ controller, worker }) => [controller, worker?.replace(/\/.*/, '')] as const);
    expect(Object.fromEntries(sites)).to.deep.equal({
      lb1: undefined,
      lb2: 'madrid',
      lb3: undefined,
      lb4: 'paris',
      new: 'paris',
    });
  });
});

/** What a task said before its worker was lost may be said again; it is counted once. */
function finalOf({ finished, lines, said }: Ran): object {
  const { status, exitCode, stats, unstarted, cutOff } = finished;
  return {
    status,
    exitCode,
    stats,
    unstarted,
    cutOff,
    lines: [...new Set(lines)].sort(),
    said: [...new Set(said)].sort(),
  };
}
