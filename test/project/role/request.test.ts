import { expect } from 'chai';
import { Unsafe, type Mapping } from '../../../src/core/model/values/value.js';
import type { VariableLayer } from '../../../src/core/model/values/variables.js';
import { asMapping, readRoleOptions, callTexts, mapTexts } from '../../../src/project/role/include_role.js';
import type { RoleCall } from '../../../src/project/role/include_role.js';
import { fixedNames, roleMagic } from '../../../src/project/role/layers.js';
import { mappingKey } from '../../../src/project/role/request.js';

describe('the use of a role', () => {
  it('is the same one whatever the order of its keys, at every depth', () => {
    const key = mappingKey({ a: 1, b: { c: [{ d: 1, e: null }, 'x'], f: 2 } });
    expect(mappingKey({ b: { f: 2, c: [{ e: null, d: 1 }, 'x'] }, a: 1 })).to.equal(key);
    for (const other of [
      { a: 1, b: { c: ['x', { d: 1, e: null }], f: 2 } },
      { a: 1, b: { c: [{ d: 1, e: 0 }, 'x'], f: 2 } },
      { a: 1, b: { c: [{ d: 2, e: null }, 'x'], f: 2 } },
      { a: 1, b: { c: [{ d: 1 }, 'x'], f: 2 } },
      { a: '1', b: { c: [{ d: 1, e: null }, 'x'], f: 2 } },
    ])
      expect(mappingKey(other)).to.not.equal(key);
    expect(key).to.equal('{"a":1,"b":{"c":[{"d":1,"e":null},"x"],"f":2}}');
  });

  it('repeats, and is checked, but is not public, unless it says otherwise', () => {
    const options = (args: Mapping) => {
      const { repeatable, validate, public: isPublic } = readRoleOptions(args);
      return [repeatable, validate, isPublic];
    };
    expect(options({})).to.deep.equal([true, true, false]);
    expect(options({ allow_duplicates: false, rolespec_validate: 'no', public: 'yes' })).to.deep.equal([
      false,
      false,
      true,
    ]);
    expect(options({ allow_duplicates: 'x', rolespec_validate: 'x', public: 'x' })).to.deep.equal([true, true, false]);
    expect(options({ public: true, allow_duplicates: 'off' })).to.deep.equal([false, true, true]);
  });

  it('has texts that decide which files are read, all of which must be known', () => {
    const call = { name: 'web', named: { tasks: 'a', vars: 'b' }, positions: {}, at: {} } as unknown as RoleCall;
    expect(callTexts(call)).to.deep.equal(['web', 'a', 'b']);
    const upper = mapTexts(call, (text) => text.toUpperCase());
    expect(upper).to.deep.equal({ ...call, name: 'WEB', named: { tasks: 'A', vars: 'B' } });
    for (const unknown of ['web', 'a', 'b'])
      expect(mapTexts(call, (text) => (text === unknown ? undefined : text))).to.equal(undefined);
    expect([asMapping({ a: 1 }), asMapping('x'), asMapping(undefined), asMapping([1])]).to.deep.equal([
      { a: 1 },
      {},
      {},
      {},
    ]);
  });
});

describe('the variables of a role', () => {
  it('are fixed unless a template is anywhere inside', () => {
    const values = {
      text: 'x',
      number: 1,
      none: null,
      list: ['a', ['b']],
      mapping: { a: { b: 'c' } },
      template: '{{ x }}',
      inList: ['a', ['{{ x }}']],
      inMapping: { a: { b: '{% if x %}' } },
      unsafe: new Unsafe('x'),
      deep: [{ a: new Unsafe('y') }],
      empty: [],
      nothing: {},
    };
    const layer: VariableLayer = { level: 'role params', values, origin: 'x' };
    expect(fixedNames(layer)).to.deep.equal(['text', 'number', 'none', 'list', 'mapping', 'empty', 'nothing']);
  });

  it('say what it is called, and in which roles it is', () => {
    const web = { name: 'acme.lb.web', path: '/r/web', parents: [] };
    expect(roleMagic(web)).to.deep.equal({
      level: 'magic',
      values: { role_name: 'acme.lb.web', role_path: '/r/web', ansible_role_name: 'acme.lb.web' },
      origin: 'magic variables',
      literal: true,
    });
    const inner = roleMagic({
      name: 'base',
      path: '/r/base',
      parents: [web, { name: 'top', path: '/r/top', parents: [] }],
    });
    expect(inner.values).to.deep.include({
      role_name: 'base',
      role_path: '/r/base',
      ansible_parent_role_names: ['acme.lb.web', 'top'],
      ansible_parent_role_paths: ['/r/web', '/r/top'],
    });
  });
});
