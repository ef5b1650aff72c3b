import { expect } from 'chai';
import type { SeenObject } from '../../../src/core/model/run/plan.js';
import { WrittenObjects } from '../../../src/engine/resource/written_objects.js';
import { Sealer } from '../../../src/record/journal/disk/sealer.js';

const sealer = new Sealer(Buffer.alloc(32), 'plan 1');
const digestOf = (state: string | null): string | null => (state === null ? null : sealer.digest(state));
const seen = (name: string, state: string | null): SeenObject => ({
  path: '/api/cloud/',
  name,
  digest: digestOf(state),
});

describe('written objects', () => {
  const written = new WrittenObjects();
  const write = (connection: string, name: string, state: string | null): void => {
    written.set(connection, seen(name, state), digestOf(state));
  };
  const compare = (connection: string, name: string, state: string | null) =>
    written.compare(connection, seen(name, state));

  it('are identified by connection and object', () => {
    write('lb1', 'edge', 'one');
    expect(compare('lb1', 'edge', 'one')).to.equal('as left');
    expect(compare('lb1', 'edge', 'two')).to.equal('changed');
    expect(compare('lb1', 'core', 'one')).to.equal(undefined);
    expect(compare('lb2', 'edge', 'one')).to.equal(undefined);
  });

  it('have the state of the last write', () => {
    for (const state of ['one', null, 'two']) write('lb3', 'edge', state);
    write('lb3', 'core', 'other');
    expect(compare('lb3', 'edge', 'two')).to.equal('as left');
    expect(compare('lb3', 'edge', 'one')).to.equal('changed');
    expect(compare('lb3', 'core', 'other')).to.equal('as left');
  });

  it('are kept apart, whatever the order in which they were written', () => {
    const names = ['a', 'b', 'c', 'd'];
    const [even, odd] = [names.filter((_, at) => at % 2 === 0), names.filter((_, at) => at % 2 === 1)];
    // Each connection gets one half of the objects first, each object twice, and only the last state counts.
    for (const name of [...even, ...names, ...even]) write('one', name, `${name} in one`);
    for (const name of [...odd, ...odd.toReversed()]) write('two', name, `${name} in two`);
    for (const name of names) {
      expect(compare('one', name, `${name} in one`), name).to.equal('as left');
      expect(compare('one', name, `${name} in two`), name).to.equal('changed');
      expect(compare('two', name, `${name} in two`), name).to.equal(odd.includes(name) ? 'as left' : undefined);
      expect(compare('two', name, `${name} in one`), name).to.equal(odd.includes(name) ? 'changed' : undefined);
    }
  });

  it('can be absent, or in an unknown state', () => {
    write('lb4', 'edge', null);
    expect(compare('lb4', 'edge', null)).to.equal('as left');
    expect(compare('lb4', 'edge', 'one')).to.equal('changed');
    written.set('lb4', seen('edge', null), undefined);
    expect(compare('lb4', 'edge', 'one')).to.equal('as left');
    expect(compare('lb4', 'edge', null)).to.equal('as left');
  });
});
