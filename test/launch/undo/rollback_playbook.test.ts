import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { playbookFolders, readAdjacent } from '../../../src/launch/undo/adjacent_variables.js';
import { isEmpty, groupUndos, rollbackPlaybook } from '../../../src/launch/undo/rollback_playbook.js';
import type { UndoEffect } from '../../../src/undo/object_effect.js';
import type { Restorer, Undo } from '../../../src/undo/undo.js';
import { inFolder } from '../../rig/folder.js';
import { readInventory } from '../../rig/inventory.js';
import { reaching } from '../../rig/kept.js';

function aRestorer(target: string, more: Partial<Restorer> = {}): Restorer {
  return { target, reached: reaching(target), ...more };
}

function anUndo(name: string, mtu: number, restorer = aRestorer('lb1')): Undo {
  return {
    restorer,
    object: `cloud "${name}"`,
    path: `/api/cloud/${name}`,
    fields: [['mtu']],
    before: { mtu: 1500 },
    left: [{ object: { mtu }, whole: true }],
    neverShown: [],
    masked: false,
    renewals: [],
  };
}

/** What the one task goes over. */
function items(...undos: readonly Undo[]): readonly unknown[] {
  const { playbook } = rollbackPlaybook({
    undos: new Map([['lb1', undos]]),
    title: 'back',
    cwd: '/',
    allowLockout: false,
  });
  const values = playbook.plays[0]?.controllerLayers.get('lb1')?.at(-1)?.values['evenkeel_rollback'];
  return Array.isArray(values) ? values : [];
}

describe('the playbook of a rollback', () => {
  it('gives an object the same id when the undone run has written other objects since', () => {
    const [edge] = items(anUndo('edge', 9000));
    const [other, again] = items(anUndo('other', 9000), anUndo('edge', 9000));
    expect(again).to.deep.equal(edge);
    expect(other).to.not.deep.equal(edge);
  });

  it('hides its items if one object of one controller has masked values', () => {
    const hidden = (...masked: readonly (readonly boolean[])[]) => {
      const undos = new Map(
        masked.map((own, at) => [`lb${at}`, own.map((one, index) => ({ ...anUndo(`e${index}`, 1), masked: one }))]),
      );
      const { playbook } = rollbackPlaybook({ undos, title: 'back', cwd: '/', allowLockout: false });
      const [step] = playbook.plays[0]?.tasks ?? [];
      return step?.type === 'task' ? step.noLog?.value : undefined;
    };
    const [none, all] = [hidden([false], [false, false]), hidden([true], [true, true])];
    expect(all).to.not.equal(none);
    for (const some of [hidden([false], [false, true]), hidden([true], [false]), hidden([true, false], [false])])
      expect(some).to.equal(all);
  });

  it('gives an object another id when that run has written it again', () => {
    expect(items(anUndo('edge', 9001))).to.not.deep.equal(items(anUndo('edge', 9000)));
  });

  it('labels its items, and reaches each object as the run did', () => {
    const restorer = aRestorer('lb2', { tenant: 'web', connection: { controller_url: 'https://x' } });
    const fields = [['a'], ['b', 'c'], ['d', 0], ['e'], ['f']] as Undo['fields'];
    const shown = items(
      anUndo('one', 1),
      { ...anUndo('two', 1, restorer), fields },
      { ...anUndo('three', 1), isDeleted: true, masked: true },
      { ...anUndo('four', 1), fields: [] },
    ) as readonly {
      readonly undo: string;
      readonly label: string;
      readonly host: string;
      readonly connection: object;
      readonly masked: boolean;
    }[];
    expect(shown.map(({ label }) => label)).to.deep.equal([
      'cloud "one": mtu',
      'cloud "two": a, b.c, d[0], e and 1 more',
      'cloud "three": the whole object',
      'cloud "four"',
    ]);
    expect(shown.map(({ connection: at }) => at)).to.deep.equal([
      {},
      { controller_url: 'https://x', controller_tenant: 'web' },
      {},
      {},
    ]);
    expect(shown.map(({ host }) => host)).to.deep.equal(['lb1', 'lb2', 'lb1', 'lb1']);
    expect(shown.map(({ masked }) => masked)).to.deep.equal([false, false, true, false]);
    expect(shown[0]?.undo).to.match(/^lb1 \/api\/cloud\/one [\w-]{16}$/);
  });

  it('gives an object another id on another controller, with another connection or tenant, and the same after a renewal', () => {
    const id = (undo: Undo): unknown => (items(undo)[0] as { readonly undo: string }).undo;
    const undo = anUndo('edge', 1);
    const by = (user: string, password: string): Undo => ({
      ...undo,
      restorer: aRestorer('lb1', { reached: reaching('lb1', user), connection: { controller_password: password } }),
    });
    expect(id(by('ann', 'x'))).to.equal(id(by('ann', 'y')));
    expect(id(by('ann', 'x'))).to.not.equal(id(by('bob', 'x')));
    const inTenant = (tenant?: string): unknown => id({ ...undo, restorer: aRestorer('lb1', { tenant }) });
    expect(new Set([inTenant('web'), inTenant('shop'), inTenant()]).size).to.equal(3);
    expect(id({ ...undo, renewals: [{}] as unknown as Undo['renewals'] })).to.equal(id(undo));
    expect(id({ ...undo, before: { mtu: 1 } })).to.not.equal(id(undo));
  });

  it('has the variables beside the playbooks, with its own behind them, and names its controllers', () => {
    const layer = (name: string) => ({ level: 'playbook host_vars', origin: name, values: { [name]: 1 } }) as never;
    const adjacent = {
      groupLayers: new Map([['g', [layer('group')]]]),
      controllerLayers: new Map([
        ['lb1', [layer('own')]],
        ['lb9', [layer('other')]],
      ]),
    };
    const play = (names: readonly string[]) => {
      const undos = new Map(names.map((name) => [name, [anUndo('e', 1)]]));
      return rollbackPlaybook({ undos, title: 'back', cwd: '/work', allowLockout: false, adjacent }).playbook.plays[0];
    };
    const both = play(['lb1', 'lb2']);
    const origins = (name: string) => both?.controllerLayers.get(name)?.map(({ origin }) => origin);
    expect([origins('lb1'), origins('lb2'), origins('lb9')]).to.deep.equal([
      ['own', 'rollback'],
      ['rollback'],
      ['other'],
    ]);
    expect(both?.groupLayers.get('g')?.length).to.equal(1);
    expect(both?.directory).to.equal('/work');
    expect(play(['!lb1', 'localhost'])?.hosts.names).to.deep.equal(['!lb1', 'localhost']);
  });
});

describe('the plan of a rollback', () => {
  const undo = (controller: string, name: string, reached = reaching(controller)): UndoEffect => ({
    type: 'undo',
    controller,
    undo: anUndo(name, 1, aRestorer(controller, { reached })),
  });
  const final = (controller: string): UndoEffect =>
    ({ type: 'final', controller, reason: 'sent' }) as unknown as UndoEffect;

  it('restores the objects of each controller in order, but for controllers that it skips', () => {
    const effects = [
      undo('lb1', 'a'),
      final('lb2'),
      undo('lb2', 'b'),
      undo('lb1', 'c'),
      undo('lb3', 'd'),
      undo('lb3', 'e'),
      final('lb1'),
    ];
    const plan = groupUndos(effects, ({ target }) => (target === 'lb3' ? 'has moved' : undefined));
    expect(plan.final).to.deep.equal([effects[1], effects[6]]);
    expect([...plan.skipped]).to.deep.equal([['lb3', 'has moved']]);
    expect([...plan.undos].map(([name, all]) => [name, all.map(({ object }) => object)])).to.deep.equal([
      ['lb1', ['cloud "a"', 'cloud "c"']],
      ['lb2', ['cloud "b"']],
    ]);
    expect(isEmpty(plan)).to.equal(false);
    expect(isEmpty(groupUndos([], () => undefined))).to.equal(true);
    for (const one of [undo('lb1', 'a'), final('lb1')])
      expect(isEmpty(groupUndos([one], () => undefined))).to.equal(false);
    expect(isEmpty(groupUndos([undo('lb1', 'a')], () => 'no'))).to.equal(false);
  });

  it('restores a controller by one host, with the connections of all hosts that reach it', () => {
    const effects = [
      undo('lb1', 'a'),
      undo('lb2', 'b', reaching('lb1', 'ops')),
      undo('lb3', 'c'),
      undo('lb1', 'd', reaching('lb3')),
      undo('lb1', 'e'),
    ];
    const { undos } = groupUndos(effects, () => undefined);
    const shown = [...undos].map(([name, all]) => [name, ...all.map((one) => `${one.object} ${one.restorer.target}`)]);
    expect(shown).to.deep.equal([
      ['lb1', 'cloud "a" lb1', 'cloud "b" lb2', 'cloud "e" lb1'],
      ['lb3', 'cloud "c" lb3', 'cloud "d" lb1'],
    ]);
    const delegated = (of: typeof undos) => {
      const { playbook } = rollbackPlaybook({ undos: of, title: 'back', cwd: '/', allowLockout: false });
      const [step] = playbook.plays[0]?.tasks ?? [];
      return step?.type === 'task' ? step.delegateTo?.value : undefined;
    };
    expect(delegated(undos)).to.equal('{{ item.host }}');
    expect(delegated(groupUndos([undo('lb1', 'a')], () => undefined).undos)).to.equal(undefined);
  });
});

describe('the folders of the playbooks of a run', () => {
  it('are each once', async () => {
    const playbooks = ['a/x.yml', 'b/y.yml', 'a/z.yml', '/c/w.yml'];
    expect(playbookFolders(playbooks, '/work')).to.deep.equal(['/work/a', '/work/b', '/c']);
    await inFolder(
      {
        'a/group_vars/all.yml': 'x: 1\n',
        'b/group_vars/all.yml': 'y: 2\n',
        'b/host_vars/lb1.yml': 'z: 3\n',
        'b/host_vars/lb2.yml': '[',
        'b/group_vars/site.fra': 'f: 4\n',
        'b/host_vars/lb1.firma.md/main.yml': 'm: 5\n',
      },
      async (cwd) => {
        const hosts = 'all: { children: { site.fra: { hosts: { lb1.firma.md: } } } }\n';
        const { inventory } = await readInventory({ 'inv.yml': hosts });
        const found = await readAdjacent([`${cwd}/a`, `${cwd}/b`], cwd, new Diagnostics(), { inventory }, ['lb1']);
        const values = (layers: readonly { readonly values: object }[] = []) => layers.map((one) => one.values);
        expect(values(found.groupLayers.get('all'))).to.deep.equal([{ x: 1 }, { y: 2 }]);
        expect(values(found.controllerLayers.get('lb1'))).to.deep.equal([{ z: 3 }]);
        expect(values(found.groupLayers.get('site.fra'))).to.deep.equal([{ f: 4 }]);
        expect(values(found.controllerLayers.get('lb1.firma.md'))).to.deep.equal([{ m: 5 }]);
      },
    );
  });
});
