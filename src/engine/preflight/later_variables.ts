import { sectionSteps, tasksIn, type Play } from '../../core/model/playbook/playbook.js';
import type { Handler, Include, Step, Task } from '../../core/model/playbook/step.js';
import { isMapping, type Mapping } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { NotKnownYet, TemplateError } from '../../language/runtime/errors.js';
import { hasTemplate } from '../../language/syntax/template.js';
import { type Module, PLAIN_ACTIONS } from '../../module/contract.js';
import { isSelected, type TagSelection } from '../keywords/selected_steps.js';

/** The names of the variables that a step may set; `anything` if the names are not known either. */
type Names = readonly string[] | 'anything';

const LEVEL = 'set_fact and registered';

/**
 * Variables that tasks may set during the run: whether they are defined, and their values, are unknown before it. As layers
 * they hide weaker variables of the same names, and asking for one of them throws `NotKnownYet`.
 */
export class LaterVariables {
  readonly #named: Mapping = {};
  readonly #layer: VariableLayer = { level: LEVEL, origin: LEVEL, values: this.#named };
  #hasNames = false;
  #anything = false;

  /** @param shared variables that any controller may set for this one */
  constructor(
    names: readonly string[] = [],
    private readonly shared?: LaterVariables,
  ) {
    this.add(names);
  }

  /** Any variable may be set, inventory and groups included. */
  get anything(): boolean {
    return this.#anything || this.shared?.anything === true;
  }

  /** The layers so far: read them again after `add`. */
  get layers(): readonly VariableLayer[] {
    const own = this.#hasNames ? [this.#layer] : [];
    return [...(this.shared?.layers ?? []), ...own, ...(this.#anything ? [ANYTHING] : [])];
  }

  add(names: Names): void {
    if (names === 'anything') this.#anything = true;
    else for (const name of names) this.#addName(name);
  }

  /** Adds the variables that a task may set: its registered result in any case, others if the task may run. */
  addSetBy(task: Task, module: Module, mayRun: boolean): void {
    this.add(registeredBy(task));
    if (mayRun) this.add(setBy(task, module));
  }

  #addName(name: string): void {
    this.#hasNames = true;
    Object.defineProperty(this.#named, name, { configurable: true, get: () => unknown(name) });
  }
}

function unknown(name: string): never {
  throw new NotKnownYet(name);
}

/** Any name. */
const ANYTHING: VariableLayer = {
  level: LEVEL,
  origin: LEVEL,
  values: new Proxy<Mapping>(
    {},
    {
      getOwnPropertyDescriptor: (_, name) => ({ configurable: true, get: () => unknown(String(name)) }),
      get: (_, name) => unknown(String(name)),
    },
  ),
};

/** The variables that the task sets even if its `when` skips it. */
export function registeredBy({ register }: Task | Include): readonly string[] {
  return register === undefined ? [] : [register];
}

/** The variables that the task sets if it is carried out, except its registered result. */
export function setBy({ module: name, args }: Task | Include, module: Module): Names {
  if (name === 'add_host' || name === 'group_by') return 'anything';
  if (name === 'set_fact') {
    const names = isMapping(args) ? Object.keys(args) : [];
    return isMapping(args) && !names.some(hasTemplate) ? names : 'anything';
  }
  const mappingName = name === 'include_vars' && isMapping(args) ? args['name'] : undefined;
  if (typeof mappingName === 'string' && !hasTemplate(mappingName)) return [mappingName];
  return module.type === 'resource' || PLAIN_ACTIONS.has(name) ? [] : 'anything';
}

/** All variables that these steps may set. Does not follow includes. */
export function allSetBy(steps: readonly (Step | Handler)[], findModule: (name: string) => Module): Names {
  const names: string[] = [];
  for (const task of tasksIn(steps)) {
    const own = task.type === 'include' ? 'anything' : setBy(task, findModule(task.module));
    if (own === 'anything') return own;
    names.push(...registeredBy(task), ...own);
  }
  return names;
}

/** Why a variable is not defined: the task that sets it is not part of the run. */
export interface LeftOut {
  readonly task: Task | Include;
  /** `never`: the task has that tag, which no option selects. */
  readonly by: '--tags' | '--skip-tags' | '--start-at-task' | 'never';
}

/** The variables that tasks outside of the run's selection would have set, in the order of the plays. */
export class LeftOutVariables {
  readonly #byName = new Map<string, LeftOut>();

  /** @param kept what the selection leaves of the play */
  add(play: Play, kept: readonly Step[], selection: TagSelection): void {
    const run = new Set(tasksIn(kept));
    for (const task of tasksIn(sectionSteps(play))) {
      if (run.has(task)) continue;
      const reason: LeftOut = { task, by: optionThatLeavesOut(task, selection) };
      const facts = task.module === 'set_fact' && isMapping(task.args) ? Object.keys(task.args) : [];
      for (const name of [...registeredBy(task), ...facts]) if (!this.#byName.has(name)) this.#byName.set(name, reason);
    }
  }

  /** Undefined if the error has another cause. */
  reasonFor(error: unknown): LeftOut | undefined {
    if (!(error instanceof TemplateError) || error.undefinedName === undefined) return undefined;
    const [name = ''] = error.undefinedName.split(/[.[]/);
    return this.#byName.get(name);
  }
}

function optionThatLeavesOut({ tags }: Task | Include, { tags: asked, skipTags }: TagSelection): LeftOut['by'] {
  if (!isSelected(tags, { tags: asked, skipTags: [] })) return asked.length === 0 ? 'never' : '--tags';
  return isSelected(tags, { tags: asked, skipTags }) ? '--start-at-task' : '--skip-tags';
}
