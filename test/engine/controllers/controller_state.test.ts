import { expect } from 'chai';
import { MaskedWords } from '../../../src/core/secrets/masked_words.js';
import { ControllerState } from '../../../src/engine/controllers/controller_state.js';
import { variables } from '../../language/scopes.js';

describe('the state of a controller', () => {
  const start = (): ControllerState => new ControllerState({ name: 'lb1', groups: [], layers: [] }, new MaskedWords());
  const facts = ({ layers: [layer] }: ControllerState): unknown => layer?.values;

  it('has the facts since they were cleared, with and without their prefix', () => {
    const state = start();
    state.addCachedFacts({ ansible_os: 'x', f: 1 });
    state.addCachedFacts({ f: 2 });
    expect(facts(state)).to.deep.equal({ ansible_os: 'x', f: 2, ansible_facts: { os: 'x', f: 2 } });
    state.clearFacts();
    expect(facts(state)).to.deep.equal({ ansible_facts: {} });
    state.addCachedFacts({ g: 1 });
    expect(facts(state)).to.deep.equal({ g: 1, ansible_facts: { g: 1 } });
  });

  it('looks for words to mask only if a task has hidden some', () => {
    const state = start();
    expect(state.used()).to.equal(undefined);
    state.maskedWords.isPossible = true;
    state.maskedWords.set('lb1', ['hidden'], ['summer']);
    state.maskedWords.set('lb2', ['hidden'], ['winter']);
    const used = state.used();
    used?.watch(variables({ hidden: 'summer' })).get('hidden');
    expect([used?.text('in summer and winter'), state.used()?.text('in summer')]).to.deep.equal([
      'in ******** and winter',
      'in summer',
    ]);
  });
});
