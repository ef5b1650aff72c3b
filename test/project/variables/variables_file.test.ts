import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { Cursor } from '../../../src/project/document/cursor.js';
import { fileExists, readVariables, readVars } from '../../../src/project/variables/written_variables.js';
import { parseYaml } from '../../../src/project/yaml/parse_yaml.js';
import { inFolder } from '../../rig/folder.js';
import { worded } from '../../rig/loaded.js';

function vars(text: string) {
  const diagnostics = new Diagnostics();
  const parsed = parseYaml(text, 'site.yml', diagnostics);
  if (parsed === undefined) throw new Error('no YAML');
  const layers = readVars(new Cursor(parsed.value, { ...parsed, diagnostics }).get('vars'), 'play vars', 'the play');
  const places = layers.map(({ locate }) => locate?.([]).line);
  return { layers, places, said: diagnostics.list.map(worded) };
}

describe('a block of variables', () => {
  it('is a mapping, or a list of them, whose last is the strongest', () => {
    const one = vars('vars:\n  a: 1\n');
    expect([one.layers.map(({ locate: _locate, ...rest }) => rest), one.places, one.said]).to.deep.equal([
      [{ level: 'play vars', values: { a: 1 }, origin: 'the play' }],
      [2],
      [],
    ]);
    const two = vars('vars:\n  - a: 1\n  - a: 2\n    b: 3\n');
    expect(two.layers.map(({ values }) => values)).to.deep.equal([{ a: 1 }, { a: 2, b: 3 }]);
    expect(two.places).to.deep.equal([2, 3]);
    expect(two.said).to.deep.equal([
      'warning: site.yml:1:1 newer versions of Ansible refuse a list as "vars" — write one mapping',
    ]);
    expect(vars('tasks: []\n')).to.deep.equal({ layers: [], places: [], said: [] });
  });

  it('has names of variables and valid templates, in each of its parts', () => {
    expect(vars('vars:\n  - a-b: 1\n  - c: "{{ x | uper }}"\n    9d: 1\n').said.slice(1)).to.deep.equal([
      'site.yml:2:5 "a-b" is not a valid variable name: use letters, digits and "_", and do not start with a digit',
      'site.yml:4:5 "9d" is not a valid variable name: use letters, digits and "_", and do not start with a digit',
      'site.yml:3:8 there is no filter or function "uper" — did you mean "upper"?',
    ]);
  });

  it('is nothing else', () => {
    for (const [text, kind] of [
      ['7', '7'],
      ['[{ a: 1 }, 2]', 'a list'],
      ['[2, { a: 1 }]', 'a list'],
      ['text', 'text'],
    ] as const)
      expect(vars(`vars: ${text}\n`)).to.deep.equal({
        layers: [],
        places: [],
        said: [`site.yml:1:7 "vars" must be a mapping of names to values, not ${kind}`],
      });
  });
});

describe('a file of variables', () => {
  it('exists if it can be found, also where it cannot be read', () =>
    inFolder({ a: '' }, async (cwd) => {
      await symlink('loop', path.join(cwd, 'loop'));
      const names = ['a', 'none', 'a/b', 'loop', 'x\0y'];
      expect(await Promise.all(names.map((name) => fileExists(path.join(cwd, name))))).to.deep.equal([
        true,
        false,
        false,
        true,
        false,
      ]);
      const diagnostics = new Diagnostics();
      for (const name of ['none', 'loop'])
        expect(await readVariables(path.join(cwd, name), 'extra vars', { diagnostics }, name)).to.equal(undefined);
      expect(diagnostics.list.map(worded)).to.deep.equal(['cannot read loop: its links form a loop']);
    }));
});
