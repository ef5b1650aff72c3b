import type { Inventory } from '../../core/model/inventory/inventory.js';
import { nearestTarget, selectControllers } from '../../core/model/inventory/pattern.js';
import { joinPatterns } from '../../core/model/inventory/pattern_terms.js';
import {
  type Gate,
  GATE_ACTIONS,
  type GateAction,
  type Play,
  type Playbook,
  type StrategyName,
} from '../../core/model/playbook/playbook.js';
import type { Located } from '../../core/model/playbook/step.js';
import { MOST_FORKS, PLAY_ORDERS, type PlayOrder } from '../../core/model/run/choices.js';
import type { Diagnostics } from '../../core/model/source/diagnostic.js';
import { didYouMean } from '../../core/model/source/suggestion.js';
import { isList, type Value } from '../../core/model/values/value.js';
import { renderText } from '../../language/render.js';
import { asText, OMIT } from '../../language/runtime/result.js';
import type { Variables } from '../../language/scope.js';
import { cutBatches } from '../batch/batches.js';
import { type BeforePlays, variablesBefore } from '../controllers/play_variables.js';
import type { GateSettings, ReadyPlay } from '../input/ready_play.js';
import type { RunInput, RunSelection, RunSources } from '../input/run_input.js';
import { failedBecause, TaskProblem } from '../keywords/failed_result.js';
import { examineName } from '../keywords/names.js';
import {
  renderFlagOr,
  renderLocated,
  renderNumber,
  renderNumberOr,
  renderUnlessOmitted,
} from '../keywords/rendered_keywords.js';

type Unnumbered = Omit<ReadyPlay, 'number'>;

type Selecting = Pick<RunSources, 'playbooks' | 'inventory' | 'extraVars' | 'library' | 'answers'> &
  Pick<RunSelection, 'limit'>;

/**
 * Selects the controllers of each play: once per run, because a pattern may be a template with a random result. Reports an invalid
 * pattern, name, keyword or `gate`.
 */
export function selectReadyPlays(input: Selecting, diagnostics: Diagnostics): readonly ReadyPlay[] {
  const plays = input.playbooks.flatMap((playbook) =>
    playbook.plays.flatMap((play) => {
      try {
        return [selectReadyPlay(input, playbook, play, diagnostics)];
      } catch (error) {
        const { message, source, hint } = failedBecause(error, 'play').failure;
        diagnostics.error(message, source ?? play.source, hint);
        return [];
      }
    }),
  );
  return plays.map((ready, number) => ({ ...ready, number }));
}

function selectReadyPlay(input: Selecting, playbook: Playbook, play: Play, diagnostics: Diagnostics): Unnumbered {
  const variables = variablesBefore(play, input);
  const pattern = renderPattern(play.hosts, variables);
  const { names, error } = selectHosts(input.inventory, play, pattern);
  if (error !== undefined) diagnostics.error(error, play.hosts.source);
  playSettings({ settings: {}, sources: input }, { play });
  return {
    playbook,
    play,
    name: playName(play, pattern, variables),
    pattern: pattern ?? '',
    controllers: limited(names, input.limit),
    serial: renderSerial(play, variables),
    gate: play.gate && gateSettings(play.gate, variables),
  };
}

function playName({ name, hosts, source }: Play, pattern: string | undefined, variables: Variables): string {
  return name === undefined ? joinedLines(pattern ?? hosts.value) : asText(renderText(name, variables, source));
}

type Selected = ReturnType<typeof selectControllers>;

/** @param pattern absent if `hosts` is omitted, or a list without patterns */
function selectHosts(inventory: Inventory, { hosts }: Pick<Play, 'hosts'>, pattern: string | undefined): Selected {
  if (hosts.names !== undefined) return { names: hosts.names, unmatched: [] };
  return pattern === undefined ? { names: [], unmatched: [] } : selectControllers(inventory, pattern);
}

function limited(names: readonly string[], limit: ReadonlySet<string> | undefined): readonly string[] {
  return limit === undefined ? names : names.filter((name) => limit.has(name));
}

/**
 * Selects the play's controllers again, because `add_host` or `group_by` may have changed the inventory. `unmatched`: messages about
 * parts of its pattern that match nothing, unless the loader reported them.
 */
export function whenStarting(
  planned: ReadyPlay,
  sources: BeforePlays,
  { inventory, limit }: Pick<Selecting, 'inventory' | 'limit'>,
) {
  const isSame = inventory.groups === sources.inventory.groups;
  const ready = isSame ? planned : withNewGroups(planned, { ...sources, inventory });
  const selected = selectHosts(inventory, ready.play, ready.pattern === '' ? undefined : ready.pattern);
  const controllers = limited(selected.names, limit);
  return { ready: { ...ready, controllers }, unmatched: unmatchedHosts(ready, selected, inventory) };
}

/** Renders again what depends on groups, and nothing else: the result could be random. */
function withNewGroups(ready: ReadyPlay, sources: BeforePlays): ReadyPlay {
  const used = new Set<string>();
  const variables = variablesBefore(ready.play, sources).traced((name) => used.add(name));
  const { play } = ready;
  const pattern = renderPattern(play.hosts, variables);
  const name = playName(play, pattern, variables);
  const serial = renderSerial(play, variables);
  return used.has('groups') ? { ...ready, pattern: pattern ?? '', name, serial } : ready;
}

function unmatchedHosts(ready: ReadyPlay, selected: Selected, inventory: Inventory): readonly string[] {
  const { play, pattern } = ready;
  const { names, unmatched, error } = selected;
  if (unmatched.length === 0) {
    return names.length > 0 || error !== undefined || play.hosts.names !== undefined
      ? []
      : [`"${joinedLines(pattern === '' ? play.hosts.value : pattern)}" matches no controller`];
  }
  if (!play.hosts.late) return [];
  return unmatched.map((term) => {
    const hint = nearestTarget(inventory, term);
    return `"${term}" matches no controller and no group${hint === undefined ? '' : `; ${hint}`}`;
  });
}

function joinedLines(pattern: string): string {
  return pattern.replaceAll('\n', ',');
}

/** A template may give a list of patterns, too. Undefined: there is none, so that the play is for no controller, as in Ansible. */
function renderPattern({ value, source }: Located<string>, variables: Variables): string | undefined {
  const hosts = renderText(value, variables, source);
  if (hosts === OMIT || (isList(hosts) && hosts.length === 0)) return undefined;
  examineName(hosts, value, variables, () => source);
  return joinPatterns(isList(hosts) ? hosts.map(asText) : [asText(hosts)]);
}

function renderSerial(play: Play, variables: Variables): readonly Value[] | undefined {
  const entries = (play.serial ?? []).flatMap((entry) => {
    const value = renderLocated(entry, variables);
    if (value === OMIT) return [];
    cutBatches([], [value], entry.source);
    return [value];
  });
  return entries.length === 0 ? undefined : entries;
}

const SECONDS_BETWEEN_ROUNDS = 5;

/** Throws a `TaskProblem` or a `TemplateError` if one of them is invalid. */
function gateSettings({ interval, passes, failures, onFail }: Gate, variables: Variables): GateSettings {
  return {
    interval: interval === undefined ? SECONDS_BETWEEN_ROUNDS : seconds('interval', interval, variables),
    passes: rounds('passes', passes, variables),
    failures: rounds('failures', failures, variables),
    onFail: onFail === undefined ? 'stop' : action(onFail, variables),
  };
}

function seconds(keyword: string, located: Located, variables: Variables): number {
  const number = renderNumber(keyword, located, variables);
  if (number >= 0) return number;
  throw new TaskProblem(`${keyword} must be a number from 0, not ${number}`, located.source);
}

function rounds(keyword: string, located: Located | undefined, variables: Variables): number {
  if (located === undefined) return 1;
  const number = renderNumber(keyword, located, variables);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new TaskProblem(`${keyword} must be a whole number from 1, not ${number}`, located.source);
}

function action(located: Located<string>, variables: Variables): GateAction {
  const name = asText(renderLocated(located, variables));
  const known = GATE_ACTIONS.find((one) => one === name);
  if (known !== undefined) return known;
  const hint = didYouMean(name, GATE_ACTIONS);
  throw new TaskProblem(`on_fail must be ${GATE_ACTIONS.join(', ')}, not "${name}"`, located.source, hint);
}

/** The keywords of a play that do not depend on a controller's variables, rendered. */
export interface PlaySettings {
  readonly strategy: StrategyName;
  readonly order: PlayOrder;
  /** Of the play; undefined: those of the run. */
  readonly forks: number | undefined;
  readonly forceHandlers: boolean;
  readonly maxFailPercentage: number | undefined;
}

/** Without a user, no task is confirmed. */
interface PlaySettingsInput extends Partial<Pick<RunInput, 'user'>> {
  readonly settings: Pick<RunInput['settings'], 'strategy' | 'forceHandlers'>;
  readonly sources: BeforePlays;
}

/** Throws a `TaskProblem` or a `TemplateError` if one of them is invalid. */
export function playSettings(input: PlaySettingsInput, { play }: Pick<ReadyPlay, 'play'>): PlaySettings {
  const variables = variablesBefore(play, input.sources);
  const { maxFailPercentage, forceHandlers, forks, order } = play;
  return {
    // One question per task makes sense only if all controllers reach it together.
    strategy:
      input.user?.confirmTask === undefined ? (play.strategy ?? input.settings.strategy ?? 'host_pinned') : 'linear',
    order: parseOrder(renderUnlessOmitted(order, variables)),
    forks: forks && Math.max(1, renderNumberOr(MOST_FORKS, 'forks', forks, variables)),
    forceHandlers:
      input.settings.forceHandlers === true || renderFlagOr(false, 'force_handlers', forceHandlers, variables),
    maxFailPercentage: percentage(renderUnlessOmitted(maxFailPercentage, variables), variables),
  };
}

function parseOrder(order: Located | undefined): PlayOrder {
  if (order === undefined) return 'inventory';
  const name = asText(order.value);
  const known = PLAY_ORDERS.find((one) => one === name);
  if (known !== undefined) return known;
  const hint = didYouMean(name, PLAY_ORDERS) ?? `use one of ${PLAY_ORDERS.join(', ')}`;
  throw new TaskProblem(`there is no order "${name}"`, order.source, hint);
}

/** `25`, `"25"` and `"25%"` are the same. */
function percentage(located: Located | undefined, variables: Variables): number | undefined {
  if (located === undefined) return undefined;
  const { value } = located;
  const text = typeof value === 'string' ? value.trim().replace(/%$/, '') : value;
  return renderNumber('max_fail_percentage', { ...located, value: text }, variables);
}
