import { expect } from 'chai';
import { TaskConfirmation } from '../../../src/engine/control/confirmation.js';
import { runText } from '../../rig/run_text.js';

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
      confirmation.confirm(second, [1, 12], 'inside'),
      confirmation.confirm(second, [11, 2], 'inside another'),
    ]);
    expect(answers).to.deep.equal([true, true, false, true, true, true]);
    expect(asked).to.deep.equal(['yes', 'no', 'again', 'inside', 'inside another']);
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

  it('asks again in each batch, also after "continue"', async () => {
    const asked: string[] = [];
    const { lines } = await runText(
      '- hosts: all\n  serial: 1\n  tasks:\n    - { name: a, debug: { msg: a } }\n    - { name: b, debug: { msg: b } }\n',
      {
        inventory: 'all: { hosts: { lb1: , lb2: , lb3: } }',
        confirmTask: (title) => {
          asked.push(title);
          return Promise.resolve(asked.length === 1 ? 'run' : asked.length === 2 ? 'continue' : 'skip');
        },
      },
    );
    expect(asked).to.deep.equal(['a', 'b', 'a', 'b', 'a', 'b']);
    expect(lines).to.deep.equal(['lb1 a: ok', 'lb1 b: ok']);
  });
});
