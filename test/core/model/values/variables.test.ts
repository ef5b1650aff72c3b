import { expect } from 'chai';
import {
  inPrecedence,
  isOfControllers,
  KNOWN_TO_ROLLBACK,
  LEVELS,
  taskVars,
  type VariableLayer,
} from '../../../../src/core/model/values/variables.js';

const OF_CONTROLLERS = [
  'inventory group vars',
  'inventory group_vars/all',
  'playbook group_vars/all',
  'inventory group_vars/*',
  'playbook group_vars/*',
  'inventory host vars',
  'inventory host_vars/*',
  'playbook host_vars/*',
] as const;

describe('the levels of variables', () => {
  it('are those of Ansible, weakest first', () => {
    expect(LEVELS).to.deep.equal([
      'role defaults',
      ...OF_CONTROLLERS,
      'facts',
      'play vars',
      'vars_prompt',
      'vars_files',
      'role vars',
      'block vars',
      'task vars',
      'include_vars',
      'set_fact and registered',
      'role params',
      'include params',
      'extra vars',
      'magic',
    ]);
    expect(LEVELS.filter(isOfControllers)).to.deep.equal(OF_CONTROLLERS);
    expect([...KNOWN_TO_ROLLBACK]).to.deep.equal([...OF_CONTROLLERS, 'extra vars']);
  });

  it('order layers, which keep their order within a level', () => {
    const layer = (level: VariableLayer['level'], origin: string): VariableLayer => ({
      level,
      origin,
      values: { origin },
    });
    const layers = [
      layer('magic', '1'),
      layer('task vars', '2'),
      layer('role defaults', '3'),
      layer('task vars', '4'),
      layer('block vars', '5'),
    ];
    expect(inPrecedence(layers).map(({ origin }) => origin)).to.deep.equal(['3', '5', '2', '4', '1']);
    expect(taskVars(layers)).to.deep.equal([{ origin: '2' }, { origin: '4' }]);
  });
});
