import { createHash } from 'node:crypto';
import type { TaskFinished } from '../../core/model/run/event.js';
import { type Change, changeObject, type Resumption } from '../../core/model/run/result.js';
import { type FieldPath, pathText } from '../../core/model/source/diagnostic.js';
import { getOrAdd, appendTo } from '../../core/model/values/groups.js';
import { isList, isMapping, jsonText, type Mapping, type Value } from '../../core/model/values/value.js';
import { type ActingController, actingController, nameReplacer } from '../text/messages.js';
import { compareNames, nameSome } from '../text/words.js';
import { diffLines, generalDifferences } from './diff_text.js';
import { differences } from './differences.js';
import { type Folded, foldedPlace, foldedValues, withTemplates } from './folded_values.js';

/** Maximum number of different changes to keep. */
const MOST_KEPT = 1000;

/** Matches a template whose only variable is the controller's name: its values tell the reader nothing new. */
const OWN_NAME = /^(?:(?!\{\{).|\{\{\s*inventory_hostname(?:_short)?\s*\}\})*$/s;

/** A value that differs between the controllers of a group: its template, and the controllers with each value. */
export interface VariedValue {
  readonly template: string;
  /** Controllers by value, the most frequent value first. */
  readonly values: readonly (readonly [value: string, controllers: readonly string[]])[];
}

/** Controllers with the same change. */
export class ChangeGroup {
  /** As results name them: with the delegate, if there is one. */
  readonly controllers = new Set<string>();
  readonly #places = new Map<string, Map<string, string[]>>();

  constructor(
    private readonly first: Change,
    private readonly folded: readonly Folded[],
    private readonly firstController: string,
  ) {}

  add(controller: string, folded: readonly Folded[]): void {
    this.controllers.add(controller);
    for (const one of folded) this.#note(controller, one);
  }

  /** The common change: values that differ are shown as written in the playbook. */
  get change(): Change {
    return withTemplates(this.first, this.#varied());
  }

  /** As `diffLines`, with the names of controllers replaced if there are several. */
  get lines(): readonly string[] {
    return this.controllers.size > 1 ? this.generalLines : diffLines(this.change);
  }

  /** The same lines for comparison with other groups. */
  get generalLines(): readonly string[] {
    return diffLines(this.change, true).map(nameReplacer(this.firstController));
  }

  /** Replaces the names of the controller of the common change, if there are several. */
  get general(): (text: string) => string {
    return this.controllers.size > 1 ? nameReplacer(this.firstController) : (text) => text;
  }

  get varied(): readonly VariedValue[] {
    const varied = this.#varied().filter(({ template }) => !OWN_NAME.test(template));
    return varied.map((one) => ({ template: one.template, values: this.#listValues(one) }));
  }

  #note(controller: string, folded: Folded): void {
    const values = getOrAdd(this.#places, foldedPlace(folded), () => new Map<string, string[]>());
    appendTo(values, String(folded.value), controller);
  }

  #varied(): readonly Folded[] {
    return this.folded.filter((one) => (this.#places.get(foldedPlace(one))?.size ?? 0) > 1);
  }

  #listValues(folded: Folded): VariedValue['values'] {
    const values = [...(this.#places.get(foldedPlace(folded)) ?? [])];
    return values.sort(([one, a], [other, b]) => b.length - a.length || compareNames(one, other));
  }
}

/**
 * The changes of one task on many controllers, grouped by equality. Changes are also equal if they differ only in the name of the
 * controller or in values that the same template of the task produces.
 */
export class ChangeGroups {
  readonly #groups = new Map<string, ChangeGroup>();
  /** Controllers whose changes were not kept. */
  readonly others = new Set<string>();

  /** @param args of the task, as written. Undefined: unknown. */
  add(on: ActingController, change: Change, args?: Value): ChangeGroup | undefined {
    const { controller } = on;
    const folded = foldedValues(change, args);
    const key = groupKey(withTemplates(change, folded), controller);
    let group = this.#groups.get(key);
    if (group === undefined) {
      if (this.#groups.size === MOST_KEPT) {
        this.others.add(controller);
        return undefined;
      }
      this.#groups.set(key, (group = new ChangeGroup(change, folded, controller)));
    }
    group.add(actingController(on), folded);
    return group;
  }

  /** Most frequent first; groups of equal size are in the order of their first controllers. */
  get sorted(): readonly ChangeGroup[] {
    return [...this.#groups.values()].sort(
      (a, b) => b.controllers.size - a.controllers.size || compareNames(firstController(a), firstController(b)),
    );
  }
}

function firstController({ controllers }: ChangeGroup): string {
  return [...controllers].reduce((first, name) => (compareNames(name, first) < 0 ? name : first));
}

/** Of the whole change: what is shown of a long one is cut. */
function groupKey(change: Change, controller: string): string {
  const general = nameReplacer(controller);
  const isUnread = change.kind === 'update' && change.before === null;
  const whole = [change.kind, isUnread, changeObject(change), generalDifferences(change)];
  return createHash('sha256')
    .update(jsonText(editTexts(whole, general)))
    .digest('base64');
}

/** Edits all texts in a value, also the names of fields. */
export function editTexts(value: Mapping, edit: (text: string) => string): Mapping;
export function editTexts(value: Value, edit: (text: string) => string): Value;
export function editTexts(value: Value, edit: (text: string) => string): Value {
  if (typeof value === 'string') return edit(value);
  if (isList(value)) return value.map((one) => editTexts(one, edit));
  if (!isMapping(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [edit(name), editTexts(one, edit)]));
}

/** What a task changed, in words: on this controller, and with templates in place of what differs between controllers. */
export function changeTexts(
  event: TaskFinished,
  args: Value | undefined,
): { readonly own: string; readonly common: string } {
  const { change, controller, message = '', resumed } = event;
  const again = resumptionWords(resumed);
  const text = (words: string): string => `${words === '' ? message : words}${again === '' ? '' : `; ${again}`}`;
  const general = nameReplacer(controller);
  const own = text(changeWords(event));
  if (change === undefined) return { own, common: general(own) };
  const folded = foldedValues(change, args);
  const common = folded.length === 0 ? own : text(changeWords({ ...event, change: withTemplates(change, folded) }));
  return { own, common: general(common) };
}

type Changing = Pick<TaskFinished, 'change' | 'check' | 'unconfirmed'>;

const MOST_FIELDS = 2;
const MOST_NAMES = 4;

/**
 * The change of a task in a few words: `created cloud "edge-1"`, `updated cloud "edge-1": mtu`; `would` in check mode, and `may have` if
 * the outcome of the write is unknown. Empty: nothing changes.
 */
export function changeWords({ change, check, unconfirmed }: Changing): string {
  const word = (done: string, planned: string): string =>
    unconfirmed === true ? `may have ${done}` : check === true ? `would ${planned}` : done;
  if (change === undefined) return '';
  switch (change.kind) {
    case 'none':
      return '';
    case 'create':
      return `${word('created', 'create')} ${change.object}`;
    case 'update':
      return `${word('updated', 'update')} ${change.object}${paths(change)}`;
    case 'delete':
      return `${word('deleted', 'delete')} ${change.object}`;
    case 'invoke':
      return `${word('sent', 'send')} ${change.object}`;
  }
}

/** The changed fields. A list is one field, and many fields are summarised by the object that contains them. */
function paths(change: Change): string {
  if (change.kind === 'update' && change.before === null) return '';
  const changed = differences(change).map(({ path }) => upToList(path));
  const fields = new Set(changed.map(pathText));
  const names = fields.size > MOST_FIELDS ? new Set(changed.map((path) => pathText(path.slice(0, 1)))) : fields;
  return names.size === 0 ? '' : `: ${nameSome([...names], MOST_NAMES)}`;
}

/** The path of the field; for an element of a list, the path of the list. */
export function upToList(path: FieldPath): FieldPath {
  const index = path.findIndex((part) => typeof part === 'number');
  return index === -1 ? path : path.slice(0, index);
}

/** How a resume resolved an interrupted write; empty if there was none. */
export function resumptionWords(resumed: Resumption | undefined): string {
  switch (resumed) {
    case undefined:
      return '';
    case 'found':
      return 'the interrupted write had taken effect';
    case 'repeated':
      return 'repeated: the interrupted write had no effect';
  }
}
