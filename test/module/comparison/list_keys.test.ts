import { expect } from 'chai';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { emptyPatterns, listKeyProblems } from '../../../src/module/comparison/list_keys.js';
import { planCreate, planUnreadable, planUpdate } from '../../../src/module/planning.js';

const server = (addr: string, more: Mapping = {}): Mapping => ({ ip: { type: 'V4', addr }, port: 80, ...more });
const PRESENT = [server('10.0.0.1', { ratio: 1, note: 'x' }), server('10.0.0.2'), server('10.0.0.3')];
const BEFORE = {
  uuid: 'pool-1',
  name: 'web',
  servers: PRESENT,
  health_monitor_refs: ['https://lb1/api/healthmonitor/a#A'],
};
const KEYS = { merge: { servers: ['ip.addr', 'port'] } };

function desired(fields: Mapping, rules: object) {
  return { object: 'pool "web"', path: '/api/pool/', fields, replace: false, secrets: 'on_create', ...rules } as const;
}

function listAfter(fields: Mapping, rules: object, field = 'servers'): unknown {
  const { change, refusal } = planUpdate(desired(fields, rules), BEFORE);
  if (refusal !== undefined) return refusal;
  return change.kind === 'update' ? change.after[field] : change.kind;
}

describe('a list that is merged by key', () => {
  it('keeps elements that are not declared, in their places, and appends new ones', () => {
    expect(listAfter({ servers: [server('10.0.0.9'), server('10.0.0.2', { ratio: 5 })] }, KEYS)).to.deep.equal([
      PRESENT[0],
      server('10.0.0.2', { ratio: 5 }),
      PRESENT[2],
      server('10.0.0.9'),
    ]);
  });

  it('keeps the undeclared fields of an element', () => {
    expect(listAfter({ servers: [server('10.0.0.1', { ratio: 2 })] }, KEYS)).to.deep.equal([
      server('10.0.0.1', { ratio: 2, note: 'x' }),
      ...PRESENT.slice(1),
    ]);
  });

  it('is as declared if it has all declared elements, in any order', () => {
    expect(listAfter({ servers: [server('10.0.0.3'), server('10.0.0.1')] }, KEYS)).to.equal('none');
  });

  it('uses whole elements as keys if there are no paths', () => {
    const rules = { merge: { health_monitor_refs: [] } };
    const refs = (...ids: readonly string[]) => ({ health_monitor_refs: ids.map((id) => `/api/healthmonitor/${id}`) });
    expect(listAfter(refs('a'), rules)).to.equal('none');
    expect(listAfter(refs('b'), rules, 'health_monitor_refs')).to.deep.equal([
      'https://lb1/api/healthmonitor/a#A',
      '/api/healthmonitor/b',
    ]);
  });

  it('can be inside an object', () => {
    const before = { dns: { servers: [{ addr: 'a' }], domain: 'x' } };
    const rules = { merge: { 'dns.servers': ['addr'] }, without: {} };
    const { change } = planUpdate(desired({ dns: { servers: [{ addr: 'b' }] } }, rules), before);
    expect(change).to.have.deep.property('after', { dns: { servers: [{ addr: 'a' }, { addr: 'b' }], domain: 'x' } });
  });

  it('is sent as declared to a new object', () => {
    const servers = [server('10.0.0.1')];
    expect(planCreate(desired({ name: 'web', servers }, KEYS)).change).to.have.deep.property('after', {
      name: 'web',
      servers,
    });
  });

  describe('with add: false', () => {
    const CHANGED = { merge: { servers: { by: ['ip.addr', 'port'], add: false } } };

    it('changes the elements that are present, and adds none', () => {
      const servers = [server('10.0.0.9', { ratio: 9 }), server('10.0.0.2', { ratio: 5 })];
      expect(listAfter({ servers }, CHANGED)).to.deep.equal([PRESENT[0], server('10.0.0.2', { ratio: 5 }), PRESENT[2]]);
      expect(listAfter({ servers: servers.slice(0, 1) }, CHANGED)).to.equal('none');
    });

    it('leaves all of them out of a new object, and of one without the list', () => {
      const servers = [server('10.0.0.1')];
      const { change } = planCreate(desired({ name: 'web', servers }, CHANGED));
      expect(change).to.have.deep.property('after', { name: 'web', servers: [] });
      expect(planUpdate(desired({ servers }, CHANGED), { name: 'web' }).change.kind).to.equal('none');
      const inside = { merge: { 'dns.servers': { by: ['addr'], add: false } } };
      const fields = { name: 'web', dns: { servers: [{ addr: 'a' }], domain: 'x' } };
      expect(planCreate(desired(fields, inside)).change).to.have.deep.property('after', {
        name: 'web',
        dns: { servers: [], domain: 'x' },
      });
    });

    it('adds with add: true, as without', () => {
      const rules = { merge: { servers: { by: ['ip.addr'], add: true } } };
      expect(listAfter({ servers: [server('10.0.0.9')] }, rules)).to.deep.equal([...PRESENT, server('10.0.0.9')]);
    });

    it('must name fields that identify an element', () => {
      const merge = { health_monitor_refs: { by: [], add: false } };
      expect(listKeyProblems({ health_monitor_refs: ['a'] }, merge, [])).to.deep.equal([
        {
          path: ['merge', 'health_monitor_refs'],
          message:
            '"merge" names no fields that identify an element of "health_monitor_refs", so with "add: false" it would change nothing',
        },
      ]);
    });
  });

  it('cannot be merged if two elements of the controller have the same key, or its object is hidden', () => {
    const before = { ...BEFORE, servers: [...PRESENT, server('10.0.0.1')] };
    expect(planUpdate(desired({ servers: [server('10.0.0.1')] }, KEYS), before).refusal).to.equal(
      'the controller has several elements of "servers" with ip.addr "10.0.0.1", port 80, so "merge" cannot tell which one is declared',
    );
    expect(planUnreadable(desired({ servers: [] }, KEYS)).refusal).to.equal(
      'the controller does not show the object, so its lists cannot be merged: leave out "merge" and "without"',
    );
  });
});

describe('elements to remove', () => {
  it('have the given fields', () => {
    const rules = { without: { servers: [{ ip: { addr: '10.0.0.2' } }] } };
    expect(listAfter({}, rules)).to.deep.equal([PRESENT[0], PRESENT[2]]);
    expect(listAfter({}, { without: { servers: [{ ip: { addr: '10.0.0.8' } }] } })).to.equal('none');
  });

  it('are removed from a merged list, too', () => {
    const rules = { ...KEYS, without: { servers: [{ ip: { addr: '10.0.0.1' } }] } };
    expect(listAfter({ servers: [server('10.0.0.4')] }, rules)).to.deep.equal([
      PRESENT[1],
      PRESENT[2],
      server('10.0.0.4'),
    ]);
  });

  it('can be references', () => {
    const rules = { without: { health_monitor_refs: ['/api/healthmonitor/a'] } };
    expect(listAfter({}, rules, 'health_monitor_refs')).to.deep.equal([]);
  });
});

describe('the keys of merged lists', () => {
  const problems = (fields: Mapping, merge: Mapping) =>
    listKeyProblems(fields, merge, ['properties']).map(({ path, message }) => `${path.join('.')}: ${message}`);

  it('must be unique, and present in each element', () => {
    expect(problems({ servers: [server('a'), { port: 1 }, server('a')] }, KEYS.merge)).to.deep.equal([
      'properties.servers.1: an element of "servers" has no "ip.addr", which "merge" needs to identify an element',
      'properties.servers.2: two elements of "servers" have the same ip.addr and port, so "merge" cannot tell them apart',
    ]);
    expect(problems({ refs: ['a', 'a'] }, { refs: [] })).to.deep.equal([
      'properties.refs.1: two elements of "refs" have the same value, so "merge" cannot tell them apart',
    ]);
  });

  it('must belong to a declared list', () => {
    expect(problems({ servers: 1 }, { servers: ['port'], pools: ['x'] })).to.deep.equal([
      'merge.servers: "merge" names "servers", which is not declared as a list',
      'merge.pools: "merge" names "pools", which is not declared as a list',
    ]);
  });
});

describe('patterns of elements to remove', () => {
  it('must have values, because empty ones match every element', () => {
    const empty = emptyPatterns({
      servers: [{ port: 80 }, {}],
      'a.b': [{ ip: {}, note: null, tags: [] }],
      refs: ['x', ''],
    });
    expect(empty.map(({ path, message }) => `${path.join('/')}: ${message}`)).to.deep.equal([
      'without/servers/1: an element to remove from "servers" has no values, so it would match every element',
      'without/a.b/0: an element to remove from "a.b" has no values, so it would match every element',
    ]);
    expect(empty[0]?.hint).to.equal('to empty the list, declare "servers: []"');
  });
});
