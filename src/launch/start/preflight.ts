import { selectControllers } from '../../core/model/inventory/pattern.js';
import { splitTerms } from '../../core/model/inventory/pattern_terms.js';
import type { Diagnostic } from '../../core/model/source/diagnostic.js';
import { groupBy, getOrAdd } from '../../core/model/values/groups.js';
import type { TypedCredentials } from '../../engine/input/run_input.js';
import type { Owners } from '../../engine/preflight/addresses.js';
import { misspeltFindings } from '../../engine/preflight/connection_findings.js';
import type { RunFinding } from '../../engine/preflight/findings.js';
import type { LeftOut } from '../../engine/preflight/later_variables.js';
import { preflight } from '../../engine/preflight/preflight.js';
import { generalMessage, mentions } from '../../reporting/text/messages.js';
import { displayPlace, withOutdated } from '../../reporting/text/source_files.js';
import { count, nameControllers, nameSome } from '../../reporting/text/words.js';
import { variablesInFiles, equalAddressError } from '../load/addresses_in_files.js';
import type { LoadedRun } from '../load/load_run.js';
import type { RunPorts } from '../load/ports.js';
import { type PreparedRun, selectedControllers } from '../load/prepared_run.js';
import type { LoadedTarget } from '../load/target.js';
import { sharedInput, type LoadedInput } from './loaded_input.js';

/** Enough for typical problems of a fleet; more would only scroll away. */
const MOST_SHOWN_FINDINGS = 20;
const MOST_NAMES = 3;
/** More names than this are hard to read, and hard to paste. */
const MOST_EXCLUDED = 20;

/** The parts of a prepared run that can be checked in advance. */
export type CheckedRun = LoadedInput & Pick<PreparedRun, 'journalOptions'>;

export interface PreflightResult {
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
  /** How to run without the controllers that have errors; undefined if that is not possible. */
  readonly advice: string | undefined;
  /** The controllers of the run at each address that is known before it. */
  readonly owners: Owners;
}

/** Finds what is certain to fail. If there is any such failure, the run does not start. Warnings are what may fail. */
export async function preflightErrors(
  run: CheckedRun,
  { cwd, env, version, signals }: Pick<RunPorts, 'cwd' | 'env' | 'version' | 'signals'>,
): Promise<PreflightResult> {
  const { request, journalOptions } = run;
  const simulation = request.simulate === true ? await import('../simulation/simulation.js') : undefined;
  const shared = sharedInput(run, { cwd, version });
  const {
    findings: found,
    equalAddresses,
    owners,
  } = await preflight({
    ...shared,
    connections: {
      ...shared.connections,
      credentials: { ...simulation?.SIMULATED_CREDENTIALS, ...requestedCredentials(request) },
      // Simulated controllers are reached without a proxy.
      env: simulation === undefined ? env : {},
      plan: run.loaded.plan,
      isTolerant: journalOptions.isKept === false,
      examineSimulation: simulation?.simulationExaminer(),
    },
    past: journalOptions.kept?.past,
    restores: run.loaded.rollback !== undefined,
    drain: signals.drain,
  });
  const findings = found.filter(({ isWarning }) => isWarning !== true);
  const groups = groupEqual(findings);
  const shown = groups.length > MOST_SHOWN_FINDINGS ? groups.toSorted((a, b) => b.length - a.length) : groups;
  const errors = [
    ...equalAddresses.slice(0, MOST_SHOWN_FINDINGS).map((one) => equalAddressError(one, cwd)),
    ...shown.flatMap((group) => toDiagnostics(group, cwd)),
  ];
  const broken = [
    ...findings.map(({ controller }) => controller),
    ...equalAddresses.flatMap(({ names }) => names.map(({ name }) => name)),
  ];
  const isDelegated = findings.some(({ delegated }) => delegated === true);
  const noted = (all: readonly Diagnostic[]) => withOutdated(all, cwd, run.loaded.reads.hasChanged);
  return {
    errors: [
      ...noted(errors.slice(0, MOST_SHOWN_FINDINGS)),
      ...othersText(equalAddresses.length + shown.length - MOST_SHOWN_FINDINGS),
    ],
    warnings: noted(warnings(found, cwd)),
    owners,
    advice: isDelegated ? undefined : limitAdvice(new Set(broken), run),
  };
}

/** The warnings of a command that runs no tasks about the variables of its controllers. */
export function variableWarnings({ inventory, limit, ...target }: LoadedTarget, cwd: string): readonly Diagnostic[] {
  const selected = [...inventory.controllers.values()].filter(({ name }) => limit?.has(name) !== false);
  const found = selected.flatMap((one) => misspeltFindings(one.name, variablesInFiles(one, one.layers, cwd, target)));
  return warnings(found, cwd);
}

function warnings(found: readonly RunFinding[], cwd: string): readonly Diagnostic[] {
  const doubts = groupEqual(found.filter(({ isWarning }) => isWarning === true));
  return doubts.slice(0, MOST_SHOWN_FINDINGS).flatMap((group) => toDiagnostics(group, cwd));
}

/** `-k` asks for the password after all other checks have passed. */
function requestedCredentials({ user, askPass }: PreparedRun['request']): TypedCredentials {
  return { ...(user !== undefined && { username: user }), ...(askPass === true && { password: 'asked for later' }) };
}

/**
 * Findings with the same cause, in the order in which they were found. Each controller can have the cause in a variable
 * of its own, such as in a file of `host_vars`. Several places of one controller are several causes, and so are several
 * places in playbooks.
 */
function groupEqual(findings: readonly RunFinding[]): readonly (readonly RunFinding[])[] {
  const causes = new Map<string, { readonly group: RunFinding[]; readonly names: Set<string> }[]>();
  const reporter = new Map<string, string>();
  const shared = new Set<string>();
  for (const { controller, message } of findings) {
    if (getOrAdd(reporter, message, () => controller) !== controller) shared.add(message);
  }
  // A name in what several controllers report is not that of the controller: `variable "lb1" is not defined`.
  const words = ({ controller, message }: RunFinding): string =>
    shared.has(message) ? message : generalMessage(message, controller);
  const atOnePlace = groupBy(findings, (one) => JSON.stringify([words(one), one.source, one.hint]));
  for (const group of atOnePlace.values()) {
    const [first] = group;
    const cause = JSON.stringify([words(first), first.hint, first.inInventory === true ? null : first.source]);
    const same = getOrAdd(causes, cause, () => []);
    const other = same.find(({ names }) => group.every((one) => !names.has(one.controller)));
    const { group: merged, names } = other ?? { group: [], names: new Set<string>() };
    for (const one of group) {
      merged.push(one);
      names.add(one.controller);
    }
    if (other === undefined) same.push({ group: merged, names });
  }
  return [...causes.values()].flatMap((same) => same.map(({ group }) => group));
}

function toDiagnostics(findings: readonly RunFinding[], cwd: string): readonly Diagnostic[] {
  const [first] = findings;
  if (first === undefined) return [];
  const { message, general = message, source, leftOut } = first;
  const hint = leftOut === undefined ? first.hint : leftOutText(leftOut, cwd);
  const controllers = [...new Set(findings.map(({ controller }) => controller))];
  const text = controllers.length === 1 ? message : general;
  const hints = [hint, otherPlaces(findings, cwd)].filter((one) => one !== undefined);
  return [
    {
      severity: first.isWarning === true ? 'warning' : 'error',
      message: withControllers(text, controllers),
      source,
      ...(hints.length > 0 && { hint: hints.join('; ') }),
    },
  ];
}

function otherPlaces(findings: readonly RunFinding[], cwd: string): string | undefined {
  const places = findings.flatMap(({ source }) => (source === undefined ? [] : [displayPlace(source, cwd)]));
  const others = [...new Set(places)].slice(1);
  return others.length === 0 ? undefined : `the same is at ${nameSome(others, MOST_NAMES)}`;
}

/** The message may already name its controller, or end in parentheses: `… (from "cloud"; on lb4)`. */
function withControllers(message: string, controllers: readonly string[]): string {
  const [only = ''] = controllers;
  if (controllers.length === 1 && mentions(message, only)) return message;
  const names = `on ${nameControllers(controllers, MOST_NAMES)}`;
  return / \([^()]+\)$/.test(message) ? `${message.slice(0, -1)}; ${names})` : `${message} (${names})`;
}

function othersText(number: number): readonly Diagnostic[] {
  if (number <= 0) return [];
  return [{ severity: 'error', message: `and ${count(number, 'more such problem')}` }];
}

function leftOutText({ task, by }: LeftOut, cwd: string): string {
  const verb = task.module === 'set_fact' ? 'sets' : 'registers';
  const title = `"${task.name?.value ?? task.module}" (${displayPlace(task.source, cwd)})`;
  const why = by === 'never' ? 'which has the tag "never"' : `which ${by} leaves out`;
  return `the task that ${verb} it is ${title}, ${why}`;
}

/**
 * `max_fail_percentage` applies to failures during the run, so a single broken controller stops the run before it
 * begins.
 */
function limitAdvice(names: ReadonlySet<string>, { loaded, selected, request }: CheckedRun): string | undefined {
  const all = selectedControllers(selected);
  const broken = [...names].filter((name) => all.has(name));
  if (broken.length === 0 || broken.length >= all.size) return undefined;
  const left = all.size - broken.length;
  const rest = left === 1 ? 'the other controller' : `the other ${count(left, 'controller')}`;
  const pattern = limitWithout(broken, request.limit, loaded);
  return pattern === undefined
    ? `leave these controllers out with --limit to run ${rest}`
    : `to run ${rest}: --limit '${pattern}'`;
}

/**
 * A limit that can be pasted into a shell; undefined if there are too many names, or if a name also matches other
 * controllers.
 */
function limitWithout(
  names: readonly string[],
  limit: string | undefined,
  { target: { inventory } }: LoadedRun,
): string | undefined {
  if (names.length > MOST_EXCLUDED) return undefined;
  const excluded = names.map((name) => `!${name}`);
  const left = selectControllers(inventory, excluded.join(',')).names.length;
  const pattern = [...splitTerms(limit ?? ''), ...excluded].join(',');
  return left === inventory.controllers.size - names.length && !pattern.includes("'") ? pattern : undefined;
}
