import { expect } from 'chai';
import { TaskConfirmation } from '../../../src/engine/control/confirmation.js';

describe('--step', () => {
  it('asks once per task, for the first controller to reach it, one question at a time', async () => {
    const asked: string[] = [];
    let underWay = 0;
    const confirmation = new TaskConfirmation(async (title) => {
      expect(++underWay).to.equal(1);
      asked.push(title);
      await Promise.resolve();
      underWay--;
      return title === 'no' ? 'skip' : 'run';
    });
    const [first, second] = ['site.yml:3:7', 'site.yml:4:7'];
    const answers = await Promise.all([
      confirmation.confirm(first, [0], 'yes'),
      confirmation.confirm(first, [0], 'yes'),
      confirmation.confirm(second, [1], 'no'),
      confirmation.confirm(second, [2], 'again'),
    ]);
    expect(answers).to.deep.equal([true, true, false, true]);
    expect(asked).to.deep.equal(['yes', 'no', 'again']);
  });

  it('stops asking after "continue"', async () => {
    const asked: string[] = [];
    const confirmation = new TaskConfirmation((title) => {
      asked.push(title);
      return Promise.resolve('continue');
    });
    expect(await confirmation.confirm('site.yml:3:7', [0], 'a')).to.equal(true);
    expect(await confirmation.confirm('site.yml:3:7', [1], 'b')).to.equal(true);
    expect(asked).to.deep.equal(['a']);
  });
});
