import type { Controller } from '../core/model/inventory/inventory.js';
import { selectControllers } from '../core/model/inventory/pattern.js';
import type { Play } from '../core/model/playbook/playbook.js';
import type { Diagnostic } from '../core/model/source/diagnostic.js';
import { PlayVariables } from '../engine/controllers/play_variables.js';
import { identityInFiles } from '../launch/load/addresses_in_files.js';
import type { LoadedRun } from '../launch/load/load_run.js';
import type { Fingerprint } from '../launch/request/invocation.js';
import type { KeptRun } from '../record/journal/read/read_run.js';
import { count, nameSome } from '../reporting/text/words.js';

/** The number of names to list; the rest are counted. */
const MOST_NAMES = 5;

/**
 * What has changed since the run started, a line each. Empty: the run can be resumed.
 *
 * @param encrypted files whose password may have changed. The journal keeps no digest of their content: anyone with the state folder and its
 *   key could use it to guess the secrets
 */
export function differencesSince(
  then: Fingerprint,
  now: Fingerprint,
  encrypted: ReadonlySet<string> = new Set(),
): readonly string[] {
  const version = `this is evenkeel ${now.version}, and the run was started with ${then.version}`;
  const versions = then.version === now.version ? [] : [version];
  return [...versions, ...files(then, now, encrypted), ...programs(then, now), ...controllers(then, now)];
}

function files(
  { files: then }: Fingerprint,
  { files: now }: Fingerprint,
  encrypted: ReadonlySet<string>,
): readonly string[] {
  const [before, after] = [new Map(Object.entries(then)), new Map(Object.entries(now))];
  return [
    ...[...before].flatMap(([file, digest]) => {
      const found = after.get(file);
      if (found === undefined) return [`${file} is no longer read`];
      return found === digest ? [] : [`${file} has changed${encrypted.has(file) ? REKEYED : ''}`];
    }),
    ...[...after.keys()].filter((file) => !before.has(file)).map((file) => `${file} was not read when the run started`),
  ];
}

const REKEYED = '; if only its vault password has (vault rekey), --force resumes the run as it was';

/** Does not compare programs that are no longer inventories: the list of controllers shows the changes. */
function programs({ programs: then }: Fingerprint, { programs: now }: Fingerprint): readonly string[] {
  const after = new Map(Object.entries(now));
  const others = Object.entries(then).filter(([command, digest]) => after.get(command) !== digest);
  return others.map(([command]) => `"${command}" prints different output now`);
}

function controllers(then: Fingerprint, now: Fingerprint): readonly string[] {
  const [before, after] = [new Set(then.controllers), new Set(now.controllers)];
  const added = now.controllers.filter((name) => !before.has(name));
  const gone = then.controllers.filter((name) => !after.has(name));
  return [...describeNames(added, 'new in the inventory'), ...describeNames(gone, 'gone from the inventory')];
}

function describeNames(names: readonly string[], what: string): readonly string[] {
  if (names.length === 0) return [];
  const is = names.length === 1 ? 'is' : 'are';
  return [`${count(names.length, 'controller')} ${is} ${what}: ${nameSome(names, MOST_NAMES)}`];
}

/**
 * Controllers whose address has changed since the run contacted them: the run may have changed another machine. A
 * simulation has no addresses, and addresses that are set during the run are not known here.
 */
export function movedControllers(
  { header, reached }: Pick<KeptRun, 'header' | 'reached'>,
  loaded: LoadedRun,
): readonly Diagnostic[] {
  if (header.simulated) return [];
  return [...reached()].flatMap(([name, then]) => {
    const controller = loaded.target.inventory.controllers.get(name);
    const now = controller === undefined ? new Set<string>() : possibleUrls(controller, loaded);
    if (now.size === 0 || now.has(then.url)) return [];
    // A secret in the former address may be unknown now.
    const message = `${name} was at ${then.shown} and is now at ${[...now].join(' and ')}: what was done there would count as done here`;
    const hint = 'restore its address, or give the new controller another name';
    return [{ severity: 'error', message, hint } as const];
  });
}

/** A play may set the address in its variables. Empty: those of a play with the controller say it only during the run. */
function possibleUrls(controller: Controller, { playbooks, target }: LoadedRun): ReadonlySet<string> {
  const urls = new Set<string>();
  for (const play of playbooks.flatMap(({ plays }) => plays)) {
    const layers = new PlayVariables(play, undefined).ofPlay(controller);
    const url = identityInFiles(controller, layers, play.directory, target);
    if (url !== undefined) urls.add(url);
    else if (mayHave(play, controller, target)) return new Set();
  }
  return urls;
}

/** Whether a play may have the controller, as far as its pattern is known. */
function mayHave({ hosts }: Play, { name }: Controller, { inventory }: LoadedRun['target']): boolean {
  return hosts.late === true || selectControllers(inventory, hosts.value).names.includes(name);
}

type Plays = Pick<Fingerprint, 'plays'>;

/**
 * Why the started plays cannot be identified; empty if all are in their places. The journal identifies batches and
 * gates by the number of their play.
 *
 * @param begun number of plays that had started
 */
export function otherPlays(
  { plays: then = [] }: Plays,
  { plays: now = [] }: Plays,
  begun: number,
): readonly Diagnostic[] {
  for (const [index, play] of then.slice(0, begun).entries()) {
    if (now[index] === play && occurrences(then, play) === occurrences(now, play)) continue;
    return [
      {
        severity: 'error',
        message: `play ${index + 1} had started, but cannot be identified now: plays were added, removed, renamed or moved`,
        hint: 'restore the order of the plays that had started; add new plays after them, with other names',
      },
    ];
  }
  return [];
}

function occurrences(plays: readonly string[], play: string): number {
  return plays.filter((one) => one === play).length;
}
