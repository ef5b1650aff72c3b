import { expect } from 'chai';
import type { VariableLayer } from '../../../src/core/model/values/variables.js';
import { PlayVariables } from '../../../src/engine/controllers/play_variables.js';
import { layer } from '../../language/scopes.js';
import { load } from '../../rig/loaded.js';

describe('the variables of a play', () => {
  const levels = (layers: readonly VariableLayer[]) => layers.map(({ values }) => Object.keys(values).join(' '));

  it('are those of the inventory, then those beside the playbook, of the play, and the answers', async () => {
    const inventory = [layer({ ofAll: 1 }, 'inventory group_vars/all'), layer({ ofHost: 1 }, 'inventory host vars')];
    const [lb1, lb2] = ['lb1', 'lb2'].map((name) => ({ name, groups: ['eu', 'fra'], layers: inventory }));
    const lb3 = { name: 'lb3', groups: [], layers: inventory };
    if (lb1 === undefined || lb2 === undefined) throw new Error('both are expected');
    const files = {
      'group_vars/all.yml': 'besideAll: 1\n',
      'group_vars/fra.yml': 'besideFra: 1\n',
      'group_vars/ber.yml': 'besideBer: 1\n',
      'host_vars/lb1.yml': 'besideHost: 1\n',
    };
    const playbook = '- { hosts: all, vars: { ofPlay: 1 }, tasks: [] }\n';
    const [play] = (await load(playbook, files)).plays;
    const [bare] = (await load(playbook)).plays;
    if (play === undefined || bare === undefined) throw new Error('both are expected');
    const variables = new PlayVariables(play, layer({ answer: 1 }, 'vars_prompt'));
    const beside = ['ofAll', 'besideAll', 'besideFra', 'ofHost'];
    expect(levels(variables.ofPlay(lb1))).to.deep.equal([...beside, 'besideHost', 'ofPlay', 'answer']);
    expect(levels(variables.ofPlay(lb2))).to.deep.equal([...beside, 'ofPlay', 'answer']);
    expect(levels(variables.ofInventory(lb3))).to.deep.equal(['ofAll', 'besideAll', 'ofHost']);
    expect(variables.ofInventory(lb1)).to.equal(variables.ofInventory(lb1));
    expect(new PlayVariables(bare, undefined).ofInventory(lb1)).to.equal(inventory);
    expect(levels(new PlayVariables(bare, undefined).ofPlay(lb1))).to.deep.equal(['ofAll', 'ofHost', 'ofPlay']);
  });
});
