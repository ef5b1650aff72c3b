import { expect } from 'chai';
import { Diagnostics } from '../../src/core/model/source/diagnostic.js';
import { Secrets } from '../../src/core/secrets/secrets.js';
import { Library } from '../../src/language/library.js';
import { BUILT_IN } from '../../src/language/library/index.js';
import { readFleets, warnUnusedVariables, type Fleets, type LintFleetOptions } from '../../src/lint/fleets.js';
import type { LintSubject } from '../../src/lint/subject/subject.js';
import { loadProject } from '../../src/project/project/project.js';
import { inFolder } from '../rig/folder.js';
import { worded } from '../rig/loaded.js';

const FILES = {
  'evenkeel.yml': `inventory: [all.yml]
environments:
  lab: { inventory: [lab.yml], extra_vars: [vars.yml] }
  prod: { inventory: [prod.yml], limit: 'lb3:lb4' }
`,
  'all.yml': 'all: { hosts: { lb1: } }\n',
  'lab.yml': 'all: { hosts: { lb2: } }\n',
  'prod.yml': 'all: { hosts: { lb3: } }\n',
  'broken.yml': 'all: { hosts: { lb5: }, hsots: { lb6: } }\n',
  'vars.yml': 'site: lab\n',
};

interface Found {
  readonly fleets: Fleets;
  readonly cwd: string;
  readonly said: readonly string[];
}

function read<T>(options: Partial<LintFleetOptions>, use: (found: Found) => T, files: object = {}): Promise<T> {
  return inFolder({ ...FILES, ...files }, async (cwd) => {
    const diagnostics = new Diagnostics();
    const project = await loadProject(cwd, {}, diagnostics);
    const setting = {
      options: { playbooks: [], ...options },
      project,
      library: new Library(BUILT_IN),
      secrets: new Secrets(),
    };
    const fleets = await readFleets(setting, { cwd, env: {} }, diagnostics);
    return use({ fleets, cwd, said: diagnostics.list.map(worded) });
  });
}

const names = (inventory: Fleets['inventory']): string | undefined =>
  inventory && [...inventory.controllers.keys()].join();

describe('the inventories that lint reads', () => {
  const fleets = (options: Partial<LintFleetOptions>): Promise<unknown> =>
    read(options, ({ fleets: { inventories, inventory, extraVars }, said }) => [
      inventories.map(names),
      names(inventory),
      extraVars.map(({ values }) => values),
      said.length,
    ]);

  it('are those of the project and of its environments, or the chosen one, against which it checks patterns', async () => {
    // The limit of prod names a controller that it has not.
    expect(await fleets({})).to.deep.equal([['lb1', 'lb2', 'lb3'], undefined, [{ site: 'lab' }], 1]);
    expect(await fleets({ env: 'lab' })).to.deep.equal([['lb2'], 'lb2', [{ site: 'lab' }], 0]);
    expect(await fleets({ env: 'prod' })).to.deep.equal([['lb3'], 'lb3', [], 1]);
    expect(await fleets({ env: 'none' })).to.deep.equal([['lb1', 'lb2', 'lb3'], undefined, [{ site: 'lab' }], 2]);
    expect(await fleets({ inventory: ['prod.yml'], extraVars: ['a=1'] })).to.deep.equal([
      ['lb3'],
      'lb3',
      [{ a: '1' }],
      0,
    ]);
    expect(await fleets({ env: 'lab', inventory: ['all.yml'], extraVars: ['a=1'] })).to.deep.equal([
      ['lb1'],
      'lb1',
      [{ site: 'lab' }, { a: '1' }],
      0,
    ]);
  });

  it('are not compared with patterns if they are not read completely', async () => {
    expect(await fleets({ inventory: ['broken.yml'] })).to.deep.equal([['lb5'], undefined, [], 1]);
  });
});

describe('variables of groups and controllers that no inventory has', () => {
  const FOUND = {
    'group_vars/alll.yml': '',
    'group_vars/al.json': '',
    'host_vars/lb11/x.yml': '',
    'host_vars/lb.1/x.yml': '',
    'host_vars/localhos.yaml': '',
  };
  const FINE = {
    'group_vars/all.yaml': '',
    'host_vars/quite_another.yml': '',
    'host_vars/lb1': '',
    'host_vars/lb2.json': '',
    'host_vars/.lb1': '',
    'host_vars/lb1.txt': '',
    'host_vars/localhost.yml': '',
  };
  const warned = (
    subject: Partial<LintSubject>,
    options: Partial<LintFleetOptions> = {},
    files: object = {},
  ): Promise<readonly string[]> =>
    read(
      options,
      ({ fleets: { inventories }, cwd }) => {
        const diagnostics = new Diagnostics();
        const all = { inventories, modules: new Set<string>(), complete: true, ...subject } as unknown as LintSubject;
        warnUnusedVariables(all, [cwd], cwd, diagnostics);
        return diagnostics.list.map(worded);
      },
      { ...FOUND, ...FINE, ...files },
    );

  it('are reported once each if the name resembles that of one', async () => {
    const unknown = (file: string, what: string, meant: string): string =>
      `warning: ${file} has no effect: no inventory of the project has a ${what} — did you mean "${meant}"?`;
    const reported = [
      unknown('group_vars/al.json', 'group "al"', 'all'),
      unknown('group_vars/alll.yml', 'group "alll"', 'all'),
      unknown('host_vars/lb.1', 'controller "lb.1"', 'lb1'),
      unknown('host_vars/lb11', 'controller "lb11"', 'lb1'),
      unknown('host_vars/localhos.yaml', 'controller "localhos"', 'localhost'),
    ];
    expect(await warned({})).to.have.members(reported);
    const below = { 'sub/inv.yml': 'all: { hosts: { lb1: , lb2: } }\n', 'sub/host_vars/lb12.yml': '' };
    expect(await warned({}, { inventory: ['sub/inv.yml'] }, below)).to.have.members([
      ...reported,
      unknown('sub/host_vars/lb12.yml', 'controller "lb12"', 'lb1'),
    ]);
    expect(await warned({ complete: false })).to.deep.equal([]);
    expect(await warned({ inventories: [] })).to.deep.equal([]);
    for (const name of ['add_host', 'group_by'])
      expect(await warned({ modules: new Set(['debug', name]) } as never)).to.deep.equal([]);
    expect(await warned({ modules: new Set(['debug']) } as never)).to.have.length(5);
    const partial = 'inventory: [all.yml]\nenvironments: { b: { inventory: [broken.yml] } }\n';
    expect(await warned({}, {}, { 'evenkeel.yml': partial })).to.deep.equal([]);
  });
});
