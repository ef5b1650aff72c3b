import { expect } from 'chai';
import { Replicated, SimulatedState, SYSTEM_CONFIGURATION } from '../../../src/simulator/state/controller_state.js';

describe('the objects of a simulated controller', () => {
  const made = (snapshot?: ConstructorParameters<typeof SimulatedState>[0]) => {
    const changes: number[] = [];
    return { changes, state: new SimulatedState(snapshot, () => changes.push(1)) };
  };

  it('have the time of each change in microseconds, never the same twice', () => {
    const { state } = made();
    const before = Date.now() * 1000;
    const stamps = Array.from({ length: 50 }, () => Number(state.stamp()));
    expect(new Set(stamps).size).to.equal(50);
    expect(stamps.toSorted((a, b) => a - b)).to.deep.equal(stamps);
    expect(stamps[0])
      .to.be.at.least(before)
      .and.at.most(Date.now() * 1000 + 50);
  });

  it('are kept in collections and alone, and each change is told', () => {
    const { state, changes } = made({
      collections: { '/api/a/': [{ uuid: '1' }] },
      singletons: { '/api/s': { x: 1 } },
    });
    expect([
      state.hasCollection('/api/a/'),
      state.hasCollection('/api/b/'),
      state.hasCollection('/api/cloud/'),
    ]).to.deep.equal([true, false, true]);
    expect([
      state.hasSingleton('/api/s'),
      state.hasSingleton('/api/t'),
      state.collection('/api/b/').current,
    ]).to.deep.equal([true, false, []]);
    expect(state.singleton(SYSTEM_CONFIGURATION).current).to.include({
      uuid: 'default',
      default_license_tier: 'ENTERPRISE',
    });
    expect(Object.keys(state.singleton('/api/t').current)).to.deep.equal(['uuid', '_last_modified']);
    expect(changes).to.have.length(0);
    state.setObjects('/api/b/', [{ uuid: '2' }]);
    state.setSingleton('/api/s', { x: 2 });
    expect(changes).to.have.length(2);
    expect(state.snapshot()).to.deep.include({
      collections: { '/api/a/': [{ uuid: '1' }], '/api/b/': [{ uuid: '2' }] },
    });
    expect(state.snapshot().singletons['/api/s']).to.deep.equal({ x: 2 });
  });

  it('get a new time if the controller itself works on them', () => {
    const { state, changes } = made({
      collections: { '/api/a/': [{ uuid: '1', n: 1 }, { uuid: '2' }] },
      singletons: { '/api/s': { x: 1 } },
    });
    for (const path of ['/api/a/1', '/api/s', '/api/a/9', '/api/none/1', '/api/none']) state.touch(path);
    const [one, two] = state.collection('/api/a/').current;
    expect([one?.['n'], typeof one?.['_last_modified'], two]).to.deep.equal([1, 'string', { uuid: '2' }]);
    expect(state.singleton('/api/s').current).to.have.keys('x', '_last_modified');
    expect(changes).to.have.length(3);
  });

  it('are read from followers, which lag', () => {
    const value = new Replicated('a');
    value.write('b', 2);
    expect([value.current, value.read(), value.read(), value.read()]).to.deep.equal(['b', 'a', 'a', 'b']);
    value.write('c', 1);
    value.write('d', 1);
    expect([value.current, value.read(), value.read()]).to.deep.equal(['d', 'b', 'd']);
    value.write('e');
    expect(value.read()).to.equal('e');
  });
});
