import type { GateAction, Play, Playbook } from '../../model/playbook/playbook.js';
import type { Value } from '../../model/values/value.js';

/** A play and whom it is for; known before anything is contacted. */
export interface Target {
  /** From 0, among those of the run. */
  readonly number: number;
  readonly playbook: Playbook;
  readonly play: Play;
  /** The play's own name, or the pattern of its controllers. */
  readonly name: string;
  /** Rendered; of a list of patterns, one a line. */
  readonly pattern: string;
  /** Of the pattern and the limit, in the order of the pattern. */
  readonly controllers: readonly string[];
  /** Rendered; its entries are counts and shares. */
  readonly serial: readonly Value[] | undefined;
  /** The place of its steps in the journal, if it differs from that of the play of this number. */
  readonly area?: string | undefined;
  /** Rendered. */
  readonly gate: GateSettings | undefined;
  /** The play was made for the run, as a rollback is. Absent: it is one of a playbook, which workers have loaded as well. */
  readonly made?: MadePlay | undefined;
}

/** A play that only this process has. */
export interface MadePlay {
  /** What a worker needs to make the play for one controller: data without functions. */
  readonly partOf: (controller: string) => unknown;
}

/** The keywords of a gate, rendered. */
export interface GateSettings {
  /** Seconds between two rounds. */
  readonly interval: number;
  /** Rounds in a row that must pass. */
  readonly passes: number;
  /** Failed rounds that end it. */
  readonly failures: number;
  readonly onFail: GateAction;
}
