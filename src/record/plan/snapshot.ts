import type { Inventory } from '../../core/model/inventory/inventory.js';
import type { Playbook } from '../../core/model/playbook/playbook.js';
import type { Include, Included } from '../../core/model/playbook/step.js';
import { LoadError } from '../../core/model/source/diagnostic.js';
import type { Source } from '../../core/model/source/source.js';
import {
  choiceShape,
  fields,
  mapping,
  optional,
  text,
  texts,
  trusted,
  type ShapeCheck,
} from '../../core/model/values/shape.js';
import { isList, Vaulted, type Mapping, type Value } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { locateIn, POSITIONS, type PositionsByPath } from './argument_positions.js';
import { fromJson, isMap, isSource, toJson, type DecodeOptions, type Graph } from './graph.js';

/** The inputs of a plan as they were loaded. Later changes have no effect. */
export interface PlanSnapshot {
  /** The request, sealed as in a journal. */
  readonly invocation: Mapping;
  readonly playbooks: readonly Playbook[];
  readonly inventory: Inventory;
  readonly inventorySources: readonly string[];
  readonly extraVars: readonly VariableLayer[];
  /** Files of variables that were read during the run, by path. Null: there was none. */
  readonly variableFiles: ReadonlyMap<string, VariableLayer | null>;
  /** `group_vars` and `host_vars` of names that were added during the run. */
  readonly beside: ReadonlyMap<string, readonly VariableLayer[]>;
  /** Texts that no output may show. */
  readonly secrets: readonly string[];
  /** Digests of the modules and helpers of the project, by file. */
  readonly code: Readonly<Record<string, string>>;
}

/** What was included while the plan was made. */
export class IncludeRecord {
  readonly #read = new Map<object, Map<string, Included>>();

  constructor(private readonly digest: (value: Value) => string) {}

  add(include: Include, args: Mapping, included: Included): void {
    const known = this.#read.get(include) ?? new Map<string, Included>();
    this.#read.set(include, known.set(this.digest(args), included));
  }

  /** What one include loaded. */
  readonly fieldsOf = (object: object): readonly (readonly [string, unknown])[] => {
    const read = this.#read.get(object);
    return read === undefined ? [] : [[RECORD, read]];
  };
}

/** The field of an include in a plan. */
const RECORD = 'brought';

/** @param records further fields of the steps */
export function encodeSnapshot(snapshot: PlanSnapshot, records: readonly Pick<IncludeRecord, 'fieldsOf'>[]): Graph {
  return toJson(snapshot, (object) => records.flatMap(({ fieldsOf }) => fieldsOf(object)));
}

/** A task or an include in a plan. */
const isModuleCall = fields({
  type: choiceShape('task', 'include'),
  module: text,
  source: isSource,
  [RECORD]: optional(trusted<ReadonlyMap<string, Included>>(isMap)),
  [POSITIONS]: optional(trusted<PositionsByPath>(isMap)),
});

const isSnapshot: ShapeCheck<PlanSnapshot> = fields({
  invocation: mapping,
  playbooks: trusted<readonly Playbook[]>(isList),
  inventory: trusted<Inventory>(mapping),
  inventorySources: texts,
  extraVars: trusted<readonly VariableLayer[]>(isList),
  variableFiles: trusted<ReadonlyMap<string, VariableLayer | null>>(isMap),
  beside: trusted<ReadonlyMap<string, readonly VariableLayer[]>>(isMap),
  secrets: texts,
  code: trusted<Readonly<Record<string, string>>>(mapping),
});

/**
 * @param digest see `IncludeRecord` @throws Error if it is not a snapshot
 */
export function decodeSnapshot(
  json: unknown,
  digest: (value: Value) => string,
  vaulted: DecodeOptions['vaulted'],
): PlanSnapshot {
  const completed = (object: Record<string, unknown>): void => {
    const step: unknown = object;
    if (!isModuleCall(step)) return;
    object['locate'] = locateIn(step);
    if (step.type === 'include')
      object['read'] = (args: Mapping): Promise<Included> => {
        const included = step[RECORD]?.get(digest(args));
        return included === undefined ? Promise.reject(notRead(step.source)) : Promise.resolve(included);
      };
  };
  const snapshot = fromJson(json, { vaulted, completed });
  if (isSnapshot(snapshot)) return withReading(snapshot);
  throw new Error('this is not the snapshot of a plan');
}

function notRead(source: Source): LoadError {
  return new LoadError('the plan did not include this, so it is not read now', source, 'make a new plan');
}

/** The project itself is not read any more. */
function withReading(snapshot: PlanSnapshot): PlanSnapshot {
  const { inventory, beside } = snapshot;
  const readBeside: Inventory['readBeside'] = (folder, name) => Promise.resolve(beside.get(`${folder}/${name}`) ?? []);
  return { ...snapshot, inventory: { ...inventory, readBeside } };
}

/** Encrypted variables of a snapshot that is only displayed. */
export const LOCKED: DecodeOptions['vaulted'] = (envelope, source) =>
  new Vaulted(envelope, source, () => {
    throw new LoadError('an encrypted value is not decrypted here', source());
  });
