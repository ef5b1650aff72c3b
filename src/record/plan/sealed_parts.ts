import { hash } from 'node:crypto';
import { fstatSync, readSync } from 'node:fs';
import { deflateSync, inflateSync } from 'node:zlib';
import type { PlannedConnection, PlannedStep } from '../../core/model/run/plan.js';
import { HintedError } from '../../core/model/source/diagnostic.js';
import {
  fields,
  mapping,
  number,
  text,
  trusted,
  type FieldsOf,
  type ShapeCheck,
} from '../../core/model/values/stored.js';
import type { Mapping } from '../../core/model/values/value.js';
import { decode } from '../../core/model/values/value_codec.js';
import { Sealer } from '../journal/format/project_key.js';

/** A plan cannot be read, or must not be applied. A sentence for the user, and what to do next. */
export class PlanError extends HintedError {
  override readonly name = 'PlanError';
}

// A plan file: a line that says what it is, a line of JSON (`PlanHeader`), then sealed parts, each after its length (4
// bytes). Inside, a part begins with its number and one byte for its kind; the rest is compressed JSON. The last part has
// the digest of the header, and says where the steps of each controller are.

export const FORMAT = 6;
const LENGTH_BYTES = 4;
const PREFIX_BYTES = 5;
export const KIND = { steps: 1, inputs: 2, end: 3 } as const;

const HEADER = {
  format: number,
  id: text,
  /** ISO 8601. */
  created: text,
  /** The version of evenkeel. */
  version: text,
  /** Names the project's key. */
  key: text,
};

export type PlanHeader = FieldsOf<typeof HEADER>;

/** The end of a plan, with how it was made. */
export interface PlanSummary {
  /** Controllers that the plan is about, in the order of the inventory. */
  readonly controllers: readonly string[];
  /** Controllers that could not be planned, and why. */
  readonly unplanned: Readonly<Record<string, string>>;
  /** How each controller was reached. */
  readonly connections: Readonly<Record<string, readonly PlannedConnection[]>>;
  /** The hosts whose tasks would change something, by the address where they would. */
  readonly changing?: Readonly<Record<string, readonly string[]>>;
}

/** What a plan was loaded from. Later changes have no effect. */
export interface PlanInputs {
  /** The request, as in a journal. */
  readonly invocation: Mapping;
  /** The command line that made it, without secrets. Absent: a program did. */
  readonly argv?: readonly string[];
  /** The names of the playbooks, as they were given. */
  readonly playbooks: readonly string[];
  /** Answers to everything that was asked while the project was loaded. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** The arguments of tasks as written, by place, to show changes. */
  readonly written: Mapping;
  /** Texts that no output may show. */
  readonly secrets: readonly string[];
  /** Digests of the modules of the project, by file. */
  readonly code: Readonly<Record<string, string>>;
}

/** The last part. */
export interface PlanEnd extends PlanSummary {
  readonly header: string;
  /** The positions of each controller's parts in the file. */
  readonly places: Readonly<Record<string, readonly number[]>>;
  /** The places of all steps in their plays (`PlannedStep.place`). */
  readonly steps: readonly string[];
}

const isVersioned = fields({ format: number, version: text });

/** @throws Error if the line is damaged, PlanError if another version wrote it */
export function parseHeader(file: string, line: string): PlanHeader {
  const header: unknown = JSON.parse(line);
  if (isVersioned(header) && header.format !== FORMAT)
    throw new PlanError(`${file} was made by another version of evenkeel (${header.version})`, 'make a new plan');
  if (fields(HEADER)(header)) return header;
  throw new Error('the header is damaged');
}

/** The steps of a part, by controller. */
export type PlannedSteps = Readonly<Record<string, readonly PlannedStep[]>>;

/** Only evenkeel seals parts with the project's key, so what this format wrote is what is read. */
function sealedPart<T>(isPart: ShapeCheck<T>, part: unknown): T {
  if (isPart(part)) return part;
  throw new Error('a part is damaged');
}

export const parseEnd = (json: string): PlanEnd => sealedPart(trusted<PlanEnd>(mapping), JSON.parse(json));
export const parseInputs = (json: string): PlanInputs => sealedPart(trusted<PlanInputs>(mapping), decode(json));
export const parseSteps = (json: string): PlannedSteps => sealedPart(trusted<PlannedSteps>(mapping), decode(json));

export function planSealer(key: Buffer, id: string): Sealer {
  return new Sealer(key, `plan ${id}`);
}

export function headDigest(head: string): string {
  return hash('sha256', head, 'base64url');
}

/** A part as it is in the file. */
export function partBytes(sealer: Sealer, number: number, kind: number, text: string): Buffer {
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(number);
  prefix.writeUInt8(kind, 4);
  const sealed = sealer.sealBytes(Buffer.concat([prefix, deflateSync(text, { level: 3 })]));
  const size = Buffer.alloc(LENGTH_BYTES);
  size.writeUInt32BE(sealed.length);
  return Buffer.concat([size, sealed]);
}

/** @throws Error if the file is cut off, or the part was changed */
export function partAt(descriptor: number, sealer: Sealer, place: number) {
  const size = exactly(descriptor, LENGTH_BYTES, place).readUInt32BE();
  const from = place + LENGTH_BYTES;
  if (from + size > fstatSync(descriptor).size) throw new Error('the plan is cut off');
  const opened = sealer.openBytes(exactly(descriptor, size, from));
  return {
    number: opened.readUInt32BE(),
    kind: opened.readUInt8(4),
    next: from + size,
    text: () => inflateSync(opened.subarray(PREFIX_BYTES)).toString(),
  };
}

function exactly(descriptor: number, length: number, place: number): Buffer {
  const buffer = Buffer.alloc(length);
  if (readSync(descriptor, buffer, 0, length, place) !== length) throw new Error('the plan is cut off');
  return buffer;
}
