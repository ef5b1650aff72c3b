import { chmod, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { Trust } from '../../../src/core/files/trust.js';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { ProjectSources } from '../../../src/project/document/project_sources.js';
import { loadInventory, type LoadInventoryOptions } from '../../../src/project/inventory/load.js';
import { inFolder } from '../../rig/folder.js';
import { refusal } from '../../rig/included.js';
import { readInventory } from '../../rig/inventory.js';
import { worded } from '../../rig/loaded.js';
import { LockedFolders } from '../../rig/locked_folders.js';
import { inFolderWithScripts } from '../../rig/scripts.js';
import { ENCRYPTED_FILE, PASSWORD, vaultOf } from '../../rig/vault.js';

const PROGRAM = `#!/bin/sh\necho '{"g": ["lb1"], "_meta": {"hostvars": {"lb1": {"a": 1}}}}'\n`;

describe('the sources of an inventory', () => {
  it('are reported where they are named: in a file, an option or a variable of the environment', async () => {
    const said = async (place: LoadInventoryOptions['place']) =>
      (await readInventory({ x: '' }, ['none.yml', 'nor.yml'], () => ({ place }))).said;
    const missing = (name: string) =>
      `cannot read the inventory ${name}: there is no such file — a list of controllers ends in a comma: "${name},"`;
    expect(await said({ file: 'evenkeel.yml', line: 2, column: 3 })).to.deep.equal([
      `evenkeel.yml:2:3 ${missing('none.yml')}`,
      `evenkeel.yml:2:3 ${missing('nor.yml')}`,
    ]);
    expect(await said('EVENKEEL_INVENTORY')).to.deep.equal([
      `EVENKEEL_INVENTORY: ${missing('none.yml')}`,
      `EVENKEEL_INVENTORY: ${missing('nor.yml')}`,
    ]);
    expect(await said(undefined)).to.deep.equal([missing('none.yml'), missing('nor.yml')]);
    expect((await readInventory({ 'hosts.yml': '' }, ['host.yml'])).said).to.deep.equal([
      'cannot read the inventory host.yml: there is no such file — did you mean "hosts.yml"?; a list of controllers ends in a comma: "host.yml,"',
    ]);
  });

  it('can be what an executable has printed, with groups that have no controllers', async () => {
    const text = '{"_meta": {}, "g": {"vars": {"a": 1}}, "h": {"children": ["g"]}, "lb1": {"b": 2}, "i": []}';
    const { inventory, of, said } = await readInventory({ 'hosts.json': text });
    expect(said).to.deep.equal([
      'warning: hosts.json:1:73 "lb1" is the name of a group and of a controller; patterns select the controller, but after "&" and "!" the group',
    ]);
    const groups = [...inventory.groups.values()].map(({ name, children, layers }) => [
      name,
      children,
      layers.map(({ values }) => values),
    ]);
    expect(groups).to.deep.equal([
      ['all', ['ungrouped', 'h', 'lb1', 'i'], []],
      ['ungrouped', [], []],
      ['g', [], [{ a: 1 }]],
      ['h', ['g'], []],
      ['lb1', [], [{ b: 2 }]],
      ['i', [], []],
    ]);
    expect(of('lb1')).to.deep.equal({ b: 2 });
  });

  it('are complete, unless one is missing, wrong or not run', async () => {
    const partial = async (sources: readonly string[], env: Record<string, string> = {}) =>
      (await readInventory({ a: 'lb1 9a=1\n', b: '[g\n', c: PROGRAM }, sources, () => ({ env }))).inventory.partial;
    expect([await partial([]), await partial(['a']), await partial(['a', 'b']), await partial(['none'])]).to.deep.equal(
      [true, false, true, true],
    );
    const path = process.env['PATH'] ?? '';
    expect([
      await partial(['a', 'c'], { PATH: path }),
      await partial(['a', 'c'], { PATH: path, EVENKEEL_NO_EXEC: '1' }),
    ]).to.deep.equal([false, true]);
  });

  it('are reported if their folder cannot be read', () =>
    inFolder({ 'inv/hosts': 'lb1' }, async (cwd) => {
      const diagnostics = new Diagnostics();
      await loadInventory(['inv'], { cwd, diagnostics, sources: new LockedFolders() });
      expect(diagnostics.list.map(worded)).to.deep.equal(['cannot read inv: permission denied']);
    }));

  it('are not run with --no-exec, nor if others may have written them and no user named them', () =>
    inFolderWithScripts({ 'inv/dyn': PROGRAM, 'inv/more': PROGRAM }, async (cwd) => {
      for (const name of ['inv/dyn', 'inv/more']) await chmod(path.join(cwd, name), 0o777);
      const trust = new Trust('/', {});
      const load = async (source: string, more: Partial<LoadInventoryOptions> = {}) => {
        const diagnostics = new Diagnostics();
        const { controllers } = await loadInventory([source], { cwd, diagnostics, trust, ...more });
        const said = diagnostics.list.map(worded).map((text) => text.replaceAll(cwd, ''));
        return [[...controllers.keys()], ...said];
      };
      const refused = (place: string, name: string) =>
        `${place}the inventory ${name} is not run: /${name} is world-writable — if you trust it, name its folder in EVENKEEL_TRUSTED_FOLDERS`;
      const place = { file: 'evenkeel.yml', line: 1, column: 12 };
      expect(await load('inv/dyn')).to.deep.equal([['lb1']]);
      expect(await load('inv/dyn', { place: 'EVENKEEL_INVENTORY' })).to.deep.equal([['lb1']]);
      expect(await load('inv/dyn', { place })).to.deep.equal([[], refused('', 'inv/dyn')]);
      expect(await load('inv')).to.deep.equal([[], refused('', 'inv/dyn'), refused('', 'inv/more')]);
      const env = { EVENKEEL_NO_EXEC: '1' };
      expect(await load('inv/dyn', { place, env })).to.deep.equal([
        [],
        'warning: evenkeel.yml:1:12 the inventory inv/dyn is a program, which --no-exec does not run: its controllers are unknown',
      ]);
    }));

  it('are read again from what a plan has kept of them', () =>
    inFolderWithScripts({ 'inv/a.yml': 'g: { hosts: { lb2: { b: 2 } } }', 'inv/dyn': PROGRAM }, async (cwd) => {
      const load = async (sources: ProjectSources, folder: string) => {
        const diagnostics = new Diagnostics();
        const options = { cwd: folder, diagnostics, sources, trust: new Trust(cwd, {}) };
        const { controllers } = await loadInventory(['inv', 'lb3,lb4'], options);
        const layers = [...controllers].map(([name, one]) => [name, ...one.layers.map(({ values }) => values)]);
        return { layers, said: diagnostics.list.map(worded) };
      };
      const kept = new ProjectSources({ keep: true });
      const found = await load(kept, cwd);
      expect(found).to.deep.equal({ layers: [['lb2', { b: 2 }], ['lb1', { a: 1 }], ['lb3'], ['lb4']], said: [] });
      expect(Object.keys(kept.answers).map((key) => key.replaceAll(cwd, ''))).to.deep.equal([
        'source inv',
        'realPath /inv',
        'namesIn /inv',
        'source inv/a.yml',
        'file /inv/a.yml',
        'source inv/dyn',
        'run /inv/dyn',
        'refusal /inv/dyn',
        'program inv/dyn --list',
        'source lb3,lb4',
        'entries /inv/group_vars',
        'entries /inv/host_vars',
      ]);
      expect(await load(new ProjectSources({ recorded: kept.answers }), '/nowhere')).to.deep.equal(found);
    }));

  it('can be folders in folders, which are not followed if they lead back to one above', () =>
    inFolderWithScripts(
      { 'inv/a.yml': 'g: { hosts: { lb1: } }', 'inv/b/c/d.yml': 'g: { hosts: { lb2: } }' },
      async (cwd) => {
        await symlink('../..', path.join(cwd, 'inv/b/c/up'));
        await symlink('../b/c', path.join(cwd, 'inv/b/z'));
        const diagnostics = new Diagnostics();
        const { controllers } = await loadInventory(['inv'], { cwd, diagnostics });
        expect([[...controllers.keys()], diagnostics.list.map(worded)]).to.deep.equal([
          ['lb1', 'lb2'],
          [
            'warning: inv/b/c/up links back to a folder that contains it: ignored',
            'warning: inv/b/z/up links back to a folder that contains it: ignored',
          ],
        ]);
      },
    ));

  it('may be devices, and tell later which variables a new name has beside them', () =>
    inFolderWithScripts(
      {
        'one/hosts': '[g]\nlb1\n',
        'one/group_vars/new.yml': 'a: 1',
        'one/group_vars/other.yml': 'a: 9',
        'one/host_vars/lb9.yml': 'b: [',
        'two/hosts': '[g]\nlb2\n',
        'two/group_vars/new.yml': 'a: 2',
      },
      async (cwd) => {
        const diagnostics = new Diagnostics();
        const sources = ['one/hosts', 'two/hosts', '/dev/null'];
        const { readAdjacent, controllers } = await loadInventory(sources, { cwd, diagnostics });
        expect([[...controllers.keys()], diagnostics.list.map(worded)]).to.deep.equal([
          ['lb1', 'lb2'],
          ['warning: /dev/null is empty: it has no controllers'],
        ]);
        const layers = (await readAdjacent?.('group_vars', 'new')) ?? [];
        expect(layers.map(({ level, origin, values }) => [level, origin, values])).to.deep.equal([
          ['inventory group_vars/*', 'one/group_vars/new.yml', { a: 1 }],
          ['inventory group_vars/*', 'two/group_vars/new.yml', { a: 2 }],
        ]);
        expect(await readAdjacent?.('group_vars', 'none')).to.deep.equal([]);
        expect(await refusal(readAdjacent?.('host_vars', 'lb9') ?? Promise.resolve())).to.equal(
          'one/host_vars/lb9.yml:1:5 "[" is not closed before this — write "]" where it ends',
        );
      },
    ));

  it('can have encrypted files beside them', async () => {
    const { vault } = vaultOf({ default: PASSWORD });
    const files = { hosts: '[g]\nlb1\nlb2\n', 'group_vars/g.yml': ENCRYPTED_FILE };
    const { inventory, said } = await readInventory(files, ['hosts'], () => ({ vault }));
    expect(said).to.deep.equal([]);
    const layers = ['lb1', 'lb2'].map((name) => inventory.controllers.get(name)?.layers.map(({ secret }) => secret));
    expect(layers).to.deep.equal([[true], [true]]);
    const locked = await readInventory(files, ['hosts']);
    expect(locked.said).to.deep.equal([
      'group_vars/g.yml:1:1 this file is encrypted, and no vault password was given — pass --vault-password-file FILE, or --ask-vault-pass (-J), or name the file in evenkeel.yml',
    ]);
  });

  it('have values of TOML with the types of YAML', async () => {
    const text = `[g.hosts.lb1]
at = 1979-05-27T07:32:00Z
day = 1979-05-27
no = nan
yes = true
n = 5
part = 1.5
list = [1, "a", false, { b = 2 }]
`;
    const { of, said } = await readInventory({ 'hosts.toml': text });
    expect(said).to.deep.equal([]);
    expect(of('lb1')).to.deep.equal({
      at: '1979-05-27T07:32:00.000Z',
      day: '1979-05-27',
      no: 'NaN',
      yes: true,
      n: 5,
      part: 1.5,
      list: [1, 'a', false, { b: 2 }],
    });
  });
});
