import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { AnswerMemory, type AnswerPlace } from '../../../src/controller/transport/answer_memory.js';

/** The names that have a place, in the order in which they got it. */
function takers(room: AnswerMemory): { readonly admitted: string[]; readonly take: (name: string) => AnswerPlace } {
  const admitted: string[] = [];
  const take = (name: string): AnswerPlace => {
    const place = room.place();
    place.take(() => admitted.push(name), 'reads');
    return place;
  };
  return { admitted, take };
}

/** Resolves when there is an additional place. */
function onePlaceMore(room: AnswerMemory): Promise<AnswerPlace> {
  return new Promise((resolve) => {
    const place = room.place();
    place.take(() => {
      resolve(place);
    }, 'reads');
  });
}

describe('room for large answers', () => {
  it('is for three at once; others wait in order for released places', () => {
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
    room.place().take(() => admitted.push('written'), 'writes');
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

  it('keeps the place of a connection for its next answer', () => {
    const { admitted, take } = takers(new AnswerMemory());
    const place = take('a');
    for (const name of 'bc') take(name);
    place.take(() => admitted.push('again'), 'reads');
    expect(admitted).to.deep.equal(['a', 'b', 'c', 'again']);
  });

  it('uses one place for two answers of one connection, so that one release frees it', () => {
    const { admitted, take } = takers(new AnswerMemory());
    const [first, second] = ['a', 'b', 'c'].map(take);
    const place = take('d');
    place.take(() => admitted.push('D'), 'reads');
    first?.giveBack();
    second?.giveBack();
    expect(admitted.join('')).to.equal('abcdD');
    for (const name of 'ef') take(name);
    expect(admitted.join(''), 'the second place is free again').to.equal('abcdDe');
    place.giveBack();
    expect(admitted.join('')).to.equal('abcdDef');
  });

  it('grows by a place for a request that waits too long, and shrinks again before it passes on another', async () => {
    const room = new AnswerMemory(1);
    const { admitted, take } = takers(room);
    const places = ['a', 'b', 'c'].map(take);
    const [fourth, fifth] = [await onePlaceMore(room), await onePlaceMore(room)];
    fourth.giveBack();
    fifth.giveBack();
    expect(admitted.join('')).to.equal('abc');
    places[0]?.giveBack();
    take('d');
    expect(admitted.join('')).to.equal('abcd');
  });

  it('does not grow while the process is busy, because the tasks with the places are not waiting', async () => {
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
    await onePlaceMore(room);
    expect(admitted.join(''), 'at rest again').to.equal('abcd');
  });

  it('passes on no place while more are taken than the limit', async () => {
    const room = new AnswerMemory(1);
    const { admitted, take } = takers(room);
    for (const name of 'abc') take(name);
    const extra = await onePlaceMore(room);
    const waiting = onePlaceMore(room);
    take('d');
    extra.giveBack();
    expect(admitted.join('')).to.equal('abc');
    (await waiting).giveBack();
    expect(admitted.join('')).to.equal('abc');
  });
});
