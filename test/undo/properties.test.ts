import { expect } from 'chai';
import fc from 'fast-check';
import { pathText } from '../../src/core/model/source/diagnostic.js';
import { HIDDEN, isList, isMapping, type Mapping, type Value } from '../../src/core/model/values/value.js';
import { differingFields } from '../../src/module/comparison/comparison.js';
import type { Plan } from '../../src/module/contract.js';
import { planUpdate } from '../../src/module/planning.js';
import { findEffects } from '../../src/undo/effects.js';
import type { RecordedWrite } from '../../src/undo/object_writes.js';
import { planUndo } from '../../src/undo/plan_undo.js';
import { looksSame, type Undo } from '../../src/undo/undo.js';
import { declarations } from '../rig/json_values.js';
import { create, update } from './rig.js';

/** One object of a controller, which shows passwords as hidden. */
class Stored {
  #fields: Mapping | undefined;

  constructor(
    readonly name: string,
    fields: Mapping | undefined,
    /** Whether it keeps a password that a PUT leaves out. */
    private readonly keepsSecrets: boolean,
  ) {
    this.#fields = fields;
  }

  get shown(): Mapping | undefined {
    if (this.#fields === undefined) return undefined;
    return { uuid: `uuid-${this.name}`, name: this.name, ...hiding(this.#fields) };
  }

  put(body: Mapping): void {
    const fields = Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'uuid' && name !== 'name'));
    this.#fields = this.keepsSecrets ? keeping(this.#fields ?? {}, fields) : fields;
  }

  /** Someone else. */
  patch(fields: Mapping): void {
    if (this.#fields !== undefined) this.#fields = { ...this.#fields, ...fields };
  }
}

function hiding(fields: Mapping): Mapping {
  return Object.fromEntries(
    Object.entries(fields).map(([name, item]) => [
      name,
      name === 'password' && !isEmpty(item) ? HIDDEN : hidingIn(item),
    ]),
  );
}

function isEmpty(value: Value): boolean {
  return value === null || value === '' || (isList(value) && value.length === 0);
}

function hidingIn(value: Value): Value {
  if (isList(value)) return value.map(hidingIn);
  return isMapping(value) ? hiding(value) : value;
}

function keeping(old: Mapping, fields: Mapping): Mapping {
  const kept = Object.entries(old).filter(([name]) => name === 'password' && !Object.hasOwn(fields, name));
  const put = Object.entries(fields).map(([name, item]) => {
    const before = old[name];
    return [name, isMapping(item) && isMapping(before) ? keeping(before, item) : item] as const;
  });
  return Object.fromEntries([...kept, ...put]);
}

const fields = declarations.map((one) =>
  Object.fromEntries(Object.entries(one).filter(([name]) => name !== 'uuid' && name !== 'name')),
);
const names = fc.constantFrom('a', 'b');
const write = fc.record({
  type: fc.constant('write' as const),
  name: names,
  fields,
  replace: fc.boolean(),
  fate: fc.constantFrom('applied', 'applied', 'refused', 'unknown', 'lost'),
  looked: fc.boolean(),
});
const outsider = fc.record({ type: fc.constant('outsider' as const), name: names, fields });
const scenario = fc.record({
  initial: fc.record({ a: fields, b: fc.option(fields, { nil: undefined }) }),
  keepsSecrets: fc.boolean(),
  steps: fc.array(fc.oneof({ weight: 6, arbitrary: write }, { weight: 1, arbitrary: outsider }), { maxLength: 6 }),
});

type Scenario = typeof scenario extends fc.Arbitrary<infer S> ? S : never;
type Write = typeof write extends fc.Arbitrary<infer W> ? W : never;

/** A run over one controller, and what a rollback must restore. */
class SimulatedRollback {
  readonly objects: ReadonlyMap<string, Stored>;
  readonly writes: RecordedWrite[] = [];
  /** As they were shown before the run's first write that may have taken effect. */
  readonly first = new Map<string, Mapping | undefined>();
  /** What someone else changed since the run's first write. */
  readonly touched = new Set<string>();

  constructor({ initial, keepsSecrets, steps }: Scenario) {
    this.objects = new Map(
      Object.entries(initial).map(([name, one]) => [name, new Stored(name, one, keepsSecrets)] as const),
    );
    for (const step of steps) {
      if (step.type === 'write') this.#write(step, this.stored(step.name));
      else {
        this.stored(step.name).patch(step.fields);
        if (this.first.has(step.name)) this.touched.add(step.name);
      }
    }
  }

  stored(name: string): Stored {
    const found = this.objects.get(name);
    if (found === undefined) throw new Error(name);
    return found;
  }

  #write({ name, fields: declared, replace, fate, looked }: Write, stored: Stored): void {
    const before = stored.shown;
    const number = this.writes.length + 1;
    const outcome = fate === 'lost' ? 'unknown' : fate;
    const object = `cloud "${name}"`;
    const wanted = { ...declared, name };
    const makes = { outcome, object, name, path: '/api/cloud/' };
    const planning =
      before &&
      planUpdate({ object, path: '/api/cloud/', fields: wanted, replace, secrets: 'on_create' }, before).change;
    if (planning !== undefined && planning.kind !== 'update') return;
    if (fate !== 'refused' && !this.first.has(name)) this.first.set(name, before);
    const after = planning === undefined ? wanted : planning.after;
    if (fate === 'applied' || fate === 'unknown') stored.put(after);
    const seen = fate === 'applied' && looked && stored.shown !== undefined ? { seen: stored.shown } : {};
    const rest = { ...makes, ...seen };
    this.writes.push(
      planning === undefined
        ? create(number, after, rest)
        : update(number, planning.before, after, { ...rest, path: `/api/cloud/uuid-${name}` }),
    );
  }

  /** Rolls back as the engine does, and reads the object afterwards. */
  rollBack(): ReadonlyMap<string, RollbackEnd> {
    const ends = new Map<string, RollbackEnd>();
    for (const effect of findEffects(this.writes)) {
      if (effect.type === 'final') {
        ends.set(effect.object, { type: 'untouched' });
        continue;
      }
      const { undo } = effect;
      const stored = this.stored(undo.member?.name ?? '');
      const { change, refusal } = planned(undo, stored);
      if (refusal === undefined && change.kind === 'update') stored.put(change.after);
      const after = planned(undo, stored);
      const left = after.satisfied === true || after.change.kind === 'none' ? [] : undo.fields.map(pathText);
      ends.set(
        undo.object,
        refusal === undefined ? { type: 'done', left, neverShown: undo.neverShown } : { type: 'untouched' },
      );
    }
    return ends;
  }
}

type RollbackEnd =
  | { readonly type: 'untouched' }
  /** With the fields that the user sees: not converged, or not known. */
  | { readonly type: 'done'; readonly left: readonly string[]; readonly neverShown: readonly string[] };

function planned(undo: Undo, { shown: object }: Stored): Plan {
  return planUndo(undo, object === undefined ? undefined : { status: 'found', object }, false);
}

describe('a rollback of any run', () => {
  it('restores every object, or reports why not', () => {
    fc.assert(
      fc.property(scenario, (given) => {
        const simulated = new SimulatedRollback(given);
        const before = new Map([...simulated.objects].map(([name, { shown }]) => [name, shown]));
        const ends = simulated.rollBack();
        for (const [name, first] of simulated.first) {
          const end = ends.get(`cloud "${name}"`) ?? { type: 'done', left: [], neverShown: [] };
          const now = simulated.stored(name).shown;
          if (end.type === 'untouched') expect(now, name).to.deep.equal(before.get(name));
          else if (!simulated.touched.has(name)) {
            const different = differingFields(first ?? {}, now ?? {}, looksSame).map(pathText);
            const untold = different.filter(
              (path) => ![...end.left, ...end.neverShown].some((one) => one.startsWith(path) || path.startsWith(one)),
            );
            expect(untold, `${name} is not as it was`).to.deep.equal([]);
          }
        }
      }),
      { numRuns: 600, endOnFailure: false },
    );
  });

  it('never sends a placeholder', () => {
    fc.assert(
      fc.property(scenario, (given) => {
        const simulated = new SimulatedRollback(given);
        for (const effect of findEffects(simulated.writes)) {
          if (effect.type === 'final') continue;
          const { change } = planned(effect.undo, simulated.stored(effect.undo.member?.name ?? ''));
          if (change.kind === 'update') expect(JSON.stringify(change.after)).not.to.contain(HIDDEN);
        }
      }),
      { numRuns: 300 },
    );
  });
});
