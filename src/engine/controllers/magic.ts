import path from 'node:path';
import type { Controller } from '../../core/model/inventory/inventory.js';
import { LazyMapping, type Value } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { TemplateError } from '../../language/runtime/errors.js';
import { Variables } from '../../language/scope.js';
import {
  mostForks,
  type RunIdentity,
  type RunSelection,
  type RunSettings,
  type RunSources,
} from '../input/run_input.js';
import { OF_OTHERS, otherControllers, otherVariables, SHARD_HINT } from '../keywords/whole_fleet.js';
import type { Fleet } from './fleet.js';
import type { PlayView } from './play_variables.js';

/** The sources of the magic variables. */
export interface MagicContext {
  readonly run: {
    readonly input: MagicInput;
    readonly fleet: Fleet;
  };
  readonly play: Pick<PlayView, 'definition' | 'name' | 'controllers' | 'batch' | 'hostvars'>;
}

/** The same, with the data of other controllers for `hostvars`. */
export interface HostContext extends MagicContext {
  readonly run: MagicContext['run'] & {
    readonly input: MagicInput & { readonly sources: Pick<RunSources, 'extraVars' | 'library'> };
  };
  readonly play: PlayView;
}

interface MagicInput {
  readonly identity: Omit<RunIdentity, 'simulated'>;
  readonly settings: Pick<RunSettings, 'check' | 'diff' | 'verbosity' | 'forks'>;
  readonly selection: Pick<RunSelection, 'limitPattern' | 'shard' | 'tags' | 'skipTags'>;
}

/** The controller whose variables are looked up, and its position in the run. */
interface MagicSubject {
  readonly context: MagicContext;
  readonly controller: Controller;
}

/** The Ansible version that the playbook language follows. */
const ANSIBLE_VERSION = { full: '2.14.0', string: '2.14.0', major: 2, minor: 14, revision: 0 };

/** Variables that the run itself sets. Undefined if one does not apply. */
const MAGIC: Readonly<Record<string, (subject: MagicSubject) => Value | undefined>> = {
  inventory_hostname: ({ controller }) => controller.name,
  inventory_hostname_short: ({ controller }) => controller.name.split('.')[0],
  group_names: ({ context, controller }) => current(context, controller).groups.toSorted(),
  groups: ({ context }) => context.run.fleet.groups,
  hostvars: ({ context, controller }) =>
    context.run.input.selection.shard === undefined
      ? context.play.hostvars
      : new OwnHostVariables(context.play.hostvars, controller.name),
  inventory_dir: ({ controller }) => controller.directory,
  inventory_file: ({ controller }) => controller.file,
  playbook_dir: ({ context }) => path.resolve(context.play.definition.directory),
  ansible_check_mode: ({ context }) => context.run.input.settings.check,
  ansible_diff_mode: ({ context }) => context.run.input.settings.diff,
  ansible_verbosity: ({ context }) => context.run.input.settings.verbosity,
  ansible_forks: ({ context }) => mostForks(context.run.input.settings),
  ansible_play_name: ({ context }) => context.play.name,
  ansible_play_hosts_all: ({ context }) => context.play.controllers,
  ansible_play_hosts: ({ context }) => context.run.fleet.alive(context.play.controllers),
  ansible_play_batch: ({ context }) => context.run.fleet.alive(context.play.batch),
  play_hosts: ({ context }) => context.run.fleet.alive(context.play.batch),
  ansible_inventory_sources: ({ context }) => context.run.input.identity.inventorySources,
  ansible_limit: ({ context }) => context.run.input.selection.limitPattern,
  ansible_play_role_names: ({ context }) => context.play.definition.roles.named,
  role_names: ({ context }) => context.play.definition.roles.named,
  ansible_dependent_role_names: ({ context }) => context.play.definition.roles.dependencies,
  ansible_role_names: ({ context: { play } }) => [
    ...new Set([...play.definition.roles.dependencies, ...play.definition.roles.named]),
  ],
  ansible_run_tags: ({ context: { run } }) =>
    run.input.selection.tags.length > 0 ? run.input.selection.tags : ['all'],
  ansible_skip_tags: ({ context }) => context.run.input.selection.skipTags,
  ansible_version: () => ANSIBLE_VERSION,
  ansible_config_file: ({ context }) => context.run.input.identity.projectFile ?? '',
  // No Python runs here, so this is the program that runs Evenkeel.
  ansible_playbook_python: () => process.execPath,
  evenkeel_version: ({ context }) => context.run.input.identity.version,
  evenkeel_run_id: ({ context }) => context.run.input.identity.id,
  evenkeel_environment: ({ context }) => context.run.input.identity.environment,
};

const MAGIC_NAMES = Object.keys(MAGIC);

/** The magic variables of one controller in one play, each computed when it is needed. */
export class Magic extends LazyMapping implements MagicSubject {
  /** @param subject whose controller may be replaced during the run (`group_by`) */
  constructor(
    readonly context: MagicContext,
    private readonly subject: { readonly controller: Controller },
  ) {
    super();
  }

  get controller(): Controller {
    return this.subject.controller;
  }

  override traced(onName: (name: string) => void): LazyMapping {
    const { play } = this.context;
    const { hostvars } = play;
    if (!(hostvars instanceof LazyMapping) || hostvars.traced === undefined) return this;
    return new Magic({ ...this.context, play: { ...play, hostvars: hostvars.traced(onName) } }, this.subject);
  }

  /** @throws TemplateError in a shard, if the variable describes other controllers of the play */
  requireKnown(name: string): void {
    if (this.context.run.input.selection.shard !== undefined && OF_OTHERS.has(name))
      throw new TemplateError(`--shard: ${otherControllers(name)}`, { hint: SHARD_HINT });
  }

  override get(name: string): Value | undefined {
    // No call without a shard, because every variable is looked up here first.
    if (this.context.run.input.selection.shard !== undefined) this.requireKnown(name);
    return Object.hasOwn(MAGIC, name) ? MAGIC[name]?.(this) : undefined;
  }

  override keys(): readonly string[] {
    return MAGIC_NAMES;
  }
}

/** The current controller, because tasks may have changed its groups. */
function current({ run }: MagicContext, controller: Controller): Controller {
  return run.fleet.inventory.controllers.get(controller.name) ?? controller;
}

/**
 * The variables of a controller: those of the layers, extra ones and magic ones.
 *
 * @param subject whose controller may be replaced during the run (`group_by`)
 */
export function variablesWith(
  layers: readonly VariableLayer[],
  context: HostContext,
  subject: { readonly controller: Controller },
): Variables {
  const { extraVars, library } = context.run.input.sources;
  return new Variables([...layers, ...extraVars], undefined, new Magic(context, subject), library);
}

const SELF = 'hostvars';

/** The magic variable `hostvars`: another controller's variables, without those of plays and tasks, as in Ansible. */
export class HostVariables extends LazyMapping {
  /** The play is a function, because it contains this mapping itself. */
  constructor(
    private readonly context: () => HostContext,
    private readonly onName?: (name: string) => void,
  ) {
    super();
  }

  override traced(onName: (name: string) => void): HostVariables {
    return new HostVariables(this.context, onName);
  }

  override get(name: string): Value | undefined {
    const context = this.context();
    const state = context.run.fleet.find(name);
    if (state === undefined) return undefined;
    const layers = [...context.play.variables.ofInventory(state.controller), ...state.layers];
    const own = variablesWith(layers, context, state);
    return new VariablesOf(this.onName === undefined ? own : own.traced(this.onName));
  }

  override keys(): Iterable<string> {
    return this.context().run.fleet.inventory.controllers.keys();
  }
}

/** `hostvars` in a shard, which knows only what its own tasks set: a controller sees itself. */
export class OwnHostVariables extends LazyMapping {
  constructor(
    /** `hostvars` of the whole run. */
    readonly all: Value,
    private readonly controller: string,
  ) {
    super();
  }

  override get(name: string): Value | undefined {
    if (name !== this.controller) throw new TemplateError(`--shard: ${otherVariables(name)}`, { hint: SHARD_HINT });
    return this.all instanceof LazyMapping ? this.all.get(name) : undefined;
  }

  override keys(): Iterable<string> {
    return [this.controller];
  }
}

/** Does not contain `hostvars` itself, as in Ansible, because printing it would never end. */
export class VariablesOf extends LazyMapping {
  /** @param hostname in place of `inventory_hostname` */
  constructor(
    private readonly variables: Variables,
    private readonly hostname?: string,
  ) {
    super();
  }

  /** With the name of the controller that delegates a task to it. */
  delegatedBy(controller: string): VariablesOf {
    return new VariablesOf(this.variables, controller);
  }

  override get(name: string): Value | undefined {
    if (name === 'inventory_hostname' && this.hostname !== undefined) return this.hostname;
    const value = name === SELF ? undefined : this.variables.get(name);
    const isOwnName = name === 'ansible_host' && this.hostname !== undefined && value === undefined;
    return isOwnName ? this.variables.get('inventory_hostname') : value;
  }

  override keys(): Iterable<string> {
    return [...this.variables.names()].filter((name) => name !== SELF);
  }
}
