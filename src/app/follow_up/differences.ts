import { count, someOf } from '../../report/text/words.js';
import type { Fingerprint } from '../request/invocation.js';

/** Names listed before the rest is only counted. */
const MOST_NAMES = 5;

/** What is another than it was, in words, each a line; nothing if a run can go on as if nothing had happened in between. */
export function differences(then: Fingerprint, now: Fingerprint): readonly string[] {
  return [...versions(then, now), ...files(then, now), ...programs(then, now), ...controllers(then, now)];
}

function versions(then: Fingerprint, now: Fingerprint): readonly string[] {
  if (then.version === now.version) return [];
  return [`this is evenkeel ${now.version}, and the run was started with ${then.version}`];
}

function files({ files: then }: Fingerprint, { files: now }: Fingerprint): readonly string[] {
  const [before, after] = [new Map(Object.entries(then)), new Map(Object.entries(now))];
  return [
    ...[...before].flatMap(([file, digest]) => {
      const found = after.get(file);
      if (found === undefined) return [`${file} is not read any more`];
      return found === digest ? [] : [`${file} has changed`];
    }),
    ...[...after.keys()].filter((file) => !before.has(file)).map((file) => `${file} was not read then`),
  ];
}

/** One that is not run any more is another inventory: its controllers tell. */
function programs({ programs: then }: Fingerprint, { programs: now }: Fingerprint): readonly string[] {
  const after = new Map(Object.entries(now));
  const others = Object.entries(then).filter(([command, digest]) => after.get(command) !== digest);
  return others.map(([command]) => `"${command}" does not print the same`);
}

function controllers(then: Fingerprint, now: Fingerprint): readonly string[] {
  const [before, after] = [new Set(then.controllers), new Set(now.controllers)];
  return [
    ...differenceOf(
      now.controllers.filter((name) => !before.has(name)),
      'new in the inventory',
    ),
    ...differenceOf(
      then.controllers.filter((name) => !after.has(name)),
      'gone from the inventory',
    ),
  ];
}

function differenceOf(names: readonly string[], what: string): readonly string[] {
  if (names.length === 0) return [];
  const is = names.length === 1 ? 'is' : 'are';
  return [`${count(names.length, 'controller')} ${is} ${what}: ${someOf(names, MOST_NAMES)}`];
}
