import path from 'node:path';
import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { evaluate } from '../../../src/language/render.js';
import { Variables } from '../../../src/language/scope.js';
import { reportWrongTerms } from '../../../src/launch/load/limits.js';
import { inventoryPlace, loadTarget, pickEnvironment, requireInventory } from '../../../src/launch/load/target.js';
import { findPasswordSources } from '../../../src/launch/load/vault_passwords.js';
import type { RequestedTarget } from '../../../src/launch/request/run_request.js';
import { loadProject } from '../../../src/project/project/project.js';
import { HERE, layer } from '../../language/scopes.js';
import { inFolder, type Files } from '../../rig/folder.js';
import { load, worded } from '../../rig/loaded.js';

const FILES: Files = {
  'evenkeel.yml': `inventory: all.yml
environments:
  prod: { inventory: all.yml, limit: 'lb1:lb2', extra_vars: prod.yml }
  lab: { inventory: lab.yml }
  none: {}
`,
  'all.yml': 'all: { hosts: { lb1: , lb2: , lb3: } }\n',
  'lab.yml': 'all: { hosts: { lb9: } }\n',
  'prod.yml': 'site: madrid\n',
  names: 'lb2\nlb3\n',
};

function target(options: RequestedTarget, files = FILES, env: Readonly<Record<string, string>> = {}, below = '') {
  return inFolder(files, async (folder) => {
    const cwd = path.join(folder, below);
    const diagnostics = new Diagnostics();
    const found = await loadTarget(options, { cwd, env }, diagnostics);
    const { limit, limitOfAllShards, limitPattern, environmentName, environment, inventorySources, extraVars } = found;
    const names = (some: ReadonlySet<string> | undefined) => some && [...some].join();
    return {
      limit: names(limit),
      all: names(limitOfAllShards),
      pattern: limitPattern,
      environment: environment?.name,
      shown: environmentName,
      sources: inventorySources.map((one) => path.relative(cwd, one)),
      vars: extraVars.map(({ values }) => values),
      said: diagnostics.list.map(worded),
    };
  });
}

describe('what is read for a command', () => {
  it('says which settings of ansible.cfg apply, and hides what lookups find', () =>
    inFolder({ ...FILES, 'evenkeel.yml': '', 'ansible.cfg': '[defaults]\ninventory = all.yml\n' }, async (cwd) => {
      const diagnostics = new Diagnostics();
      const { library, secrets, inventory } = await loadTarget({}, { cwd, env: {} }, diagnostics);
      expect(diagnostics.list.map(worded)).to.deep.equal([
        'warning: ansible.cfg:2:1 ansible.cfg sets inventory — write them into evenkeel.yml; "evenkeel lint --from-ansible ." shows what else in this file matters',
      ]);
      expect([...inventory.controllers.keys()]).to.deep.equal(['lb1', 'lb2', 'lb3']);
      const scope = new Variables([layer({ playbook_dir: cwd })], undefined, undefined, library);
      const found = JSON.stringify(evaluate('lookup("password", "made/x")', scope, HERE));
      expect(secrets.mask(found)).to.equal('"********"');
    }));
});

describe('the controllers of a command', () => {
  it('are those of its limits, one within the other', async () => {
    const limits: readonly (readonly [RequestedTarget, string | undefined, string?])[] = [
      [{}, undefined],
      [{ limit: 'lb3' }, 'lb3', 'lb3'],
      [{ env: 'prod' }, 'lb1,lb2'],
      [{ env: 'prod', limit: '@names' }, 'lb2', '@names'],
      [{ env: 'prod', within: { controllers: ['lb3'] } }, 'lb3'],
      [{ within: { controllers: ['lb1', 'lb3'], pattern: 'lb*' } }, 'lb1,lb3', 'lb*'],
      [{ within: { controllers: ['lb1', 'lb3'], pattern: 'lb*' }, limit: '!lb1' }, 'lb3', '!lb1'],
    ];
    for (const [options, limit, pattern] of limits)
      expect(await target(options), JSON.stringify(options)).to.include({ limit, all: limit, pattern });
  });

  it('are those in a file that the limit of an environment names, beside the project file', async () => {
    const files = {
      ...FILES,
      'evenkeel.yml': "environments: { prod: { inventory: all.yml, limit: '!lb3,@names' } }\n",
      'below/names': 'lb1\n',
    };
    expect((await target({ env: 'prod' }, files, {}, 'below')).limit).to.equal('lb2');
    const inLab = {
      'my lab/evenkeel.yml': "environments: { prod: { inventory: all.yml, limit: '@names' } }\n",
      'my lab/all.yml': 'all: { hosts: { lb1: , lb2: } }\n',
      'my lab/names': 'lb2\n',
    };
    expect((await target({ env: 'prod' }, inLab, { EVENKEEL_CONFIG: 'my lab/evenkeel.yml' })).limit).to.equal('lb2');
  });

  it('are a part of them in a shard, and those of all shards together', async () => {
    const parts = await Promise.all(['1/2', '2/2'].map((shard) => target({ shard, limit: 'lb1:lb2' })));
    for (const { all, said } of parts) expect({ all, said }).to.deep.equal({ all: 'lb1,lb2', said: [] });
    const names = parts.flatMap(({ limit }) => limit?.split(',') ?? []).filter((name) => name !== '');
    expect(names.toSorted()).to.deep.equal(['lb1', 'lb2']);
    const whole = await Promise.all(['1/2', '2/2'].map((shard) => target({ shard })));
    expect(whole.flatMap(({ limit }) => limit?.split(',') ?? []).toSorted()).to.deep.equal([
      '127.0.0.1',
      '::1',
      'lb1',
      'lb2',
      'lb3',
      'localhost',
    ]);
    expect(whole.map(({ all }) => all)).to.deep.equal([undefined, undefined]);
  });

  it('come from the option, else the environment, else the project', async () => {
    const cases: readonly (readonly [RequestedTarget, string[], object[], string | undefined])[] = [
      [{}, ['all.yml'], [], 'prod'],
      [{ env: 'lab' }, ['lab.yml'], [], 'lab'],
      [{ env: 'none', extraVars: ['a=1'] }, ['all.yml'], [{ a: '1' }], 'none'],
      [{ env: 'prod', extraVars: ['a=1'] }, ['all.yml'], [{ site: 'madrid' }, { a: '1' }], 'prod'],
      [{ env: 'prod', inventory: ['lab.yml'] }, ['lab.yml'], [{ site: 'madrid' }], 'prod'],
      [{ inventory: ['lab.yml'] }, ['lab.yml'], [], 'lab'],
      [{ inventory: ['all.yml', 'lab.yml'] }, ['all.yml', 'lab.yml'], [], undefined],
    ];
    for (const [options, sources, vars, shown] of cases) {
      const found = await target({ limit: 'all', ...options });
      const { env } = options;
      expect({ ...found, said: 0, limit: 0, all: 0, pattern: 0 }, JSON.stringify(options)).to.deep.equal({
        environment: env,
        shown,
        sources,
        vars,
        said: 0,
        limit: 0,
        all: 0,
        pattern: 0,
      });
    }
    const twice = {
      ...FILES,
      'evenkeel.yml': 'environments: { a: { inventory: all.yml }, b: { inventory: all.yml } }\n',
    };
    expect((await target({ inventory: ['all.yml'] }, twice)).shown).to.equal(undefined);
  });

  it('are refused if a limit, or two together, select none', async () => {
    const of = 'of the environment "prod"';
    const limited = (limit: string): Files => ({
      ...FILES,
      'evenkeel.yml': `environments: { prod: { inventory: all.yml, limit: '${limit}' } }\n`,
    });
    const cases: readonly (readonly [RequestedTarget, Files, readonly string[]])[] = [
      [{ limit: '!all' }, FILES, ['--limit "!all" selects no controller']],
      [{ env: 'prod', limit: 'lb3' }, FILES, ['--limit "lb3" selects no controller of this environment']],
      [{ within: { controllers: ['lb1'] }, limit: 'lb3' }, FILES, ['--limit "lb3" selects no controller of this run']],
      [{ env: 'prod' }, limited('!all'), [`evenkeel.yml:1:52 the limit "!all" ${of} selects no controller`]],
      [{ env: 'prod', limit: 'lb1' }, limited('lb8,@gone'), [`cannot read the limit file gone: there is no such file`]],
      [{ limit: 'lb4:lb1' }, FILES, ['--limit: "lb4" matches no controller of the inventory — did you mean "lb1"?']],
      [{ limit: 'lb1,@' }, FILES, ['"@" in a limit must be followed by the name of a file']],
      [{ limit: ' , ' }, FILES, ['the limit is empty: it names no controllers — omit --limit to select all of them']],
      [{ limit: '@commas' }, { ...FILES, commas: ' ,\n' }, ['commas:1:2 --limit: the pattern is empty']],
      [
        { limit: '@indented' },
        { ...FILES, indented: '# of today\nlb1 # the first\n  zzz\t# not there\n #\n' },
        [
          'indented:3:3 --limit: "zzz" matches no controller of the inventory — evenkeel inventory --graph shows its groups and controllers',
        ],
      ],
      [
        { env: 'prod', limit: 'zzz,@names' },
        limited('emea:lb1'),
        [
          `evenkeel.yml:1:52 the limit ${of}: "emea" matches no controller of the inventory — evenkeel inventory --graph shows its groups and controllers`,
          '--limit: "zzz" matches no controller of the inventory — evenkeel inventory --graph shows its groups and controllers',
        ],
      ],
    ];
    for (const [options, files, said] of cases)
      expect((await target(options, files)).said, JSON.stringify(options)).to.deep.equal(said);
  });

  it('are refused with the first twenty terms that match none', async () => {
    const wrong = async (terms: number, partial: boolean) =>
      inFolder(FILES, async (cwd) => {
        const diagnostics = new Diagnostics();
        const { inventory } = await loadTarget({}, { cwd, env: {} }, diagnostics);
        const parts = Array.from({ length: terms }, (_, at) => ({
          pattern: `x${at}:lb1`,
          source: { file: 'names', line: at + 1, column: 1 },
        }));
        reportWrongTerms({ ...inventory, partial }, 'T', parts, diagnostics);
        return diagnostics.list.map(worded);
      });
    expect(await wrong(20, false)).to.have.length(20);
    expect((await wrong(20, false)).at(-1)).to.match(/^names:20:1 T: "x19" matches no controller of the inventory — /);
    expect((await wrong(21, false)).slice(20)).to.deep.equal(['T: 1 more term without a controller of the inventory']);
    expect((await wrong(22, false)).slice(20)).to.deep.equal(['T: 2 more terms without a controller of the inventory']);
    expect(await wrong(1, true)).to.deep.equal([]);
  });

  it('need an inventory, unless all plays run on this machine or the project file is wrong', async () => {
    const none = 'no inventory was given — pass -i FILE, or name one in evenkeel.yml or EVENKEEL_INVENTORY';
    expect((await target({}, {})).said).to.deep.equal([none]);
    const named = { 'evenkeel.yml': 'environments: { a: {}, b: {} }\n' };
    expect((await target({}, named)).said).to.deep.equal([
      'no inventory was given — pass --env NAME (a, b) or -i FILE',
    ]);
    expect((await target({}, { 'evenkeel.yml': 'inventroy: x\n' })).said).to.have.length(1);
    expect((await target({}, {}, { EVENKEEL_CONFIG: 'gone.yml' })).said).to.have.length(1);
    // The mistake is elsewhere.
    expect((await target({}, { 'filters/x.mjs': 'throw new Error()' })).said)
      .to.have.length(2)
      .and.include(none);
    const required = (playbook: string, options: RequestedTarget = {}) =>
      inFolder({}, async (cwd) => {
        const diagnostics = new Diagnostics();
        const { plays } = await load(playbook);
        const project = await loadProject(cwd, {}, diagnostics);
        const playbooks = [{ file: 'site.yml', directory: '/', plays }];
        requireInventory(options, { project, environment: undefined }, playbooks, diagnostics);
        return diagnostics.list.map(worded);
      });
    const [local, other] = ['- { hosts: localhost, tasks: [] }\n', '- { hosts: lb1, tasks: [] }\n'];
    expect(await required(local)).to.deep.equal([]);
    expect(await required(`${local}- { hosts: '127.0.0.1,', tasks: [] }\n`)).to.deep.equal([]);
    expect(await required(local + other)).to.deep.equal([none]);
    expect(await required('[]\n')).to.deep.equal([none]);
    expect(await required(other, { inventory: ['x'] })).to.deep.equal([]);
  });
});

describe('the environment of a command', () => {
  const picked = (name: string, files: Files) =>
    inFolder(files, async (cwd) => {
      const diagnostics = new Diagnostics();
      const project = await loadProject(cwd, {}, diagnostics);
      const before = diagnostics.list.length;
      const environment = pickEnvironment(name, project, diagnostics);
      const at = (options: RequestedTarget) => inventoryPlace(options, environment, project);
      return {
        name: environment?.name,
        said: diagnostics.list.slice(before).map(worded),
        places: [at({}), at({ inventory: ['x'] })].map((one) => (typeof one === 'object' ? one.line : one)),
      };
    });

  it('is one of the project, and says where its inventory is named', async () => {
    expect(await picked('lab', FILES)).to.deep.equal({ name: 'lab', said: [], places: [4, '-i'] });
    expect(await picked('none', FILES)).to.deep.equal({ name: 'none', said: [], places: [1, '-i'] });
    const write = 'environments are named there; "evenkeel init" writes one';
    for (const [name, files, said] of [
      ['lap', FILES, ['there is no environment "lap" (evenkeel.yml has prod, lab, none) — did you mean "lab"?']],
      ['zzzzzz', FILES, ['there is no environment "zzzzzz" (evenkeel.yml has prod, lab, none)']],
      ['lab', {}, [`there is no environment "lab" (there is no evenkeel.yml) — ${write}`]],
      ['lab', { 'evenkeel.yml': 'forks: 3\n' }, [`there is no environment "lab" (evenkeel.yml has none) — ${write}`]],
      ['lab', { 'evenkeel.yml': 'enviroments: { lab: {} }\n' }, []],
      [
        'lab',
        { 'evenkeel.yml': 'forkz: 3\nenvironments: { a: {} }\n' },
        ['there is no environment "lab" (evenkeel.yml has a)'],
      ],
    ] as const) {
      const found = await picked(name, files);
      expect({ name: found.name, said: found.said }).to.deep.equal({ name: undefined, said });
    }
  });
});

describe('vault passwords', () => {
  it('come from ids before files before a prompt, those of the environment in place of the project', async () => {
    const files = {
      'evenkeel.yml': `vault_ids: [p@project]
vault_password_file: own
environments:
  a: { vault_ids: [e@prompt], vault_password_file: other }
  b: {}
`,
      'other.yml': 'environments: { c: {} }\n',
    };
    const sources = (name: string | undefined, options: RequestedTarget, file = 'evenkeel.yml') =>
      inFolder(files, async (cwd) => {
        const diagnostics = new Diagnostics();
        const project = await loadProject(cwd, { EVENKEEL_CONFIG: file }, diagnostics);
        const environment = name === undefined ? undefined : project.environments.get(name);
        const found = findPasswordSources({ options, project, environment }, cwd, diagnostics);
        return [
          ...found.map((one) => `${one.label}@${one.type === 'prompt' ? `prompt ${one.named}` : one.shown}`),
          ...diagnostics.list.map(worded),
        ];
      });
    expect(await sources(undefined, {})).to.deep.equal(['p@project', 'default@own']);
    expect(await sources('b', {})).to.deep.equal(['p@project', 'default@own']);
    expect(await sources('a', {})).to.deep.equal(['e@prompt true', 'default@other']);
    expect(await sources('c', {}, 'other.yml')).to.deep.equal([]);
    const given = { vaultId: ['x@y', 'a b@c', 'prompt'], vaultPasswordFile: ['one', 'two'], askVaultPass: true };
    expect(await sources('a', given)).to.deep.equal([
      'e@prompt true',
      'x@y',
      'default@prompt true',
      'default@one',
      'default@two',
      'default@prompt false',
      '--vault-id: the vault id "a b" has a character that ids cannot have — write LABEL@FILE or LABEL@prompt',
    ]);
    expect(await sources('a', { askVaultPass: false })).to.deep.equal(['e@prompt true', 'default@other']);
  });
});
