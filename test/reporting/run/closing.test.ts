import { expect } from 'chai';
import type { Event, PlayStarted, RunFinished } from '../../../src/core/model/run/event.js';
import { emptyStats } from '../../../src/core/model/run/result.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { KeptOutcome } from '../../../src/launch/history/outcome.js';
import { abortedText, ClosingLines } from '../../../src/reporting/run/closing.js';
import { PlayProgress } from '../../../src/reporting/run/progress.js';
import { ResultGroups } from '../../../src/reporting/run/result_groups.js';
import { createPalette } from '../../../src/reporting/text/palette.js';
import { EventMaker } from '../../rig/events.js';

const CHANGE = { kind: 'create', object: 'cloud "a"', before: null, after: {} } as const;

function closing(events: readonly Event[], given: object = {}): ClosingLines {
  const options = { secrets: new Secrets(), cwd: '/', commandFor: (way: string) => `evenkeel ${way}`, ...given };
  const lines = new ClosingLines(options, createPalette(false));
  for (const event of events) lines.handle(event);
  return lines;
}

describe('the end of a run', () => {
  const make = new EventMaker();
  const ended = (given: Partial<RunFinished>): RunFinished => make.runFinished({ stats: {}, ...given }) as RunFinished;
  const failed = { lb1: { ...emptyStats(), ok: 1 }, lb2: { ...emptyStats(), failed: 1 } };
  const cases: readonly (readonly [
    what: string,
    end: Partial<RunFinished>,
    check: boolean,
    commands: readonly string[],
  ])[] = [
    ['that is well', {}, false, []],
    ['with a failure', { stats: failed }, false, ['continue with: evenkeel rerun']],
    [
      'with a controller away',
      { stats: { lb1: { ...emptyStats(), unreachable: 1 } } },
      false,
      ['continue with: evenkeel rerun'],
    ],
    [
      'that a controller that is away ended before others started',
      { reason: 'all failed', stats: { lb1: { ...emptyStats(), unreachable: 1 } }, unstarted: ['lb2'] },
      false,
      ['continue with: evenkeel rerun', 'or leave out the unreachable with: evenkeel unstarted'],
    ],
    [
      'that a failure ended before others started',
      { reason: 'all failed', stats: failed, unstarted: ['lb2'] },
      false,
      ['continue with: evenkeel rerun'],
    ],
    ['with one not started', { unstarted: ['lb3'] }, false, ['continue with: evenkeel rerun']],
    ['with one cut off', { cutOff: ['lb3'] }, false, ['continue with: evenkeel rerun']],
    ['that was interrupted', { status: 'interrupted', exitCode: 130 }, false, ['continue with: evenkeel resume']],
    [
      'that was an interrupted check',
      { status: 'interrupted', exitCode: 130 },
      true,
      ['continue with: evenkeel rerun'],
    ],
    [
      'at a gate',
      { status: 'failed', exitCode: 6, stats: failed },
      false,
      ['continue with: evenkeel resume', 'or roll back with: evenkeel rollback'],
    ],
    ['of a stale plan', { status: 'stale', exitCode: 5, stats: failed }, false, []],
    [
      'of a stale plan at a gate',
      { status: 'stale', exitCode: 6 },
      false,
      ['continue with: evenkeel resume', 'or roll back with: evenkeel rollback'],
    ],
    ['that could not be kept', { unkept: true, stats: failed }, false, ['continue with: evenkeel resume']],
    ['that was a check and could not be kept', { unkept: true, stats: failed }, true, []],
  ];
  for (const [what, end, check, commands] of cases)
    it(`${what} says what to do next`, () => {
      for (const change of [{ change: CHANGE }, { maskedChange: true }] as const) {
        const wrote = make.taskFinished('lb1', 'changed', change);
        const begun = [make.runStarted({ check }), make.playStarted(['lb1', 'lb2'])];
        const lines = closing([...begun, ...(check ? [] : [wrote])]);
        expect(lines.commands(ended(end)).map(({ purpose, command }) => `${purpose}: ${command}`)).to.deep.equal(
          commands,
        );
      }
    });

  it('needs a new plan where a plan cannot be applied again, or none was saved, and else a rerun', () => {
    const next = (needsPlan: boolean, given: Partial<RunFinished>, check = false): readonly unknown[] =>
      closing([make.runStarted({ check })], { needsPlan: () => needsPlan })
        .commands(ended(given))
        .map(({ purpose, command }) => `${purpose}: ${command}`);
    const [anew, again] = ['make a new plan with: evenkeel plan', 'continue with: evenkeel rerun'];
    for (const end of [{ stats: failed }, { stats: {}, unstarted: ['lb2'] }])
      expect([next(true, end), next(false, end)]).to.deep.equal([[anew], [again]]);
    const interrupted = { status: 'interrupted', exitCode: 130 } as const;
    expect([next(true, interrupted, true), next(false, interrupted, true)]).to.deep.equal([[anew], [again]]);
    expect(next(true, interrupted)).to.deep.equal(['continue with: evenkeel resume']);
    expect(next(true, { stats: { lb1: emptyStats() } })).to.deep.equal([]);
  });

  it('needs a new plan where a gate has only stale controllers to check', () => {
    const gated = ended({ status: 'failed', exitCode: 6, stats: failed });
    for (const [checked, expected] of [
      [['lb1'], 'continue with: evenkeel resume'],
      [[], 'make a new plan with: evenkeel plan'],
    ] as const) {
      const wrote = make.taskFinished('lb1', 'changed', { change: CHANGE });
      const events = [make.runStarted(), make.playStarted(['lb1']), wrote, make.gateStarted(checked)];
      const commands = closing(events, { needsPlan: () => true }).commands(gated);
      expect(commands.map(({ purpose, command }) => `${purpose}: ${command}`)).to.deep.equal([
        expected,
        'or roll back with: evenkeel rollback',
      ]);
    }
  });

  it('has no way back if what was written was rolled back, but for what failed or is of other batches and plays', () => {
    const written = (name: string, given: object = {}): Event =>
      make.taskFinished(name, 'changed', { change: CHANGE, ...given });
    const play = (batch: readonly Event[]): readonly Event[] => [make.playStarted(['lb1', 'lb2']), ...batch];
    const batch = [make.batchStarted(['lb1'], 1, 2), written('lb1'), make.gateFinished('rollback', 'failed')];
    const undone = (...more: readonly Event[]): readonly Event[] => [
      make.playStarted(['lb1'], { rollback: true }),
      make.batchStarted(['lb1'], 1, 1),
      written('lb1', { module: 'rollback' }),
      ...more,
      make.playFinished(),
    ];
    const isOffered = (...events: readonly Event[]): boolean => {
      const lines = closing([make.runStarted(), ...events, make.playFinished()]);
      return lines.commands(ended({ status: 'failed', exitCode: 6 })).length === 2;
    };
    expect(isOffered(...play(batch), ...undone())).to.equal(false);
    expect(isOffered(...play(batch), ...undone(make.taskFinished('lb1', 'failed')))).to.equal(true);
    // The rollback could not be planned.
    expect(isOffered(...play(batch))).to.equal(true);
    expect(isOffered(...play([written('lb1')]), make.playFinished(), ...play(batch), ...undone())).to.equal(true);
    const first = [make.batchStarted(['lb2'], 1, 2), written('lb2')];
    expect(isOffered(...play([...first, ...batch]), ...undone())).to.equal(true);
  });

  it('has no way back if nothing was written, and no command if nobody can type it', () => {
    const gated = ended({ status: 'failed', exitCode: 6 });
    const started = [make.runStarted(), make.playStarted(['lb1'])];
    expect(
      closing(started)
        .commands(gated)
        .map(({ command }) => command),
    ).to.deep.equal(['evenkeel resume']);
    expect(closing(started, { commandFor: undefined }).commands(gated)).to.deep.equal([]);
  });

  it('has failures without secrets that were learned later, and the profile before the recap', () => {
    const secrets = new Secrets();
    const failure = make.taskFinished('lb1', 'failed', { task: 'Set hunter22', message: 'no hunter22' });
    const given = { secrets, profile: () => ['where the time went'] };
    const lines = closing([make.runStarted(), make.playStarted(['lb1']), failure], given);
    secrets.add('hunter22');
    expect(lines.failures.map(({ task, message }) => [task, message])).to.deep.equal([['Set ********', 'no ********']]);
    const end = ended({ stats: failed, reason: 'too many', exitCode: 2, status: 'failed' });
    const all = lines.lines(end);
    expect(all.slice(all.indexOf('where the time went'), all.indexOf('recap') + 1)).to.deep.equal([
      'where the time went',
      '',
      'ended early: too many',
      '',
      'recap',
    ]);
    const plan = closing([make.runStarted(), make.playStarted(['lb1']), failure], { ...given, plan: true });
    expect(plan.lines(end)).to.deep.equal(lines.shortLines(end));
    expect(plan.lines(end).at(-3)).to.equal('2 controllers · 1 ok · 1 failed · 0.0 s');
  });

  it('has remarks about what was special', () => {
    const heading = (given: object, ...events: readonly Event[]) =>
      closing([make.runStarted(given), make.playStarted(['lb1', 'lb2']), ...events])
        .lines(ended({}))
        .find((line) => line.startsWith('recap'));
    const undo = (status: 'changed' | 'ok', given: object = { item: 'a' }) =>
      make.taskFinished('lb1', status, { module: 'rollback', ...given });
    const found = (resumed: 'found' | 'repeated') => make.taskFinished('lb1', 'changed', { resumed });
    expect(heading({})).to.equal('recap');
    expect(heading({ check: true })).to.equal('recap · check mode, nothing was written');
    expect(heading({ check: true }, make.taskFinished('lb1', 'changed', { change: CHANGE, check: true }))).to.equal(
      'recap · check mode, nothing was written',
    );
    expect(heading({ check: true }, make.taskFinished('lb1', 'changed', { change: CHANGE }))).to.equal(
      'recap · check mode, but tasks with check_mode: false have written',
    );
    for (const given of [{ changed: true }, {}])
      expect(
        heading({ check: true }, make.taskFinished('lb1', 'failed', { rescued: true, change: CHANGE, ...given })),
      ).to.equal('recap · check mode, but tasks with check_mode: false have written');
    expect(heading({ check: true }, make.taskFinished('lb1', 'changed', { maskedChange: true }))).to.equal(
      'recap · check mode, but tasks with check_mode: false have written',
    );
    expect(heading({ simulated: true })).to.equal('recap · simulated, no real controller was contacted');
    expect(heading({}, found('found'), found('repeated'), found('repeated'))).to.equal(
      'recap · 1 interrupted write had taken effect · 2 interrupted writes repeated',
    );
    const all = [
      undo('changed'),
      undo('changed'),
      undo('ok'),
      undo('changed', {}),
      make.taskFinished('lb1', 'ok', { item: 'a' }),
    ];
    expect(heading({}, ...all)).to.equal('recap · restored 2 objects · 1 already as before');
    expect(heading({ check: true }, ...all)).to.include(' · would restore 2 objects · 1 already as before');
  });

  it('names what was aborted, up to three tasks and five controllers of each', () => {
    const names = ['lb1', 'lb2', 'lb3', 'lb4', 'lb5', 'lb6'];
    const aborted = (tasks: readonly string[]): string | undefined => {
      const progress = new PlayProgress(make.playStarted(names) as PlayStarted);
      progress.handle(make.batchStarted(names));
      for (const [at, task] of tasks.entries()) progress.handle(make.taskStarted(names[at] ?? '', task));
      return abortedText(progress);
    };
    const results = new ResultGroups({ mask: (text) => text.replaceAll('hunter22', '********') });
    const masking = new PlayProgress(make.playStarted(names) as PlayStarted, undefined, results);
    masking.handle(make.taskStarted('lb1', 'Rotate hunter22'));
    expect(abortedText(masking)).to.equal('aborted: Rotate ******** on lb1');
    expect([abortedText(undefined), aborted([])]).to.deep.equal([undefined, undefined]);
    expect(aborted(['B', 'A', 'B'])).to.equal('aborted: B on lb1, lb3; A on lb2');
    expect(aborted(names.map(() => 'A'))).to.equal('aborted: A on lb1, lb2, lb3, lb4, lb5 and 1 more');
    expect(aborted(['A', 'B', 'C'])).to.equal('aborted: A on lb1; B on lb2; C on lb3');
    expect(aborted(['A', 'B', 'C', 'D', 'E'])).to.equal('aborted: A on lb1; B on lb2; C on lb3; and 2 other tasks');
  });
});

describe('the outcome of a kept run', () => {
  const outcome = (events: (make: EventMaker) => readonly Event[]): KeptOutcome => {
    const kept = new KeptOutcome();
    for (const event of events(new EventMaker())) kept.handle(event);
    return kept;
  };

  it('has each controller that failed or was away once, and none whose failure counts for nothing', () => {
    const kept = outcome((make) => [
      make.runStarted(),
      make.playStarted(['lb1', 'lb2', 'lb3', 'lb4']),
      make.taskFinished('lb1', 'failed', { item: 'a' }),
      make.taskFinished('lb1', 'failed', { round: 1 }),
      make.taskFinished('lb1', 'failed', { ignored: true }),
      make.taskFinished('lb1', 'failed', { rescued: true }),
      ...['lb2', 'lb2', 'lb3'].map((name) => make.taskFinished(name, 'failed')),
      make.taskFinished('lb4', 'unreachable'),
    ]);
    expect([kept.inState('failed'), kept.inState('unreachable')]).to.deep.equal([['lb2', 'lb3'], ['lb4']]);
    expect([kept.inState('unstarted'), kept.finished, kept.begunPlays]).to.deep.equal([undefined, undefined, 1]);
  });

  it('has those that a gate holds, until one lets them pass', () => {
    const gate = (make: EventMaker, names: readonly string[], action: 'continue' | 'stop') => [
      make.gateStarted(names),
      make.gateFinished(action, action === 'stop' ? 'failed' : 'passed'),
    ];
    const unstarted = (...gates: readonly (readonly [names: readonly string[], action: 'continue' | 'stop'])[]) =>
      outcome((make) => [
        make.runStarted(),
        ...gates.flatMap(([names, action]) => gate(make, names, action)),
        make.runFinished({ unstarted: ['lb8'], cutOff: ['lb9'] }),
      ]).inState('unstarted');
    expect(unstarted()).to.deep.equal(['lb8', 'lb9']);
    expect(unstarted([['lb1', 'lb2'], 'stop'], [['lb2'], 'continue'])).to.deep.equal(['lb8', 'lb9', 'lb1']);
  });

  it('counts the plays that began, with those before a resume, without rollbacks of batches', () => {
    const kept = outcome((make) => [
      make.runStarted(),
      ...['A', 'B'].map((play) => make.playStarted(['lb1'], { play })),
      make.playStarted(['lb1'], { rollback: true }),
      make.runFinished({ status: 'interrupted' }),
      make.runStarted(),
      make.playStarted(['lb1']),
    ]);
    expect([kept.begunPlays, kept.finished]).to.deep.equal([2, undefined]);
  });
});
