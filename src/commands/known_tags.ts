import type { Diagnostics } from '../model/diagnostic.js';
import type { Playbook, Step } from '../model/playbook.js';
import { everyStep, stepsOf } from '../model/steps.js';
import { didYouMean } from '../model/suggestion.js';

interface AskedTags {
  readonly tags: readonly string[];
  readonly skipTags: readonly string[];
}

/** Words that mean something by themselves. */
const SPECIAL = ['all', 'tagged', 'untagged', 'always', 'never'];

/** Warns of tags that nothing has: with a slip in `--tags` a run does nothing, with one in `--skip-tags` too much. */
export function checkTags(
  { tags, skipTags }: AskedTags,
  playbooks: readonly Playbook[],
  diagnostics: Diagnostics,
): void {
  if (tags.length + skipTags.length === 0) return;
  const steps = playbooks.flatMap(({ plays }) => plays.flatMap((play) => [...everyStep(stepsOf(play))]));
  const known = [...new Set([...SPECIAL, ...steps.flatMap(tagsOf)])];
  if (known.some((tag) => tag.includes('{{'))) return;
  const includes = steps.filter(({ type }) => type === 'include').map(tagsOf);
  const warn = (option: string, asked: readonly string[]): void => {
    for (const tag of asked.filter((one) => !known.includes(one)))
      diagnostics.warn(`${option}: nothing has the tag "${tag}"`, undefined, didYouMean(tag, known) ?? SHOWN);
  };
  // What is included may have it; with --tags it is reached only if the include is.
  if (!includes.some((own) => own.includes('always'))) warn('--tags', tags);
  if (includes.length === 0) warn('--skip-tags', skipTags);
}

const SHOWN = '--list-tags shows the tags';

function tagsOf(step: Step): readonly string[] {
  return step.type === 'role' || step.type === 'block' ? [] : step.tags;
}
