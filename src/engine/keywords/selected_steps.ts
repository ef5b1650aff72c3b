import { globMatcher } from '../../core/model/inventory/pattern_terms.js';
import { plannedTasks, sectionSteps, withRole, type Play } from '../../core/model/playbook/playbook.js';
import type { Block, Meta, RoleRun, Step } from '../../core/model/playbook/step.js';
import type { Source } from '../../core/model/source/diagnostic.js';

/**
 * The steps of a play in the order in which its controllers run them: notified handlers run after `pre_tasks`, after `roles` and
 * `tasks`, and after `post_tasks`; with `force_handlers` even if the section failed. Same as Ansible's `Play.compile`.
 */
export function compileSteps(play: Sections, source: Source, forceHandlers: boolean): readonly Step[] {
  const flush = metaAt(source, 'flush_handlers');
  const sections = [
    { steps: play.preTasks, then: flush },
    { steps: play.tasks, then: flush },
    { steps: play.postTasks, then: metaAt(source, 'finish_handlers') },
  ];
  if (!forceHandlers) return sections.flatMap(({ steps, then }) => [...steps, then]);
  const empty = { type: 'block', name: undefined, rescue: [], loop: undefined, when: [], layers: [] } as const;
  return sections.map(({ steps, then }): Block => ({ ...empty, source, steps, always: [then] }));
}

function metaAt(source: Source, action: Meta['action']): Meta {
  return { type: 'meta', action, name: undefined, role: undefined, source, when: [], tags: [], layers: [] };
}

type Sections = Pick<Play, 'preTasks' | 'tasks' | 'postTasks'>;

export function selectSections<T extends Sections>(play: T, selection: TagSelection): T {
  const select = (steps: readonly Step[]) => selectSteps(steps, selection);
  return { ...play, preTasks: select(play.preTasks), tasks: select(play.tasks), postTasks: select(play.postTasks) };
}

/** Whether tags or `--start-at-task` exclude all tasks of the play, and so its gate. A play without tasks exists for its gate. */
export function isLeftOut(play: Sections, kept: readonly Step[]): boolean {
  return plannedTasks(kept) === 0 && plannedTasks(sectionSteps(play)) > 0;
}

/** The steps that the tags select; an empty block or role is left out as well. */
export function selectSteps(steps: readonly Step[], selection: TagSelection): readonly Step[] {
  return steps.flatMap((step) => selected(step, selection) ?? []);
}

function selected(step: Step, selection: TagSelection): Step | undefined {
  if (step.type === 'task' || step.type === 'include' || step.type === 'meta')
    return isSelected(step.tags, selection) ? step : undefined;
  const select = (inner: readonly Step[]) => selectSteps(inner, selection);
  const steps = select(step.steps);
  if (step.type === 'role') return steps.length === 0 ? undefined : { ...step, steps };
  const left = { ...step, steps, rescue: select(step.rescue), always: select(step.always) };
  return steps.length + left.rescue.length + left.always.length === 0 ? undefined : left;
}

/** The tags of the command line: `--tags` (empty means all) and `--skip-tags`. */
export interface TagSelection {
  readonly tags: readonly string[];
  readonly skipTags: readonly string[];
}

/**
 * Whether a task with these tags (inherited ones included) is selected. As in Ansible: `always` unless skipped, `never` only if one
 * of its other tags is requested; `all`, `tagged` and `untagged` may be requested. Skipped tags win, but a skipped `all` leaves `always`.
 */
export function isSelected(tags: readonly string[], selection: TagSelection): boolean {
  const own = tags.length > 0 ? tags : ['untagged'];
  return isAskedFor(own, selection.tags) && !isSkipped(own, selection.skipTags);
}

/**
 * The tags for the checks of a gate: only checks with `never` are left out, because a run of some tasks would otherwise continue
 * without its gate.
 */
export function gateSelection({ tags }: TagSelection): TagSelection {
  return { tags: ['all', ...tags], skipTags: [] };
}

function isAskedFor(own: readonly string[], asked: readonly string[]): boolean {
  if (own.includes('always') || own.some((tag) => asked.includes(tag))) return true;
  if (own.includes('never')) return false;
  return asked.length === 0 || asked.includes('all') || (asked.includes('tagged') && isTagged(own));
}

function isSkipped(own: readonly string[], skipped: readonly string[]): boolean {
  if (skipped.includes('all')) return !own.includes('always') || skipped.includes('always');
  return own.some((tag) => skipped.includes(tag)) || (skipped.includes('tagged') && isTagged(own));
}

function isTagged(own: readonly string[]): boolean {
  return own.some((tag) => tag !== 'untagged');
}

/** The part of a play from its first task of that name on; undefined if it has none. Does not follow includes. */
export function startingAt<T extends Sections>(play: T, name: string): T | undefined {
  const isIt = isCalled(name);
  const preTasks = from(play.preTasks, isIt);
  if (preTasks !== undefined) return { ...play, preTasks };
  const tasks = from(play.tasks, isIt);
  if (tasks !== undefined) return { ...play, preTasks: [], tasks };
  const postTasks = from(play.postTasks, isIt);
  return postTasks === undefined ? undefined : { ...play, preTasks: [], tasks: [], postTasks };
}

type IsIt = (step: Exclude<Step, Block | RoleRun>) => boolean;

/** Compares as Ansible does: the name as written, with or without its role, or a glob of either. */
function isCalled(wanted: string): IsIt {
  const matches = globMatcher(wanted);
  return (step) => {
    const own = step.name?.value ?? (step.type === 'meta' ? 'meta' : step.module);
    return withRole(step.role, own).some((name) => name === wanted || matches(name));
  };
}

function from(steps: readonly Step[], isIt: IsIt): readonly Step[] | undefined {
  for (const [index, step] of steps.entries()) {
    const first = within(step, isIt);
    if (first !== undefined) return [first, ...steps.slice(index + 1)];
  }
  return undefined;
}

function within(step: Step, isIt: IsIt): Step | undefined {
  if (step.type === 'block') return withinBlock(step, isIt);
  if (step.type !== 'role') return isIt(step) ? step : undefined;
  const steps = from(step.steps, isIt);
  return steps && { ...step, steps };
}

/** A block that is entered in its middle still rescues its failures. */
function withinBlock(block: Block, isIt: IsIt): Block | undefined {
  const steps = from(block.steps, isIt);
  if (steps !== undefined) return { ...block, steps };
  const always = from(block.always, isIt);
  return always && { ...block, steps: [], rescue: [], always };
}

/** `--start-at-task`: skips everything before the task of that name, in all plays up to the one that has it. */
export class StartAt {
  #found = false;

  constructor(private readonly name: string | undefined) {}

  /** The remaining part of the play. */
  within(play: Sections): Sections {
    if (this.#found || this.name === undefined) return play;
    const left = startingAt(play, this.name);
    this.#found = left !== undefined;
    return left ?? { preTasks: [], tasks: [], postTasks: [] };
  }
}
