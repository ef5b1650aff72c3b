import { jsonText } from '../../core/model/values/value.js';
import type { Content } from './yaml_file.js';

/** A group of the inventory, with its captured controllers. */
export interface CaptureGroup {
  readonly name: string;
  readonly members: readonly string[];
}

/** The level at which a variable is set: all controllers, a group, or one controller. */
export type CaptureLevel =
  | { readonly type: 'all' }
  | { readonly type: 'group'; readonly name: string }
  | { readonly type: 'controller'; readonly name: string };

/** Finds the groups in which to set what several controllers have in common. */
export class Levels {
  readonly #groups: readonly CaptureGroup[];
  readonly #variables = new Map<string, Map<string, Content>>();

  /**
   * @param controllers all that were captured
   * @param groups the most specific last
   */
  constructor(
    readonly controllers: readonly string[],
    groups: readonly CaptureGroup[],
  ) {
    const isShared = ({ members }: CaptureGroup): boolean => members.length > 1 && members.length < controllers.length;
    // The largest first, so that few groups are needed. Of groups with the same controllers, the most specific.
    this.#groups = groups
      .filter(isShared)
      .reverse()
      .sort((a, b) => b.members.length - a.members.length);
  }

  /** The levels that together contain exactly these controllers, each once. */
  covering(controllers: ReadonlySet<string>): readonly CaptureLevel[] {
    if (controllers.size === this.controllers.length) return [{ type: 'all' }];
    const left = new Set(controllers);
    const found: CaptureLevel[] = [];
    for (const { name, members } of this.#groups) {
      if (left.size < members.length || !members.every((member) => left.has(member))) continue;
      found.push({ type: 'group', name });
      for (const member of members) left.delete(member);
    }
    return [...found, ...[...left].map((name) => ({ type: 'controller', name }) as const)];
  }

  /** Whether more than half of the controllers are among these. */
  isMajority(controllers: ReadonlySet<string>): boolean {
    return controllers.size * 2 > this.controllers.length;
  }

  /**
   * Sets a variable to the value of each controller: for all if more than half of these controllers share it, for a group if most of
   * its controllers share another one, and for each exception. A controller is in one such group at most, so which group comes first
   * in the inventory does not matter.
   *
   * @param values undefined for a controller that must not see the variable; what is set for others does not matter
   * @param nothing what such a controller sees if the variable is set for all, or for its group
   */
  place(variable: string, values: ReadonlyMap<string, Content | undefined>, nothing: Content): void {
    const texts = new Map([...values].map(([name, value]) => [name, value === undefined ? UNSET : jsonText(value)]));
    const contents = new Map([...values].map(([name, value = nothing]) => [texts.get(name) ?? UNSET, value]));
    const [common, holders] = mostFrequent([...texts.values()]);
    const usual = holders * 2 > values.size ? common : UNSET;
    const exceptions = new Set([...values.keys()].filter((name) => texts.get(name) !== usual));
    const put = (level: CaptureLevel, text: string): void => {
      const value = contents.get(text);
      this.set(level, variable, value === undefined ? nothing : value);
    };
    if (usual !== UNSET) put({ type: 'all' }, usual);
    const inGroups = new Set<string>();
    for (const { name, members, text } of sharedIn(this.#groups, texts, usual)) {
      if (members.some((member) => inGroups.has(member))) continue;
      put({ type: 'group', name }, text);
      for (const member of members) {
        inGroups.add(member);
        if (texts.get(member) === text) exceptions.delete(member);
        else exceptions.add(member);
      }
    }
    for (const name of exceptions) put({ type: 'controller', name }, texts.get(name) ?? UNSET);
  }

  set(level: CaptureLevel, variable: string, value: Content): void {
    const key = levelKey(level);
    this.#variables.set(key, (this.#variables.get(key) ?? new Map<string, Content>()).set(variable, value));
  }

  contentByName(level: CaptureLevel): Readonly<Record<string, Content>> {
    return Object.fromEntries([...(this.#variables.get(levelKey(level)) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** The text of a value that is not set: no JSON is empty. */
const UNSET = '';

function mostFrequent(texts: readonly string[]): readonly [text: string, times: number] {
  const times = new Map<string, number>();
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
  return [...times].reduce<readonly [string, number]>((most, one) => (one[1] > most[1] ? one : most), [UNSET, 0]);
}

/** Exceptions of a group count twice, so that its value is that of more than two thirds. */
const COST_OF_EXCEPTION = 2;

/** Groups with a value of their own, the ones that save the most variables first. */
function sharedIn(
  groups: readonly CaptureGroup[],
  texts: ReadonlyMap<string, string>,
  usual: string,
): readonly (CaptureGroup & { readonly text: string })[] {
  const found = groups.flatMap(({ name, members: all }) => {
    const members = all.filter((member) => texts.has(member));
    const [text, holders] = mostFrequent(members.map((member) => texts.get(member) ?? UNSET));
    const saved = holders - COST_OF_EXCEPTION * (members.length - holders);
    return text === usual || holders < 2 || saved <= 0 ? [] : [{ name, members, text, saved }];
  });
  return found.sort((a, b) => b.saved - a.saved);
}

function levelKey(level: CaptureLevel): string {
  return level.type === 'all' ? 'all' : `${level.type} ${level.name}`;
}
