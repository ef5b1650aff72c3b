import { expect } from 'chai';
import { Magic } from '../../../../src/engine/controllers/magic.js';
import { MAGIC_NAMES } from '../../../../src/lint/subject/names.js';

/** The magic variables of steps, and those of every template. */
const OF_STEPS = [
  'ansible_parent_role_names',
  'ansible_parent_role_paths',
  'ansible_role_name',
  'ansible_search_path',
  'omit',
  'role_name',
  'role_path',
];

describe('MAGIC_NAMES', () => {
  it('are the variables that a run sets', () => {
    expect(MAGIC_NAMES).to.have.members([...Magic.prototype.keys(), ...OF_STEPS]);
  });
});
