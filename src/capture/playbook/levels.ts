import { jsonText } from '../../core/model/values/json.js';
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
    private readonly controllers: readonly string[],
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

  /**
   * Sets a variable to the value of each controller: in a group if all its controllers have the same value.
   *
   * @param values undefined for a controller that must not see the variable; what is set for others does not matter
   */
  place(variable: string, values: ReadonlyMap<string, Content | undefined>): void {
    const texts = new Map([...values].map(([controller, value]) => [controller, jsonText(value)]));
    const left = new Map([...values].flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
    for (const { name, members } of this.#groups) {
      const concerned = members.filter((member) => values.has(member));
      const [first] = concerned;
      const value = first === undefined ? undefined : left.get(first);
      if (first === undefined || value === undefined || concerned.length < 2) continue;
      if (!concerned.every((member) => left.has(member) && texts.get(member) === texts.get(first))) continue;
      this.set({ type: 'group', name }, variable, value);
      for (const member of concerned) left.delete(member);
    }
    for (const [name, value] of left) this.set({ type: 'controller', name }, variable, value);
  }

  set(level: CaptureLevel, variable: string, value: Content): void {
    const key = levelKey(level);
    const variables = this.#variables.get(key) ?? new Map<string, Content>();
    this.#variables.set(key, variables.set(variable, value));
  }

  contentByName(level: CaptureLevel): Readonly<Record<string, Content>> {
    return Object.fromEntries([...(this.#variables.get(levelKey(level)) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

function levelKey(level: CaptureLevel): string {
  return level.type === 'all' ? 'all' : `${level.type} ${level.name}`;
}
