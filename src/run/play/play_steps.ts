import type { Block, Meta, Step } from '../../model/playbook/step.js';
import type { Play } from '../../model/playbook/playbook.js';
import type { Source } from '../../model/source/source.js';
import { isSelected, type TagSelection } from '../tags.js';

/**
 * The steps of a play as its controllers walk through them: after `pre_tasks`, after `roles` and `tasks`, and after `post_tasks`
 * the notified handlers run; with `force_handlers` even if the section failed. Same as Ansible's `Play.compile`.
 */
export function compileSteps(play: Sections, source: Source, forceHandlers: boolean): readonly Step[] {
  const flush = metaAt(source, 'flush_handlers');
  const sections = [
    { steps: play.preTasks, then: flush },
    { steps: play.tasks, then: flush },
    { steps: play.postTasks, then: metaAt(source, 'finish_handlers') },
  ];
  if (!forceHandlers) return sections.flatMap(({ steps, then }) => [...steps, then]);
  return sections.map(({ steps, then }): Block => ({ ...EMPTY, source, steps, always: [then] }));
}

function metaAt(source: Source, action: Meta['action']): Meta {
  return { type: 'meta', action, name: undefined, role: undefined, source, when: [], tags: [], layers: [] };
}

const EMPTY: Omit<Block, 'source' | 'steps' | 'always'> = {
  type: 'block',
  name: undefined,
  rescue: [],
  loop: undefined,
  layers: [],
};

type Sections = Pick<Play, 'preTasks' | 'tasks' | 'postTasks'>;

export function selectSections<T extends Sections>(play: T, selection: TagSelection): T {
  const select = (steps: readonly Step[]) => selectSteps(steps, selection);
  return { ...play, preTasks: select(play.preTasks), tasks: select(play.tasks), postTasks: select(play.postTasks) };
}

/** The steps that the tags select; a block or a role of which nothing is left goes too. */
export function selectSteps(steps: readonly Step[], selection: TagSelection): readonly Step[] {
  return steps.flatMap((step) => selected(step, selection) ?? []);
}

function selected(step: Step, selection: TagSelection): Step | undefined {
  switch (step.type) {
    case 'task':
    case 'include':
    case 'meta':
      return isSelected(step.tags, selection) ? step : undefined;
    case 'role': {
      const steps = selectSteps(step.steps, selection);
      return steps.length === 0 ? undefined : { ...step, steps };
    }
    case 'block': {
      const [steps, rescue, always] = [step.steps, step.rescue, step.always].map((one) => selectSteps(one, selection));
      const left = { ...step, steps: steps ?? [], rescue: rescue ?? [], always: always ?? [] };
      return left.steps.length + left.rescue.length + left.always.length === 0 ? undefined : left;
    }
    default:
      return step satisfies never;
  }
}
