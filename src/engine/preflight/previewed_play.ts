import type { Controller } from '../../core/model/inventory/inventory.js';
import type { Handler, Include, Included, Meta, Step, Task } from '../../core/model/playbook/step.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { Variables } from '../../language/scope.js';
import type { Module } from '../../module/contract.js';
import type { TagSelection } from '../keywords/selected_steps.js';
import type { ConnectionInput } from './connection_findings.js';
import type { LeftOut } from './left_out.js';

/** The play's data for the preview of a controller. */
export interface PreviewedPlay {
  readonly tags: TagSelection;
  readonly connection: ConnectionInput;
  /** Whether a handler may end the play. */
  readonly handlersMayEnd: boolean;
  module(name: string): Module;
  load(steps: readonly (Step | Handler)[]): Promise<void>;
  /** @throws TaskProblem if a shard cannot run the included steps */
  examine(included: Included): void;
  /** Adds included content to the play from now on. */
  take(included: Included): void;
  /** Whether one controller carries the task out for all of its batch. */
  isOnce(task: Task | Include): boolean;
  /** Whether a task contacts its controller if it runs. */
  contactsController(task: Task): boolean;
  /** Whether the controller's connection must still be checked. */
  isNew(controller: string): boolean;
  /** Undefined if the inventory does not have it. */
  find(controller: string): Controller | undefined;
  /** A task certainly contacts the controller. */
  noteContact(name: string, contact: Contact): void;
  /** The variables of a controller that tasks are delegated to. */
  delegate(name: string): Variables | undefined;
  /** Whether the error comes from a task that is not part of the run. */
  leftOut(error: unknown): LeftOut | undefined;
  /** The step may end the play for all. */
  mayEnd(meta: Meta): void;
}

/** The variables with which a task contacts a controller. */
export interface Contact {
  readonly seen: Variables;
  /** Whether the task has connection settings of its own. */
  readonly isOwn: boolean;
  /** Whether its arguments name the address. */
  readonly isGiven: boolean;
}

/** What surrounds the current steps. */
export interface PreviewContext {
  readonly layers: readonly VariableLayer[];
  /** Whether a failure is expected: a `rescue` around would catch it. */
  readonly rescuable: boolean;
  /** Number of enclosing includes. */
  readonly depth: number;
}
