import { expect } from 'chai';
import * as kinds from '../../src/library/option_kinds.js';
import type { ResumeOptions, RollbackOptions, TargetOptions } from '../../src/library/options.js';
import { InvalidInputError, playbookRequest, requestOptions, taskRequest } from '../../src/library/request.js';

const resumeRequest = (options: ResumeOptions) => requestOptions('resume', options);
const rollbackRequest = (options: RollbackOptions) => requestOptions('rollback', options);
const inventoryRequest = (options: TargetOptions) => requestOptions('loadInventory', options);

describe('the kinds of options', () => {
  const [any, module] = [Symbol('x'), { name: 'a', type: 'action' }];
  const cases: readonly (readonly [kind: string, right: readonly unknown[], wrong: readonly unknown[]])[] = [
    ['text', ['', 'x'], [1, null, ['x']]],
    ['texts', [[], ['x']], ['x', [1], ['x', 1]]],
    ['someTexts', [['x']], [[], [1], 'x']],
    ['shard', ['1/1', '2/4', '4/4', 'auto/3', '10/12'], ['5/4', '0/4', '1/0', 'auto/0', 'auto', '1/4x', 3]],
    ['flag', [true, false], [0, 'true', null]],
    ['count', [1, 7], [0, -1, 1.5, '1']],
    ['level', [0, 1], [-1, 0.5, '0']],
    ['values', [{}, { a: 1 }], [[], null, 'a=1']],
    ['environment', [{}, { a: 'b', c: undefined }], [{ a: 1 }, { a: 'b', c: null }, ['a'], null]],
    ['versions', [[], ['22.1.3', '1.0.10']], ['22.1.3', ['22.1'], ['22.1.3', 'x'], ['a22.1.3']]],
    ['strategy', ['linear', 'host_pinned'], ['fast', 1]],
    ['inventory', ['hosts', {}, ['a', {}]], [[], [1], ['a', null], 3, null]],
    ['listener', [() => any], [{}, 'x']],
    ['forks', [1, 'auto'], [0, 'all', 1.5]],
    ['signal', [new AbortController().signal], [{}, null]],
    ['modules', [[], [module]], [[module, {}], module, [{ name: 1, type: 'x' }], [{ name: 'a', type: 1 }]]],
    ['moduleOrName', ['debug', module], [{}, { name: 'a' }, { type: 'x' }, 3, null]],
  ];
  for (const [name, right, wrong] of cases)
    it(`take what they say: ${name}`, () => {
      const kind = kinds[name as keyof typeof kinds] as kinds.OptionKind<unknown>;
      for (const one of right) expect(kind.is(one), JSON.stringify(one)).to.equal(true);
      for (const one of wrong) expect(kind.is(one), JSON.stringify(one)).to.equal(false);
    });
});

describe('the request of a program', () => {
  it('has its options by their names in a request, and is confirmed', () => {
    const target = {
      cwd: '/work',
      env: { A: 'b' },
      environment: 'prod',
      limit: 'lb1',
      extraVars: { a: [1n] },
      vaultIds: ['x@y'],
      apiVersions: ['22.1.3'],
      forks: 3,
      wait: true,
      reason: 'why',
      onEvent: () => undefined,
      state: false,
    };
    const common = {
      env: 'prod',
      limit: 'lb1',
      extraVars: ['{"a":[1]}'],
      vaultId: ['x@y'],
      apiVersion: ['22.1.3'],
      forks: 3,
      wait: true,
      reason: 'why',
      yes: true,
    };
    expect(playbookRequest({ ...target, playbooks: ['a.yml', 'b.yml'], tags: ['t'], shard: '1/2' })).to.deep.equal({
      ...common,
      state: false,
      tags: ['t'],
      shard: '1/2',
      command: { type: 'run', playbooks: ['a.yml', 'b.yml'] },
    });
    const task = (module: unknown, args?: object) => taskRequest({ pattern: 'all', module, args } as never).command;
    expect(task('debug', { msg: 1n })).to.deep.equal({
      type: 'task',
      pattern: 'all',
      module: 'debug',
      args: '{"msg":1}',
    });
    const own = { name: 'own', type: 'action', summary: 's', args: {}, examples: [], run: () => undefined };
    expect(task(own)).to.deep.equal({
      type: 'task',
      pattern: 'all',
      module: 'own',
      args: '{}',
    });
    const { state, ...whole } = target;
    expect(state).to.equal(false);
    expect(rollbackRequest({ ...whole, run: 'last', check: true })).to.deep.equal({ ...common, check: true });
    expect(resumeRequest({ run: 'last', forks: 'auto', force: true })).to.deep.equal({ yes: true, forks: 'auto' });
    expect(inventoryRequest({ limit: undefined } as never)).to.deep.equal({ yes: true });
  });

  it('has inventories as plain data, one or several', () => {
    const groups = { all: { hosts: { lb1: { a: undefined, b: 1 } } } } as never;
    const plain = { all: { hosts: { lb1: { b: 1 } } } };
    expect(inventoryRequest({ inventory: 'hosts' }).inventory).to.deep.equal(['hosts']);
    expect(inventoryRequest({ inventory: groups }).inventory).to.deep.equal([plain]);
    expect(inventoryRequest({ inventory: ['hosts', groups] }).inventory).to.deep.equal(['hosts', plain]);
  });

  it('says everything that is wrong with its options at once', () => {
    const wrong = (make: (options: never) => unknown, options: unknown): readonly string[] => {
      try {
        make(options as never);
      } catch (error) {
        if (error instanceof InvalidInputError)
          return error.diagnostics.map(({ severity, message }) => `${severity}: ${message}`);
      }
      return [];
    };
    expect(wrong(taskRequest, { module: [], args: 1, patern: 'all', zzzz: 1 })).to.deep.equal([
      'error: pattern is missing',
      'error: module must be the name of a module, or one from defineResource or defineAction, not an empty list',
      'error: args must be an object of values by name, not 1',
      'error: runTask has no option "patern" (did you mean "pattern"?)',
      'error: runTask has no option "zzzz"',
    ]);
    for (const [value, shown] of [
      [null, 'null'],
      [true, 'true'],
      [[1], 'this list'],
      [{}, 'this object'],
      [() => 1, 'a function'],
      [1n, 'bigint'],
    ] as const)
      expect(wrong(resumeRequest, { run: value })).to.deep.equal([`error: run must be a text, not ${shown}`]);
    const values = 'values are text, numbers, true, false, null, and lists and mappings of them';
    for (const [value, shown] of [
      [{ a: { b: undefined, c: [() => 1] } }, 'a function in "a.c.0"'],
      [{ a: [undefined] }, 'undefined in "a.0"'],
      [{ a: new Date(0) }, 'a Date in "a"'],
      [{ a: [{ b: Number.NaN }] }, 'a number that is not finite in "a.0.b"'],
    ] as const)
      expect(wrong(taskRequest, { pattern: 'all', module: 'debug', args: value })).to.deep.equal([
        `error: args: there is ${shown}; ${values}`,
      ]);
    expect(wrong(inventoryRequest, { inventory: ['a.yml', { all: new Map() }] })).to.deep.equal([
      `error: inventory: there is a Map in "all"; ${values}`,
    ]);
    const partial = { type: 'action', name: 'own', summary: 's', args: {}, examples: 5 };
    const lacking = '"own" lacks "examples", "run"';
    expect(wrong(taskRequest, { pattern: 'all', module: partial })).to.deep.equal([`error: module: ${lacking}`]);
    expect(wrong(resumeRequest, { run: 'last', modules: [partial] })).to.deep.equal([`error: modules: ${lacking}`]);
    const odd = { ...partial, args: { type: 'objekt' }, examples: [], run: () => undefined };
    expect(wrong(taskRequest, { pattern: 'all', module: odd })).to.deep.equal([
      'error: module: "args" of "own" cannot be used: type must be JSONType or JSONType[]: objekt',
    ]);
    expect(wrong(resumeRequest, undefined)).to.deep.equal(['error: run is missing']);
    expect(wrong(inventoryRequest, undefined)).to.deep.equal([
      'error: loadInventory takes an object of options, not undefined',
    ]);
    expect(wrong(inventoryRequest, ['x'])).to.deep.equal([
      'error: loadInventory takes an object of options, not this list',
    ]);
  });

  it('is refused with the places and hints of what is wrong', () => {
    const source = { file: 'a.yml', line: 1, column: 2 };
    const error = new InvalidInputError([
      { severity: 'error', message: 'one', source, hint: 'do it' },
      { severity: 'warning', message: 'two' },
    ]);
    expect(error.message).to.equal('a.yml:1:2: one (do it)\ntwo');
  });
});
