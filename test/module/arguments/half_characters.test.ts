import { expect } from 'chai';
import * as Type from 'typebox';
import { builtinModules } from '../../../modules/index.js';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { validateArguments } from '../../../src/module/arguments/validation.js';
import { defineAction, defineResource, PLAIN_ACTIONS, type Module } from '../../../src/module/contract.js';

const about = { name: 'own', summary: 'S.', examples: [], args: Type.Object({}) };
const action = defineAction({ ...about, check: true, run: () => Promise.resolve({ status: 'ok' }) });
const resource = defineResource({
  ...about,
  object: () => 'x',
  read: () => Promise.resolve(undefined),
  plan: () => ({ change: { kind: 'none' } }),
  apply: () => Promise.resolve(),
});

const SENT = 'body data dest dir fields file file_path filename params path query src tenant'.split(' ');
const HALF = String.fromCharCode(0xd83d);

function refused(module: Module, args: Mapping): readonly string[] {
  const checked = validateArguments(module, args, 'rendered');
  return 'problems' in checked ? checked.problems.map(({ path }) => path.join('/')) : [];
}

describe('halves of characters', () => {
  it('are refused in what an action sends or opens, at any depth, and may be in what it shows', () => {
    const texts = Object.fromEntries([...SENT, 'msg', 'name'].map((name) => [name, `a${HALF}`]));
    expect(refused(action, texts)).to.deep.equal(SENT);
    expect(refused(action, { body: { a: ['x', HALF], [HALF]: 1 }, data: [{ b: HALF }] })).to.deep.equal([
      'body/a/1',
      'body',
      'data/0/b',
    ]);
    expect(refused(action, { body: 'whole \u{1f600}', data: 5 })).to.deep.equal([]);
  });

  it('are refused everywhere in the fields of an object', () => {
    expect(refused(resource, { msg: HALF, list: [{ x: HALF }], fine: 'x' })).to.deep.equal(['msg', 'list/0/x']);
  });
});

describe('actions that set only what their arguments name', () => {
  it('are all that are built in, but for those that read variables from files', async () => {
    const loaded = await Promise.all(Object.values(builtinModules).map((load) => load()));
    const actions = loaded.flatMap(({ default: { name, type } }) => (type === 'action' ? [name] : []));
    const others = [...PLAIN_ACTIONS].filter((name) => !name.startsWith('avi_'));
    expect(others).to.deep.equal(actions.filter((name) => name !== 'include_vars'));
  });
});
