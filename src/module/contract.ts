import type { Socket } from 'node:net';
import type { Static, TObject } from 'typebox';
import type { ConnectionSettings } from '../core/model/inventory/connection_variables.js';
import type { Ping } from '../core/model/run/ping.js';
import type { Change } from '../core/model/run/result.js';
import {
  isRead,
  type Destination,
  type Form,
  type Listed,
  type ListOptions,
  type RawAnswer,
  type RawRequest,
  type Reader,
  type Singleton,
  type Writer,
} from '../core/model/run/session.js';
import { isList, isMapping, readBoolean, type Mapping, type Value, valueAt } from '../core/model/values/value.js';
import type { Schema } from './schema.js';

export { isTemporaryStatus, isUpgrading } from '../core/model/run/temporary.js';
export { mappingsIn, display, displayNamed, jsonText } from '../core/model/values/value.js';
export { encodedPart } from '../core/model/values/uri.js';
export { parseAddress } from '../core/model/inventory/address.js';
export { isList, isMapping, isRead, readBoolean, type Mapping, type Value, valueAt };
export { didYouMean } from '../core/model/source/suggestion.js';
export { asError, errorMessage, orElse } from '../core/model/source/diagnostic.js';
export type { Destination, Form, Listed, RawAnswer, RawRequest, Reader, Singleton, Writer };
export { PythonExpression } from '../language/python/regular_expression.js';

/** What `evenkeel doc` shows about a module. */
interface About<Args extends TObject> {
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  /**
   * The arguments, declared once, for validation before the run, defaults, documentation and types. Our own annotations: `secret: true`
   * masks the value everywhere; `expression: true` leaves its text unrendered for `context.evaluate`; `expects` describes a `pattern`.
   */
  readonly args: Args;
  /** YAML, as in a list of tasks. */
  readonly examples: readonly string[];
  /** The arguments in one of the forms that mean the same, before they are checked; before the run, with templates. */
  readonly normalized?: (args: Mapping) => Mapping;
  /** Connection variables that the arguments of a task set, for it only. Templates are filled in; nothing else is checked. */
  readonly connection?: (args: Mapping) => Mapping;
  /** More that is known about such arguments: only the types of their values are enforced, and names and choices that are typos. */
  readonly knownFieldsFor?: (args: Mapping) => readonly Schema[];
}

/** A controller's object as it was read. */
export type ControllerObject = Mapping;

/** An update that leaves hidden secrets as they are. */
interface KeptSecrets {
  /** The object with placeholders. */
  readonly after: Mapping;
  readonly warnings: readonly string[];
  /** The warnings of the plan that do not apply to this update. */
  readonly unfounded: readonly string[];
}

/** What to do, decided only from arguments and the observed object. */
export interface Plan {
  readonly change: Change;
  /** The controller cannot be read: write, report `changed`, and do not verify. */
  readonly uncomparable?: boolean;
  /** What can be compared is as declared: the write repeats secrets, or drops fields that may come again. Converged after it. */
  readonly satisfied?: boolean;
  /** The declared elements are removed from lists. References by name in them are resolved even if nothing would be written. */
  readonly takesAway?: boolean;
  /** The declared secrets that the controller hides, with their paths in the object. */
  readonly hidden?: readonly (readonly [path: string, secret: Value])[];
  /** For controllers that keep a secret if a write contains its placeholder. */
  readonly keeping?: KeptSecrets;
  /** Warnings to show before the write. */
  readonly warnings?: readonly string[];
  /** Why this must not be done; fails the task before anything is written. */
  readonly refusal?: string;
  /** The user accepted that sign-in may fail after the write, so a lockout is not a failure. */
  readonly locksOut?: boolean;
}

/** A resource with a state: read it, plan the desired state, write it. The engine handles check mode, diff, verification and retries. */
export interface ResourceModule<Args extends TObject = TObject, Observed = unknown> extends About<Args> {
  readonly type: 'resource';
  /** The kind of its objects, if the module was made from the table of kinds. */
  readonly kind?: string;
  /** More values of a registered result, made from the object as it was seen last, and as it was before a change. */
  readonly results?: (seen: Value, before: Value) => Mapping;
  /**
   * Fields beyond `args` that controllers of this family are known to have, for documentation, warnings and completion. Only the
   * types of their values are enforced, not bounds, choices and names.
   */
  readonly knownFields?: Schema;
  /** For messages: `cloud "edge-1"`. */
  object(args: Static<Args>): string;
  /**
   * May return any value that `plan` and `apply` understand. The engine records the objects that the reader returned: the last one
   * becomes `object` of a registered result, and a rollback restores the one from the path that the task writes.
   */
  read(args: Static<Args>, reader: Reader): Promise<Observed>;
  /** Pure: same arguments and observation, same plan. */
  plan(args: Static<Args>, observed: Observed): Plan;
  /** Carries out the plan's change; called only when there is one. */
  apply(args: Static<Args>, plan: Plan, observed: Observed, writer: Writer): Promise<void>;
}

export interface ActionContext {
  readonly controller: string;
  readonly checkMode: boolean;
  /** Whether the controllers are simulated. Files with their answers must not replace real ones. */
  readonly simulated: boolean;
  /** The number of `-v` options. */
  readonly verbosity: number;
  readonly signal: AbortSignal;
  /** Evaluates a bare expression with the task's variables; throws with the expression's place if it cannot. */
  evaluate(expression: Value): Value;
  /** Whether an evaluated value counts as true. */
  isTrue(value: Value): boolean;
  /** The value of a variable of the controller or the task; undefined if there is none. Throws if it cannot be rendered. */
  variable(name: string): Value | undefined;
  /** Masks a secret that the module found, in every output from now on. */
  hide(secret: string): void;
  /** Resolves early when the run is interrupted. */
  sleep(seconds: number): Promise<void>;
  warn(message: string): void;
  /** Folders in which files with relative names are looked for, absolute, nearest first: of the role, of the playbook. */
  searchPath(): readonly string[];
  /** Reads a variable file, decrypted, with unrendered templates. Undefined if there is no such file; throws if it is invalid. */
  readVariables(file: string): Promise<Mapping | undefined>;
  /** Host name or address of the controller. */
  address(): string;
  /**
   * Opens a TCP connection, through the route of the controller if it has one; in simulations to simulated controllers only. What a
   * proxy opened is open already: OpenSSH says so before it has reached the address, so only what arrives shows that. The error of a
   * connection that could not be opened has the code `EROUTE` if the route is down.
   */
  connect(to: { readonly host: string; readonly port: number }): Promise<Socket>;
  /** Asks the user; undefined without a terminal. */
  ask(question: string, options: { readonly hidden: boolean }): Promise<string | undefined>;
  request(request: RawRequest): Promise<RawAnswer>;
  /** Connects, signs in and reads, and returns what failed. @param isPatient whether it may use up `controller_patience` */
  ping(isPatient: boolean): Promise<Ping>;
  /** As `request`, but that a controller is unavailable for now is a result. @param isLast whether it may use up `controller_patience` */
  attempt(request: RawRequest, isLast: boolean): Promise<RawAnswer | Unavailable>;
  /** All objects of a collection, page by page, or the object at a path. Throws for any status but 200. */
  list(path: string, options: ListOptions): Promise<Listed>;
  /** As `list`, but a controller that is unavailable for now, or disallows requests during an upgrade, is a result. */
  attemptList(path: string, options: ListOptions, isLast: boolean): Promise<Listed | Unavailable>;
  /** Reports that the action waits, and what for: shown while the task runs. */
  waiting(attempt: number, attempts: number, message: string): void;
  /** Reserves a local file for the answers of this controller; returns the controller of this run that has reserved it already. */
  savesAs(file: string): string | undefined;
  /** Reports how far the action is: shown while the task runs. */
  progress(message: string): void;
  /** The user that the task connects as, which is that of the controller it is delegated to. Throws if nothing says which. */
  account(): Promise<Pick<ConnectionSettings, 'username' | 'password' | 'isToken' | 'auth'>>;
  /** Does work that may change the password of that user, one task at a time: others could try the old one meanwhile. */
  aloneWithAccount<T>(work: () => Promise<T>): Promise<T>;
  /** Tries a password of that user, alone with the account: once per run, and again only if it was `changed` since. The run uses it from then on if it is right. */
  signIn(password: string, changed?: 'changed'): Promise<boolean>;
}

/** Why a controller could not be reached. */
export interface Unavailable {
  readonly unavailable: string;
}

/** An action's request to the run; the engine carries it out, so that actions touch nothing themselves. */
export type Effect =
  /** Variables of the controller from now on, weaker than facts (`include_vars`). */
  | { readonly type: 'variables'; readonly values: Mapping }
  /** A controller for the plays to come (`add_host`). */
  | { readonly type: 'host'; readonly name: string; readonly groups: readonly string[]; readonly values: Mapping }
  /** The controller joins a group for the plays to come (`group_by`). */
  | { readonly type: 'group'; readonly name: string; readonly parents: readonly string[] }
  /** The steps that the include names are read, and run next (`include_tasks`, `include_role`). */
  | { readonly type: 'include' }
  /** The run signs in with another password from now on (`user_password`); a resume must determine it again. */
  | { readonly type: 'password' };

export type ActionResult =
  | {
      readonly status: 'ok' | 'changed';
      readonly message?: string;
      /** The message is the purpose of the task (`debug`): show it at any verbosity. */
      readonly spoken?: boolean;
      /** For `register`. */
      readonly values?: Mapping;
      /** Variables of the controller from now on (`set_fact`). */
      readonly facts?: Mapping;
      /** `facts` are also facts in Ansible's sense: `ansible_facts`, weaker than the play's variables. */
      readonly cacheable?: boolean;
      readonly effect?: Effect;
      readonly change?: Change;
    }
  /** `interrupted`: `signal` was aborted before the action finished; a resume starts it again. */
  | {
      readonly status: 'skipped' | 'failed' | 'interrupted';
      readonly message: string;
      readonly hint?: string | undefined;
      readonly values?: Mapping;
    };

type OnceMode = boolean | 'in step';

/** An action without a state to compare. */
export interface ActionModule<Args extends TObject = TObject> extends About<Args> {
  readonly type: 'action';
  /** Whether it runs in check mode; if not, it is skipped there. A function decides by the arguments. */
  readonly check: boolean | ((args: Static<Args>) => boolean);
  /** Whether it writes to controllers outside check mode: then they are locked before the run. Default: the opposite of `check`. A function decides, too. */
  readonly writes?: boolean | ((args: Static<Args>) => boolean);
  /**
   * One controller of a batch does it for all, as with `run_once` (`add_host`); `in step`: only where controllers advance
   * together (`linear`). A function decides by the arguments as written.
   */
  readonly once?: OnceMode | ((written: Mapping) => OnceMode);
  /** The argument with the fields of an object. The task acts in the tenant of a `tenant_ref` in them, as a resource does. */
  readonly fieldsIn?: string;
  /** For `k=v` text: words without `=` are gathered under this argument (`debug: hello` has none, so it is an error there). */
  readonly freeForm?: string;
  run(args: Static<Args>, context: ActionContext): Promise<ActionResult>;
}

export type Module = ResourceModule | ActionModule;

/** Types a resource module; returns the value unchanged. */
export function defineResource<Args extends TObject, Observed>(
  module: Omit<ResourceModule<Args, Observed>, 'type'>,
): Module {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the engine hands validated arguments, and the observation of `read`, to the same module again
  return { ...module, type: 'resource' } as unknown as Module;
}

/** Types an action module; returns the value unchanged. */
export function defineAction<Args extends TObject>(module: Omit<ActionModule<Args>, 'type'>): Module {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the engine hands it validated arguments
  return { ...module, type: 'action' } as unknown as Module;
}

/** Actions that set only the variables that their arguments name. For other actions, this is unknown until they have run. */
export const PLAIN_ACTIONS: ReadonlySet<string> = new Set(
  'add_host api_request assert avi_api_fileservice avi_api_image avi_api_session avi_api_version avi_useraccount debug fail file_download file_upload group_by include_role include_tasks pause ping resource_facts set_fact user_password validate_argument_spec wait_for wait_until'.split(
    ' ',
  ),
);
