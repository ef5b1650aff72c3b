import type { GateAction, Play, Playbook } from '../../core/model/playbook/playbook.js';
import type { Value } from '../../core/model/values/value.js';

/** A play and its controllers, known before any is contacted. */
export interface ReadyPlay {
  /** Index among the plays of the run. */
  readonly number: number;
  readonly playbook: Playbook;
  readonly play: Play;
  /** The play's own name, or the pattern of its controllers. */
  readonly name: string;
  /** Rendered; a list of patterns has one per line. */
  readonly pattern: string;
  /** The controllers of the pattern within the limit, in the order of the pattern. */
  readonly controllers: readonly string[];
  /** Rendered; its entries are counts and shares. */
  readonly serial: readonly Value[] | undefined;
  /** The place of its steps in the journal. Absent: that of the play with this number. */
  readonly area?: string | undefined;
  /** Rendered. */
  readonly gate: GateSettings | undefined;
}

/** The keywords of a gate, rendered. */
export interface GateSettings {
  /** Seconds between two rounds. */
  readonly interval: number;
  /** Number of consecutive rounds that must pass. */
  readonly passes: number;
  /** Number of failed rounds that fail the gate. */
  readonly failures: number;
  readonly onFail: GateAction;
}
