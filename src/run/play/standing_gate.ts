import type { Gate } from '../../model/playbook/playbook.js';
import type { Undoing } from './batch_rollback.js';
import type { BatchNumber } from './batch_run.js';
import type { GateSettings } from './gate_settings.js';
import type { PlayContext } from './play_context.js';
import type { Strategy } from './strategy.js';

/** A gate that a batch stands before. */
export interface StandingGate extends Undoing {
  /** Of the batch: its whole. */
  readonly context: PlayContext;
  readonly gate: Gate;
  readonly settings: GateSettings;
  readonly number: BatchNumber;
  readonly strategy: Strategy;
}

/** What a gate means for the run; `cut off`: it came to nothing, because nothing new may start. */
export type GateEnd =
  { readonly type: 'passed' } | { readonly type: 'cut off' } | { readonly type: 'failed'; readonly reason: string };
