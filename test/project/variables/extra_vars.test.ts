import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { parseExtraVars, readExtraVarsFiles } from '../../../src/project/variables/written_variables.js';
import { atHome, inFolder, type Files } from '../../rig/folder.js';
import { worded } from '../../rig/loaded.js';
import { ENCRYPTED_FILE, PASSWORD, vaultOf } from '../../rig/vault.js';

async function parse(texts: readonly string[], files: Files = {}): Promise<{ values: unknown; diagnostics: unknown }> {
  return inFolder(files, async (cwd) => {
    const diagnostics = new Diagnostics();
    const layers = await parseExtraVars(texts, cwd, { diagnostics });
    expect(layers.every(({ level }) => level === 'extra vars')).to.equal(true);
    return {
      values: layers.map(({ values, origin }) => [origin, values]),
      diagnostics: diagnostics.list.map(worded),
    };
  });
}

describe('parseExtraVars', () => {
  it('reads key=value text, whose values are text', async () => {
    expect(await parse(['a=1 b="x y"', 'c=true', ''])).to.deep.equal({
      values: [
        ['--extra-vars', { a: '1', b: 'x y' }],
        ['--extra-vars', { c: 'true' }],
      ],
      diagnostics: [],
    });
  });

  it('reads a file in the home folder, which no shell expands behind @', async () => {
    const { values } = await inFolder({ 'x.yml': 'a: 1' }, (home) => atHome(home, () => parse(['@~/x.yml'])));
    expect(values).to.deep.equal([['~/x.yml', { a: 1 }]]);
  });

  it('reads JSON and YAML in braces', async () => {
    expect(await parse(['{"a": 1}', '{a: [x, "{{ y }}"]}'])).to.deep.equal({
      values: [
        ['--extra-vars', { a: 1 }],
        ['--extra-vars', { a: ['x', '{{ y }}'] }],
      ],
      diagnostics: [],
    });
  });

  it('reads files', async () => {
    expect(await parse(['@vars/a.yml', '@empty.yml'], { 'vars/a.yml': 'a: 1\n', 'empty.yml': '' })).to.deep.equal({
      values: [
        ['vars/a.yml', { a: 1 }],
        ['empty.yml', {}],
      ],
      diagnostics: [],
    });
  });

  it('reports everything that it cannot parse', async () => {
    const texts = [
      '@',
      'a: 1',
      '@none.yml',
      'vars.yml',
      'a_password: hush-hush',
      '[{a_password: hush-hush}]',
      'word',
      'a="x',
      '[1]',
      '{a: {{ b }}}',
      '{"a": "{{ b"}',
      '@bad.yml',
    ];
    const { diagnostics } = await parse(texts, { 'bad.yml': 'a: 1\na: 2\n' });
    expect(diagnostics).to.deep.equal([
      '--extra-vars: "@" must be followed by the name of a file',
      '--extra-vars: "a: 1" has no value — for YAML, write {a: 1}',
      '--extra-vars: cannot read none.yml: there is no such file — its name is relative to the working directory',
      '--extra-vars: "vars.yml" has no value — for a file, write @vars.yml',
      '--extra-vars: "a_password: ********" has no value — for YAML, write {a_password: ********}',
      '--extra-vars must be a mapping of names to values, not a list: [{a_password: ********}]',
      '--extra-vars: "word" has no value — write name=value',
      '--extra-vars: a quote or "{{" is not closed in: a="…',
      '--extra-vars must be a mapping of names to values, not a list: [1]',
      '--extra-vars: a value that starts with "{{" must be quoted, in: {a: {{ b }}} — write "{{ b }}"',
      '--extra-vars: "{{ b" is never closed — write }} where it ends, or {{ "{{" }} for braces that are text',
      'bad.yml:2:1 duplicate key "a": first defined on line 1 — keep one of them',
    ]);
  });
});

describe('the files of variables of an environment', () => {
  it('are layers in their order, and must exist', () =>
    inFolder({ 'a.yml': 'a: 1\n', 'b.yml': 'a: 2\n', 'list.yml': '- 1\n', 'near.yml': '' }, async (cwd) => {
      const diagnostics = new Diagnostics();
      const source = (line: number) => ({ file: 'evenkeel.yml', line, column: 1 });
      const files = ['a.yml', 'none.yml', 'list.yml', 'b.yml'].map((value, line) => ({ value, source: source(line) }));
      const layers = await readExtraVarsFiles(files, cwd, { diagnostics });
      expect(layers.map(({ level, values, origin }) => [level, values, origin])).to.deep.equal([
        ['extra vars', { a: 1 }, 'a.yml'],
        ['extra vars', { a: 2 }, 'b.yml'],
      ]);
      expect(diagnostics.list.map(worded)).to.deep.equal([
        'evenkeel.yml:1:1 there is no variables file "none.yml"',
        'list.yml:1:1 a file of variables must be a mapping of names to values, not a list — write "name: value"',
      ]);
    }));

  it('can be encrypted', () =>
    inFolder({ 'a.yml': ENCRYPTED_FILE, 'b.yml': 'b: 2\n' }, async (cwd) => {
      const diagnostics = new Diagnostics();
      const source = { file: 'evenkeel.yml', line: 1, column: 1 };
      const files = ['a.yml', 'b.yml'].map((value) => ({ value, source }));
      const { vault } = vaultOf({ default: PASSWORD });
      const layers = await readExtraVarsFiles(files, cwd, { diagnostics, vault });
      expect(layers.map(({ values, secret }) => [Object.keys(values), secret])).to.deep.equal([
        [['token', 'note'], true],
        [['b'], undefined],
      ]);
      expect(diagnostics.list).to.deep.equal([]);
    }));

  it('are suggested where one is misspelt or in a folder, with the option or the place that names it', async () => {
    const { diagnostics } = await parse(['@vars'], { 'vars/all.yml': '', 'vars/b.txt': '' });
    const why = 'cannot read vars: it is a folder — name a file in it, such as vars/all.yml';
    expect(diagnostics).to.deep.equal([`--extra-vars: ${why}`]);
    await inFolder({ 'vars/all.yml': '' }, async (cwd) => {
      const found = new Diagnostics();
      const source = { file: 'evenkeel.yml', line: 3, column: 5 };
      await readExtraVarsFiles([{ value: 'vars', source }], cwd, { diagnostics: found });
      expect(found.list.map(worded)).to.deep.equal([`evenkeel.yml:3:5 ${why}`]);
    });
    expect((await parse(['@vras.yml', '@vars.yml'], { 'vars.yml': '' })).diagnostics).to.deep.equal([
      '--extra-vars: cannot read vras.yml: there is no such file — did you mean "vars.yml"?',
    ]);
  });
});
