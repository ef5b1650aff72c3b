import type { Change } from '../../model/run/change.js';
import type { TaskFinished } from '../../model/run/event.js';
import { placeText } from '../../model/source/source.js';
import { diffLines, paintDiff } from './diff_text.js';
import type { Palette } from '../text/palette.js';
import { oneLine } from '../text/plain.js';
import { count, grouped, someOf } from '../text/words.js';

/** Limits for the different diffs kept and shown per task. */
const MOST_KEPT = 1000;
const MOST_SHOWN = 10;
const MOST_NAMES = 5;

interface TaskDiffs {
  readonly task: string;
  /** Controllers by diff text. */
  readonly groups: Map<string, Set<string>>;
  /** Controllers whose diffs were not kept. */
  readonly others: Set<string>;
}

/** The diffs of a whole fleet, equal ones once, most frequent first. Holds one play at a time. */
export class FleetDiff {
  #tasks = new Map<string, TaskDiffs>();

  add(event: TaskFinished, change: Change): void {
    const text = generalised(diffLines(change), event.controller).join('\n');
    const key = placeText(event.source);
    let diffs = this.#tasks.get(key);
    if (diffs === undefined) this.#tasks.set(key, (diffs = { task: event.task, groups: new Map(), others: new Set() }));
    const group = diffs.groups.get(text);
    if (group !== undefined) group.add(event.controller);
    else if (diffs.groups.size < MOST_KEPT) diffs.groups.set(text, new Set([event.controller]));
    else diffs.others.add(event.controller);
  }

  /** Returns the lines for everything added since the last call, and forgets it. */
  take(palette: Palette): readonly string[] {
    const tasks = [...this.#tasks.values()];
    this.#tasks = new Map();
    return tasks.flatMap((diffs) => taskLines(diffs, palette));
  }
}

function taskLines({ task, groups, others }: TaskDiffs, palette: Palette): readonly string[] {
  const sorted = [...groups].sort(([, a], [, b]) => b.size - a.size);
  const lines = [palette.strong(`diff of ${oneLine(task)}`)];
  for (const [text, controllers] of sorted.slice(0, MOST_SHOWN)) {
    lines.push(`  ${heading([...controllers])}`, ...text.split('\n').map((line) => `    ${paintDiff(line, palette)}`));
  }
  const left = sorted.slice(MOST_SHOWN).reduce((sum, [, controllers]) => sum + controllers.size, others.size);
  if (left > 0)
    lines.push(palette.faint(`  other changes on ${count(left, 'more controller')}; --diff=host shows each`));
  return lines;
}

function heading(controllers: readonly string[]): string {
  if (controllers.length === 1) return `on ${controllers.join('')}`;
  return `same change on ${grouped(controllers.length)} controllers: ${someOf(controllers, MOST_NAMES)}`;
}

/** Replaces the controller's name by `{{ inventory_hostname }}`, so that diffs that differ only by it become equal. */
function generalised(lines: readonly string[], controller: string): readonly string[] {
  const short = shortName(controller);
  const whole = wholeWord(controller);
  const first = wholeWord(short);
  return lines.map((line) => {
    const text = line.replace(whole, '{{inventory_hostname}}');
    return short === controller ? text : text.replace(first, '{{inventory_hostname_short}}');
  });
}

/** The part before the first dot; an IP address has no short name. */
function shortName(controller: string): string {
  const first = controller.split('.')[0] ?? '';
  return /[a-z]/i.test(first) ? first : controller;
}

function wholeWord(name: string): RegExp {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![A-Za-z0-9_])${escaped}(?![A-Za-z0-9_])`, 'g');
}
