import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { loadGroupVars } from '../../../src/project/variables/group_vars.js';
import { inFolder, type Files } from '../../rig/folder.js';
import { worded } from '../../rig/loaded.js';
import { LockedFolders } from '../../rig/locked_folders.js';

interface Found {
  readonly groups: readonly string[];
  readonly controllers: readonly string[];
  readonly said: readonly string[];
}

function found(
  files: Files,
  origin: 'inventory' | 'playbook' = 'playbook',
  wanted?: Parameters<typeof loadGroupVars>[3],
): Promise<Found> {
  return inFolder(files, async (cwd) => {
    const diagnostics = new Diagnostics();
    const { groups, controllers } = await loadGroupVars(cwd, origin, { diagnostics }, wanted, 'here');
    const lines = (map: typeof groups): string[] =>
      [...map].flatMap(([name, layers]) =>
        layers.map(({ level, origin: file, values }) => `${name}: ${level}: ${file}: ${JSON.stringify(values)}`),
      );
    return { groups: lines(groups), controllers: lines(controllers), said: diagnostics.list.map(worded) };
  });
}

describe('group_vars and host_vars', () => {
  it('are reported if their folder cannot be read', () =>
    inFolder({ 'host_vars/lb1.yml': 'a: 1' }, async (cwd) => {
      await symlink('group_vars', path.join(cwd, 'group_vars'));
      const diagnostics = new Diagnostics();
      const { controllers } = await loadGroupVars(cwd, 'inventory', { diagnostics }, undefined, 'here');
      expect([[...controllers.keys()], diagnostics.list.map(worded)]).to.deep.equal([
        ['lb1'],
        ['cannot read here/group_vars: its links form a loop'],
      ]);
    }));

  it('are reported if a folder of a name cannot be read', () =>
    inFolder({ 'group_vars/all/a.yml': 'a: 1', 'group_vars/emea.yml': 'b: 2' }, async (cwd) => {
      const diagnostics = new Diagnostics();
      const sources = new LockedFolders();
      const { groups } = await loadGroupVars(cwd, 'inventory', { diagnostics, sources }, undefined, 'here');
      expect([[...groups.keys()], diagnostics.list.map(worded)]).to.deep.equal([
        ['emea'],
        ['cannot read here/group_vars/all: permission denied'],
      ]);
    }));

  it('are files and folders with the name of a group or controller', async () => {
    expect(
      await found({
        'group_vars/all.yml': 'a: 1',
        'group_vars/emea/20.yml': 'b: 2',
        'group_vars/emea/10.json': '{"b": 1}',
        'group_vars/emea/notes.txt': '[',
        'group_vars/emea/.hidden.yml': '[',
        'group_vars/emea/sub/x.yaml': 'c: 3',
        'group_vars/amer': 'd: 4',
        'group_vars/empty.yml': '',
        'group_vars/README.md': '[',
        'host_vars/lb1.example.com.yml': 'e: 5',
        'host_vars/lb2.example.com': 'f: 6',
      }),
    ).to.deep.equal({
      groups: [
        'all: playbook group_vars/all: here/group_vars/all.yml: {"a":1}',
        'amer: playbook group_vars/*: here/group_vars/amer: {"d":4}',
        'emea: playbook group_vars/*: here/group_vars/emea/10.json: {"b":1}',
        'emea: playbook group_vars/*: here/group_vars/emea/20.yml: {"b":2}',
        'emea: playbook group_vars/*: here/group_vars/emea/sub/x.yaml: {"c":3}',
        'empty: playbook group_vars/*: here/group_vars/empty.yml: {}',
      ],
      controllers: [
        'lb1.example.com: playbook host_vars/*: here/host_vars/lb1.example.com.yml: {"e":5}',
        'lb2.example.com: playbook host_vars/*: here/host_vars/lb2.example.com: {"f":6}',
      ],
      said: [],
    });
  });

  it('have the suffixes that Ansible reads, whether their names are known or not', async () => {
    const files = {
      'group_vars/web.yml': 'a: 1',
      'group_vars/web.yml.license': '[',
      'group_vars/db': 'b: 2',
      'group_vars/db.license': '[',
      'group_vars/all.example': '[',
      'group_vars/web.ini/main.yml': '[',
      'group_vars/.web.yml': '[',
      'group_vars/web.yml~': '[',
      'host_vars/lb1.example.com': 'c: 3',
      'host_vars/lb1.example.com.license': '[',
      'host_vars/lb2.yaml': 'd: 4',
      'host_vars/lb2.yaml.license': '[',
      'host_vars/lb2.yaml.j2': '[',
    };
    const groups = new Set(['web', 'db', 'all']);
    const controllers = new Set(['lb1.example.com', 'lb2']);
    for (const wanted of [undefined, { groups, controllers }])
      expect(await found(files, 'playbook', wanted)).to.deep.equal({
        groups: [
          'db: playbook group_vars/*: here/group_vars/db: {"b":2}',
          'web: playbook group_vars/*: here/group_vars/web.yml: {"a":1}',
        ],
        controllers: [
          'lb1.example.com: playbook host_vars/*: here/host_vars/lb1.example.com: {"c":3}',
          'lb2: playbook host_vars/*: here/host_vars/lb2.yaml: {"d":4}',
        ],
        said: [],
      });
  });

  it('may have any name that a group or a controller has', async () => {
    const files = { 'group_vars/web.d': 'a: 1', 'host_vars/lb1.license': 'b: 2', 'host_vars/other': 'c: 3' };
    const wanted = { groups: new Set(['web.d']), controllers: new Set(['lb1.license']) };
    expect(await found(files, 'inventory', wanted)).to.deep.equal({
      groups: ['web.d: inventory group_vars/*: here/group_vars/web.d: {"a":1}'],
      controllers: ['lb1.license: inventory host_vars/*: here/host_vars/lb1.license: {"b":2}'],
      said: [],
    });
  });

  it('ignore a second file for the same name, as Ansible does, with a warning', async () => {
    const { groups, said } = await found(
      {
        'group_vars/g/a.yml': 'a: 1',
        'group_vars/g.yml': 'a: 2',
        'group_vars/h.yaml': 'a: 3',
        'group_vars/h.yml': 'a: 4',
      },
      'inventory',
    );
    expect(groups).to.deep.equal([
      'g: inventory group_vars/*: here/group_vars/g/a.yml: {"a":1}',
      'h: inventory group_vars/*: here/group_vars/h.yml: {"a":4}',
    ]);
    expect(said).to.deep.equal([
      `warning: here/group_vars/g.yml is ignored, because here/group_vars/g exists, too — move it to ${path.join('here/group_vars/g')}/`,
      'warning: here/group_vars/h.yaml is ignored, because here/group_vars/h.yml exists, too',
    ]);
  });

  it('report the mistakes in each file', async () => {
    expect(
      (await found({ 'group_vars/a.yml': '- 1', 'group_vars/b.yml': 'x: 1\nx: 2', 'host_vars/c.yml': 'a: {{ b }}' }))
        .said,
    ).to.deep.equal([
      'here/group_vars/a.yml:1:1 a file of variables must be a mapping of names to values, not a list — write "name: value"',
      'here/group_vars/b.yml:2:1 duplicate key "x": first defined on line 1 — keep one of them',
      'here/host_vars/c.yml:1:4 a value that starts with "{{" must be quoted — write "{{ b }}"',
    ]);
  });

  it('are optional, but must be folders', async () => {
    expect(await found({ x: '' })).to.deep.equal({ groups: [], controllers: [], said: [] });
    expect((await found({ group_vars: '' })).said).to.deep.equal([
      'warning: here/group_vars is ignored: it is not a folder',
    ]);
  });

  it('are in order, also if there are more than are read at once', async () => {
    const many = Array.from({ length: 150 }, (_, at) => String(at).padStart(3, '0'));
    const files = Object.fromEntries(
      many.map((name) => [`host_vars/h${name}.yml`, name === '077' ? '- 1' : `n: '${name}'`]),
    );
    const { controllers, said } = await found({ ...files, 'host_vars/h149.yml': 'a: 1\na: 2' }, 'inventory');
    expect(controllers).to.deep.equal(
      many.flatMap((name) => {
        if (name === '077') return [];
        const values = name === '149' ? '{"a":2}' : `{"n":"${name}"}`;
        return [`h${name}: inventory host_vars/*: here/host_vars/h${name}.yml: ${values}`];
      }),
    );
    expect(said.map((one) => one.replace(/ .*$/, ''))).to.deep.equal([
      'here/host_vars/h077.yml:1:1',
      'here/host_vars/h149.yml:2:1',
    ]);
  });

  it('have levels by their folder and their name', async () => {
    const files = { 'group_vars/all.yml': 'a: 1', 'group_vars/g.yml': 'a: 2', 'host_vars/all.yml': 'a: 3' };
    const levels = async (origin: 'inventory' | 'playbook') => {
      const { groups, controllers } = await found(files, origin);
      return [...groups, ...controllers].map((one) => one.split(': ')[1]);
    };
    for (const origin of ['inventory', 'playbook'] as const)
      expect(await levels(origin)).to.deep.equal([
        `${origin} group_vars/all`,
        `${origin} group_vars/*`,
        `${origin} host_vars/*`,
      ]);
  });

  it('are not hidden by a link to a file that does not exist, as in Ansible', () =>
    inFolder({ 'group_vars/web.yml': 'a: 1' }, async (cwd) => {
      await symlink('../secrets/web', path.join(cwd, 'group_vars/web'));
      const diagnostics = new Diagnostics();
      const { groups } = await loadGroupVars(cwd, 'playbook', { diagnostics }, undefined, 'here');
      expect(groups.get('web')?.map(({ values }) => values)).to.deep.equal([{ a: 1 }]);
      expect(diagnostics.list.map(worded)).to.deep.equal([]);
    }));

  it('end in a folder that contains itself, with a warning', () =>
    inFolder({ 'group_vars/g/a.yml': 'a: 1', 'group_vars/g/sub/b.yml': 'b: 2' }, async (cwd) => {
      await symlink('..', path.join(cwd, 'group_vars/g/sub/loop'));
      const diagnostics = new Diagnostics();
      const { groups } = await loadGroupVars(cwd, 'playbook', { diagnostics }, undefined, 'here');
      expect(groups.get('g')?.map(({ origin }) => origin)).to.deep.equal([
        'here/group_vars/g/a.yml',
        'here/group_vars/g/sub/b.yml',
      ]);
      expect(diagnostics.list.map(worded).join()).to.match(/^warning: .*here\/group_vars\/g\/sub\/loop/);
    }));
});
