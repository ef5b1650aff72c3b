import type { Inventory } from '../../core/model/inventory/inventory.js';
import { nearestTarget, selectControllers } from '../../core/model/inventory/pattern.js';
import { joinPatterns } from '../../core/model/inventory/pattern_terms.js';
import type { Play, Playbook } from '../../core/model/playbook/playbook.js';
import type { Located } from '../../core/model/playbook/step.js';
import type { Diagnostics } from '../../core/model/source/diagnostic.js';
import { isList, type Value } from '../../core/model/values/value.js';
import { renderText } from '../../language/render.js';
import { asText, OMIT } from '../../language/runtime/result.js';
import type { Variables } from '../../language/scope.js';
import { cutBatches } from '../batch/batches.js';
import { type BeforePlays, variablesBefore } from '../controllers/play_variables.js';
import type { ReadyPlay } from '../input/ready_play.js';
import type { RunSelection, RunSources } from '../input/run_input.js';
import { failedBecause } from '../keywords/failed_result.js';
import { examineName } from '../keywords/names.js';
import { renderLocated } from '../keywords/rendered_keywords.js';
import { gateSettings, playSettings } from './play_settings.js';

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
  // Throws if a keyword is invalid.
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
export function selectAgain(
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
