import type { TaskFinished } from '../../../core/model/run/event.js';
import { changeObject, type Change, changedSomething } from '../../../core/model/run/result.js';
import { placeText } from '../../../core/model/source/diagnostic.js';
import { jsonText } from '../../../core/model/values/value.js';
import { changeWords } from '../../diff/change_groups.js';
import { diffLines } from '../../diff/diff_text.js';
import { foldedValues, withTemplates } from '../../diff/folded_values.js';
import type { WrittenArguments } from '../../output/options.js';
import { causeKey, MASKED_OBJECT, objectPlace } from '../../run/failures/failure_group.js';
import { mayHaveWritten } from '../../run/failures/failure_log.js';
import { causeFirst, generalMessage, nameReplacer } from '../../text/messages.js';
import { plain } from '../../text/plain.js';
import { shorten, lineStart } from '../../text/shorten.js';
import type { CellState, Detail, DetailItem } from '../format/page.js';

/** Maximum lengths of texts, in characters. */
export const LONGEST_TEXTS = { task: 500, item: 500, words: 500, message: 4_000, hint: 4_000 } as const;
/** Maximum number of items per cell. */
const MOST_ITEMS = 200;
const LONGEST_DIFF = 20_000;
/** Maximum size of all texts of a page, in characters. Beyond it, new details have no diff. */
const MOST_TEXT = 60_000_000;
export const CUT_HERE = 'cut here';

/** For events that are not masked again. */
export function cutHere(text: string, longest: number): string {
  return shorten(text, longest, CUT_HERE);
}

/** What happened while a task ran, besides its result. */
export interface RequestCounts {
  attempts: number;
  requests: number;
  retries: number;
}

/** A table in which equal entries are stored once. */
class Interned {
  readonly #places = new Map<string, number>();

  /** The index of an entry, and whether it is new. */
  at(key: string): readonly [place: number, isNew: boolean] {
    const known = this.#places.get(key);
    if (known !== undefined) return [known, false];
    const place = this.#places.size;
    this.#places.set(key, place);
    return [place, true];
  }
}

/** The details of a run's cells, and their diffs. Equal ones are stored once, even for different controllers. */
export class PageDetails {
  readonly details: Detail[] = [];
  readonly texts: string[] = [];
  readonly #details = new Interned();
  readonly #texts = new Interned();
  readonly #groups = new Interned();
  #size = 0;

  /** @param written the arguments of tasks as written, if known */
  constructor(
    private readonly cut: typeof cutHere,
    private readonly written?: WrittenArguments,
  ) {
    this.#add({});
  }

  /** The index of a result's details. */
  addResult(event: TaskFinished, columnTask: string, counts: RequestCounts, items: readonly DetailItem[]): number {
    return this.#add(this.#detail(event, columnTask, counts, items));
  }

  item(event: TaskFinished): DetailItem {
    const general = generalizer(event.controller);
    return {
      item: this.cut(general(event.item ?? ''), LONGEST_TEXTS.item),
      status: cellState(event),
      ...this.#result(event, general),
    };
  }

  #detail(event: TaskFinished, columnTask: string, counts: RequestCounts, items: readonly DetailItem[]): Detail {
    const general = generalizer(event.controller);
    const { task, hint, cause, check, delegatedTo, tenant, round } = event;
    const { attempts, requests, retries } = counts;
    return {
      ...(task !== columnTask && { task: this.cut(general(task), LONGEST_TEXTS.task) }),
      ...this.#result(event, general),
      ...(hint !== undefined && { hint: this.cut(general(hint), LONGEST_TEXTS.hint) }),
      ...(cause !== undefined && { place: cause }),
      ...(check === true && { check }),
      ...(delegatedTo !== undefined && { delegatedTo }),
      ...(tenant !== undefined && { tenant }),
      ...(attempts > 1 && { attempts }),
      ...(requests > 0 && { requests }),
      ...(retries > 0 && { retries }),
      ...(round !== undefined && { round }),
      ...(items.length > 0 && { items: mostTelling(items) }),
      ...(items.length > MOST_ITEMS && { moreItems: items.length - MOST_ITEMS }),
    };
  }

  #result(event: TaskFinished, general: (text: string) => string): Detail {
    const { message, change, maskedChange, status } = event;
    const isOpen = mayHaveWritten(event);
    const masked: Detail =
      maskedChange === true || isOpen ? { object: general(objectPlace(MASKED_OBJECT, event)) } : {};
    const changed = change === undefined || change.kind === 'none' ? masked : this.#change(event, change, general);
    const state = cellState(event);
    const hasFailed = status !== 'changed' && changedSomething(event);
    const group = (key: string): number => this.#groups.at(key)[0];
    return {
      ...(message !== undefined && { message: this.cut(general(causeFirst(message)), LONGEST_TEXTS.message) }),
      ...changed,
      ...(isOpen && { unconfirmed: true }),
      ...((state === 'failed' || state === 'unreachable') && { group: group(causeKey(event)) }),
      ...(state === 'changed' && { group: group(changeKey(event, changed)) }),
      ...(hasFailed && changed.object !== undefined && { written: group(changeKey(event, changed)) }),
    };
  }

  #change(
    event: TaskFinished,
    change: Change,
    general: (text: string) => string,
  ): Pick<Detail, 'object' | 'words' | 'diff' | 'template'> {
    const object = general(objectPlace(changeObject(change), event));
    const words = this.cut(general(changeWords(event)), LONGEST_TEXTS.words);
    if (change.kind === 'invoke' || this.#size > MOST_TEXT) return { object, words };
    const folded = foldedValues(change, this.written?.(event.source));
    return {
      object,
      words,
      diff: this.#diff(change, general),
      ...(folded.length > 0 && { template: this.#diff(withTemplates(change, folded), general) }),
    };
  }

  #diff(change: Change, general: (text: string) => string): number {
    const lines = general(diffLines(change, true).join('\n'));
    return this.#text(
      lines.length > LONGEST_DIFF
        ? `${lines.slice(0, lineStart(lines, LONGEST_DIFF)).trimEnd()}\n… ${CUT_HERE}`
        : lines,
    );
  }

  #text(text: string): number {
    const [place, isNew] = this.#texts.at(text);
    if (isNew) {
      this.texts.push(text);
      this.#size += text.length;
    }
    return place;
  }

  #add(detail: Detail): number {
    const key = jsonText(detail);
    const [place, isNew] = this.#details.at(key);
    if (isNew) {
      this.details.push(detail);
      this.#size += key.length;
    }
    return place;
  }
}

/** Of a long loop, in order: an item of each cause and of each change, then failures, then changes, then others. */
function mostTelling(items: readonly DetailItem[]): readonly DetailItem[] {
  if (items.length <= MOST_ITEMS) return items;
  const groups = new Set<number>();
  const ranks = new Map(
    items.map((one) => {
      const { group, status, written, unconfirmed } = one;
      const isNew = group !== undefined && groups.size < groups.add(group).size;
      const hasFailed = status !== 'ok' && status !== 'changed' && status !== 'skipped';
      return [one, isNew ? 0 : hasFailed ? 1 : status === 'changed' || written !== undefined || unconfirmed ? 2 : 3];
    }),
  );
  const rank = (one: DetailItem): number => ranks.get(one) ?? 0;
  const kept = new Set(items.toSorted((a, b) => rank(a) - rank(b)).slice(0, MOST_ITEMS));
  return items.filter((one) => kept.has(one));
}

export function cellState({ status, ignored, rescued }: TaskFinished): CellState {
  if (rescued === true) return 'rescued';
  return ignored === true ? 'ignored' : status;
}

/** As the other reports group changes, in which templates replace the values that they explain. */
function changeKey(
  { source, message = '', controller }: TaskFinished,
  { words, diff, template }: Pick<Detail, 'words' | 'diff' | 'template'>,
): string {
  const text = words ?? generalMessage(message, controller);
  return jsonText([placeText(source), ...(template === undefined ? [text, diff ?? null] : [template])]);
}

/** Makes a text safe to show, and replaces the name of the controller in it. */
function generalizer(controller: string): (text: string) => string {
  const short = controller.split('.', 1)[0] ?? controller;
  let replace: ((text: string) => string) | undefined;
  return (text) => {
    const shown = plain(text);
    return shown.includes(short) ? (replace ??= nameReplacer(controller))(shown) : shown;
  };
}
