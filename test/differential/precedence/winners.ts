import type { Answer } from '../rig/answer.js';
import { VIEWS, type View } from './project.js';
import { PAIRS, SPOTS, type Spot } from './spots.js';

/** Which spot's value is seen, by the two spots that give one; `nothing` where neither is. */
export type Winners = Readonly<Record<string, string>>;

const TOLD = /^(?:TASK|HANDLER) (?<task>.+?) \| (?<host>\w+) (?:ok|changed) (?<values>.+)$/;

/** The places whose values are seen, weakest first. */
export type Order = readonly Spot[];

export function winners({ rounds }: Answer, view: View): Winners {
  const { task, host } = VIEWS[view];
  const round = rounds
    .map((text) => TOLD.exec(text)?.groups)
    .find((one) => one?.['task'] === task && one['host'] === host);
  if (round === undefined) throw new Error(`"${task}" did not run on ${host}`);
  const values = JSON.parse(round['values'] ?? '') as Readonly<Record<string, string | { readonly msg: string }>>;
  return Object.fromEntries(PAIRS.map(({ variable, spots }) => [spots.join(' or '), textOf(values[variable])]));
}

/** What is registered is a result. */
function textOf(value: string | { readonly msg: string } | undefined): string {
  return typeof value === 'object' ? value.msg : String(value);
}

export function winnersIn(order: Order): Winners {
  const rank = (spot: Spot): number => order.indexOf(spot);
  const winner = ([one, other]: readonly [Spot, Spot]): string => {
    const best = rank(one) > rank(other) ? one : other;
    return rank(best) === -1 ? 'nothing' : best;
  };
  return Object.fromEntries(PAIRS.map(({ spots }) => [spots.join(' or '), winner(spots)]));
}

/** The order of the winners; a place that never wins is missing. */
export function orderOf(found: Winners): Order {
  const wins = (spot: Spot): number => Object.values(found).filter((winner) => winner === spot).length;
  return SPOTS.filter((spot) => wins(spot) > 0).sort((a, b) => wins(a) - wins(b));
}

/** The distinct results of the loops whose variable is also set elsewhere. */
export function looped({ rounds }: Answer): readonly string[] {
  const ends = rounds.flatMap((round) => /^TASK web : looped .+? \| (.+)$/.exec(round)?.[1] ?? []);
  return [...new Set(ends)];
}
