import { expect } from 'chai';
import * as Type from 'typebox';
import type { Step } from '../../src/core/model/playbook/step.js';
import { catalogueWith, LoadedModules, type Catalogue } from '../../src/module/catalogue.js';
import { defineAction, type Module } from '../../src/module/contract.js';

const module = (name: string): Module =>
  defineAction({
    name,
    summary: '',
    args: Type.Object({}),
    examples: [],
    check: true,
    run: () => Promise.resolve({ status: 'ok' as const }),
  });
const steps = (...names: readonly string[]): readonly Step[] =>
  names.map((name) => ({ type: 'task', module: name })) as unknown as readonly Step[];

describe('the modules of a play', () => {
  it('are loaded once each, before they are asked for', async () => {
    const asked: string[] = [];
    const load = async (name: string): Promise<Module | undefined> => {
      asked.push(name);
      await new Promise(setImmediate);
      return name === 'none' ? undefined : module(name);
    };
    const catalogue: Catalogue = { names: [], add: () => [], load };
    const loaded = new LoadedModules(catalogue);
    await loaded.load(steps('a', 'b', 'a', 'none'));
    await loaded.load(steps('b', 'c', 'none'));
    expect(asked).to.deep.equal(['a', 'b', 'none', 'c', 'none']);
    expect(['a', 'b', 'c'].map((name) => loaded.get(name).name)).to.deep.equal(['a', 'b', 'c']);
    for (const name of ['none', 'd']) expect(() => loaded.get(name)).to.throw(`the module ${name} was not loaded`);
  });

  it('of a generated playbook are one', async () => {
    const only = module('only');
    const catalogue = catalogueWith(only);
    expect([catalogue.names, catalogue.add('/x')]).to.deep.equal([['only'], []]);
    expect([await catalogue.load('only'), await catalogue.load('other')]).to.deep.equal([only, undefined]);
  });
});
