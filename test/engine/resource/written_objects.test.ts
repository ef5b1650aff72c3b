import { expect } from 'chai';
import type { SeenObject } from '../../../src/core/model/run/plan.js';
import { leftBefore, WrittenObjects } from '../../../src/engine/resource/written_objects.js';
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

  /** The members of a collection, and an object that exists once, as they were before and as they are now. */
  const objects = {
    pool: { path: '/api/pool/', name: 'web', digest: digestOf('now'), aliases: ['pool-1', 'web'] },
    another: { path: '/api/pool/', name: 'db', digest: digestOf('now'), aliases: ['pool-2', 'db'] },
    created: { path: '/api/pool/', name: 'new', digest: digestOf('now'), aliases: ['pool-3', 'new'] },
    system: { path: '/api/systemconfiguration', digest: digestOf('now') },
  };
  for (const [path, name, own] of [
    ['/api/pool/pool-1', undefined, ['pool']],
    ['/api/pool/pool-1/', undefined, ['pool']],
    ['/api/pool/pool-1?skip_default=true', undefined, ['pool']],
    ['/api/pool/pool-1/scaleout', undefined, ['pool']],
    ['/api/pool', 'new', ['created']],
    ['/api/pool/', 'new', ['created']],
    ['/api/pool', undefined, []],
    ['/api/systemconfiguration', undefined, ['system']],
  ] as const)
    it(`are those at the path of a request to ${path}${name === undefined ? '' : `, of ${name}`}`, () => {
      const sent = new WrittenObjects();
      for (const object of Object.values(objects)) sent.set('lb1', object, digestOf('then'));
      sent.setAt('lb1', path, name);
      const left = Object.entries(objects).filter(([, object]) => sent.compare('lb1', object) === 'as left');
      // Of the created one only its name was known.
      expect(left.map(([key]) => key)).to.deep.equal(name === undefined ? own : []);
      const fresh = new WrittenObjects();
      fresh.setAt('lb1', path, name);
      const known = Object.entries(objects).filter(([, object]) => fresh.compare('lb1', object) !== undefined);
      expect(known.map(([key]) => key)).to.deep.equal(own);
      expect(Object.values(objects).map((object) => fresh.compare('lb2', object))).to.deep.equal([
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
    });

  it('of a request before the interrupt are in any state', () => {
    const write = { tenant: 'admin', connection: undefined, outcome: 'applied' } as const;
    const left = leftBefore([{ ...write, path: '/api/pool/pool-1' }], { tenant: 'admin', connection: undefined });
    expect([left.compare('', objects.pool), left.compare('', objects.another)]).to.deep.equal(['as left', undefined]);
  });
});
