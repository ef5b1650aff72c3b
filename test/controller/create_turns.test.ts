import { expect } from 'chai';
import { CreateTurns } from '../../src/controller/create_once.js';
import { WAIT_WITHOUT_FORKS } from '../../src/core/model/run/session.js';

const controller = 'https://lb1';

describe('turns of creates', () => {
  it('let one create at a time use a key, and say which is the first', async () => {
    const turns = new CreateTurns();
    const log: string[] = [];
    const create = (object: string, name: string): Promise<void> =>
      turns.hold({ controller, object }, WAIT_WITHOUT_FORKS, async (before) => {
        log.push(`${name} begins${before === undefined ? ' first' : ''}`);
        await new Promise((resolve) => setImmediate(resolve));
        log.push(`${name} ends`);
      });
    await Promise.all([create('a', '1'), create('a', '2'), create('a', '3')]);
    await create('a', '4');
    await create('b', '5');
    expect(log).to.deep.equal([
      '1 begins first',
      '1 ends',
      '2 begins',
      '2 ends',
      '3 begins',
      '3 ends',
      '4 begins',
      '4 ends',
      '5 begins first',
      '5 ends',
    ]);
  });

  it('treat a failed create as one that may have taken effect', async () => {
    const turns = new CreateTurns();
    const key = { controller, object: 'a' };
    await turns.hold(key, WAIT_WITHOUT_FORKS, () => Promise.reject(new Error('no answer'))).catch(() => undefined);
    const before = (): Promise<unknown> => turns.hold(key, WAIT_WITHOUT_FORKS, (known) => Promise.resolve(known));
    expect(await before()).to.deep.equal({ adopted: false });
  });

  it('know whether the last create that ended met an object of somebody else', async () => {
    const turns = new CreateTurns();
    const seen: unknown[] = [];
    for (const end of ['adopted', 'no answer', undefined, 'no answer', 'adopted'] as const)
      await turns
        .hold({ controller, object: 'a' }, WAIT_WITHOUT_FORKS, (before) => {
          seen.push(before?.adopted);
          return end === 'no answer' ? Promise.reject(new Error(end)) : Promise.resolve(end);
        })
        .catch(() => undefined);
    expect(seen).to.deep.equal([undefined, true, true, false, false]);
  });

  it('forget the creates of one controller', async () => {
    const turns = new CreateTurns();
    const isFirst = (at: string): Promise<boolean> =>
      turns.hold({ controller: at, object: 'a' }, WAIT_WITHOUT_FORKS, (before) =>
        Promise.resolve(before === undefined),
      );
    for (const at of [controller, 'https://lb2']) await isFirst(at);
    turns.forget(controller);
    expect(await isFirst(controller)).to.equal(true);
    expect(await isFirst('https://lb2')).to.equal(false);
  });
});
