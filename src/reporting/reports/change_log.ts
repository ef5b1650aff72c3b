import type { Change } from '../../core/model/run/change.js';
import type { Event, TaskFinished } from '../../core/model/run/event.js';
import { placeText } from '../../core/model/source/source.js';
import { ChangeGroups, type ChangeGroup, type VariedValue } from '../diff/change_groups.js';
import { changeWords } from '../diff/change_words.js';
import type { WrittenArguments } from '../output/options.js';
import { generalMessage } from '../text/messages.js';

/** Maximum number of different texts to keep for a task, for changes without a diff. */
const MOST_TEXTS = 100;

/** The same change on some controllers. */
export interface LoggedChange {
  /** `created cloud "edge"` */
  readonly words: string;
  /** Lines of `-` and `+`; empty if the task did not say what it changed. */
  readonly diff: readonly string[];
  readonly varied: readonly VariedValue[];
  readonly controllers: readonly string[];
}

interface OpenTask {
  readonly task: string;
  readonly groups: ChangeGroups;
  /** The text for the first controller of each group. */
  readonly words: Map<ChangeGroup, string>;
  /** Changes without a diff, by their texts. */
  readonly others: Map<string, { readonly words: string; readonly controllers: Set<string> }>;
}

/** What each task changed, equal changes together: a fold over the events of a run. */
export class ChangeLog {
  readonly #tasks = new Map<string, OpenTask>();
  /** Controllers with changed items in the running loop: the event at its end adds nothing to those of the items. */
  readonly #inLoop = new Set<string>();

  constructor(private readonly written: WrittenArguments | undefined) {}

  handle(event: Event): void {
    if (event.type !== 'task-finished') return;
    const { change, controller, item } = event;
    if (event.status === 'changed') {
      if (change !== undefined && change.kind !== 'none') this.#add(event, change);
      else if (item !== undefined || !this.#inLoop.has(controller)) this.#addText(event);
    }
    if (item === undefined) this.#inLoop.delete(controller);
    else if (event.status === 'changed') this.#inLoop.add(controller);
  }

  get tasks(): readonly { readonly task: string; readonly changes: readonly LoggedChange[] }[] {
    return [...this.#tasks.values()].map(({ task, groups, words, others }) => ({
      task,
      changes: [
        ...groups.sorted.map((group) => logged(group, words.get(group) ?? '')),
        ...unlogged([...groups.others], 'other changes'),
        ...[...others.values()].flatMap((one) => unlogged([...one.controllers], one.words)),
      ],
    }));
  }

  #add(event: TaskFinished, change: Change): void {
    const { controller, source } = event;
    const { groups, words } = this.#task(event);
    const group = groups.add(controller, change, this.written?.(source));
    if (group !== undefined && !words.has(group)) words.set(group, changeWords(event));
  }

  #addText(event: TaskFinished): void {
    const { others } = this.#task(event);
    const words = event.message ?? '';
    const exact = generalMessage(words, event.controller);
    const key = others.has(exact) || others.size < MOST_TEXTS ? exact : '';
    const known = others.get(key) ?? { words: key === '' ? '' : words, controllers: new Set() };
    known.controllers.add(event.controller);
    others.set(key, known);
  }

  #task({ source, task }: TaskFinished): OpenTask {
    const key = `${placeText(source)} ${task}`;
    let open = this.#tasks.get(key);
    if (open === undefined)
      this.#tasks.set(key, (open = { task, groups: new ChangeGroups(), words: new Map(), others: new Map() }));
    return open;
  }
}

function logged(group: ChangeGroup, words: string): LoggedChange {
  return { words, diff: group.lines.slice(1), varied: group.varied, controllers: [...group.controllers] };
}

function unlogged(controllers: readonly string[], words: string): readonly LoggedChange[] {
  return controllers.length === 0 ? [] : [{ words, diff: [], varied: [], controllers }];
}
