import { expect } from 'chai';
import type { Source } from '../../../src/core/model/source/diagnostic.js';
import { Library } from '../../../src/language/library.js';
import { BUILT_IN } from '../../../src/language/library/index.js';
import { equalAddressError, equalAddressErrors } from '../../../src/launch/load/addresses_in_files.js';
import { simulationExaminer } from '../../../src/launch/simulation/simulation.js';
import { readInventory } from '../../rig/inventory.js';
import { worded } from '../../rig/loaded.js';

const HINT =
  'correct the address of one of them; if they are names of one controller, set controller_shared: true for each';

describe('the error about names of one controller', () => {
  const named = (name: string, source?: Source) => ({
    name,
    locate: () => source,
    isSelected: true,
    isOfTask: false,
    isShared: false,
  });
  const at = (line: number): Source => ({ file: '/project/inv.yml', line, column: 3 });
  const error = (...names: readonly ReturnType<typeof named>[]) =>
    equalAddressError({ address: 'https://a', names }, '/project');
  const end = 'have the same address https://a: what is meant for one would be written to the other';
  const endOfMore = end.replace('the other', 'another');

  it('has each of up to four with its place, and is at the last of these', () => {
    expect(error(named('lb1', at(3)), named('lb2', at(9)))).to.deep.equal({
      severity: 'error',
      source: at(9),
      hint: HINT,
      message: `lb1 (inv.yml:3:3) and lb2 (inv.yml:9:3) ${end}`,
    });
    expect(error(named('lb1', at(3)), named('lb2')).source).to.deep.equal(at(3));
    expect(error(named('lb1'), named('lb2')).source).to.equal(undefined);
    const four = ['lb1', 'lb2', 'lb3', 'lb4'].map((name) => named(name));
    expect(error(...four).message).to.equal(`lb1, lb2, lb3 and lb4 ${endOfMore}`);
    expect(error(...four.slice(1)).message).to.equal(`lb2, lb3 and lb4 ${endOfMore}`);
    expect(error(...four, named('lb5', at(1)))).to.deep.include({
      source: undefined,
      message: `lb1, lb2, lb3, lb4 and 1 more ${endOfMore}`,
    });
    const many = Array.from({ length: 2000 }, () => named('x'));
    expect(error(...many).message).to.include(' and 1,996 more have');
  });

  it('is one for each address that several selected controllers have', async () => {
    const inventory = `all:
  hosts:
    lb1: { controller_url: 'https://a' }
    lb2: { controller_url: 'https://{{ "a" }}' }
    lb3: { controller_url: 'https://b' }
    lb4: { controller_url: 'https://b' }
    lb5: { controller_url: 'https://c', controller_shared: true }
    lb6: { controller_url: 'https://c', controller_shared: true }
`;
    const { inventory: read } = await readInventory({ 'inv.yml': inventory });
    const errors = (...selected: readonly string[]): readonly (string | undefined)[] =>
      equalAddressErrors(read, new Library(BUILT_IN), {
        cwd: '/',
        routes: new Map(),
        selected: selected.length === 0 ? undefined : new Set(selected),
      }).map((one) => /(?<=address )\S+(?=:)/.exec(worded(one))?.[0]);
    expect(errors()).to.deep.equal(['https://a', 'https://b']);
    expect(errors('lb3', 'lb4')).to.deep.equal(['https://b']);
    expect(errors('lb5')).to.deep.equal([]);
    const extra = { level: 'extra vars', origin: '-e', values: { controller_url: 'https://x' } } as const;
    const all = equalAddressErrors(read, new Library(BUILT_IN), { cwd: '/', routes: new Map(), extraVars: [extra] });
    expect(all.map(({ message }) => message)).to.have.lengthOf(1);
    expect(all[0]?.message).to.match(/and 2 more have the same address https:\/\/x:/);
  });
});

describe('the behaviour that variables give a simulated controller', () => {
  it('is examined again and again', () => {
    const problems = simulationExaminer();
    expect(problems({})).to.deep.equal([]);
    expect(problems({ latency: 5 })).to.deep.equal([]);
    for (const wrong of ['x', { latency: 'x' }, { nothing: 1 }]) expect(problems(wrong)).to.have.lengthOf.at.least(1);
    expect(problems({})).to.deep.equal([]);
  });
});
