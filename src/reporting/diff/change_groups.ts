import type { Change } from '../../core/model/run/change.js';
import type { TaskFinished } from '../../core/model/run/event.js';
import { appendTo } from '../../core/model/values/groups.js';
import type { Value } from '../../core/model/values/value.js';
import { nameReplacer } from '../text/messages.js';
import { compareNames } from '../text/words.js';
import { changeWords, resumptionWords } from './change_words.js';
import { diffLines } from './diff_text.js';
import { foldedPlace, foldedValues, withTemplates, type Folded } from './folded_values.js';

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
    return withoutName(diffLines(this.change), this.firstController);
  }

  get varied(): readonly VariedValue[] {
    const varied = this.#varied().filter(({ template }) => !OWN_NAME.test(template));
    return varied.map((one) => ({ template: one.template, values: this.#listValues(one) }));
  }

  #note(controller: string, folded: Folded): void {
    const place = foldedPlace(folded);
    const values = this.#places.get(place) ?? new Map<string, string[]>();
    this.#places.set(place, values);
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
  add(controller: string, change: Change, args?: Value): ChangeGroup | undefined {
    const folded = foldedValues(change, args);
    const key = withoutName(diffLines(withTemplates(change, folded)), controller).join('\n');
    let group = this.#groups.get(key);
    if (group === undefined) {
      if (this.#groups.size === MOST_KEPT) {
        this.others.add(controller);
        return undefined;
      }
      this.#groups.set(key, (group = new ChangeGroup(change, folded, controller)));
    }
    group.add(controller, folded);
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

function withoutName(lines: readonly string[], controller: string): readonly string[] {
  const general = nameReplacer(controller);
  return lines.map(general);
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
