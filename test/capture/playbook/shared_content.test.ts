import { expect } from 'chai';
import { Levels } from '../../../src/capture/playbook/levels.js';
import { CapturedNames, SharedContent } from '../../../src/capture/playbook/shared_content.js';
import { HIDDEN, type Value } from '../../../src/core/model/values/value.js';
import { builtInKinds } from '../../../src/kinds/kind_table.js';

const OBJECT = {
  kind: 'pool',
  name: 'web',
  cloud: undefined,
  tenant: undefined,
  fields: {},
  refers: [],
  builtIn: false,
};

/** The content of an object of two controllers, what each of them has, and the secrets to fill in. */
function shared(one: Value, other: Value | undefined, isEverywhere = true) {
  const levels = new Levels(['lb1', 'lb2'], []);
  const content = new SharedContent(levels, builtInKinds(), new CapturedNames());
  const values = new Map([
    ['lb1', one],
    ['lb2', other],
  ]);
  const merged = content.merged({ object: OBJECT, isEverywhere }, values);
  const of = (name: string) => levels.contentByName({ type: 'controller', name });
  return { merged, lb1: of('lb1'), lb2: of('lb2'), secrets: content.secrets };
}

/** With `T EXPRESSION` for a template. */
const text = (content: unknown): unknown =>
  JSON.parse(JSON.stringify(content).replaceAll(/\["\\u0000template","([^"]*)"\]/g, '"T $1"'));

describe('what two controllers share', () => {
  it('is written with the name first, then in the order of the alphabet', () => {
    const equal = { zeta: 1, name: 'web', alpha: { b: 1, name: 'n', a: 2 } };
    for (const other of [equal, { ...equal, zeta: 2 }]) {
      const { merged } = shared(equal, other);
      expect(Object.keys(merged as object)).to.deep.equal(['name', 'alpha', 'zeta']);
      expect(Object.keys((merged as typeof equal).alpha)).to.deep.equal(['name', 'a', 'b']);
    }
  });

  it('has a variable for what differs, and for what one of them lacks', () => {
    const { merged, lb1, lb2 } = shared({ name: 'web', port: 1, own: 5 }, { name: 'web', port: 2 });
    expect(text(merged)).to.deep.equal({
      name: 'web',
      own: 'T captured_pool_web_own | default(omit)',
      port: 'T captured_pool_web_port',
    });
    expect(text([lb1, lb2])).to.deep.equal([
      { captured_pool_web_own: 5, captured_pool_web_port: 1 },
      { captured_pool_web_port: 2 },
    ]);
    expect(text(shared({ port: 1 }, { port: 2 }, false).merged)).to.deep.equal({
      port: 'T captured_pool_web_port | default(omit)',
    });
    expect(text(shared([1, 2], [1]).merged)).to.equal('T captured_pool_web');
  });

  it('has the same elements of lists once, with variables in them', () => {
    const list = (port: number) => ({
      servers: [
        { hostname: 'a', port },
        { hostname: 'b', port: 5 },
      ],
    });
    expect(text(shared(list(1), list(2)).merged)).to.deep.equal({
      servers: [
        { hostname: 'a', port: 'T captured_pool_web_servers_0_port' },
        { hostname: 'b', port: 5 },
      ],
    });
  });

  it('has what is in the only element of a list once, but not the elements of other lists', () => {
    const list = (id: string, value: number) => ({ things: [{ id, value }] });
    expect(text(shared(list('a', 1), list('a', 2)).merged)).to.deep.equal({
      things: [{ id: 'a', value: 'T captured_pool_web_things_a_value' }],
    });
    expect(text(shared(list('a', 1), list('b', 1)).merged)).to.deep.equal({ things: 'T captured_pool_web_things' });
  });

  it('has fields with the names of what every mapping inherits only where they are', () => {
    const { merged, lb1, lb2 } = shared({ a: 1, constructor: 'x' }, { a: 1 });
    expect(text(merged)).to.deep.equal({ a: 1, constructor: 'T captured_pool_web_constructor | default(omit)' });
    expect(text([lb1, lb2])).to.deep.equal([{ captured_pool_web_constructor: 'x' }, {}]);
  });

  it('has one variable for a secret at one place, wherever it is, and counts its controllers once', () => {
    const nested = shared({ a: { b: { c: HIDDEN } } }, { a: { b: { c: HIDDEN } } });
    expect(text(nested.merged)).to.deep.equal({
      a: { b: { c: 'T captured_pool_web_a_b_c_secret | default(omit)' } },
    });
    // Lists of different lengths are not merged, so each controller has its own.
    const { lb1, lb2, secrets } = shared({ l: [{ x: HIDDEN }] }, { l: [{ x: HIDDEN }, { x: 1 }] });
    expect(text([lb1, lb2])).to.deep.equal([
      { captured_pool_web_l: [{ x: 'T captured_pool_web_l_0_x_secret | default(omit)' }] },
      { captured_pool_web_l: [{ x: 'T captured_pool_web_l_0_x_secret | default(omit)' }, { x: 1 }] },
    ]);
    expect(secrets).to.deep.equal([
      { variable: 'captured_pool_web_l_0_x_secret', object: 'pool "web"', path: 'l.0.x', controllers: 2 },
    ]);
  });

  it('has the secret of an element in one variable, wherever in the list it is', () => {
    const element = (id: string) => ({ id, x: HIDDEN });
    const { secrets } = shared({ l: [element('a')] }, { l: [element('b'), element('a')] });
    expect(secrets.map(({ variable, path, controllers }) => [variable, path, controllers])).to.deep.equal([
      ['captured_pool_web_l_a_x_secret', 'l.a.x', 2],
      ['captured_pool_web_l_b_x_secret', 'l.b.x', 1],
    ]);
    const alike = (...ids: readonly string[]) => shared({ l: ids.map(element) }, {}).secrets.map((one) => one.variable);
    for (const [one, other] of [
      ['東京', '大阪'],
      ['a.b', 'a-b'],
    ] as const)
      expect(alike(one, other)).to.deep.equal(alike(other, one).toReversed());
    for (const ids of [
      ['a', 'a'],
      ['a', 'b'.repeat(60)],
    ])
      expect(shared({ l: ids.map(element) }, {}).secrets.map(({ path }) => path)).to.deep.equal(['l.0.x', 'l.1.x']);
    // What says nothing is in no word.
    for (const id of [HIDDEN, true, null]) {
      const { secrets: found } = shared({ l: ['a', 'b'].map((name) => ({ name, id, x: HIDDEN })) }, {});
      expect(found.flatMap(({ path }) => (path.endsWith('x') ? [path] : []))).to.deep.equal(['l.a.x', 'l.b.x']);
    }
  });

  it('tells elements by what identifies them, if their structure requires nothing', () => {
    const list = (one: number, other: number) => ({
      things: [
        { id: 1, value: one },
        { name: 'b', value: other },
      ],
    });
    expect(text(shared(list(1, 5), list(2, 5)).merged)).to.deep.equal({
      things: [
        { id: 1, value: 'T captured_pool_web_things_1_value' },
        { name: 'b', value: 5 },
      ],
    });
    expect(text(shared({ things: [{ value: 1 }] }, { things: [{ value: 2 }] }).merged)).to.deep.equal({
      things: 'T captured_pool_web_things',
    });
  });

  it('has a variable for each secret, with the number of controllers that have it', () => {
    const { merged, secrets } = shared({ a: HIDDEN, b: [HIDDEN], c: 1 }, { a: HIDDEN, b: [HIDDEN], c: 2 });
    expect(text(merged)).to.deep.equal({
      a: 'T captured_pool_web_a_secret | default(omit)',
      b: 'T captured_pool_web_b_secret | default(omit)',
      c: 'T captured_pool_web_c',
    });
    expect(secrets).to.deep.equal([
      { variable: 'captured_pool_web_a_secret', object: 'pool "web"', path: 'a', controllers: 2 },
      { variable: 'captured_pool_web_b_secret', object: 'pool "web"', path: 'b', controllers: 2 },
    ]);
  });
});
