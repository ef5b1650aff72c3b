import type { Block, Condition, Include, Task } from '../../core/model/playbook/step.js';
import { isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import type { SecretFinder } from '../../core/secrets/secret_finder.js';
import { MASK } from '../../core/secrets/secrets.js';
import { asText } from '../../language/runtime/text.js';
import type { Variables } from '../../language/scope.js';
import { secretArguments } from '../../module/arguments/secret_arguments.js';
import type { Module } from '../../module/contract.js';
import { property, type Schema } from '../../module/schema.js';
import { conditionText } from '../keywords/conditions.js';
import { renderFlagOr } from '../keywords/rendered_keywords.js';
import type { PlayPreview } from '../preflight/play_preview.js';
import { AT_RUN_TIME, type KnownValues } from './known_value.js';
import type { Round } from './rounds.js';

/** Renders the parts of single steps. */
export class StepParts {
  constructor(
    private readonly play: Pick<PlayPreview, 'isOnce'>,
    private readonly values: KnownValues,
    private readonly secrets: SecretFinder,
  ) {}

  /** The arguments as users see them; their secrets are learned. */
  args(task: Task | Include, module: Module, scope: Variables): Value {
    if (this.#isHidden(task, scope)) return MASK;
    const args = this.knownArgs(task, module, scope);
    this.secrets.learnAll(secretArguments(module, args).filter((text) => text !== AT_RUN_TIME));
    return args;
  }

  /** Expressions that the module evaluates itself stay as they are written. */
  knownArgs(task: Task | Include, module: Module, scope: Variables): Value {
    const { args } = task;
    const locate: Task['locate'] = (path) => task.locate([...task.argsPath, ...path]);
    if (!isMapping(args)) return this.values.of(args, scope, locate) ?? null;
    const schema: Schema = module.args;
    const entries = Object.entries(args).flatMap(([name, value]) => {
      if (property(schema, name)?.expression === true) return [[name, value] as const];
      const known = this.values.of({ [name]: value }, scope, locate);
      return isMapping(known) ? Object.entries(known) : [];
    });
    return Object.fromEntries(entries);
  }

  /** Unless `no_log` is certainly false. */
  #isHidden({ noLog }: Task | Include, scope: Variables): boolean {
    if (noLog === undefined) return false;
    const known = this.values.attempt(
      () => renderFlagOr(false, 'no_log', noLog, scope),
      () => noLog.source,
    );
    return known !== false;
  }

  /** Its title, and the item of its loop. */
  head(step: Task | Include | Block, role: string | undefined, { scope, item }: Round): Mapping {
    const { name } = step;
    const own = name && this.values.text(name.value, scope, () => name.source);
    const title = own === undefined || role === undefined ? own : `${role} : ${asText(own)}`;
    const isHidden = step.type !== 'block' && this.#isHidden(step, scope);
    return { ...(title !== undefined && { name: title }), ...(item !== undefined && { item: isHidden ? MASK : item }) };
  }

  /** Keywords whose values matter to users. */
  keywords(task: Task | Include, open: readonly Condition[], { scope }: Round): Mapping {
    const { delegateTo, register, notify, checkMode, until, ignoreErrors } = task;
    const text = (located: { readonly value: Value; readonly source: Task['source'] }): Value =>
      this.values.of(located.value, scope, () => located.source) ?? null;
    return {
      ...(open.length > 0 && { when: open.map((one) => conditionText([one])) }),
      ...(delegateTo && { delegate_to: text(delegateTo) }),
      ...(this.play.isOnce(task) && { run_once: true }),
      ...(checkMode && { check_mode: text(checkMode) }),
      ...(ignoreErrors && { ignore_errors: text(ignoreErrors) }),
      ...(until?.until && { until: until.until.map((one) => conditionText([one])) }),
      ...(register !== undefined && { register }),
      ...(notify.length > 0 && { notify: notify.map(text) }),
    };
  }
}
