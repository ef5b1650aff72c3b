import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import type { JournalRecord } from '../../../src/core/model/run/journal.js';
import type { Ask, PlanRollback, RunPart } from '../../../src/engine/input/run_input.js';
import { catalogue, madePlaybook } from '../../rig/loaded.js';
import { Recorder } from '../../rig/recorder.js';
import { runText, type Ran, type TextOptions } from '../../rig/run_text.js';
import { DEAD_CONTROLLER } from '../../rig/waits.js';

const THREE = 'all: { hosts: { lb1: , lb2: , lb3: } }';
const REASON = 'the gate of batch 1 of 2 failed: "Portal answers" on lb1, lb2';

/** Two controllers, then one; no batch passes the gate. */
function run(onFail: string, options: TextOptions = {}): Promise<Ran> {
  return runText(
    `
- name: Roll out
  hosts: all
  serial: 2
  gate: { on_fail: ${onFail}, checks: [{ name: Portal answers, fail: }] }
  tasks: [{ name: Work, debug: }, { name: Work on two, fail: , when: inventory_hostname == hopeless | default("") }]
`,
    { inventory: THREE, ...options },
  );
}

const UNDO = '- { name: Put the batch back, hosts: "lb1,lb2", tasks: [{ name: Undo, debug: }] }\n';

/** In place of the reader of the journal. */
class Planned {
  readonly asked: RunPart[] = [];

  constructor(
    private readonly text: string | undefined,
    private readonly final: readonly string[] = [],
  ) {}

  readonly plan: PlanRollback = async (part) => {
    this.asked.push(part);
    return {
      ...(this.text !== undefined && { playbook: await madePlaybook(this.text) }),
      controllers: part.controllers,
      catalogue,
      final: this.final.map((object) => ({
        controller: 'lb1',
        object,
        reason: 'was created: the API cannot delete it',
      })),
    };
  };
}

const warningsOf = ({ events }: Ran): readonly string[] =>
  events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));

const actionOf = ({ events }: Ran): string | undefined =>
  events.flatMap((event) => (event.type === 'gate-finished' ? [event.action] : []))[0];

describe('a gate that rolls back', () => {
  it('restores the batch without a question, also with --step', async () => {
    const asked: string[] = [];
    const confirmTask = (title: string): Promise<'run' | 'skip'> => {
      asked.push(title);
      return Promise.resolve(title === 'Undo' ? 'skip' : 'run');
    };
    const ran = await run('rollback', { planRollback: new Planned(UNDO).plan, confirmTask });
    expect(asked).to.deep.equal(['Work', 'Work on two']);
    expect(ran.lines.slice(-2)).to.deep.equal(['lb1 Undo: ok', 'lb2 Undo: ok']);
    expect(ran.finished.reason).to.equal(`${REASON}; the batch was rolled back`);
  });

  it('restores the batch before the rollout ends', async () => {
    const { plan, asked } = new Planned(UNDO);
    const ran = await run('rollback', { planRollback: plan });
    expect(asked.map(({ play, controllers }) => [play, controllers])).to.deep.equal([[0, ['lb1', 'lb2']]]);
    expect(ran.lines.slice(-4)).to.deep.equal([
      'lb1 Portal answers: failed',
      'lb2 Portal answers: failed',
      'lb1 Undo: ok',
      'lb2 Undo: ok',
    ]);
    expect(actionOf(ran)).to.equal('rollback');
    const plays = ran.events.flatMap((event) =>
      event.type === 'play-started' ? [[event.play, event.controllers, event.tasks, event.rollback]] : [],
    );
    expect(plays).to.deep.equal([
      ['Roll out', ['lb1', 'lb2', 'lb3'], 2, undefined],
      ['Put the batch back', ['lb1', 'lb2'], 1, true],
    ]);
    expect(ran.finished.cutOff).to.equal(undefined);
    expect(ran.finished).to.deep.include({
      exitCode: 6,
      reason: `${REASON}; the batch was rolled back`,
      unstarted: ['lb3'],
    });
  });

  it('also restores controllers that failed in the batch', async () => {
    const ran = await run('rollback', { planRollback: new Planned(UNDO).plan, extraVars: { hopeless: 'lb2' } });
    expect(ran.lines.slice(-2)).to.deep.equal(['lb1 Undo: ok', 'lb2 Undo: ok']);
    expect(ran.finished).to.deep.include({
      exitCode: 6,
      reason: 'the gate of batch 1 of 2 failed: "Portal answers" on lb1; the batch was rolled back',
      unstarted: ['lb3'],
    });
    expect(ran.finished.cutOff).to.equal(undefined);
  });

  for (const [title, planned, expected] of [
    ['nothing was written', new Planned(undefined), 'the batch had changed nothing'],
    ['nothing can be undone', new Planned(undefined, ['cloud "a"']), '1 change cannot be undone'],
    [
      'something can be undone',
      new Planned(UNDO, ['cloud "a"', 'cloud "b"']),
      'the batch was rolled back, but 2 changes cannot be undone',
    ],
    [
      'putting back fails',
      new Planned(UNDO.replace('debug: }', 'fail: , when: inventory_hostname == "lb2" }')),
      'rollback incomplete on lb2',
    ],
  ] as const) {
    it(`reports the result: ${title}`, async () => {
      const ran = await run('rollback', { planRollback: planned.plan });
      expect(ran.finished).to.include({ exitCode: 6, reason: `${REASON}; ${expected}` });
    });
  }

  it('restores the batch completely with --start-at-task', async () => {
    const ran = await run('rollback', { planRollback: new Planned(UNDO).plan, startAtTask: 'Work on two' });
    expect(ran.lines.slice(-2)).to.deep.equal(['lb1 Undo: ok', 'lb2 Undo: ok']);
  });

  it('lists what cannot be undone', async () => {
    const ran = await run('rollback', { planRollback: new Planned(undefined, ['cloud "a"']).plan });
    expect(warningsOf(ran)).to.deep.equal(['cloud "a" was created: the API cannot delete it']);
  });

  it('reports why the batch is not rolled back', async () => {
    expect((await run('rollback')).finished.reason).to.equal(
      `${REASON}; not rolled back, because the run has no journal`,
    );
    const broken: PlanRollback = () => Promise.reject(new Error('journal.jsonl:3: no record'));
    expect((await run('rollback', { planRollback: broken })).finished.reason).to.equal(
      `${REASON}; not rolled back: journal.jsonl:3: no record`,
    );
  });

  it('restores the batch after refused credentials, but not if its journal cannot be written', async () => {
    const refused = new AbortController();
    const stopAfterCheck = (stop: () => void) => ({
      watch: (event: Event) => {
        if (event.type === 'task-finished' && event.status === 'failed') stop();
      },
      planRollback: new Planned(UNDO).plan,
    });
    const ran = await run('rollback', { refused, ...stopAfterCheck(() => refused.abort('refused by lb1')) });
    expect(ran.lines.slice(-2)).to.deep.equal(['lb1 Undo: ok', 'lb2 Undo: ok']);
    expect(actionOf(ran)).to.equal('rollback');
    expect(ran.finished).to.include({ exitCode: 6, reason: `${REASON}; the batch was rolled back` });
    const journal = new Recorder();
    const broken = await run('rollback', { journal, ...stopAfterCheck(() => journal.break('the disk is full')) });
    expect(broken.lines.filter((line) => line.includes('Undo'))).to.deep.equal([]);
    expect(broken.finished.reason).to.equal(`${REASON}; not rolled back, because the journal cannot be written`);
  });

  it('makes a resume start the batch again', async () => {
    const records: JournalRecord[] = [];
    const journal = {
      intend: () => Promise.resolve(1),
      record: (record: JournalRecord) => {
        records.push(record);
      },
      broken: new AbortController().signal,
      digest: () => '',
    };
    await run('rollback', { planRollback: new Planned(UNDO).plan, journal });
    const known = records.flatMap((one) => {
      if (one.type === 'steps-forgotten') return [`${one.controller} forgotten ${one.place}`];
      return one.type === 'step-settled' && one.title === 'Undo' ? [`${one.controller} Undo ${one.place}`] : [];
    });
    // Also if the process ends within the rollback.
    expect(known).to.deep.equal([
      'lb1 forgotten 0:',
      'lb2 forgotten 0:',
      'lb1 Undo 0:rollback/1/1',
      'lb2 Undo 0:rollback/1/1',
    ]);
  });
});

describe('the reason of a gate', () => {
  const reason = async (checks: string, options: TextOptions = {}): Promise<string | undefined> => {
    const playbook = `- { hosts: all, gate: { checks: ${checks} }, tasks: [{ debug: }] }\n`;
    return (await runText(playbook, { inventory: THREE, ...options })).finished.reason;
  };

  it('is the check that failed, not what came after it', async () => {
    const checks = '[{ name: Fine, debug: }, { block: [{ name: Portal, fail: }], always: [{ name: Note, debug: }] }]';
    expect(await reason(checks)).to.equal('the gate of the play failed: "Portal" on lb1, lb2, lb3');
    const ignored =
      '[{ name: Odd, fail: , ignore_errors: true }, { name: Last, fail: , when: inventory_hostname == "lb2" }]';
    expect(await reason(ignored)).to.equal('the gate of the play failed: "Last" on lb2');
  });

  it('may be a controller that cannot be reached', async () => {
    const credentials = 'controller_username: a, controller_password: b, controller_api_version: 22.1.3';
    const inventory = `all: { hosts: { lb1: { ${DEAD_CONTROLLER}, ${credentials} } } }`;
    expect(await reason('[{ name: Reach, api_request: { path: /api/x } }]', { inventory })).to.equal(
      'the gate of the play failed: "Reach" on lb1',
    );
  });
});

describe('a gate that asks', () => {
  const answering = (...answers: readonly (string | undefined)[]): { ask: Ask; questions: string[] } => {
    const questions: string[] = [];
    const left = [...answers];
    const ask: Ask = ({ question }) => {
      questions.push(question);
      return Promise.resolve(left.shift());
    };
    return { ask, questions };
  };
  const planRollback = new Planned(UNDO).plan;

  it('continues if the user confirms', async () => {
    const { ask, questions } = answering('c', ' CONTINUE ');
    const ran = await run('pause', { ask, planRollback });
    expect(questions).to.deep.equal([
      `${REASON}. How to continue? (c)ontinue/(s)top/(r)ollback:`,
      'the gate of batch 2 of 2 failed: "Portal answers" on lb3. How to continue? (c)ontinue/(s)top/(r)ollback:',
    ]);
    expect(actionOf(ran)).to.equal('continue');
    expect(ran.finished).to.include({ status: 'ok', exitCode: 0 });
  });

  it('stops if the user says so', async () => {
    const ran = await run('pause', { ask: answering('stop').ask });
    expect(ran.finished).to.include({ exitCode: 6, reason: REASON });
  });

  it('rolls back if the user says so', async () => {
    const ran = await run('pause', { ask: answering('roll').ask, planRollback });
    expect(ran.finished).to.include({ exitCode: 6, reason: `${REASON}; the batch was rolled back` });
  });

  it('does not offer to continue after refused credentials', async () => {
    const refused = new AbortController();
    const watch = (event: Event): void => {
      if (event.type === 'task-finished' && event.status === 'failed') refused.abort('refused by lb1');
    };
    const { ask, questions } = answering('c', 'r');
    const ran = await run('pause', { ask, planRollback, refused, watch });
    expect(questions).to.deep.equal(Array(2).fill(`${REASON}. How to continue? (s)top/(r)ollback:`));
    expect(ran.finished.reason).to.equal(`${REASON}; the batch was rolled back`);
  });

  it('does not offer an impossible rollback, and repeats a question after an unclear answer', async () => {
    const { ask, questions } = answering('', 'rollback', 'what?', 's');
    const ran = await run('pause', { ask });
    expect(questions).to.deep.equal(Array(4).fill(`${REASON}. How to continue? (c)ontinue/(s)top:`));
    expect(ran.finished.exitCode).to.equal(6);
  });

  it('stops if no answer is understood', async () => {
    const { ask, questions } = answering('', 'rollback', 'what?', 'x', 'y', 'c');
    const ran = await run('pause', { ask });
    expect([questions.length, actionOf(ran)]).to.deep.equal([5, 'stop']);
    expect(warningsOf(ran)).to.deep.equal(['no answer was understood, so the rollout stops']);
  });

  it('stops without a terminal, and in a program', async () => {
    const ran = await run('pause', { ask: () => Promise.resolve(undefined) });
    expect(actionOf(ran)).to.equal('stop');
    expect(warningsOf(ran)).to.deep.equal(['stdin is not a terminal, so the rollout stops']);
    expect(ran.finished).to.include({ exitCode: 6, reason: REASON });
    expect(warningsOf(await run('pause'))).to.deep.equal(['a program answers no questions, so the rollout stops']);
  });

  it('can be interrupted like any question', async () => {
    const interrupt = new AbortController();
    const ask: Ask = (_question, signal) => {
      interrupt.abort();
      expect(signal.aborted).to.equal(true);
      return Promise.resolve(undefined);
    };
    const ran = await run('pause', { ask, drain: interrupt.signal });
    expect(actionOf(ran)).to.equal(undefined);
    expect(ran.finished).to.include({ status: 'interrupted', exitCode: 130 });
  });
});
