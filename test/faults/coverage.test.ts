import { expect } from 'chai';
import { BEHAVIOUR_SCHEMA } from '../../src/simulator/behaviour/behaviour.js';
import { FAULT_SCHEMA, FAULT_TYPES, type Fault } from '../../src/simulator/behaviour/fault.js';
import { behaviourOf, BEHAVIOURS, KINDS, MOMENTS, SESSION_MOMENTS } from './kinds.js';
import { ROWS, SESSION_ROWS, type Row } from './table.js';

/** Only controllers of the product family have these, or they are no answer: their outcomes are in `test/cli/avi.test.ts` and `test/simulator/service`. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'upgrade',
  'first_boot',
  'basic',
  'session_timeout',
  'lock_after',
  'cloud_ready_after',
  'servers_down',
  'drained_after',
]);

/** Faults that only controllers with sessions and versions of objects have. */
const OF_SESSIONS: ReadonlySet<string> = new Set(['touch', 'expire']);

/** Every fault of simulated controllers must have its rows: a new fault needs its outcomes. */
describe('the fault matrix has a row', () => {
  const faultsOf = (rows: readonly Row[], moments: typeof MOMENTS): readonly Fault[] =>
    rows.flatMap(({ kind, moment }) => (moment === '-' ? [] : (behaviourOf(kind, moment, moments).faults ?? [])));
  const faults = [...faultsOf(ROWS, MOMENTS), ...faultsOf(SESSION_ROWS, SESSION_MOMENTS)];
  const behaviours = Object.values(BEHAVIOURS);

  it('for every type of fault', () => {
    const covered = new Set<string>(faults.map(({ type }) => type));
    expect(FAULT_TYPES.filter((type) => !ELSEWHERE.has(type) && !covered.has(type))).to.deep.equal([]);
  });

  for (const kind of Object.keys(KINDS).filter((name) => !OF_SESSIONS.has(name))) {
    it(`for ${kind} at the first read, at the write, and at the verification`, () => {
      const moments = ROWS.filter((row) => row.kind === kind && row.moment !== '-').map(({ moment }) => moment);
      expect(moments).to.include.members(['read, always', 'write, always', 'verify, always']);
      for (const moment of moments) expect(MOMENTS).to.have.property(moment);
    });
  }

  it('for every moment of a session', () => {
    expect(new Set(SESSION_ROWS.map(({ moment }) => moment))).to.include.keys(...Object.keys(SESSION_MOMENTS));
  });

  it('for every form of each fault', () => {
    for (const { type, name, value } of choicesOf(FAULT_SCHEMA)) {
      // Which 3xx it is makes no difference.
      if (name === 'status') continue;
      const used = faults.some(
        (fault) => fault.type === type && Object.entries(fault).some(([key, given]) => key === name && given === value),
      );
      // Without `what`, the body trickles.
      expect(
        used || (type === 'trickle' && value === 'body'),
        `${String(type)} with ${name}: ${String(value)}`,
      ).to.equal(true);
    }
  });

  it('for every other behaviour and each of its choices', () => {
    const names = ROWS.filter(({ moment }) => moment === '-').map(({ kind }) => kind);
    expect(names).to.have.members(Object.keys(BEHAVIOURS));
    for (const [name, schema] of Object.entries(BEHAVIOUR_SCHEMA.properties)) {
      if (name === 'faults' || ELSEWHERE.has(name)) continue;
      expect(
        behaviours.some((behaviour) => name in behaviour),
        name,
      ).to.equal(true);
      for (const value of valuesOf(schema))
        expect(
          behaviours.some((behaviour) => JSON.stringify({ ...behaviour }[name as 'filter']) === JSON.stringify(value)),
          `${name}: ${String(value)}`,
        ).to.equal(true);
    }
    for (const next of valuesOf(BEHAVIOUR_SCHEMA.properties.paging.properties.next))
      expect(
        behaviours.some(({ paging }) => paging?.next === next),
        `paging: ${String(next)}`,
      ).to.equal(true);
  });
});

interface Choice {
  readonly type: unknown;
  readonly name: string;
  readonly value: unknown;
}

/** Each value that a field of a fault may have, where there are only a few. */
function choicesOf(schema: object): readonly Choice[] {
  const { oneOf } = schema as { oneOf: readonly { properties: Readonly<Record<string, object>> }[] };
  return oneOf.flatMap(({ properties }) => {
    const [type] = valuesOf(properties['type'] ?? {});
    return Object.entries(properties).flatMap(([name, field]) =>
      name === 'type' ? [] : valuesOf(field).map((value) => ({ type, name, value })),
    );
  });
}

/** The values that a schema lists. */
function valuesOf(schema: object): readonly unknown[] {
  const {
    enum: listed = [],
    anyOf = [],
    ...rest
  } = schema as { enum?: readonly unknown[]; anyOf?: readonly object[]; const?: unknown };
  return [...listed, ...anyOf.flatMap(valuesOf), ...('const' in rest ? [rest.const] : [])];
}
