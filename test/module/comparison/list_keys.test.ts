import { expect } from 'chai';
import type { Mapping } from '../../../src/core/model/values/value.js';
import {
  emptyPatterns,
  listKeyProblems,
  listsWithoutAdditions,
  unmergeable,
  withoutUnadded,
  withWholeLists,
} from '../../../src/module/comparison/list_keys.js';
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

  it('may be numbers and texts, but nothing else is a pattern', () => {
    expect(emptyPatterns({ a: 5, b: {}, c: [null, [], 5, ''] })).to.deep.equal([]);
    expect(emptyPatterns({ a: [{ x: [[]] }, { x: [1] }, { x: { y: 0 } }, { x: { y: null } }] })).to.have.length(1);
  });
});

describe('rules of lists', () => {
  const rules = {
    merge: { a: { by: ['k'], add: false }, 'b.c': { by: ['k'], add: false }, d: ['k'], e: { by: ['k'] } },
  };

  it('that add nothing leave out what is declared, in new objects', () => {
    expect(listsWithoutAdditions(rules.merge)).to.deep.equal(['a', 'b.c']);
    expect(withoutUnadded({ a: [1], b: { c: [2], x: 1 }, d: [3] }, rules)).to.deep.equal({
      a: [],
      b: { c: [], x: 1 },
      d: [3],
    });
    expect([withoutUnadded({ d: [3] }, rules), withoutUnadded({ a: [1] }, {})]).to.deep.equal([{ d: [3] }, { a: [1] }]);
  });

  const whole = (declared: Mapping, before: Mapping, merge: Mapping, without?: Mapping) =>
    withWholeLists(declared, before, { merge, without });

  it('merge elements of every type, each with the first that has its key', () => {
    const before = { a: [{ k: 1, x: 1 }, { k: 2, x: 2 }, 'text', { x: 3 }], b: 5 };
    expect(whole({ a: [{ k: 2, y: 1 }, { k: 2, y: 2 }, { y: 3 }] }, before, { a: ['k'] })).to.deep.equal({
      a: [{ k: 1, x: 1 }, { k: 2, x: 2, y: 1 }, 'text', { x: 3 }, { y: 3 }],
    });
    expect(whole({ b: [1] }, before, { b: [] })).to.deep.equal({ b: [1] });
    expect(whole({ b: 6, c: 7 }, before, { b: ['k'], c: ['k'] })).to.deep.equal({ b: 6, c: 7 });
    expect(whole({ a: ['text', 5] }, before, { a: [] })).to.deep.equal({ a: [...before.a, 5] });
    // The name of a key's last part says whether it is a reference.
    const shown = { a: [{ in: { pool_ref: 'https://lb1/api/pool/1#web' }, x: 1 }] };
    expect(whole({ a: [{ in: { pool_ref: '/api/pool/1' } }] }, shown, { a: ['in.pool_ref'] })).to.deep.equal(shown);
    expect(whole({ a: [{ k: null }] }, { a: [{ x: 1 }] }, { a: ['k'] })).to.deep.equal({ a: [{ x: 1 }, { k: null }] });
    expect(whole({ a: [{ k: 1, x_refs: [5] }] }, { a: [{ k: 1 }] }, { a: ['k', 5] })).to.deep.equal({
      a: [{ k: 1, x_refs: [5] }],
    });
  });

  it('remove elements that match one of several patterns, of declared or present lists', () => {
    const before = {
      a: [{ k: 1 }, { k: 2 }, { k: 3 }],
      b: 'text',
      c: { pool_refs: ['/api/pool/1#web', '/api/pool/2'] },
    };
    expect(whole({}, before, {}, { a: [{ k: 1 }, { k: 3 }] })).to.deep.equal({ a: [{ k: 2 }] });
    expect(whole({ a: [{ k: 1 }, { k: 5 }] }, before, {}, { a: [{ k: 1 }] })).to.deep.equal({ a: [{ k: 5 }] });
    expect(whole({}, before, {}, { a: [{ k: 4 }], b: ['text'], x: [1], c: 5 })).to.deep.equal({});
    expect(whole({}, before, {}, { 'c.pool_refs': ['/api/pool/1'] })).to.deep.equal({
      c: { pool_refs: ['/api/pool/2'] },
    });
    expect(whole({}, before, {}, { a: 'text' })).to.deep.equal({});
    expect(whole({ c: 5 }, { c: { d: [1] } }, {}, { 'c.d': [1] })).to.deep.equal({ c: { d: [] } });
  });

  it('cannot tell elements with the same key apart, whichever is declared', () => {
    const before = { a: [{ k: 1 }, { k: 2 }, { k: 2 }, { k: 3 }, { k: 3 }], d: [{ k: 1 }, { k: 1 }] };
    const said = (field: string, key: number) =>
      `the controller has several elements of "${field}" with k ${key}, so "merge" cannot tell which one is declared`;
    const of = (declared: Mapping, merge: Mapping) => unmergeable(declared, before, { merge });
    expect(of({ a: [{ k: 1 }, { k: 2 }, { k: 3 }] }, { a: ['k'] })).to.equal(said('a', 2));
    expect(of({ a: [{ k: 1 }], d: [{ k: 1 }] }, { a: ['k'], d: { by: ['k'] } })).to.equal(said('d', 1));
    expect(of({ a: [{ k: 1 }, { k: 4 }] }, { a: ['k'] })).to.equal(undefined);
    expect(of({ a: [{ k: 2 }] }, { a: [] })).to.equal(undefined);
    expect(of({ a: 5, x: [{ k: 2 }] }, { a: ['k'], x: ['k'] })).to.equal(undefined);
    expect(unmergeable({ a: [{ k: 2 }] }, before, {})).to.equal(undefined);
  });

  it('need all fields of their keys, and elements that differ in one of them', () => {
    const said = (fields: Mapping, merge: Mapping) => listKeyProblems(fields, merge, []).map(({ message }) => message);
    expect(
      said(
        {
          a: [
            { k: 1, l: 1 },
            { k: 1, l: 2 },
            { k: 2, l: 1 },
          ],
        },
        { a: ['k', 'l'] },
      ),
    ).to.deep.equal([]);
    expect(said({ a: [{ x: 1 }] }, { a: { by: ['k', 'l'] } })).to.deep.equal([
      'an element of "a" has no "k", which "merge" needs to identify an element',
    ]);
    expect(said({ a: [{ k: 1 }, { k: 1 }, { k: 2 }] }, { a: [] })).to.deep.equal([
      'two elements of "a" have the same value, so "merge" cannot tell them apart',
    ]);
    expect(said({ a: [{ k: 1 }] }, { a: { by: ['k'], add: false } })).to.deep.equal([]);
  });
});
