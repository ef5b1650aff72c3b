import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { Library } from '../../../src/language/library.js';
import { BUILT_IN } from '../../../src/language/library/index.js';
import { evaluate } from '../../../src/language/render.js';
import { TemplateError } from '../../../src/language/runtime/errors.js';
import { Variables } from '../../../src/language/scope.js';
import { failure, HERE, layer } from '../scopes.js';

const FILES: Readonly<Record<string, string | Buffer>> = {
  'files/banner.txt': '  of the playbook\n',
  'near/files/banner.txt': 'of the role\n',
  'near/own.txt': 'x',
  'hidden/.a.yml': '',
  'hidden/b.yml': '',
  'shapes/x\\y': '',
  'shapes/xzy': '',
  'shapes/😀.txt': '',
  'shapes/ab.txt': '',
  'names.j2': '{{ query("varnames", "^own_|^port_") | sort | join(" ") }}',
  'cells.csv': 'a,b\n,2\n\n3,4\n',
  'early.ini': '  x=1\n',
  'latin.txt': Buffer.from('ok\nf\xfcr', 'latin1'),
};

describe('lookups of files at their edges', () => {
  let folder = '';
  before(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'evenkeel-edges-')));
    for (const [name, text] of Object.entries(FILES)) {
      await mkdir(path.join(folder, path.dirname(name)), { recursive: true });
      await writeFile(path.join(folder, name), text);
    }
    await symlink('near', path.join(folder, 'link'));
  });
  after(() => rm(folder, { recursive: true }));

  const scoped = (expression: string, values: Mapping): unknown => {
    const library = new Library(BUILT_IN).with({ cwd: folder });
    return evaluate(expression, new Variables([layer(values)], undefined, undefined, library), HERE);
  };
  const value = (expression: string, more: Mapping = {}): unknown =>
    scoped(expression, { playbook_dir: folder, port_eu: 443, ...more });
  const said = (expression: string): string => {
    const error = failure(() => value(expression));
    if (!(error instanceof TemplateError)) throw error;
    return error.hint === undefined ? error.message : `${error.message} — ${error.hint}`;
  };

  it('look in the folders of the task first, and without a playbook in the working directory', () => {
    expect(value('file("banner.txt")', { ansible_search_path: [5, path.join(folder, 'near')] })).to.equal(
      'of the role',
    );
    expect(value('file("banner.txt")', { ansible_search_path: path.join(folder, 'near') })).to.equal(
      '  of the playbook',
    );
    expect(scoped('file("package.json") | from_json', {})).to.have.property('name', 'evenkeel');
  });

  it('take options by their places, too', () => {
    expect(value('[file("banner.txt", false), file("banner.txt", true, true)]')).to.deep.equal([
      '  of the playbook\n',
      'of the playbook',
    ]);
    expect(value('first_found("own.txt", ["near"])')).to.equal(path.join(folder, 'near/own.txt'));
    expect(value('first_found("gone.txt", ["near"], true)')).to.deep.equal([]);
    expect(value('query("first_found", [], skip=true)')).to.deep.equal([]);
    expect(said('query("first_found", {"files": 5})')).to.equal(
      'query: none of the number 5 exists — looked in files, .',
    );
  });

  it('match hidden files only if a dot is asked for, and any character', () => {
    const matching = (pattern: string): unknown => value(`${JSON.stringify(pattern)} | fileglob | map("basename")`);
    expect([matching('hidden/*'), matching('hidden/.*')]).to.deep.equal([['b.yml'], ['.a.yml']]);
    expect([matching('shapes/x[\\]y'), matching('shapes/?.txt'), matching('shapes/??.txt')]).to.deep.equal([
      ['x\\y'],
      ['😀.txt'],
      ['ab.txt'],
    ]);
    // Only `!` negates, and a reversed range is empty.
    expect([matching('shapes/[^a]b.txt'), matching('shapes/[z-a]b.txt')]).to.deep.equal([['ab.txt'], []]);
  });

  it('render files with the names of their own variables beside the others', () => {
    expect(value('lookup("template", "names.j2", template_vars={"own_a": 1})')).to.equal('own_a port_eu');
  });

  it('resolve links above a path that does not exist', () => {
    expect(value(`${JSON.stringify(path.join(folder, 'link/none/x'))} | realpath`)).to.equal(
      path.join(folder, 'near/none/x'),
    );
  });

  it('read rows whose first cell is empty, and say where a file is wrong', () => {
    expect(value('file("cells.csv") | from_csv')).to.deep.equal([
      { a: '', b: '2' },
      { a: '3', b: '4' },
    ]);
    expect(said('lookup("ini", "x section=a file=early.ini")')).to.equal(
      'lookup: line 1 of "early.ini" is before any section',
    );
    expect(said('file("latin.txt")')).to.equal(
      'file: "latin.txt" cannot be read: line 2, column 2 is not UTF-8 text (byte 0xFC)',
    );
    expect(said('lookup("csvfile", "a", file="cells.csv", delimiter=[","])')).to.equal(
      'lookup: "delimiter" must be a text',
    );
  });

  it('create passwords of at least one character', () => {
    for (const length of ['0', '-1', '1.5', '1000001'])
      expect(said(`lookup("password", "made length=${length}")`)).to.equal(
        `lookup: length must be a whole number from 1, not "${length}"`,
      );
    expect(value('lookup("password", "made length=1 chars=x")')).to.equal('x');
  });
});
