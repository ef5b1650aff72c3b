import { allSteps, everyStep, sectionSteps, type Play } from '../../core/model/playbook/playbook.js';
import type { Include, Step } from '../../core/model/playbook/step.js';
import type { Diagnostics } from '../../core/model/source/diagnostic.js';
import { didYouMean } from '../../core/model/source/suggestion.js';
import { isSelected, selectSections, type TagSelection } from '../../engine/keywords/selected_steps.js';
import type { LoadedRun } from './load_run.js';
import type { SelectionOptions } from './prepared_run.js';
import { AheadReader, callsAhead } from './read_ahead.js';

/** Tags with a special meaning. */
const SPECIAL = ['all', 'tagged', 'untagged', 'always', 'never'];

/**
 * Refuses unknown tags, and tags that together select no task: with a typo in `--tags` a run does too little, with one in `--skip-tags` too much. If an
 * include gets its file name only during the run, the tag may still exist there, so it is a warning. A tag of tasks that `--skip-tags` leaves out is known.
 */
export async function checkTags(
  { playbooks }: Pick<LoadedRun, 'playbooks'>,
  { tags = [], skipTags = [] }: Pick<SelectionOptions, 'tags' | 'skipTags'>,
  diagnostics: Diagnostics,
): Promise<void> {
  if (tags.length + skipTags.length === 0) return;
  const plays = playbooks.flatMap((playbook) => playbook.plays);
  const found = new FoundTags({ tags, skipTags }, [...SPECIAL, ...plays.flatMap((play) => play.tags)]);
  found.add(plays.flatMap(allSteps));
  const isUnknown = (tag: string): boolean => !found.known.has(tag);
  if ([...tags, ...skipTags].some(isUnknown)) await found.readIncludes();
  const report = async (option: string, tag: string): Promise<void> => {
    const leftOut = await found.leftOutWith(tag);
    const include = leftOut.find((one) => isSelected([...one.tags, tag], { tags, skipTags }));
    if (option === '--tags' && include !== undefined) {
      const message = `--tags: the tags leave out this include, whose tasks have the tag "${tag}"`;
      const severity = found.open === undefined ? 'error' : 'warning';
      diagnostics.add([{ severity, message, source: include.source, hint: LEFT_OUT_HINT }]);
      return;
    }
    if (leftOut.length > 0) {
      // `--skip-tags` leaves its tasks out: the user knows.
      found.known.add(tag);
      return;
    }
    const hint = didYouMean(tag, [...found.known]);
    if (found.open === undefined)
      diagnostics.error(`${option}: nothing has the tag "${tag}"`, undefined, hint ?? TAGS_HINT);
    else
      diagnostics.warn(
        `${option}: nothing known before the run has the tag "${tag}"; the tasks included here may have it`,
        found.open.source,
        hint,
      );
  };
  for (const tag of tags.filter(isUnknown)) await report('--tags', tag);
  for (const tag of skipTags.filter(isUnknown)) await report('--skip-tags', tag);
  if (![...tags, ...skipTags].some(isUnknown) && selectsNothing(plays, { tags, skipTags }))
    diagnostics.error('these tags leave no task to run', undefined, TAGS_HINT);
}

function selectsNothing(plays: readonly Play[], selection: TagSelection): boolean {
  const hasSteps = (play: Play): boolean => sectionSteps(play).length > 0;
  return plays.some(hasSteps) && !plays.some((play) => hasSteps(selectSections(play, selection)));
}

const TAGS_HINT = '--list-tags shows the tags';
const LEFT_OUT_HINT = 'give the include the tag, too, or import the tasks';

/** The tags of steps, and of what they include. */
class FoundTags {
  readonly known: Set<string>;
  /** A selected include whose contents are only known during the run. */
  open: Include | undefined;
  readonly #reader = new AheadReader();
  readonly #waiting: { readonly include: Include; readonly around: readonly string[] }[] = [];
  readonly #leftOut: Include[] = [];

  constructor(
    private readonly selection: TagSelection,
    known: readonly string[],
  ) {
    this.known = new Set(known);
  }

  add(steps: readonly Step[], around: readonly string[] = []): void {
    for (const step of everyStep(steps)) {
      if (step.type === 'role' || step.type === 'block') continue;
      for (const tag of step.tags) this.known.add(tag);
      if (step.type !== 'include') continue;
      if (isSelected(step.tags, this.selection)) this.#waiting.push({ include: step, around });
      else this.#leftOut.push(step);
    }
  }

  async readIncludes(): Promise<void> {
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
      const ahead = await this.#reader.read(next.include, next.around);
      if (ahead.type === 'read') this.add(ahead.included.steps, ahead.inside);
      else if (ahead.type !== 'known') this.open ??= next.include;
    }
  }

  /** The includes that the tags leave out, and whose tasks have the tag. */
  async leftOutWith(tag: string): Promise<readonly Include[]> {
    const found = new Set<Include>();
    for (const include of this.#leftOut)
      for await (const { call } of callsAhead([include]))
        if (call !== include && call.tags.includes(tag)) found.add(include);
    return [...found];
  }
}
