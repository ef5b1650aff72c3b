import type { Inventory } from '../../core/model/inventory/inventory.js';
import type { Play } from '../../core/model/playbook/playbook.js';
import type { Handler, Include, Step, Task } from '../../core/model/playbook/step.js';
import type { Diagnostic, Source } from '../../core/model/source/diagnostic.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { Library } from '../../language/library.js';
import type { Module } from '../../module/contract.js';

/** The input of rules. */
export interface LintSubject {
  readonly plays: readonly PlaySubject[];
  readonly inventories: readonly Inventory[];
  /** Variables from the command line or an environment. */
  readonly extraVars: readonly VariableLayer[];
  /** The modules that tasks call, by name. */
  readonly modules: ReadonlyMap<string, Module>;
  /** The filters for templates. */
  readonly library: Library;
  /** The lines of a file, by the name in messages; undefined if it cannot be read, or is encrypted. */
  readonly lines: (file: string) => readonly string[] | undefined;
  /**
   * Whether everything that a run would read has been read. If not (a file is named by a template, or has mistakes), no
   * rule can say that something is never used.
   */
  readonly complete: boolean;
}

/** A play with the contents of its includes, as far as they are known before a run. */
export interface PlaySubject {
  readonly play: Play;
  /** In the order of the playbook. */
  readonly steps: readonly PlacedStep[];
  readonly handlers: readonly PlacedStep<Handler>[];
}

/** A step and its surroundings. */
export interface PlacedStep<S extends Step = Step> {
  readonly step: S;
  /** The step right before it in the same list. */
  readonly before: Step | undefined;
  /** Blocks, roles and includes, outermost first. */
  readonly around: readonly Step[];
  readonly handler: boolean;
}

/** The steps and handlers of all plays. */
export function everyStep({ plays }: Pick<LintSubject, 'plays'>): readonly PlacedStep[] {
  return plays.flatMap(({ steps, handlers }) => [...steps, ...handlers]);
}

/** Those that call a module. */
export function allTasks(subject: Pick<LintSubject, 'plays'>): readonly PlacedStep<Task | Include>[] {
  return everyStep(subject).filter(callsModule);
}

export function callsModule(placed: PlacedStep): placed is PlacedStep<Task | Include> {
  return placed.step.type === 'task' || placed.step.type === 'include';
}

/** A problem, and where it is. */
export interface Remark {
  readonly message: string;
  readonly source: Source;
  readonly hint?: string | undefined;
  /** Present if this finding is less certain than the others of the rule. */
  readonly severity?: 'warning' | undefined;
  /** The remarks of a file with the same text here become one: `tasks or handlers have no name`. */
  readonly together?: string | undefined;
}

/** A rule of good playbooks. */
export interface Rule {
  /** As in `# noqa NAME`; ansible-lint's name where it has such a rule. */
  readonly name: string;
  /** One line. */
  readonly reason: string;
  /** Warnings do not make `evenkeel lint` fail. */
  readonly severity: Diagnostic['severity'];
  /** Pure: only examines the subject. Absent: the loader finds these. */
  readonly check?: (subject: LintSubject) => Iterable<Remark>;
}
