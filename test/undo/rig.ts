import type { WriteFinished, WriteIntended } from '../../src/core/model/run/journal.js';
import type { Mapping } from '../../src/core/model/values/value.js';
import { findEffects } from '../../src/undo/effects.js';
import type { RecordedWrite } from '../../src/undo/object_writes.js';
import type { Undo } from '../../src/undo/undo.js';
import { reaching } from '../rig/kept.js';

export const EDGE: Mapping = { uuid: 'cloud-1', url: 'https://lb1/api/cloud/cloud-1', name: 'edge', mtu: 1500 };

export interface WriteOptions extends Partial<Omit<WriteIntended, 'write' | 'change'>> {
  readonly outcome?: WriteFinished['outcome'];
  readonly seen?: Mapping;
}

const INTENT: Omit<WriteIntended, 'write' | 'change' | 'reached'> = {
  type: 'write-intended',
  controller: 'lb1',
  target: 'lb1',
  place: '0:0',
  play: 'all',
  task: 'edge',
  module: 'cloud_present',
  source: { file: 'site.yml', line: 1, column: 1 },
  object: 'cloud "edge"',
  method: 'PUT',
  path: '/api/cloud/cloud-1',
  body: {},
};

/** An applied update of the cloud "edge" of lb1, unless said otherwise. */
export function update(
  write: number,
  before: Mapping | null,
  after: Mapping,
  { outcome = 'applied', seen, ...rest }: WriteOptions = {},
): RecordedWrite {
  const object = rest.object ?? INTENT.object;
  const reached = reaching(rest.target ?? INTENT.target);
  const change = { kind: 'update', object, before, after } as const;
  const intent = { ...INTENT, reached, body: after, ...rest, write, change };
  return { intent, outcome, ...(seen === undefined ? {} : { seen }) };
}

export function create(
  write: number,
  after: Mapping,
  { outcome = 'applied', seen, ...rest }: WriteOptions = {},
): RecordedWrite {
  const object = rest.object ?? INTENT.object;
  const change = { kind: 'create', object, before: null, after } as const;
  const place = { method: 'POST', path: '/api/cloud/', name: 'edge' };
  const reached = reaching(rest.target ?? INTENT.target);
  const intent = { ...INTENT, ...place, reached, ...rest, write, change };
  return { intent, outcome, ...(seen === undefined ? {} : { seen }) };
}

/** The only thing to undo. */
export function undoOf(...writes: readonly RecordedWrite[]): Undo {
  const [first, ...others] = findEffects(writes);
  if (first?.type !== 'undo' || others.length > 0) throw new Error('not one thing to undo');
  return first.undo;
}
