import { expect } from 'chai';
import {
  findController,
  findMembers,
  localName,
  magicLayer,
  nameRefusal,
  type Controller,
  type Group,
  type Inventory,
} from '../../../../src/core/model/inventory/inventory.js';
import { GroupPrecedence, InventoryDraft } from '../../../../src/core/model/inventory/inventory_draft.js';
import type { VariableLayer } from '../../../../src/core/model/values/variables.js';

const layer = (origin: string, value = 1): VariableLayer => ({
  level: 'inventory group vars',
  origin,
  values: { x: value },
});
const group = (
  name: string,
  children: readonly string[],
  controllers: readonly string[],
  priority?: number,
): Group => ({
  name,
  children,
  controllers,
  layers: [layer(name)],
  ...(priority !== undefined && { priority }),
});
const own = (name: string): VariableLayer => layer(`own of ${name}`);

/** `lb1` in `east`, below `site`; `lb2` alone. */
function inventory(): Inventory {
  const groups = [
    group('all', ['site', 'ungrouped'], []),
    group('site', ['east', 'west'], []),
    group('east', [], ['lb1']),
    group('west', [], []),
    group('ungrouped', [], ['lb2']),
  ];
  const layers = (...names: readonly string[]) =>
    names.flatMap((name) => groups.find((one) => one.name === name)?.layers ?? []);
  const controllers: readonly Controller[] = [
    { name: 'lb1', groups: ['site', 'east'], layers: [...layers('all', 'site', 'east'), own('lb1')] },
    { name: 'lb2', groups: ['ungrouped'], layers: [...layers('all', 'ungrouped'), own('lb2')] },
  ];
  return {
    groups: new Map(groups.map((one) => [one.name, one])),
    controllers: new Map(controllers.map((one) => [one.name, one])),
  };
}

function applied(change: (draft: InventoryDraft) => void) {
  const before = inventory();
  const draft = new InventoryDraft(before);
  change(draft);
  const { changed } = draft;
  const controllers = new Map(before.controllers);
  const groups = draft.apply(controllers);
  const shown = (name: string) => {
    const { groups: of = [], layers = [] } = controllers.get(name) ?? {};
    return `${of.join(' ')} | ${layers.map(({ origin }) => origin).join(' ')}`;
  };
  return { changed, touched: [...draft.touched], groups, controllers, shown };
}

describe('changes to an inventory', () => {
  it('are none at first', () => {
    const { changed, touched, groups, shown } = applied(() => undefined);
    expect([changed, touched, [...groups.keys()]]).to.deep.equal([
      false,
      [],
      ['all', 'site', 'east', 'west', 'ungrouped'],
    ]);
    expect(shown('lb1')).to.equal('site east | all site east own of lb1');
  });

  it('add controllers, in groups or ungrouped, once each', () => {
    const { changed, touched, groups, controllers, shown } = applied((draft) => {
      for (const name of ['lb3', 'lb4', 'lb1']) draft.addController({ name, groups: [], layers: [own(name)] });
      draft.join('lb3', 'west');
      draft.join('lb3', 'west');
      draft.join('lb3', 'missing');
      draft.join('lb2', 'east');
      draft.join('nobody', 'west');
    });
    expect([changed, touched]).to.deep.equal([true, ['lb3', 'lb4', 'lb2']]);
    expect(groups.get('west')?.controllers).to.deep.equal(['lb3', 'nobody']);
    expect(groups.get('east')?.controllers).to.deep.equal(['lb1', 'lb2']);
    expect(groups.get('ungrouped')?.controllers).to.deep.equal(['lb4']);
    expect(['lb1', 'lb2', 'lb3', 'lb4'].map(shown)).to.deep.equal([
      'site east | all site east own of lb1',
      'site east | all site east own of lb2',
      'site west | all site west own of lb3',
      'ungrouped | all ungrouped own of lb4',
    ]);
    expect(controllers.has('nobody')).to.equal(false);
  });

  it('add groups below others, which gives their controllers more variables', () => {
    const { changed, touched, groups, shown } = applied((draft) => {
      expect([draft.hasGroup('new'), draft.hasGroup('east')]).to.deep.equal([false, true]);
      draft.addGroup('new', [layer('new')]);
      draft.addGroup('alone', [layer('alone')]);
      draft.addGroup('east', [layer('lost')]);
      expect(draft.addChild('new', 'east')).to.equal(undefined);
      expect(draft.addChild('new', 'east')).to.equal(undefined);
      expect(draft.addChild('missing', 'east')).to.equal(undefined);
    });
    expect([changed, touched]).to.deep.equal([true, ['lb1']]);
    expect(groups.get('all')?.children).to.deep.equal(['site', 'ungrouped', 'new', 'alone']);
    expect(groups.get('new')).to.deep.equal({
      name: 'new',
      children: ['east'],
      controllers: [],
      layers: [layer('new')],
    });
    expect(['lb1', 'lb2'].map(shown)).to.deep.equal([
      'new site east | all new site east own of lb1',
      'ungrouped | all ungrouped own of lb2',
    ]);
  });

  it('keep what a controller has, also of one in no other group than all', () => {
    const { touched, groups, controllers } = applied((draft) => {
      draft.addController({ name: 'lb3', groups: [], layers: [], file: '/i/hosts', directory: '/i' });
      draft.join('lb3', 'all');
      draft.setOwn('lb2', layer('added'));
    });
    expect(touched).to.deep.equal(['lb3', 'lb2']);
    expect([groups.get('all')?.controllers, groups.get('ungrouped')?.controllers]).to.deep.equal([
      ['lb3'],
      ['lb2', 'lb3'],
    ]);
    expect(controllers.get('lb3')).to.deep.equal({
      name: 'lb3',
      groups: ['ungrouped'],
      layers: [layer('all'), layer('ungrouped')],
      file: '/i/hosts',
      directory: '/i',
    });
  });

  it('are changes if there is a group more, and need no group of the ungrouped', () => {
    const { changed, touched, shown } = applied((draft) => {
      draft.addGroup('b', [layer('b')]);
      draft.join('lb1', 'b');
    });
    expect([changed, touched, shown('lb1')]).to.deep.equal([true, ['lb1'], 'b site east | all b site east own of lb1']);
    const only = new InventoryDraft(inventory());
    only.addGroup('b', []);
    expect(only.changed).to.equal(true);
    const bare: Inventory = { groups: new Map([['all', group('all', [], [])]]), controllers: new Map() };
    const draft = new InventoryDraft(bare);
    for (const [name, own] of [
      ['a', [layer('a')]],
      ['b', [layer('b')]],
    ] as const)
      draft.addGroup(name, own);
    expect(draft.addChild('a', 'nothing')).to.equal(undefined);
    for (const name of ['lb1', 'lb2']) draft.addController({ name, groups: [], layers: [] });
    draft.join('lb1', 'a');
    const controllers = new Map<string, Controller>();
    draft.apply(controllers);
    expect([...controllers.values()].map(({ name, groups }) => [name, groups])).to.deep.equal([
      ['lb1', ['a']],
      ['lb2', []],
    ]);
  });

  it('give a group without a priority the priority 1', () => {
    const groups = [group('all', ['a', 'b', 'c'], []), group('a', [], ['lb1']), group('b', [], ['lb1'], 1)];
    groups.push(group('c', [], ['lb1'], 0));
    const controllers = new Map<string, Controller>([['lb1', { name: 'lb1', groups: [], layers: [] }]]);
    const draft = new InventoryDraft({ groups: new Map(groups.map((one) => [one.name, one])), controllers });
    draft.setOwn('lb1', own('lb1'));
    draft.apply(controllers);
    expect(controllers.get('lb1')?.groups).to.deep.equal(['c', 'a', 'b']);
  });

  it('are refused where groups would contain each other', () => {
    applied((draft) => {
      const refused = (parent: string, child: string) =>
        `group "${child}" cannot be a child of "${parent}": they would contain each other`;
      expect(draft.addChild('east', 'all')).to.equal(refused('east', 'all'));
      expect(draft.addChild('site', 'site')).to.equal(refused('site', 'site'));
      expect(draft.addChild('west', 'east')).to.equal(undefined);
      expect(draft.addChild('east', 'west')).to.equal(refused('east', 'west'));
    });
  });

  it('replace variables of the same origin, and keep others', () => {
    const { controllers } = applied((draft) => {
      draft.setOwn('lb1', { ...own('lb1'), values: { x: 2 } });
      draft.setOwn('lb1', layer('added'));
      draft.setOwn('nobody', layer('added'));
    });
    const layers = controllers.get('lb1')?.layers ?? [];
    expect(layers.map(({ origin, values }) => [origin, values['x']])).to.deep.equal([
      ['all', 1],
      ['site', 1],
      ['east', 1],
      ['own of lb1', 2],
      ['added', 1],
    ]);
    expect(controllers.has('nobody')).to.equal(false);
  });
});

describe('the precedence of groups', () => {
  const ranked = (name: string, parents: readonly string[], priority = 1) =>
    [name, { name, parents: new Set(parents), priority }] as const;
  const precedence = new GroupPrecedence(
    new Map([
      ranked('all', []),
      ranked('z', ['all']),
      ranked('a', ['all']),
      ranked('strong', ['all'], 5),
      ranked('deep', ['a', 'deeper', 'missing'], -1),
      ranked('deeper', ['z']),
    ]),
  );

  it('is by their depth, then their priority, then their names', () => {
    const ordered = (...names: readonly string[]) => precedence.ordered(names).map(({ name }) => name);
    expect(ordered('strong', 'z', 'a')).to.deep.equal(['a', 'z', 'strong']);
    expect(ordered('deep', 'strong')).to.deep.equal(['a', 'z', 'strong', 'deeper', 'deep']);
    expect([ordered('all', 'none'), ordered()]).to.deep.equal([[], []]);
  });
});

describe('an inventory', () => {
  it('has the members of a group level by level, each once', () => {
    const given: Inventory = {
      controllers: new Map(),
      groups: new Map(
        [
          group('top', ['left', 'right', 'gone'], ['t']),
          group('left', ['low'], ['l', 'b']),
          group('right', ['low'], ['r', 'b']),
          group('low', [], ['t', 'x']),
        ].map((one) => [one.name, one]),
      ),
    };
    expect(findMembers(given, 'top')).to.deep.equal(['t', 'l', 'b', 'r', 'x']);
    expect([findMembers(given, 'right'), findMembers(given, 'gone')]).to.deep.equal([['r', 'b', 't', 'x'], []]);
  });

  it('has an implicit localhost with its own variables and those of all', () => {
    const before = { ...inventory(), localhostLayers: new Map([['127.0.0.1', [own('127.0.0.1')]]]) };
    const shown = (name: string) => {
      const { layers = [], ...rest } = findController(before, name) ?? {};
      return { ...rest, layers: layers.map(({ origin }) => origin) };
    };
    const implicit = { groups: [], implicit: true };
    expect(shown('localhost')).to.deep.equal({
      ...implicit,
      name: 'localhost',
      layers: ['all', 'the implicit localhost'],
    });
    expect(shown('127.0.0.1').layers).to.deep.equal(['all', 'the implicit localhost', 'own of 127.0.0.1']);
    expect(findController(inventory(), 'lb9')).to.equal(undefined);
    expect(findController({ groups: new Map(), controllers: new Map() }, '::1')).to.deep.equal({
      ...implicit,
      name: '::1',
      layers: [
        {
          level: 'inventory host vars',
          origin: 'the implicit localhost',
          values: { ansible_connection: 'local' },
        },
      ],
    });
    expect([localName(before, '::1'), localName(before, 'lb1')]).to.deep.equal(['::1', 'lb1']);
    const written: Controller = { name: '127.0.0.1', groups: [], layers: [] };
    const named: Inventory = { groups: new Map(), controllers: new Map([['127.0.0.1', written]]) };
    expect([findController(named, 'localhost'), findController(named, '::1')]).to.deep.equal([written, written]);
    expect(localName(named, 'localhost')).to.equal('127.0.0.1');
    const other: Controller = { name: '::1', groups: [], layers: [] };
    const both: Inventory = { ...named, controllers: new Map([...named.controllers, ['::1', other]]) };
    expect(['localhost', '127.0.0.1', '::1'].map((name) => findController(both, name))).to.deep.equal([
      written,
      written,
      other,
    ]);
  });

  it('decides magic variables', () => {
    const { values, ...rest } = magicLayer(
      { name: 'lb1.example.com', groups: ['b', 'a'], file: '/i/hosts', directory: '/i' },
      { more: 1 },
    );
    expect(rest).to.deep.equal({ level: 'magic', origin: 'magic variables', literal: true });
    expect(values).to.deep.equal({
      inventory_hostname: 'lb1.example.com',
      inventory_hostname_short: 'lb1',
      group_names: ['a', 'b'],
      inventory_file: '/i/hosts',
      inventory_dir: '/i',
      more: 1,
    });
    expect(magicLayer({ name: 'lb1', groups: [] }).values).to.deep.equal({
      inventory_hostname: 'lb1',
      inventory_hostname_short: 'lb1',
      group_names: [],
    });
  });

  it('has names that look the same everywhere', () => {
    expect(nameRefusal('group', 'web servers')).to.equal(undefined);
    expect(nameRefusal('group', '')).to.equal('a group needs a name');
    expect(nameRefusal('controller', 'a\nb')).to.equal(
      String.raw`the name of a controller must not contain control characters: "a\nb"`,
    );
    expect(nameRefusal('group', '\ud800')).to.match(/^the name of a group contains .*, which is half of a character$/);
    for (const one of ['\u2028', '\u202e', '\u2066']) expect(nameRefusal('group', `a${one}`)).to.match(/control/);
  });
});
