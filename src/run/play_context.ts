import type { Play, Playbook, Step } from '../model/playbook.js';
import type { Value } from '../model/value.js';
import type { Module } from '../module/contract.js';
import type { HandlerIndex } from './handler_index.js';
import type { PlayVariables } from './play_variables.js';
import type { RunContext } from './run_context.js';

/** What all controllers of one batch of a play share. */
export interface PlayContext {
  readonly run: RunContext;
  readonly playbook: Playbook;
  readonly play: Play;
  /** The play's own name, or what it runs on. */
  readonly name: string;
  /** Those that the tags select. */
  readonly steps: readonly Step[];
  readonly handlers: HandlerIndex;
  readonly modules: ReadonlyMap<string, Module>;
  readonly variables: PlayVariables;
  /** The magic variable `hostvars`. */
  readonly hostvars: Value;
  /** Everyone whom the play names, those that failed before included. */
  readonly targets: readonly string[];
  readonly batch: readonly string[];
}
