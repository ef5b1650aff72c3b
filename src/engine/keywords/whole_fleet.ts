import { LOCALHOST_NAMES } from '../../core/model/inventory/inventory.js';
import { everyStep } from '../../core/model/playbook/playbook.js';
import type {
  Condition,
  Handler,
  Include,
  Included,
  Located,
  Meta,
  Step,
  Task,
} from '../../core/model/playbook/step.js';
import { type FieldPath, placeText, type Source } from '../../core/model/source/diagnostic.js';
import { isMapping, leavesIn, type Value } from '../../core/model/values/value.js';
import { hasTemplate } from '../../language/syntax/template.js';
import type { RunSelection, RunSources } from '../input/run_input.js';
import { TaskProblem } from './failed_result.js';

/** What a shard cannot do, because it knows nothing of the other shards, and where it is written. */
export interface FleetNeed {
  readonly message: string;
  readonly source: Source;
}

interface Sharded {
  readonly selection: Pick<RunSelection, 'shard'>;
  readonly sources: Pick<RunSources, 'inventory'>;
}

export const SHARD_HINT = 'run it without --shard, on one machine';

/** Variables that describe other controllers of the play. */
export const OF_OTHERS: ReadonlySet<string> = new Set(
  'ansible_play_hosts ansible_play_hosts_all ansible_play_batch play_hosts'.split(' '),
);

export const ADDED = 'the other shards would not know what add_host adds';

export function otherControllers(name: string): string {
  return `"${name}" would list the controllers of this shard only`;
}

/** @param controller whose variables `hostvars` asks for */
export function otherVariables(controller: string): string {
  return `hostvars of ${controller}: a shard does not know what other shards set`;
}

/**
 * The steps that need the whole fleet; each place once. Templates in variables and files are not searched: they are
 * refused when they are evaluated.
 *
 * @param hasController whether the inventory has a controller of that name
 */
export function fleetNeeds(
  steps: readonly (Step | Handler)[],
  hasController: (name: string) => boolean,
): readonly FleetNeed[] {
  const needs = [...everyStep(steps)].flatMap((step) => findFleetNeeds(step, hasController));
  return [...new Map(needs.map((need) => [`${placeText(need.source)} ${need.message}`, need])).values()];
}

/**
 * Refuses an include in a shard whose steps need the whole fleet. Its file may be known only during the run.
 *
 * @throws TaskProblem
 */
export function refuseFleetNeeds({ steps, handlers }: Included, { selection, sources }: Sharded): void {
  if (selection.shard === undefined) return;
  const [need] = fleetNeeds([...steps, ...handlers], (name) => sources.inventory.controllers.has(name));
  if (need !== undefined) throw new TaskProblem(`--shard: ${need.message}`, need.source, SHARD_HINT);
}

function findFleetNeeds(step: Step, hasController: (name: string) => boolean): readonly FleetNeed[] {
  if (step.type === 'role') return [];
  if (step.type === 'block')
    return step.loop === undefined
      ? []
      : [...mentioned(textsIn(step.loop.over.value), () => step.source), ...mentionedIn(step.loop.breakWhen ?? [])];
  if (step.type !== 'meta') return [...keywordNeeds(step, hasController), ...mentions(step)];
  const { action, source } = step;
  const effect = META_OF_ALL[action];
  return effect === undefined ? [] : [{ message: `meta ${action} would ${effect} this shard only`, source }];
}

const META_OF_ALL: Readonly<Partial<Record<Meta['action'], string>>> = {
  end_play: 'end the play in',
  end_batch: 'end the play in',
  clear_host_errors: 'clear failures of',
};

/** With `run_once`, these only print or check, so that once per shard does no harm. */
const HARMLESS: ReadonlySet<string> = new Set(['assert', 'debug', 'fail', 'pause', 'validate_argument_spec']);

function keywordNeeds(task: Task | Include, hasController: (name: string) => boolean): readonly FleetNeed[] {
  const { module, runOnce, anyErrorsFatal, delegateTo, register, notify, source } = task;
  const needs: FleetNeed[] = [];
  const add = (message: string, place: Located): number => needs.push({ message, source: place.source });
  if (module === 'add_host') needs.push({ message: ADDED, source });
  if (isSet(runOnce) && (register !== undefined || notify.length > 0 || !HARMLESS.has(module)))
    add('run_once would run in each shard, with its own result and handlers', runOnce);
  if (isSet(anyErrorsFatal)) add('any_errors_fatal would not end the other shards', anyErrorsFatal);
  if (delegateTo !== undefined && !isDelegatedHere(delegateTo.value, hasController))
    add('delegate_to may lead to a controller at which another shard is at work', delegateTo);
  return needs;
}

function isSet(keyword: Located | undefined): keyword is Located {
  return keyword !== undefined && keyword.value !== false;
}

/** Whether a task is delegated to the machine that runs Evenkeel, or to its own controller. */
export function isDelegatedHere(value: Value, hasController: (name: string) => boolean): boolean {
  if (typeof value !== 'string') return false;
  const name = value.trim();
  return (LOCALHOST_NAMES.includes(name) && !LOCALHOST_NAMES.some(hasController)) || OWN.test(name);
}

const OWN = /^\{\{\s*inventory_hostname\s*\}\}$/;

function mentions(task: Task | Include): readonly FleetNeed[] {
  const { when, until, changedWhen, failedWhen, loop, args, argsPath, locate, module } = task;
  const conditions = [when, until?.until, changedWhen, failedWhen, loop?.breakWhen].flatMap((some) => some ?? []);
  const located = [loop?.over, loop?.label].filter((one) => one !== undefined);
  return [
    ...mentionedIn(conditions),
    ...located.flatMap(({ value, source }) => mentioned(textsIn(value), () => source)),
    ...mentioned(argumentTexts(module, args), (path) => locate([...argsPath, ...path])),
  ];
}

function mentionedIn(conditions: readonly Condition[]): readonly FleetNeed[] {
  return conditions.flatMap(({ expression, source }) => mentioned(textsIn(expression, 'expression'), () => source));
}

interface Text {
  readonly text: string;
  readonly path: FieldPath;
}

/** Arguments of built-in modules that are bare expressions. */
const EXPRESSIONS: Readonly<Record<string, string>> = { assert: 'that', debug: 'var' };

function argumentTexts(module: string, args: Value): readonly Text[] {
  if (!isMapping(args)) return textsIn(args);
  return Object.entries(args).flatMap(([name, value]) =>
    textsIn(value, EXPRESSIONS[module] === name ? 'expression' : 'text', [name]),
  );
}

/** The templates and expressions in a value. */
function textsIn(value: Value, form: 'text' | 'expression' = 'text', within: FieldPath = []): readonly Text[] {
  return [...leavesIn(value, within)].flatMap(([leaf, path]) => {
    if (typeof leaf !== 'string') return [];
    const templates = hasTemplate(leaf) ? (leaf.match(/\{\{.*?\}\}|\{%.*?%\}/gs) ?? []) : [];
    return (form === 'expression' ? [leaf] : templates).map((text) => ({ text, path }));
  });
}

/** A controller's own variables are known: `hostvars[inventory_hostname]`. */
const HOSTVARS = /(?<![.\w])hostvars\b(?!\s*\[\s*inventory_hostname\s*\])/;
const FLEET_NAMES = new RegExp(`(?<![.\\w])(?:${[...OF_OTHERS].join('|')})\\b`);

function mentioned(texts: readonly Text[], locate: (path: FieldPath) => Source): readonly FleetNeed[] {
  return texts.flatMap(({ text, path }) => {
    const [name] = FLEET_NAMES.exec(text) ?? [];
    return [
      ...(HOSTVARS.test(text) ? [{ message: otherVariables('another controller'), source: locate(path) }] : []),
      ...(name === undefined ? [] : [{ message: otherControllers(name), source: locate(path) }]),
    ];
  });
}
