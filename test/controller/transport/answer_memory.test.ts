import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { AnswerMemory, type AnswerSlot } from '../../../src/controller/transport/answer_memory.js';

/** The names that have a slot, in the order in which they got it. */
function takers(room: AnswerMemory): { readonly admitted: string[]; readonly take: (name: string) => AnswerSlot } {
  const admitted: string[] = [];
  const take = (name: string): AnswerSlot => {
    const slot = room.slot();
    slot.take(() => admitted.push(name), 'reads');
    return slot;
  };
  return { admitted, take };
}

/** Resolves when there is an additional slot. */
function oneSlotMore(room: AnswerMemory): Promise<AnswerSlot> {
  return new Promise((resolve) => {
    const slot = room.slot();
    slot.take(() => {
      resolve(slot);
    }, 'reads');
  });
}

describe('room for large answers', () => {
  it('is for three at once; others wait in order for released slots', () => {
    const { admitted, take } = takers(new AnswerMemory());
    const [first, second] = ['a', 'b', 'c', 'd', 'e', 'f'].map(take);
    expect(admitted.join('')).to.equal('abc');
    first?.giveBack();
    expect(admitted.join('')).to.equal('abcd');
    first?.giveBack();
    expect(admitted.join('')).to.equal('abcd');
    second?.giveBack();
    expect(admitted.join('')).to.equal('abcde');
  });

  it('goes first to answers to writes, which are in memory already', () => {
    const room = new AnswerMemory();
    const { admitted, take } = takers(room);
    const [first] = ['a', 'b', 'c', 'd'].map(take);
    room.slot().take(() => admitted.push('written'), 'writes');
    first?.giveBack();
    expect(admitted).to.deep.equal(['a', 'b', 'c', 'written']);
  });

  it('is not kept for a task that ended while it waited', () => {
    const { admitted, take } = takers(new AnswerMemory());
    const [first, , , ended] = ['a', 'b', 'c', 'ended', 'e'].map(take);
    ended?.giveBack();
    first?.giveBack();
    expect(admitted).to.have.members(['a', 'b', 'c', 'ended', 'e']);
  });

  it('keeps the slot of a connection for its next answer', () => {
    const { admitted, take } = takers(new AnswerMemory());
    const slot = take('a');
    for (const name of 'bc') take(name);
    slot.take(() => admitted.push('again'), 'reads');
    expect(admitted).to.deep.equal(['a', 'b', 'c', 'again']);
  });

  it('uses one slot for two answers of one connection, so that one release frees it', () => {
    const { admitted, take } = takers(new AnswerMemory());
    const [first, second] = ['a', 'b', 'c'].map(take);
    const slot = take('d');
    slot.take(() => admitted.push('D'), 'reads');
    first?.giveBack();
    second?.giveBack();
    expect(admitted.join('')).to.equal('abcdD');
    for (const name of 'ef') take(name);
    expect(admitted.join(''), 'the second slot is free again').to.equal('abcdDe');
    slot.giveBack();
    expect(admitted.join('')).to.equal('abcdDef');
  });

  it('grows by a slot for a request that waits too long, and shrinks again before it passes on another', async () => {
    const room = new AnswerMemory(1);
    const { admitted, take } = takers(room);
    const slots = ['a', 'b', 'c'].map(take);
    const [fourth, fifth] = [await oneSlotMore(room), await oneSlotMore(room)];
    fourth.giveBack();
    fifth.giveBack();
    expect(admitted.join('')).to.equal('abc');
    slots[0]?.giveBack();
    take('d');
    expect(admitted.join('')).to.equal('abcd');
  });

  it('does not grow while the process is busy, because the tasks with the slots are not waiting', async () => {
    const room = new AnswerMemory(20);
    const { admitted, take } = takers(room);
    for (const name of 'abcd') take(name);
    const busyUntil = performance.now() + 200;
    while (performance.now() < busyUntil) {
      const turn = performance.now() + 10;
      while (performance.now() < turn);
      await nextTurn();
    }
    expect(admitted.join('')).to.equal('abc');
    await oneSlotMore(room);
    expect(admitted.join(''), 'at rest again').to.equal('abcd');
  });

  it('passes on no slot while more are taken than the limit', async () => {
    const room = new AnswerMemory(1);
    const { admitted, take } = takers(room);
    for (const name of 'abc') take(name);
    const extra = await oneSlotMore(room);
    const waiting = oneSlotMore(room);
    take('d');
    extra.giveBack();
    expect(admitted.join('')).to.equal('abc');
    (await waiting).giveBack();
    expect(admitted.join('')).to.equal('abc');
  });
});
