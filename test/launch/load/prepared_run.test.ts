import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { loadRun, writtenArguments, type LoadedRun } from '../../../src/launch/load/load_run.js';
import {
  effectiveOptions,
  runSettings,
  stateFolder,
  selectedControllers,
  selectPlays,
} from '../../../src/launch/load/prepared_run.js';
import type { SelectionOptions } from '../../../src/launch/load/prepared_run.js';
import type { RunOptions, RunRequest } from '../../../src/launch/request/run_request.js';
import { inFolder, type Files } from '../../rig/folder.js';
import { worded } from '../../rig/loaded.js';

const INVENTORY = 'all: { hosts: { lb1: , lb2: , lb3: , lb4: } }\n';

function loaded<T>(files: Files, options: RunOptions, use: (run: LoadedRun, said: Diagnostics) => T): Promise<T> {
  return inFolder({ 'inv.yml': INVENTORY, ...files }, async (cwd) => {
    const diagnostics = new Diagnostics();
    const given = { inventory: ['inv.yml'], ...options };
    const run = await loadRun({ type: 'files', files: ['site.yml'] }, given, { cwd, env: {} }, diagnostics);
    if (run === undefined) throw new Error(diagnostics.list.map(worded).join('\n'));
    return use(run, diagnostics);
  });
}

describe('how a run works', () => {
  const request = (given: Partial<RunRequest> = {}): RunRequest => ({
    command: { type: 'run', playbooks: [] },
    ...given,
  });
  const target = (project: object) =>
    ({ project: { maxRegistered: 9, stateDirectory: '/state', ...project } }) as never;

  it('is as the request says, else the project, else what is safe', () => {
    const cases: readonly (readonly [Partial<RunRequest>, object, object])[] = [
      [{}, {}, { forks: 50, maxRegistered: 9, strategy: undefined }],
      [{ check: true }, {}, { forks: 'auto', maxRegistered: 9, strategy: undefined }],
      [{ readOnly: true }, {}, { forks: 'auto', maxRegistered: 9, strategy: undefined }],
      [{ check: false, readOnly: false }, {}, { forks: 50, maxRegistered: 9, strategy: undefined }],
      [{ check: true }, { forks: 3, strategy: 'linear' }, { forks: 3, maxRegistered: 9, strategy: 'linear' }],
      [
        { forks: 7, maxRegistered: 5, strategy: 'free' },
        { forks: 3, strategy: 'linear' },
        { forks: 7, maxRegistered: 5, strategy: 'free' },
      ],
    ];
    for (const [given, project, expected] of cases)
      expect(effectiveOptions(request(given), target(project)), JSON.stringify(given)).to.deep.equal(expected);
  });

  it('has one task at a time with --step, and a strategy for what Ansible calls free', () => {
    const settings = (given: Partial<RunRequest>, project = {}) =>
      runSettings({ request: request(given), loaded: { target: target(project) } as never });
    expect(settings({})).to.deep.equal({
      forks: 50,
      maxRegistered: 9,
      strategy: undefined,
      check: false,
      diff: false,
      verbosity: 0,
      results: false,
    });
    const given = { check: true, diff: 'host', verbosity: 3, step: true, forceHandlers: true } as const;
    const task = { ...given, command: { type: 'task', pattern: 'all', module: 'debug' } } as const;
    expect(settings(task)).to.include({
      check: true,
      diff: true,
      verbosity: 3,
      results: true,
      strategy: 'linear',
      forks: 'auto',
      forceHandlers: true,
    });
    expect(settings({ strategy: 'free', step: false }).strategy).to.equal('host_pinned');
    expect(settings({}, { strategy: 'free' }).strategy).to.equal('host_pinned');
    expect(settings({ step: true }, { strategy: 'free' }).strategy).to.equal('linear');
  });

  it('keeps its state, unless it must not', () => {
    const state = (given: Partial<RunRequest>) =>
      stateFolder({ request: request(given), loaded: { target: target({}) } as never });
    expect([state({}), state({ state: true }), state({ state: false })]).to.deep.equal(['/state', '/state', undefined]);
  });
});

describe('the controllers and tasks of plays', () => {
  const SITE = `- hosts: lb1,lb2
  tags: site
  tasks: [{ name: One, debug: { msg: a }, tags: one }, { name: Two, debug: { msg: a } }]
  gate: { checks: [{ name: Up, assert: { that: true } }, { name: Rare, assert: { that: true }, tags: never }] }
- hosts: lb3
  tasks: [{ name: Three, debug: { msg: a }, tags: one }]
`;
  const selected = (options: RunOptions, selection: SelectionOptions = {}, site = SITE, files: Files = {}) =>
    loaded({ 'site.yml': site, ...files }, options, (run, said) => {
      const before = said.list.length;
      const plays = selectPlays(run, selection, said);
      const names = (steps: readonly { readonly type: string }[]) =>
        steps.map((step) => ('name' in step ? (step.name as { readonly value: string }).value : step.type)).join();
      return {
        plays: plays.map(({ controllers, steps, checks, ofAllShards }) =>
          [
            controllers.join(),
            names(steps),
            names(checks),
            ...(ofAllShards === undefined ? [] : [ofAllShards.join()]),
          ].join(' | '),
        ),
        all: [...selectedControllers(plays)].join(),
        said: said.list.slice(before).map(worded),
      };
    });

  it('are those that hosts, limits and tags select', async () => {
    expect(await selected({})).to.deep.equal({
      plays: ['lb1,lb2 | One,Two | Up', 'lb3 | Three | '],
      all: 'lb1,lb2,lb3',
      said: [],
    });
    expect(await selected({ limit: 'lb2:lb4' })).to.deep.include({
      plays: ['lb2 | One,Two | Up', ' | Three | '],
      all: 'lb2',
    });
    expect(await selected({}, { tags: ['one'] })).to.deep.include({ plays: ['lb1,lb2 | One | Up', 'lb3 | Three | '] });
    expect(await selected({}, { skipTags: ['one'] })).to.deep.include({ plays: ['lb1,lb2 | Two | Up', 'lb3 |  | '] });
  });

  it('are a part of them in each shard, beside those of all', async () => {
    const parts = await Promise.all(['1/2', '2/2'].map((shard) => selected({ shard, limit: 'lb1:lb2' })));
    expect(
      parts
        .map(({ all }) => all)
        .toSorted()
        .join(),
    ).to.match(/^(?:,lb1,lb2|lb1,lb2)$/);
    for (const { plays, said } of parts) {
      expect(plays[0]).to.match(/ \| One,Two \| Up \| lb1,lb2$/);
      expect(plays[1]).to.equal(' | Three |  | ');
      expect(said).to.deep.equal([]);
    }
  });

  it('are refused if no play has a controller', async () => {
    const graph = 'evenkeel inventory --graph shows its groups and controllers';
    const none = '- { hosts: none, tasks: [] }\n';
    const groups = { 'inv.yml': 'all: { hosts: { lb1: , lb4: }, children: { none: , empty: } }\n' };
    const cases: readonly (readonly [RunOptions, string, readonly string[], Files?])[] = [
      [{ limit: 'lb4' }, SITE, ['no controller matches "lb1,lb2", "lb3" within the limit']],
      [{}, none, [`no controller matches "none" — ${graph}`], groups],
      [
        { extraVars: ['where=empty'] },
        `${none}- { hosts: '{{ where }}', tasks: [] }\n`,
        [`no controller matches "none", "empty" — ${graph}`],
        groups,
      ],
      [{}, `${none}- { hosts: lb1, tasks: [] }\n`, [], groups],
    ];
    for (const [options, site, said, files] of cases)
      expect((await selected(options, {}, site, files)).said, site).to.deep.equal(said);
  });

  it('begin at a task that there is', async () => {
    const said = async (startAtTask: string, more: SelectionOptions = {}) =>
      (await selected({}, { startAtTask, ...more })).said;
    expect(await said('Three')).to.deep.equal([]);
    expect(await said('Tw*')).to.deep.equal([]);
    expect(await said('Thre')).to.deep.equal([
      '--start-at-task: no task of this run is called "Thre" — did you mean "Three"?',
    ]);
    expect(await said('Zebra crossing')).to.deep.equal([
      '--start-at-task: no task of this run is called "Zebra crossing" — --list-tasks shows the names; files that are included during the run cannot be searched',
    ]);
    expect(await said('Two', { tags: ['one'] })).to.have.length(1);
  });
});

describe('the arguments of tasks as they are written', () => {
  it('are those of tasks and handlers of all plays, but for loops with a variable of their own', async () => {
    const site = `- hosts: lb1
  tasks:
    - debug: { msg: '{{ a }}' }
    - { debug: { msg: b }, loop: [1] }
    - { debug: { msg: c }, loop: [1], loop_control: { loop_var: one } }
- hosts: lb2
  tasks: [{ block: [{ debug: { msg: d } }] }]
  handlers:
    - { name: e, debug: { msg: e } }
`;
    const written = await loaded({ 'site.yml': site }, {}, ({ playbooks }) => {
      const find = writtenArguments(playbooks);
      return [
        [3, 7],
        [4, 7],
        [5, 7],
        [7, 21],
        [9, 7],
        [1, 1],
      ].map(([line = 0, column = 0]) => find({ file: 'site.yml', line, column }));
    });
    const message = (msg: string) => ({ msg });
    expect(written).to.deep.equal([message('{{ a }}'), message('b'), undefined, message('d'), message('e'), undefined]);
  });
});
