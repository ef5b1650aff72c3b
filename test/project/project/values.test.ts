import { homedir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import type { Value } from '../../../src/core/model/values/value.js';
import { TYPED } from '../../../src/project/document/command_line.js';
import { Cursor } from '../../../src/project/document/cursor.js';
import { fileBelow, passwordFileSource, passwordSources } from '../../../src/project/project/settings.js';
import {
  boolean,
  checkSetting,
  collections,
  cursorPlace,
  folder,
  folderSettings,
  foldersOrPackages,
  forkSetting,
  readChoice,
  relativeTo,
  sizeSetting,
  sources,
  wholeNumberUpTo,
} from '../../../src/project/project/values.js';
import { inFolder } from '../../rig/folder.js';
import { worded } from '../../rig/loaded.js';

const place = (path: readonly (string | number)[]) => ({ file: path.join('/'), line: 1, column: 1 });

function read<T>(value: Value, reader: (cursor: Cursor) => T, locate = place) {
  const diagnostics = new Diagnostics();
  const cursor = new Cursor({ x: value }, { diagnostics, locate, locateKey: locate }).get('x');
  if (cursor === undefined) throw new Error('no value');
  return [reader(cursor), ...diagnostics.list.map(worded)];
}

describe('the value of a setting', () => {
  it('is a whole number within its limits', () => {
    const number = (value: Value) => read(value, (cursor) => wholeNumberUpTo(9, cursor));
    expect([number(1), number(9), number('7')]).to.deep.equal([[1], [9], [7]]);
    const wrong = (shown: string, range = 'from 1') => [
      undefined,
      `x:1:1 "x" must be a whole number ${range}, not ${shown}`,
    ];
    expect([number(0), number(10), number('10'), number(1.5), number('-1'), number(true)]).to.deep.equal([
      wrong('0'),
      wrong('10', 'from 1 to 9'),
      wrong('"10"', 'from 1 to 9'),
      wrong('1.5'),
      wrong('"-1"'),
      wrong('true'),
    ]);
    expect([read('auto', forkSetting), read(1_000_000, forkSetting)]).to.deep.equal([['auto'], [1_000_000]]);
    expect([read('autos', forkSetting), read(1_000_001, forkSetting)]).to.deep.equal([
      [undefined, 'x:1:1 "x" must be a whole number from 1, or auto, not "autos"'],
      [undefined, 'x:1:1 "x" must be a whole number from 1 to 1000000, or auto, not 1000001'],
    ]);
  });

  it('is a size, a choice or a boolean', () => {
    expect([read(9, sizeSetting), read('9KB', sizeSetting), read('1TB', sizeSetting)]).to.deep.equal([
      [9],
      [9216],
      [2 ** 40],
    ]);
    expect([read('9XB', sizeSetting), read([], sizeSetting)]).to.deep.equal([
      [undefined, 'x:1:1 "x" must be a size such as 16MB, at most 1TB, not "9XB"'],
      [undefined, 'x:1:1 "x" must be a size such as 16MB, at most 1TB, not a list'],
    ]);
    const choice = (value: Value) => read(value, (cursor) => readChoice(cursor, ['one', 'two', 'three']));
    expect([choice('one'), choice('three')]).to.deep.equal([['one'], ['three']]);
    expect([choice('thre'), choice('four'), choice([])]).to.deep.equal([
      [undefined, 'x:1:1 "x" must be one, two or three, not "thre" — did you mean "three"?'],
      [undefined, 'x:1:1 "x" must be one, two or three, not "four"'],
      [undefined, 'x:1:1 "x" must be text, not a list'],
    ]);
    expect([read(true, boolean), read(false, boolean), read('yes', boolean), [boolean(undefined)]]).to.deep.equal([
      [true],
      [false],
      [false, 'x:1:1 "x" must be true or false, not "yes"'],
      [false],
    ]);
  });

  it('is a folder, a package, a collection or an inventory', () =>
    inFolder({ 'own/a': '' }, (cwd) => {
      expect([
        read('a', (cursor) => folder(cursor, '/b')),
        read(['a', '/c'], (cursor) => folderSettings(cursor, '/b')),
      ]).to.deep.equal([['/b/a'], [['/b/a', '/c']]]);
      expect(read(['own', 'acme-modules'], (cursor) => foldersOrPackages(cursor, cwd))).to.deep.equal([
        [path.join(cwd, 'own'), 'acme-modules'],
      ]);
      expect(read(['a.b', 'a', 'a.b.c', '_x.Y1', '1a.b'], collections)).to.deep.equal([
        ['a.b', '_x.Y1'],
        ...['a', 'a.b.c', '1a.b'].map(
          (name, at) => `x/${[1, 2, 4][at]}:1:1 "${name}" is not the name of a collection — write it as "vendor.name"`,
        ),
      ]);
      expect(collections(undefined)).to.deep.equal([]);
      const home = homedir();
      expect(read('~/s', (cursor) => folder(cursor, cwd))).to.deep.equal([`${home}/s`]);
      expect(read(['~/r', '~r'], (cursor) => folderSettings(cursor, '/b'))).to.deep.equal([[`${home}/r`, '/b/~r']]);
      expect(read('~/i', (cursor) => sources(cursor, '/b', '/'))).to.deep.equal([[`${home}/i`.slice(1)]]);
      const inventory = (value: Value) => read(value, (cursor) => sources(cursor, '/b/c', '/b'));
      expect([inventory(['i', 'h1,h2', '/x']), inventory('..'), inventory([])]).to.deep.equal([
        [['c/i', 'h1,h2', '../x']],
        [['.']],
        [[], 'x:1:1 "x" is an empty list — name an inventory, or leave the setting out'],
      ]);
      expect([sources(undefined, '/b', '/b'), relativeTo('/a', '/a'), relativeTo('/a', '/a/b')]).to.deep.equal([
        undefined,
        '.',
        'b',
      ]);
      // It would be in the home folder when it is read.
      expect(read('./~/i', (cursor) => sources(cursor, '/b', '/b'))).to.deep.equal([['./~/i']]);
      return Promise.resolve();
    }));

  it('is a password, relative to its file, at home or absolute', () => {
    const at = place(['x']);
    expect(read('p', (cursor) => passwordFileSource(cursor, '/b/c', '/b'))).to.deep.equal([
      { type: 'file', label: 'default', path: '/b/c/p', shown: 'c/p', place: at },
    ]);
    expect(read(['dev@~/p', 'prod@prompt', 'x@'], (cursor) => passwordSources(cursor, '/b/c', '/b'))).to.deep.equal([
      [
        {
          type: 'file',
          label: 'dev',
          path: path.join(homedir(), 'p'),
          shown: path.relative('/b', path.join(homedir(), 'p')),
          place: place(['x', '0']),
        },
        { type: 'prompt', label: 'prod', named: true },
      ],
      'x/2:1:1 the vault id "x@" does not say where its password comes from — write LABEL@FILE or LABEL@prompt',
    ]);
    expect([passwordSources(undefined, '/', '/'), passwordFileSource(undefined, '/', '/')]).to.deep.equal([
      undefined,
      undefined,
    ]);
    expect(fileBelow('/b', '/b')('x')).to.deep.equal({ path: '/b/x', shown: 'x' });
    expect([read(1, cursorPlace), read(1, cursorPlace, () => TYPED)]).to.deep.equal([[at], ['x']]);
  });

  it('has a name that its mapping knows', () => {
    const said = (known: readonly string[]) =>
      read(1, (cursor) => {
        checkSetting(cursor, 'lint', known);
      });
    expect([said(['x']), said(['y'])]).to.deep.equal([[undefined], [undefined, 'x:1:1 "x" is not a keyword of lint']]);
  });
});
