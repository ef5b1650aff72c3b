import { expect } from 'chai';
import { cleanupArea, gateArea, playArea } from '../../../src/core/model/playbook/step_place.js';
import { jsonText } from '../../../src/core/model/values/json.js';
import { StepKeys } from '../../../src/engine/journal/step_keys.js';
import { load, playOf, tasksOf } from '../../rig/loaded.js';

const TASKS = '- debug: { msg: one }\n- debug: { msg: two }\n- debug: { msg: one }\n';

describe('the identity of a step', () => {
  it('is the same for equal steps, and numbered from 0 in each play and each gate', async () => {
    const { plays } = await load(playOf(TASKS));
    const keys = new StepKeys(jsonText);
    const numbers = (area: string): unknown => tasksOf(plays[0]).map((task) => keys.identify(task, area).number);
    for (const area of [playArea(0), playArea(7), gateArea(playArea(7))])
      expect(numbers(area), area).to.deep.equal([0, 1, 0]);
  });

  it('has another number in the cleanup of its play, because one list counts both', async () => {
    const { plays } = await load(playOf(TASKS));
    const keys = new StepKeys(jsonText);
    const [step] = tasksOf(plays[0]);
    if (step === undefined) throw new Error('no step');
    expect(keys.identify(step, playArea(0))).to.include({ number: 0 });
    const cleanup = keys.identify(step, cleanupArea(playArea(0)));
    expect(cleanup).to.include({ number: 1, first: `${cleanup.text}~1` });
    expect(keys.identify(step, playArea(0))).to.include({ number: 0 });
  });

  it('has no number after the first few hundred of a play, because a list is as long as its highest number', async () => {
    const many = Array.from({ length: 520 }, (_, at) => `- debug: { msg: "${at}" }\n`).join('');
    const { plays } = await load(playOf(many));
    const keys = new StepKeys(jsonText);
    const numbers = tasksOf(plays[0]).map((task) => keys.identify(task, playArea(0)).number);
    expect(numbers.slice(510, 514)).to.deep.equal([510, 511, undefined, undefined]);
  });
});
