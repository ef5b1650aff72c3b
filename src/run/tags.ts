/** What the command line asks for: `--tags` (empty means all) and `--skip-tags`. */
export interface TagSelection {
  readonly tags: readonly string[];
  readonly skipTags: readonly string[];
}

/**
 * Whether a task with these tags (inherited ones included) takes part. As in Ansible: `always` unless skipped, `never`
 * only if one of its own tags is asked for; `all`, `tagged` and `untagged` may be asked for; what is skipped stays out.
 */
export function isSelected(tags: readonly string[], selection: TagSelection): boolean {
  const own = tags.length > 0 ? tags : ['untagged'];
  return isAskedFor(own, selection.tags) && !isSkipped(own, selection.skipTags);
}

/** What tags mean for the checks of a gate: none is left out but those with `never`, or a run of some tasks would go on ungated. */
export function gateSelection({ tags }: TagSelection): TagSelection {
  return { tags: ['all', ...tags], skipTags: [] };
}

function isAskedFor(own: readonly string[], asked: readonly string[]): boolean {
  if (own.includes('always') || own.some((tag) => asked.includes(tag))) return true;
  if (own.includes('never')) return false;
  return asked.length === 0 || asked.includes('all') || (asked.includes('tagged') && isTagged(own));
}

function isSkipped(own: readonly string[], skipped: readonly string[]): boolean {
  if (skipped.includes('all') && !own.includes('always')) return true;
  return own.some((tag) => skipped.includes(tag)) || (skipped.includes('tagged') && isTagged(own));
}

function isTagged(own: readonly string[]): boolean {
  return !own.includes('untagged');
}
