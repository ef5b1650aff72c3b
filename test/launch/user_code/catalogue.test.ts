import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { Trust } from '../../../src/core/files/trust.js';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { openCatalogue, type FoundCatalogue, type ModuleSources } from '../../../src/launch/user_code/catalogue.js';
import { readTable, userTables } from '../../../src/launch/user_code/kind_tables.js';
import { projectCatalogue } from '../../../src/launch/user_code/project_modules.js';
import { recordFiles, trustedFolder, userFiles } from '../../../src/launch/user_code/user_files.js';
import { withheldModule } from '../../../src/launch/user_code/user_module.js';
import type { Module } from '../../../src/module/contract.js';
import { inFolder, type Files } from '../../rig/folder.js';
import { worded } from '../../rig/loaded.js';

const code = (name: string, summary = 's'): string =>
  `export default { type: 'action', name: '${name}', summary: '${summary}', args: {}, examples: [], check: true, run() {} };\n`;

/** Kinds, each of one field. */
const table = (...kinds: readonly string[]): string =>
  JSON.stringify({
    format: 'evenkeel-kinds-1',
    kinds: Object.fromEntries(kinds.map((kind) => [kind, { structure: 'Thing', path: `/api/${kind}/` }])),
    structures: { Thing: { fields: { name: 'string' } } },
  });

const given = (name: string): Module => ({ ...withheldModule(name), summary: 'given' });

interface Read {
  readonly read: readonly string[];
  readonly problems: readonly string[];
}

interface CatalogueOptions extends Partial<ModuleSources> {
  readonly env?: Readonly<Record<string, string>>;
  /** What happens before it is opened. */
  readonly prepare?: (folder: string) => Promise<void>;
}

/** Opens the modules of a folder; `DIR` stands for the folder. */
function opened<T>(
  files: Files,
  { named = [], env = {}, prepare, ...others }: CatalogueOptions,
  use: (catalogue: FoundCatalogue, found: Read, folder: string) => T | Promise<T>,
): Promise<T> {
  return inFolder(files, async (cwd) => {
    await prepare?.(cwd);
    const [diagnostics, read] = [new Diagnostics(), [] as string[]];
    const onRead = (_type: unknown, file: string): number => read.push(path.relative(cwd, file));
    const around = { cwd, env, trust: new Trust(cwd, env), diagnostics, onRead };
    const catalogue = openCatalogue({ named, adjacent: [cwd], ...others }, around);
    const problems = diagnostics.list.map((one) => worded(one).replaceAll(cwd, 'DIR'));
    return use(catalogue, { read, problems }, cwd);
  });
}

describe('the modules of a project', () => {
  const FILES = {
    'modules/greet.mjs': code('greet', 'beside'),
    'modules/bye.mjs': code('bye'),
    'modules/_shared.mjs': 'export const A = 1;\n',
    'modules/notes.txt': 'broken',
    'one/greet.mjs': code('greet', 'one'),
    'two/part.mjs': code('part'),
  };

  it('are those of all folders, the last of which wins, with the files that they come from', () =>
    opened(FILES, { named: ['two', 'one'] }, async (catalogue, { read, problems }, folder) => {
      expect(problems).to.deep.equal([]);
      expect(['greet', 'bye', 'part', 'debug', '_shared'].map((name) => catalogue.names.includes(name))).to.deep.equal([
        true,
        true,
        true,
        true,
        false,
      ]);
      expect(catalogue.names).to.deep.equal([...catalogue.names].toSorted());
      expect(catalogue.findFile('greet')).to.equal(path.join(folder, 'modules/greet.mjs'));
      expect(catalogue.findFile('part')).to.equal(path.join(folder, 'two/part.mjs'));
      expect([catalogue.findFile('debug'), catalogue.findFile('none')]).to.deep.equal([undefined, undefined]);
      expect(await catalogue.load('none')).to.equal(undefined);
      expect(read).to.have.members([
        'two/part.mjs',
        'one/greet.mjs',
        'modules/greet.mjs',
        'modules/bye.mjs',
        'modules/_shared.mjs',
      ]);
    }));

  it('are the user’s own, apart from those of this program', () =>
    opened(FILES, { given: [given('spoken')] }, (catalogue) => {
      const own = ['greet', 'spoken', 'debug', 'none'].map((name) => catalogue.isProjectModule?.(name));
      expect(own).to.deep.equal([true, true, false, false]);
    }));

  it('are not loaded with --no-exec, except those that a program passed', () =>
    opened(FILES, { given: [given('bye')], env: { EVENKEEL_NO_EXEC: '1' } }, async (catalogue) => {
      const withheld = ['greet', 'bye', 'debug'].map((name) => catalogue.isWithheld?.(name));
      expect(withheld).to.deep.equal([true, false, false]);
      expect((await catalogue.load('greet'))?.summary).to.equal('a project module, which --no-exec does not load');
      expect((await catalogue.load('bye'))?.summary).to.equal('given');
    }));

  it('that a program passes replace files, and none that is built in', () =>
    opened(FILES, { given: [given('greet'), given('debug')] }, async (catalogue, { problems }) => {
      expect(problems).to.deep.equal(['module debug has the name of a built-in module — give it another name']);
      expect((await catalogue.load('greet'))?.summary).to.equal('given');
      expect((await catalogue.load('debug'))?.summary).to.not.equal('given');
      expect(catalogue.isWithheld?.('greet')).to.equal(false);
    }));

  it('of a role are added unless their name is taken by another text', () =>
    opened(
      {
        ...FILES,
        'role/greet.mjs': code('greet', 'role'),
        'role/bye.mjs': code('bye'),
        'role/debug.mjs': code('debug'),
        'role/own.mjs': code('own'),
      },
      {},
      (catalogue, _found, folder) => {
        const taken = catalogue.add(path.join(folder, 'role'));
        expect(taken).to.deep.equal([
          { file: path.join(folder, 'role/debug.mjs'), by: undefined },
          { file: path.join(folder, 'role/greet.mjs'), by: path.join(folder, 'modules/greet.mjs') },
        ]);
        expect([catalogue.names.includes('own'), catalogue.findFile('bye')]).to.deep.equal([
          true,
          path.join(folder, 'modules/bye.mjs'),
        ]);
        expect(catalogue.add(path.join(folder, 'role'))).to.deep.equal(taken);
      },
    ));

  it('of a role that others may write are not added', () =>
    opened({ 'role/own.mjs': code('own') }, {}, async (catalogue, _found, folder) => {
      await chmod(path.join(folder, 'role'), 0o777);
      expect(catalogue.add(path.join(folder, 'role'))).to.deep.equal([]);
      expect(catalogue.names).to.not.include('own');
    }));

  it('come from packages, too, and a path that is neither is reported', () =>
    opened(
      {
        'node_modules/ours/package.json': '{}',
        'node_modules/ours/modules/packed.mjs': code('packed'),
        'node_modules/plain/package.json': '{}',
      },
      { named: ['ours', 'plain', 'none'] },
      (catalogue, { problems }) => {
        expect(catalogue.names).to.include('packed');
        expect(problems).to.deep.equal([
          'module path plain is neither a folder nor an installed package — if -M did not name it: evenkeel config shows where modules_path is set',
          'module path none is neither a folder nor an installed package — if -M did not name it: evenkeel config shows where modules_path is set',
        ]);
      },
    ));

  it('of a package that others may write are ignored', () =>
    opened(
      { 'node_modules/ours/package.json': '{}', 'node_modules/ours/modules/packed.mjs': code('packed') },
      { named: ['ours'], prepare: (folder) => chmod(path.join(folder, 'node_modules'), 0o777) },
      (catalogue, { problems }) => {
        expect(catalogue.names).to.not.include('packed');
        expect(problems).to.have.lengthOf(1);
        expect(problems[0]).to.match(/^warning: ignored DIR\/node_modules: /);
      },
    ));

  it('of a project are those beside its file and those that it names, wherever in it a command starts', () =>
    inFolder(
      {
        'modules/greet.mjs': code('greet'),
        'evenkeel.yml': 'modules_path: [more]\n',
        'more/part.mjs': code('part'),
        'below/x': '',
      },
      async (cwd) => {
        const diagnostics = new Diagnostics();
        const found = await projectCatalogue(undefined, { cwd, env: {} }, diagnostics);
        expect(['greet', 'part'].map((name) => found.names.includes(name))).to.deep.equal([true, true]);
        expect(diagnostics.list).to.deep.equal([]);
        const below = await projectCatalogue(undefined, { cwd: path.join(cwd, 'below'), env: {} }, diagnostics);
        expect(['greet', 'part'].map((name) => below.names.includes(name))).to.deep.equal([true, true]);
        const wrong = new Diagnostics();
        await projectCatalogue(['none'], { cwd, env: {} }, wrong);
        expect(wrong.list.map(worded)).to.deep.equal([
          'module path none is neither a folder nor an installed package — if -M did not name it: evenkeel config shows where modules_path is set',
        ]);
        const named = await projectCatalogue([], { cwd, env: {} }, diagnostics);
        expect(['greet', 'part'].map((name) => named.names.includes(name))).to.deep.equal([true, false]);
        expect(diagnostics.list).to.deep.equal([]);
      },
    ));
});

describe('the kinds of a project', () => {
  it('are modules, of which the last table has the file, and a file of code wins', () =>
    opened(
      {
        'modules/a.kinds.json': table('gadget', 'widget'),
        'modules/b.kinds.json': table('widget'),
        'modules/gadget_absent.mjs': code('gadget_absent'),
      },
      {},
      async (catalogue, { read, problems }, folder) => {
        expect(problems).to.deep.equal([]);
        const file = (name: string): string => path.relative(folder, catalogue.findFile(name) ?? '');
        expect(['gadget_present', 'widget_present', 'widget_absent', 'gadget_absent'].map(file)).to.deep.equal([
          'modules/a.kinds.json',
          'modules/b.kinds.json',
          'modules/b.kinds.json',
          'modules/gadget_absent.mjs',
        ]);
        expect(catalogue.names).to.include('gadget_present').and.to.include('pool_present');
        expect(read).to.include('modules/a.kinds.json').and.to.include('modules/b.kinds.json');
        expect((await catalogue.load('gadget_present'))?.name).to.equal('gadget_present');
        expect((await catalogue.load('pool_present'))?.name).to.equal('pool_present');
        expect(await catalogue.kinds()).to.equal(await catalogue.kinds());
        const [vendor] = catalogue.unlisted.filter((name) => name.includes('gadget'));
        expect(vendor).to.not.equal(undefined);
        expect(file(vendor ?? '')).to.equal('modules/a.kinds.json');
        expect((await catalogue.load(vendor ?? ''))?.name).to.equal(vendor);
      },
    ));

  it('are reported with their file if they cannot be read, and other folders still count', () =>
    opened(
      { 'one/bad.kinds.json': '{}', 'one/greet.mjs': code('greet'), 'two/good.kinds.json': table('gadget') },
      { named: ['one', 'two'] },
      (catalogue, { problems }) => {
        expect(problems).to.deep.equal([
          'DIR/one/bad.kinds.json is not a table of kinds: "format" is not "evenkeel-kinds-1" — fix the file, or write it again with "evenkeel modules from-openapi"',
        ]);
        expect(catalogue.names).to.include('greet').and.to.include('gadget_present');
      },
    ));

  const structures = { Thing: { fields: { name: 'string', all: '[Part]' } }, Part: { fields: {} } };
  const circle = (from: string, to: string, back: string) =>
    JSON.stringify({
      format,
      kinds: {},
      structures: { A: { fields: { b: 'B', c: from } }, B: { fields: { c: to } }, C: { fields: { a: back } } },
    });
  const format = 'evenkeel-kinds-1';
  for (const [data, message] of [
    ['[]', '"format" is not "evenkeel-kinds-1"'],
    [JSON.stringify({ format: 'evenkeel-kinds-2', kinds: {}, structures }), '"format" is not "evenkeel-kinds-1"'],
    [JSON.stringify({ format, kinds: [], structures }), '"kinds" and "structures" must be mappings'],
    [JSON.stringify({ format, kinds: {} }), '"kinds" and "structures" must be mappings'],
    [
      JSON.stringify({ format, kinds: { a: 'Thing', b: { structure: 'Other' } }, structures }),
      'the kind "b" has no structure "Other"',
    ],
    [JSON.stringify({ format, kinds: { a: {} }, structures }), 'the kind "a" has no structure "undefined"'],
    [JSON.stringify({ format, kinds: { a: 'toString' }, structures }), 'the kind "a" has no structure "toString"'],
    [JSON.stringify({ format, kinds: {}, structures: { ...structures, Other: {} } }), '"Other" has no "fields"'],
    [JSON.stringify({ format, kinds: {}, structures: { Thing: 'x' } }), '"Thing" has no "fields"'],
    [circle('any', 'C', 'A'), 'structures contain each other: A → B → C → A'],
    [circle('any', '[C]', 'B'), 'structures contain each other: B → C → B'],
    [circle('C', 'any', '[C]'), 'the structure "C" contains itself'],
    ...(['text', '[]', '[[string]]', '[string', 'string]', 3, {}, { type: 'Other' }] as const).map((type) => [
      JSON.stringify({ format, kinds: {}, structures: { Thing: { fields: { ok: 'any', wrong: type } } } }),
      `"Thing.wrong" has the unknown type ${JSON.stringify(typeof type === 'object' ? (type as { type?: string }).type : type)}`,
    ]),
  ] as const)
    it(`are refused: ${message} in ${data.slice(0, 90)}`, () =>
      inFolder({ 'a.kinds.json': data }, (folder) => {
        const read = (act: () => unknown): unknown => {
          try {
            return act();
          } catch (error) {
            return (error as Error).message;
          }
        };
        const file = path.join(folder, 'a.kinds.json');
        expect(read(() => readTable(file))).to.equal(message);
        expect(read(() => userTables(folder))).to.equal(`${file} is not a table of kinds: ${message}`);
        return Promise.resolve();
      }));

  it('may have all types, lists of them and structures of the table', () => {
    const fields = {
      a: 'string',
      b: 'integer',
      c: 'number',
      d: 'boolean',
      e: 'mapping',
      f: 'any',
      g: '[string]',
      h: 'Part',
      i: '[Part]',
      j: { type: 'integer' },
      k: 'Piece',
    };
    const parts = { Part: { fields: { piece: 'Piece' } }, Piece: { fields: { name: 'string' } } };
    const data = {
      format,
      kinds: { a: 'Thing', b: { structure: 'Thing' } },
      structures: { Thing: { fields }, ...parts },
    };
    const text = JSON.stringify(data);
    return inFolder({ 'a.kinds.json': text, 'b.json': '{}', 'b.kinds.json': text }, (folder) => {
      const file = path.join(folder, 'a.kinds.json');
      expect(userTables(folder)).to.deep.equal([
        { file, text, data },
        { file: path.join(folder, 'b.kinds.json'), text, data },
      ]);
      expect(userTables(path.join(folder, 'missing'))).to.deep.equal([]);
      return Promise.resolve();
    });
  });
});

describe('the code of a folder', () => {
  const FILES = {
    'a.ts': '1',
    'b.mts': '2',
    'c.js': '3',
    'd.mjs': '4',
    '_e.ts': '5',
    'f.d.ts': '6',
    'g.py': '7',
    'h.cjs': '8',
  };

  it('is each of its files but those that are only imported, and all of it is recorded', () =>
    inFolder(FILES, async (folder) => {
      await mkdir(path.join(folder, 'folder.ts'));
      const names = userFiles(folder).map(({ name, file }) => [name, path.relative(folder, file)]);
      expect(names).to.deep.equal([
        ['a', 'a.ts'],
        ['b', 'b.mts'],
        ['c', 'c.js'],
        ['d', 'd.mjs'],
      ]);
      const recorded: Record<string, string> = {};
      recordFiles(folder, (type, file, text) => {
        recorded[`${type} ${path.relative(folder, file)}`] = text;
      });
      expect(recorded).to.deep.equal({
        'file a.ts': '1',
        'file b.mts': '2',
        'file c.js': '3',
        'file d.mjs': '4',
        'file _e.ts': '5',
        'file f.d.ts': '6',
        'file g.py': '7',
      });
    }));

  it('is not trusted if others may write one of its files, unless the user named the folder', () =>
    inFolder({ 'code/a.ts': '1', 'code/b.ts': '2', 'code/notes.txt': '' }, async (cwd) => {
      const folder = path.join(cwd, 'code');
      const trusted = (isNamed?: boolean): readonly [boolean, readonly string[]] => {
        const diagnostics = new Diagnostics();
        const answer = trustedFolder(folder, new Trust(folder, {}), diagnostics, isNamed);
        return [answer, diagnostics.list.map((one) => worded(one).replaceAll(folder, 'DIR'))];
      };
      await chmod(path.join(folder, 'notes.txt'), 0o666);
      expect(trusted()).to.deep.equal([true, []]);
      await chmod(path.join(folder, 'b.ts'), 0o666);
      const [answer, problems] = trusted();
      expect([answer, problems.length]).to.deep.equal([false, 1]);
      expect(problems[0]).to.match(
        /^warning: ignored DIR: DIR\/b\.ts .* — if you trust it, revoke write access for other users, name the project file: --config FILE; or the folder: EVENKEEL_TRUSTED_FOLDERS$/,
      );
      expect(trusted(true)).to.deep.equal([true, []]);
    }));

  it('is not run by the module in its place', () => {
    const module = withheldModule('greet');
    if (module.type !== 'action') return expect.fail(module.type);
    expect(module).to.deep.include({ name: 'greet', check: true, freeForm: 'arguments', examples: [] });
    expect(() => module.run({}, {} as never)).to.throw('the module "greet" is code that --no-exec does not load');
  });
});
