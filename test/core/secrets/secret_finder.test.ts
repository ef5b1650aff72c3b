import { expect } from 'chai';
import type { Inventory } from '../../../src/core/model/inventory/inventory.js';
import type { Play } from '../../../src/core/model/playbook/playbook.js';
import type { RunTaskResult } from '../../../src/core/model/run/result.js';
import type { Mapping, Value } from '../../../src/core/model/values/value.js';
import type { VariableLayer } from '../../../src/core/model/values/variables.js';
import { SecretFinder } from '../../../src/core/secrets/secret_finder.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { load } from '../../rig/loaded.js';

const layer = (values: Mapping, more: Partial<VariableLayer> = {}): VariableLayer => ({
  level: 'play vars',
  origin: 'play vars',
  values,
  ...more,
});

/** An inventory with the controllers lb1 and lb2, and the groups fleet and edge. */
function inventoryOf(layers: Readonly<Record<string, readonly VariableLayer[]>> = {}): Inventory {
  const of = (...names: readonly string[]) =>
    new Map(names.map((name) => [name, { name, layers: layers[name] ?? [] }]));
  return { controllers: of('lb1', 'lb2'), groups: of('fleet', 'edge') } as unknown as Inventory;
}

function made(inventory = inventoryOf()) {
  const secrets = new Secrets();
  const finder = new SecretFinder(secrets, inventory, (text) => text.includes('{{'));
  return { finder, inventory, known: () => secrets.all };
}

describe('the secrets of a value', () => {
  it('are what is under secret names, but no public keys and paths', () => {
    const { finder, known } = made();
    const value = { password: 'hunter22', mtu: 'mtu99', list: [{ token: 'token99' }], key_file: 'text-x99' };
    expect(finder.learn(value)).to.deep.equal(['hunter22', 'token99']);
    expect(finder.learn({ password: './package.json', secret: 'ssh-rsa AAAAB3Nz me' })).to.deep.equal([]);
    expect(finder.learn({ password: 12 })).to.deep.equal(['12']);
    expect(known()).to.deep.equal(['hunter22', 'token99']);
  });

  it('are all of its texts where that is asked for', () => {
    const { finder, known } = made();
    finder.learnAll({ a: 'one99', b: ['lb1x', 271_828, 1500], password: './package.json' });
    expect(known()).to.deep.equal(['one99', 'lb1x', '271828', './package.json']);
  });

  it('are all but the names of controllers and groups, which messages need', () => {
    const { finder, known } = made();
    const value = { a: 'lb1', b: 'fleet', c: ['lb3x', 'horse'], password: 'edge' };
    expect(finder.learnAllButNames(value)).to.deep.equal(['lb3x', 'horse', 'edge']);
    expect(known()).to.deep.equal(['lb3x', 'horse', 'edge']);
  });

  it('are all but names and ordinary words in a task with no_log', () => {
    const { finder, known } = made();
    const value = { a: 'lb2', b: 'horse', c: 'horse99', d: 'edge', password: 'donkey' };
    expect(finder.learnMasked(value)).to.deep.equal(['horse99', 'donkey']);
    expect(known()).to.deep.equal(['horse99', 'donkey']);
  });

  it('are those of the result of a task, and of its change', () => {
    const results: readonly (readonly [result: object, named: readonly string[], masked: readonly string[]])[] = [
      [{ status: 'ok', values: { password: 'one99', a: 'two99' } }, ['one99'], ['one99', 'two99']],
      [
        {
          status: 'changed',
          values: { a: 'text-x99' },
          change: { kind: 'update', object: 'o', before: { token: 'old99' }, after: { token: 'new99', b: 'text-y99' } },
        },
        ['old99', 'new99'],
        ['text-x99', 'old99', 'new99', 'text-y99'],
      ],
      [{ status: 'changed', values: {}, change: { kind: 'none' } }, [], []],
      [
        { status: 'failed', values: { a: 'text-x99' }, failure: { message: 'it said text-z99' } },
        [],
        ['text-x99', 'it said text-z99'],
      ],
    ];
    for (const [result, named, masked] of results) {
      expect(made().finder.learnResult(result as RunTaskResult, false)).to.deep.equal(named);
      const { finder, known } = made();
      expect(finder.learnResult(result as RunTaskResult, true)).to.deep.equal(masked);
      expect(known()).to.have.members(masked);
    }
  });
});

describe('the secrets of variables', () => {
  it('are those of their names, or all in an encrypted file', () => {
    const { finder, known } = made();
    finder.learnWritten([
      layer({ password: 'one99', mtu: 'two99' }),
      layer({ a: 'three99', b: 'lb1' }, { secret: true }),
    ]);
    expect(known()).to.deep.equal(['one99', 'three99']);
  });

  it('with templates are rendered for each controller, and only they', () => {
    const { finder, known } = made();
    const layers = [
      layer({ password: '{{ x }}', mtu: '{{ y }}', token: 'plain99', nested: { secret: '{{ z }}' } }),
      layer({ a: '{{ x }}', b: 'text-b99', c: '{{ c }}' }, { secret: true }),
    ];
    const asked: string[] = [];
    const variables = (values: Readonly<Record<string, Value>>) => ({
      get: (name: string): Value | undefined => {
        asked.push(name);
        if (name === 'c') throw new Error('c is undefined');
        return values[name];
      },
    });
    const rendered = { password: 'text-r99', nested: { secret: 'text-s99', open: 'text-o99' }, a: ['all99', 'lb1'] };
    finder.learnLayers(layers, variables(rendered));
    expect(asked.splice(0)).to.deep.equal(['password', 'nested', 'a', 'c']);
    const written = ['{{ x }}', 'plain99', '{{ z }}', 'text-b99', '{{ c }}'];
    expect(known()).to.have.members([...written, 'text-r99', 'text-s99', 'all99']);
    finder.learnLayers(layers, variables({ password: 'other99' }));
    expect(asked).to.deep.equal(['password', 'nested', 'a', 'c']);
    expect(known()).to.include('other99').and.not.include('text-o99');
  });

  it('are found in the layers of groups, controllers and plays', () => {
    const own = ['fleet', 'edge', 'lb1', 'lb2'].map((name) => [name, [layer({ name })]] as const);
    const { finder, known } = made(inventoryOf(Object.fromEntries(own)));
    const play = (name: string) => ({
      groupLayers: new Map([['fleet', [layer({ name: `group of ${name}` })]]]),
      controllerLayers: new Map([['lb1', [layer({ name: `controller of ${name}` })]]]),
    });
    const seen: unknown[] = [];
    const find = (texts: readonly string[]) => (layers: readonly VariableLayer[]) => {
      seen.push(layers.map(({ values }) => values['name']));
      return texts;
    };
    finder.learnFound([find(['one99']), find(['two99', 'three99'])], [play('a'), play('b')] as never);
    const all = ['fleet', 'edge', 'lb1', 'lb2', 'group of a', 'controller of a', 'group of b', 'controller of b'];
    expect(seen).to.deep.equal([all, all]);
    expect(known()).to.deep.equal(['one99', 'two99', 'three99']);
  });
});

describe('the secrets of files', () => {
  const learnedFrom = async (tasks: string, change: (play: Play) => Play = (play) => play) => {
    const { plays, diagnostics } = await load(`- hosts: all\n  tasks:\n${tasks}`);
    expect(diagnostics).to.deep.equal([]);
    const inventory = inventoryOf();
    const names = { controllers: ['controller1'], groups: ['group-of-all'] };
    for (const name of names.controllers) (inventory.controllers as Map<string, unknown>).set(name, { layers: [] });
    for (const name of names.groups) (inventory.groups as Map<string, unknown>).set(name, { layers: [] });
    const { finder, known } = made(inventory);
    finder.learnFiles({ inventory, plays: plays.map(change), extraVars: [] });
    return known();
  };

  it('are no names of controllers and groups, unless they are under a secret name', async () => {
    const msg = '[controller1, group-of-all, eight-99, seven99]';
    expect(await learnedFrom(`    - { debug: { msg: ${msg} }, no_log: true }`)).to.deep.equal(['eight-99']);
    expect(await learnedFrom('    - debug: { msg: { password: controller1 } }')).to.deep.equal(['controller1']);
    expect(await learnedFrom('    - { debug: { msg: { password: controller1 } }, no_log: false }')).to.deep.equal([
      'controller1',
    ]);
  });

  it('are in the variables of plays beside the inventory', async () => {
    const beside = (play: Play): Play => ({
      ...play,
      groupLayers: new Map([['fleet', [layer({ password: 'group-99' })]]]),
      controllerLayers: new Map([['lb1', [layer({ password: 'controller-99' })]]]),
    });
    expect(await learnedFrom('    - debug: { msg: x }', beside)).to.deep.equal(['group-99', 'controller-99']);
  });

  it('are not in the arguments that a module declares public', async () => {
    const declaring =
      (...publicArgs: readonly string[]) =>
      (play: Play): Play => ({
        ...play,
        tasks: play.tasks.map((step) => (step.type === 'task' ? { ...step, publicArgs } : step)),
      });
    const plain = '    - debug: { msg: { password: one-99, token: two-99 } }';
    expect(await learnedFrom(plain, declaring())).to.deep.equal(['one-99', 'two-99']);
    expect(await learnedFrom(plain, declaring('msg'))).to.deep.equal([]);
    expect(await learnedFrom(plain, declaring('verbosity'))).to.deep.equal(['one-99', 'two-99']);
  });

  it('are those of the inventory, of what was typed, and of plays, their tasks and handlers', async () => {
    const inventory = inventoryOf({
      fleet: [layer({ password: 'fleet99' })],
      edge: [layer({ password: 'edge99' })],
      lb1: [layer({ password: 'first99' })],
      lb2: [layer({ password: 'second99' })],
    });
    const { plays, diagnostics } = await load(`
- hosts: all
  vars: { token: play99 }
  pre_tasks:
    - debug: { msg: { password: pre-task-99, short: x } }
  tasks:
    - block:
        - debug: { msg: open-text-99, verbosity: 1 }
          vars: { api_key: task-vars-99 }
      rescue:
        - debug: { msg: { password: rescue-99 } }
    - debug: { msg: [masked-text-99, production, short99, lb1, '{{ x }} templated'] }
      no_log: true
      loop: [masked-item-99]
      vars: { plain: masked-vars-99 }
      notify: tell
    - block: [debug: ]
      no_log: true
      loop: [block-item-99, production, '{{ x }} templated']
    - { block: [debug: ], loop: [open-item-99] }
    - include_tasks: none.yml
      vars: { password: include-99 }
      no_log: true
  post_tasks:
    - debug: { msg: { password: ./package.json, token: post-task-99 } }
  handlers:
    - name: tell
      debug: { msg: { password: handler-99 } }
`);
    expect(diagnostics.filter((one) => !one.includes('none.yml'))).to.deep.equal([]);
    const { finder, known } = made(inventory);
    finder.learnFiles({ inventory, plays, extraVars: [layer({ password: 'typed99' })] });
    expect(known().toSorted()).to.deep.equal(
      [
        'fleet99',
        'edge99',
        'first99',
        'second99',
        'typed99',
        'play99',
        'pre-task-99',
        'task-vars-99',
        'rescue-99',
        'masked-text-99',
        'masked-item-99',
        'masked-vars-99',
        'block-item-99',
        'include-99',
        'post-task-99',
        'handler-99',
      ].toSorted(),
    );
  });
});
