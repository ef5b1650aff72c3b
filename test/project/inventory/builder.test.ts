import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { assembleInventory, reconcile } from '../../../src/project/inventory/assemble.js';
import { InventoryBuilder, type InventoryOrigin } from '../../../src/project/inventory/builder.js';
import { worded } from '../../rig/loaded.js';

const PLAIN: InventoryOrigin = { shown: 'hosts', file: '/inv/hosts', directory: '/inv' };
const ENCRYPTED: InventoryOrigin = { shown: 'secret', file: '/inv/secret', directory: '/inv', encrypted: true };

const place = (line: number) => () => ({ file: 'hosts', line, column: 1 });
const nowhere = (): undefined => undefined;

function started(): { readonly builder: InventoryBuilder; readonly said: () => readonly string[] } {
  const diagnostics = new Diagnostics();
  return { builder: new InventoryBuilder(diagnostics), said: () => diagnostics.list.map(worded) };
}

describe('the controllers and groups of inventory sources', () => {
  it('have a layer for each source, with what is known of it and no more', () => {
    const { builder } = started();
    const locate = place(3);
    builder.addGroup('web', place(1));
    for (const name of ['lb1', 'lb2']) builder.addController(name, 'web', PLAIN, place(2), 8443);
    builder.addController('lb1', 'web', ENCRYPTED, place(4), 9443);
    builder.addControllerVariables(['lb1', 'lb2', 'lb9'], { values: { a: 1 }, locate }, PLAIN);
    builder.addControllerVariables(['lb2'], { values: { b: '{{ 1 }}' }, literal: true }, ENCRYPTED);
    builder.addControllerVariables(['lb2'], { values: {} }, PLAIN);
    builder.addGroupVariables('web', { values: { c: 2, ansible_group_priority: ' +3 ' }, locate }, PLAIN);
    builder.addGroupVariables('web', { values: { ansible_group_priority: 2.9 } }, PLAIN);
    builder.addGroupVariables('none', { values: { d: 2 } }, PLAIN);
    const level = 'inventory host vars';
    const port = { level, values: { ansible_port: 8443 }, origin: 'hosts' };
    const shared = { level, values: { a: 1 }, origin: 'hosts', locate };
    expect(builder.controllers.get('lb1')?.layers).to.deep.equal([port, shared]);
    expect(builder.controllers.get('lb2')?.layers).to.deep.equal([
      port,
      shared,
      { level, values: { b: '{{ 1 }}' }, origin: 'secret', literal: true, secret: true },
    ]);
    expect(builder.groups.get('web')?.layers).to.deep.equal([
      { level: 'inventory group vars', values: { c: 2 }, origin: 'hosts', locate },
    ]);
    expect(builder.groups.get('web')?.priority).to.equal(2);
    expect([...builder.groups.keys()]).to.deep.equal(['all', 'ungrouped', 'web']);
    expect(builder.controllers.get('lb1')?.origin).to.equal(PLAIN);
  });

  it('are refused or doubted where they are first named', () => {
    const { builder, said } = started();
    builder.addController('lb1', 'a:b', PLAIN, place(1));
    builder.addController('lb2', 'a:b', PLAIN, place(2));
    builder.addChild('c*', 'd?', place(3));
    for (const name of ['lb1', 'lb2'])
      builder.addControllerVariables([name], { values: { 'a-b': 1, é: 1, '9a': 2 }, locate: place(4) }, PLAIN);
    builder.addGroupVariables('a:b', { values: { 'a-b': 2, ansible_group_priority: 'high' }, locate: place(5) }, PLAIN);
    builder.addGroupVariables('d?', { values: { ansible_group_priority: Infinity } }, PLAIN);
    const cannot = (line: number, name: string) =>
      `warning: hosts:${line}:1 templates cannot refer to the variable "${name}" — use letters, digits and "_", and do not start with a digit`;
    expect(said()).to.deep.equal([
      'warning: hosts:1:1 patterns cannot refer to the group "a:b"',
      'warning: hosts:3:1 patterns cannot refer to the group "c*"',
      'warning: hosts:3:1 patterns cannot refer to the group "d?"',
      cannot(4, 'a-b'),
      cannot(4, '9a'),
      'hosts:5:1 ansible_group_priority of group "a:b" must be a whole number',
      'ansible_group_priority of group "d?" must be a whole number',
    ]);
  });

  it('cannot contain themselves, at any depth', () => {
    const { builder, said } = started();
    builder.addChild('a', 'b', place(1));
    builder.addChild('a', 'x', place(2));
    builder.addChild('b', 'c', place(3));
    builder.addChild('b', 'c', place(4));
    builder.addChild('c', 'a', place(5));
    builder.addChild('x', 'x', place(6));
    builder.addChild('b', 'all', place(7));
    expect(said()).to.deep.equal([
      'hosts:5:1 group "a" cannot be a child of "c": they would contain each other ("c" → "a" → "b" → "c")',
      'hosts:6:1 group "x" cannot be a child of "x": they would contain each other ("x" → "x")',
      'hosts:7:1 "all" contains every group; it cannot be a child of "b"',
    ]);
    expect([...(builder.groups.get('a')?.children ?? [])]).to.deep.equal(['b', 'x']);
    expect([...(builder.groups.get('c')?.children ?? [])]).to.deep.equal([]);
  });

  it('are assembled below all, ungrouped if in no other group, with files beside the sources at the end', () => {
    const { builder, said } = started();
    for (const name of ['web', 'db']) builder.addGroup(name, nowhere);
    builder.addChild('web', 'blue', nowhere);
    builder.addController('lb1', undefined, PLAIN, place(1));
    builder.addController('lb2', 'ungrouped', PLAIN, place(2));
    builder.addController('lb2', 'blue', PLAIN, place(3));
    builder.addController('db', 'db', { ...PLAIN, directory: undefined }, place(4));
    for (const group of ['all', 'web', 'blue']) builder.addGroupVariables(group, { values: { of: group } }, PLAIN);
    builder.addControllerVariables(['lb2'], { values: { of: 'lb2' } }, PLAIN);
    reconcile(builder);
    const file = (of: string) => ({ level: 'playbook group_vars/*', values: { of }, origin: of }) as const;
    const adjacent = ['first', 'second'].map((source) => ({
      groups: new Map(['all', 'web', 'blue'].map((name) => [name, [file(`${source} ${name}`)]])),
      controllers: new Map(['lb2', 'localhost'].map((name) => [name, [file(`${source} ${name}`)]])),
    }));
    const { groups, controllers, localhostLayers } = assembleInventory(builder, adjacent);
    expect(said()).to.deep.equal([
      'warning: hosts:4:1 "db" is the name of a group and of a controller; patterns select the controller, but after "&" and "!" the group',
    ]);
    expect([...groups.values()].map(({ name, children, controllers: own }) => [name, children, own])).to.deep.equal([
      ['all', ['ungrouped', 'web', 'db'], []],
      ['ungrouped', [], ['lb1']],
      ['web', ['blue'], []],
      ['db', [], ['db']],
      ['blue', [], ['lb2']],
    ]);
    expect(
      [...controllers.values()].map(({ layers, ...rest }) => ({
        ...rest,
        of: layers.map(({ values }) => values['of']),
      })),
    ).to.deep.equal([
      {
        name: 'lb1',
        groups: ['ungrouped'],
        file: '/inv/hosts',
        directory: '/inv',
        of: ['all', 'first all', 'second all'],
      },
      {
        name: 'lb2',
        groups: ['web', 'blue'],
        file: '/inv/hosts',
        directory: '/inv',
        of: [
          'all',
          'web',
          'blue',
          'first all',
          'second all',
          'first web',
          'first blue',
          'second web',
          'second blue',
          'lb2',
          'first lb2',
          'second lb2',
        ],
      },
      { name: 'db', groups: ['db'], file: '/inv/hosts', directory: undefined, of: ['all', 'first all', 'second all'] },
    ]);
    expect(groups.get('blue')?.layers.map(({ values }) => values['of'])).to.deep.equal([
      'blue',
      'first blue',
      'second blue',
    ]);
    expect(groups.get('web')).to.not.have.property('priority');
    expect(
      [...(localhostLayers ?? [])].map(([name, layers]) => [name, layers.map(({ values }) => values['of'])]),
    ).to.deep.equal([
      ['localhost', ['first localhost', 'second localhost']],
      ['127.0.0.1', []],
      ['::1', []],
    ]);
  });
});
