import { expect } from 'chai';
import type { Step } from '../../../../src/core/model/playbook/step.js';
import { allSteps, everyStep, plannedTasks, sectionSteps } from '../../../../src/core/model/playbook/steps.js';
import { load, playOf } from '../../../rig/loaded.js';

const NESTED = `
- { name: one, debug: }
- block:
    - { name: two, debug: }
    - block: [{ name: three, debug: }]
      always: [{ name: four, debug: }]
  rescue:
    - { name: not planned, debug: }
  always:
    - { name: five, debug: }
- meta: noop
`;

describe('the steps of a play', () => {
  it('are all found, in every kind of step', async () => {
    const { plays } = await load(playOf(NESTED));
    const steps = plays.flatMap(allSteps);
    expect([...everyStep(steps)].map((step) => (step.type === 'task' ? step.name?.value : step.type))).to.deep.equal([
      'one',
      'block',
      'two',
      'block',
      'three',
      'four',
      'not planned',
      'five',
      'meta',
    ]);
  });

  it('end with the checks of its gate, which no controller runs by itself', async () => {
    const { plays } = await load('- hosts: all\n  gate: { checks: [{ name: check, debug: }] }\n  tasks: [debug: ]\n');
    const titles = (steps: readonly Step[]) =>
      steps.map((step) => (step.type === 'task' ? step.name?.value : step.type));
    expect(plays.map((play) => titles(allSteps(play)))).to.deep.equal([[undefined, 'check']]);
    expect(plays.map((play) => titles(sectionSteps(play)))).to.deep.equal([[undefined]]);
  });

  it('are planned as if nothing failed', async () => {
    const { plays } = await load(playOf(NESTED));
    expect(plannedTasks(plays.flatMap(allSteps))).to.equal(5);
  });
});
