import { directReference, mapReferences, shownName } from '../../core/model/run/reference.js';
import { SERVER_FIELDS, type Change } from '../../core/model/run/result.js';
import { pathText } from '../../core/model/source/diagnostic.js';
import { isEqual, type Mapping, type Value } from '../../core/model/values/value.js';
import { SECRET_CHANGED } from '../../core/secrets/mask_event.js';
import type { Palette } from '../text/palette.js';
import { plain } from '../text/plain.js';
import { lineStart } from '../text/shorten.js';
import { count } from '../text/words.js';
import { entryLines } from '../text/yaml_text.js';
import { differences, type Difference } from './differences.js';

const MOST_LINES = 400;
const MOST_CHARACTERS = 100_000;
/** Number of characters shown before the first difference of two long texts. */
const BEFORE_DIFFERENCE = 200;
const LONG_BEGINNING = 5_000;

/**
 * A change as lines of `-`, `+` and `~` with the path of what changes, uncoloured:
 *
 *     cloud "edge-1"
 *     - mtu: 1500
 *     + mtu: 9000
 *     ~ vcenter_configuration.password: ‹secret changed›
 *
 * A deletion shows every field of the object as `-`.
 * @param isGeneral for several controllers: references by name, and without what each controller sets
 */
export function diffLines(change: Change, isGeneral = false): readonly string[] {
  if (change.kind === 'none') return [];
  const lines = [plain(change.object) + remark(change)];
  let characters = 0;
  for (const difference of isGeneral ? generalDifferences(change) : differences(change)) {
    for (const line of differenceLines(difference)) {
      if (lines.length === MOST_LINES || characters > MOST_CHARACTERS)
        return [...lines, `  … cut here, after ${count(lines.length, 'line')}`];
      lines.push(line);
      characters += line.length;
    }
  }
  return lines;
}

/** Colours by the sign at the beginning of the line. */
export function paintDiff(line: string, palette: Palette): string {
  if (line.startsWith('+ ')) return palette.good(line);
  if (line.startsWith('- ')) return palette.bad(line);
  return line.startsWith('~ ') ? palette.changed(line) : line;
}

function remark(change: Change): string {
  if (change.kind === 'create') return ' (new)';
  if (change.kind === 'delete') return ' (deleted)';
  return change.kind === 'update' && change.before === null ? ' (could not be compared)' : '';
}

/** For several controllers: references by name, and without what each controller sets. */
export function generalDifferences(change: Change): readonly Difference[] {
  const isOwn = ({ path: [name, ...inside] }: Difference): boolean =>
    inside.length === 0 && SERVER_FIELDS.some((field) => field === name);
  return differences(change).flatMap((one) => (isOwn(one) ? [] : [generalDifference(one)]));
}

function generalDifference(difference: Difference): Difference {
  const field = difference.path.findLast((part) => typeof part === 'string') ?? '';
  const byName = (value: Value): Value => withReferencesByName({ [field]: value })[field] ?? null;
  switch (difference.type) {
    case 'added':
      return { ...difference, after: byName(difference.after) };
    case 'removed':
      return { ...difference, before: byName(difference.before) };
    case 'replaced': {
      const [before, after] = [byName(difference.before), byName(difference.after)];
      return isEqual(before, after) ? difference : { ...difference, before, after };
    }
  }
}

function differenceLines(difference: Difference): Iterable<string> {
  const path = pathText(difference.path);
  switch (difference.type) {
    case 'added':
      return signed('+', path, difference.after);
    case 'removed':
      return signed('-', path, difference.before);
    case 'replaced':
      if (difference.after === SECRET_CHANGED) return signed('~', path, difference.after);
      return replacedLines(path, fromDifference(difference.before, difference.after));
  }
}

function* replacedLines(path: string, [before, after]: readonly [Value, Value]): Iterable<string> {
  yield* signed('-', path, before);
  yield* signed('+', path, after);
}

function* signed(sign: string, path: string, value: Value): Iterable<string> {
  for (const line of entryLines(path, value)) yield `${sign} ${line}`;
}

/** Drops most of the common beginning of two long texts, because only beginnings are shown. */
function fromDifference(before: Value, after: Value): readonly [Value, Value] {
  if (typeof before !== 'string' || typeof after !== 'string') return [before, after];
  let same = 0;
  while (same < before.length && before.charCodeAt(same) === after.charCodeAt(same)) same++;
  if (same < LONG_BEGINNING) return [before, after];
  const from = lineStart(before, same - BEFORE_DIFFERENCE);
  return [`…${before.slice(from)}`, `…${after.slice(from)}`];
}

/** The object with references by name, where they show it: the address and the uuid are those of one controller. */
function withReferencesByName(object: Mapping): Mapping {
  return mapReferences(object, (reference) => {
    const [name, direct] = [shownName(reference), directReference(reference)];
    return name === undefined || direct === undefined ? reference : `${direct.collection}?name=${name}`;
  });
}
