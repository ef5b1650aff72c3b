import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import type { JournalRecord } from '../../../src/core/model/run/journal.js';
import type { Past } from '../../../src/core/model/run/past.js';
import { runText, type Ran, type TextOptions } from '../../rig/run_text.js';
import { startFleet } from '../../rig/simulated.js';

const FOUR = 'all: { hosts: { lb1: , lb2: , lb3: , lb4: } }';

/** Runs a play over four controllers, two at a time, whose gate is this text in flow style. */
function run(gate: string, options: TextOptions = {}, play = ''): Promise<Ran> {
  return runText(
    `
- name: Roll out
  hosts: all
  serial: [1, 3]
  gate: { interval: 0, ${gate} }
  tasks: [{ name: Work, debug: }]
${play}
`,
    { inventory: FOUR, ...options },
  );
}

/** The outcomes of batches and gates, one line per event. */
function gates({ events }: Ran): readonly string[] {
  return events.flatMap((event) => wordsFor(event) ?? []);
}

function wordsFor(event: Event): string | undefined {
  if (event.type === 'batch-started') return `batch ${event.batch}`;
  if (event.type === 'gate-started') return `gate ${event.batch}: ${event.controllers.join(' ')}`;
  if (event.type === 'gate-finished') return `${event.status}: ${event.action}`;
  if (event.type !== 'gate-checked') return undefined;
  return `round ${event.round}: ${event.failed.length === 0 ? 'passed' : event.failed.join(' ')}`;
}

const FAIRLY = 'checks: [{ name: Fairly, debug: }]';
const NEVER_ON_LB1 = 'checks: [{ name: Portal answers, fail: { msg: silent }, when: inventory_hostname == "lb1" }]';

describe('a gate', () => {
  it('must be passed by each batch before the next one starts', async () => {
    const ran = await run(FAIRLY);
    expect(gates(ran)).to.deep.equal([
      'batch 1',
      'gate 1: lb1',
      'round 1: passed',
      'passed: continue',
      'batch 2',
      'gate 2: lb2 lb3 lb4',
      'round 1: passed',
      'passed: continue',
    ]);
    expect(ran.finished).to.include({ status: 'ok', exitCode: 0 });
    expect(ran.finished.stats['lb1'], 'its checks do not count').to.include({ ok: 1 });
  });

  it('fails at once if a raw write of a check may have taken effect, which another round would repeat', async () => {
    const dropped = { type: 'drop', applied: true, when: { method: 'POST' } } as const;
    const fleet = await startFleet({ behaviour: { faults: [dropped] } });
    try {
      const check = 'api_request: { method: POST, path: /api/probe/, body: {} }';
      const gate = `gate: { interval: 0, failures: 3, checks: [{ name: Probe, ${check} }] }`;
      const ran = await runText(`- { hosts: fleet, ${gate}, tasks: [debug: ] }`, { inventory: fleet.inventory });
      expect(gates(ran)).to.deep.equal(['batch 1', 'gate 1: lb1', 'round 1: lb1', 'failed: stop']);
      expect(fleet.controller('lb1').requests.filter(({ method }) => method === 'POST')).to.have.length(1);
    } finally {
      await fleet.dispose();
    }
  });

  it('ends the rollout when it fails', async () => {
    const ran = await run(NEVER_ON_LB1, {}, '- { name: Later, hosts: all, tasks: [debug: ] }');
    expect(gates(ran)).to.deep.equal(['batch 1', 'gate 1: lb1', 'round 1: lb1', 'failed: stop']);
    expect(ran.finished).to.deep.include({
      status: 'failed',
      exitCode: 6,
      reason: 'the gate of batch 1 of 2 failed: "Portal answers" on lb1',
      unstarted: ['lb2', 'lb3', 'lb4'],
      cutOff: ['lb1'],
    });
    expect(ran.finished.stats['lb1'], 'it is not the controller that failed').to.include({ ok: 1, failed: 0 });
  });

  it('reports a failure of the last batch, although there is no batch left to stop', async () => {
    const ran = await run('checks: [{ name: Odd, fail: , when: inventory_hostname != "lb1" }]');
    expect(ran.finished).to.deep.include({
      exitCode: 6,
      reason: 'the gate of batch 2 of 2 failed: "Odd" on lb2, lb3, lb4',
      unstarted: [],
    });
  });

  it('asks for tasks one by one, but not for its checks', async () => {
    const asked: string[] = [];
    const confirmTask = (title: string) => {
      asked.push(title);
      return Promise.resolve('run' as const);
    };
    const ran = await run(FAIRLY, { confirmTask });
    expect(asked).to.deep.equal(['Work', 'Work']);
    expect(gates(ran).filter((line) => line === 'passed: continue')).to.have.length(2);
  });

  it('needs no serial', async () => {
    const ran = await runText(
      `
- hosts: all
  gate: { checks: [{ name: One, fail: , when: 'inventory_hostname in ["lb1", "lb2"]' }, { name: Two, fail: , when: inventory_hostname == "lb4" }] }
`,
      { inventory: FOUR },
    );
    expect(ran.finished.reason).to.equal('the gate of the play failed: "One" on lb1, lb2, "Two" on lb4');
  });

  it('requires a number of passed rounds in a row, and allows a number of failed ones', async () => {
    // Rounds 1, 2 and 4 pass, 3 fails, and so do 5 and 6.
    const checks = `checks:
      - { name: Count, set_fact: { round: "{{round | default(0) + 1}}" } }
      - { name: Now and then, fail: , when: "round in [3, 5, 6]" }
      - { name: Still in the play, assert: { that: "ansible_play_hosts == ['lb1']" } }`;
    const ran = await runText(`
- hosts: all
  gate:
    interval: 0
    passes: 3
    failures: 3
    ${checks}
`);
    expect(gates(ran)).to.deep.equal([
      'batch 1',
      'gate 1: lb1',
      'round 1: passed',
      'round 2: passed',
      'round 3: lb1',
      'round 4: passed',
      'round 5: lb1',
      'round 6: lb1',
      'failed: stop',
    ]);
    expect(ran.tasks.map(({ task, round, status }) => `${round ?? 0} ${task}: ${status}`).slice(-2)).to.deep.equal([
      '6 Count: ok',
      '6 Now and then: failed',
    ]);
  });

  it('waits between its rounds, but not after the last one', async () => {
    const ran = await runText(`
- hosts: all
  gate: { interval: 0.3, passes: 2, ${FAIRLY} }
`);
    const [first, second, end] = ran.events.flatMap(({ type, time }) =>
      type.startsWith('gate-') && type !== 'gate-started' ? [Date.parse(time)] : [],
    );
    expect((second ?? 0) - (first ?? 0)).to.be.within(290, 2000);
    expect((end ?? 0) - (second ?? 0)).to.be.below(290);
  });

  for (const strategy of ['linear', 'host_pinned']) {
    it(`sees registered values of the play, and its rounds: ${strategy}`, async () => {
      const ran = await runText(
        `
- hosts: all
  strategy: ${strategy}
  vars: { wanted: hello }
  gate:
    checks:
      - { name: Ask, debug: { msg: '{{seen.msg}} {{inventory_hostname}}' }, register: again }
      - { name: Compare, assert: { that: again.msg == wanted + " " + inventory_hostname, quiet: true } }
      - { name: Once, debug: { msg: once }, run_once: true }
  tasks:
    - { name: Work, debug: { msg: '{{wanted}}' }, register: seen }
`,
        { inventory: FOUR },
      );
      expect(ran.finished.exitCode).to.equal(0);
      expect(ran.lines.filter((line) => line.includes('Once'))).to.deep.equal(['lb1 Once: ok']);
      expect(ran.lines.filter((line) => line.includes('Compare: ok'))).to.have.length(4);
    });

    it(`checks only controllers that did not fail: ${strategy}`, async () => {
      const ran = await runText(
        `
- hosts: all
  strategy: ${strategy}
  gate: { checks: [{ name: Fine, debug: }] }
  tasks: [{ name: Work, fail: , when: 'inventory_hostname in ["lb2", "lb3"]' }]
`,
        { inventory: FOUR },
      );
      expect(gates(ran)).to.deep.equal(['batch 1', 'gate 1: lb1 lb4', 'round 1: passed', 'passed: continue']);
      expect(ran.finished.exitCode).to.equal(2);
    });
  }

  it('does not run if the batch has ended the run', async () => {
    const lost = await runText('- hosts: all\n  gate: { checks: [debug: ] }\n  tasks: [fail: ]\n', { inventory: FOUR });
    expect(gates(lost)).to.deep.equal(['batch 1']);
    const tooMany = await runText(
      '- hosts: all\n  max_fail_percentage: 20\n  gate: { checks: [debug: ] }\n  tasks: [{ fail: , when: inventory_hostname == "lb2" }]\n',
      { inventory: FOUR },
    );
    expect(gates(tooMany)).to.deep.equal(['batch 1']);
    expect(tooMany.finished.exitCode).to.equal(2);
  });

  it('checks a batch that end_batch ended', async () => {
    const ran = await runText('- hosts: all\n  gate: { checks: [debug: ] }\n  tasks: [meta: end_play]\n', {
      inventory: FOUR,
    });
    expect(gates(ran)).to.deep.equal(['batch 1', 'gate 1: lb1 lb2 lb3 lb4', 'round 1: passed', 'passed: continue']);
  });

  it('does not count ignored or rescued failures of its checks', async () => {
    const ran = await run(`checks: [{ fail: , ignore_errors: true }, { block: [fail: ], rescue: [debug: ] }]`);
    expect(ran.finished.exitCode).to.equal(0);
    expect(ran.finished.stats['lb1']).to.include({ ignored: 0, rescued: 0 });
  });

  it('is not rescued, and does not end other controllers', async () => {
    const ran = await run(
      'checks: [{ name: Fatal, fail: , any_errors_fatal: true, when: inventory_hostname == "lb3" }]',
    );
    expect(ran.finished.reason).to.equal('the gate of batch 2 of 2 failed: "Fatal" on lb3');
  });

  it('counts an unreachable controller as failed', async () => {
    const ran = await run('checks: [{ name: Read, api_request: { path: /api/cloud/ } }]');
    expect(ran.finished.reason).to.equal('the gate of batch 1 of 2 failed: "Read" on lb1');
  });

  it('cannot notify a handler that only an include would add', async () => {
    const ran = await runText(
      '- hosts: all\n  gate: { checks: [{ include_tasks: "{{file}}" }] }\n  vars: { file: more.yml }\n  tasks: []\n  handlers: [{ name: Told, debug: }]\n',
      { files: { 'more.yml': '- { name: Change, debug: , changed_when: true, notify: Told }\n' } },
    );
    expect(ran.tasks.at(-1)).to.include({ task: 'Change', status: 'failed', message: 'there is no handler "Told"' });
    expect(ran.finished.exitCode).to.equal(6);
  });
});

describe('a gate and tags', () => {
  const GATE = 'checks: [{ name: Always there, debug: }, { name: Rare, debug: , tags: [never, rare] }]';
  const checksOf = (ran: Ran): readonly string[] =>
    ran.tasks.flatMap(({ round, task, controller }) => (round === undefined || controller !== 'lb1' ? [] : [task]));

  it('keeps its checks, whatever tags are selected', async () => {
    const tagged = await run(GATE, { tags: ['always'] });
    expect(checksOf(tagged), 'nothing of the play is left').to.deep.equal([]);
    const other = await runText(
      `- hosts: all\n  gate: { ${GATE} }\n  tasks: [{ debug: , tags: a }, { debug: , tags: b }]\n`,
      { tags: ['a'], skipTags: ['untagged'] },
    );
    expect(checksOf(other)).to.deep.equal(['Always there']);
    const rare = await run(GATE, { tags: ['rare', 'all'] });
    expect(checksOf(rare)).to.deep.equal(['Always there', 'Rare']);
  });
});

describe('a gate in check mode', () => {
  it('is left unchanged, with a message', async () => {
    const ran = await run(NEVER_ON_LB1, { check: true });
    expect(gates(ran)).to.deep.equal(['batch 1', 'batch 2']);
    expect(ran.finished.exitCode).to.equal(0);
    const warnings = ran.events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
    expect(warnings).to.deep.equal(['check mode changes nothing that a gate could check, so its checks are not run']);
  });
});

describe('settings of a gate', () => {
  for (const [gate, expected] of [
    ['passes: "{{n}}"', 'passes must be a whole number from 1, not 0'],
    ['failures: "{{n}}"', 'failures must be a whole number from 1, not 0'],
    ['interval: "{{n - 1}}"', 'interval must be a number from 0, not -1'],
    ['on_fail: "{{how}}"', 'on_fail must be stop, rollback, pause, not "rolback"'],
  ] as const) {
    it(`are rendered before anything runs: ${gate}`, async () => {
      const play = `- { hosts: all, vars: { n: 0, how: rolback }, gate: { checks: [debug: ], ${gate} } }\n`;
      const error = await runText(play).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).to.be.an('error').with.property('message', expected);
    });
  }
});

describe('a gate of a resumed run', () => {
  /** @param work the controllers that have finished the task */
  const past = (passed: readonly string[], work = passed): Past => ({
    finishedStep: (ref) =>
      work.includes(ref.controller)
        ? { ...ref, type: 'step-settled', module: 'debug', title: 'Work', end: 'completed', counted: { status: 'ok' } }
        : undefined,
    known: () => undefined,
    begunAlike: () => [],
    membersBefore: () => [],
    isDeclined: () => false,
    isCleanedUp: () => false,
    hasCleanedUp: () => false,
    digest: () => '',
    reached: () => undefined,
    ended: () => [],
    writes: () => [],
    ofInterruptedGate: () => past([]),
    written: () => undefined,
    writtenTo: () => [],
    startedBatches: () => undefined,
    hasPassed: (play, names) => play === 0 && names.every((name) => passed.includes(name)),
  });

  it('is not run again if it was passed', async () => {
    const ran = await run(FAIRLY, { past: past(['lb1']) });
    expect(gates(ran)).to.deep.equal([
      'batch 1',
      'batch 2',
      'gate 2: lb2 lb3 lb4',
      'round 1: passed',
      'passed: continue',
    ]);
  });

  it('is not run again if all that are left had passed it', async () => {
    const all = ['lb1', 'lb2', 'lb4'];
    const before = past(all, [...all, 'lb3']);
    const finishedStep: Past['finishedStep'] = (ref) => {
      const step = before.finishedStep(ref);
      return step && ref.controller === 'lb3' ? { ...step, end: 'failed', counted: { status: 'failed' } } : step;
    };
    const ran = await run(FAIRLY, { past: { ...before, finishedStep } });
    expect(gates(ran)).to.deep.equal(['batch 1', 'batch 2']);
    expect(ran.finished.stats['lb3']).to.include({ failed: 1 });
  });

  it('is run again if a task is new, or a controller of the batch has not passed', async () => {
    const all = ['lb1', 'lb2', 'lb3', 'lb4'];
    for (const before of [past(all, ['lb1', 'lb2', 'lb3']), past(['lb1', 'lb2', 'lb3'], all)])
      expect(gates(await run(FAIRLY, { past: before }))).to.deep.equal([
        'batch 1',
        'batch 2',
        'gate 2: lb2 lb3 lb4',
        'round 1: passed',
        'passed: continue',
      ]);
  });

  it('starts again if it was not passed', async () => {
    const ran = await run(NEVER_ON_LB1, { past: past(['lb2', 'lb3', 'lb4']) });
    expect(gates(ran)).to.deep.equal(['batch 1', 'gate 1: lb1', 'round 1: lb1', 'failed: stop']);
  });

  it('has recorded its checks, whose variables a resume restores', async () => {
    const records: JournalRecord[] = [];
    const journal = {
      intend: () => Promise.resolve(1),
      record: (record: JournalRecord) => {
        records.push(record);
      },
      broken: new AbortController().signal,
      digest: () => '',
    };
    await run(FAIRLY, { journal });
    const places = records.flatMap((record) => (record.type === 'step-settled' ? [record.place] : []));
    expect(places.filter((place) => place === '0:1')).to.have.length(4);
    expect(places.filter((place) => place === '0:gate/0')).to.have.length(4);
  });
});

describe('a gate that is interrupted', () => {
  it('ends without a result', async () => {
    const interrupt = new AbortController();
    const ran = await runText(
      `- hosts: all\n  gate: { interval: 3600, passes: 2, checks: [debug: ] }\n  tasks: [debug: ]\n`,
      {
        inventory: FOUR,
        drain: interrupt.signal,
        watch: ({ type }) => {
          if (type === 'gate-checked') interrupt.abort();
        },
      },
    );
    expect(gates(ran)).to.deep.equal(['batch 1', 'gate 1: lb1 lb2 lb3 lb4', 'round 1: passed']);
    expect(ran.finished).to.include({ status: 'interrupted', exitCode: 130 });
  });

  it('does not count an interrupted check as a failure', async () => {
    const interrupt = new AbortController();
    const ran = await runText(`- hosts: all\n  gate: { checks: [{ wait_for: { timeout: 3600 } }] }\n`, {
      drain: interrupt.signal,
      watch: ({ type }) => {
        if (type === 'task-started') interrupt.abort();
      },
    });
    expect(gates(ran)).to.deep.equal(['batch 1', 'gate 1: lb1']);
    expect(ran.finished.exitCode).to.equal(130);
  });

  it('has no result either if another check has failed', async () => {
    const interrupt = new AbortController();
    const checks = `[{ fail: , when: inventory_hostname == 'lb1' }, { wait_for: { timeout: 3600 } }]`;
    const ran = await runText(`- hosts: all\n  gate: { failures: 1, checks: ${checks} }\n  tasks: [debug: ]\n`, {
      inventory: FOUR,
      drain: interrupt.signal,
      watch: (event) => {
        if (event.type === 'task-finished' && event.status === 'failed') interrupt.abort();
      },
    });
    expect(gates(ran)).to.deep.equal(['batch 1', 'gate 1: lb1 lb2 lb3 lb4']);
    expect(ran.finished.exitCode).to.equal(130);
  });
});
