import type { GroupDraft } from './draft.js';

/** The groups from one down to another through children, both included; undefined if the one does not contain the other. */
export function wayDown(
  groups: ReadonlyMap<string, GroupDraft>,
  from: string,
  to: string,
): readonly string[] | undefined {
  const visited = new Set<string>();
  const walk = (name: string): readonly string[] | undefined => {
    if (name === to) return [name];
    if (visited.has(name)) return undefined;
    visited.add(name);
    for (const child of groups.get(name)?.children ?? []) {
      const rest = walk(child);
      if (rest !== undefined) return [name, ...rest];
    }
    return undefined;
  };
  return walk(from);
}
