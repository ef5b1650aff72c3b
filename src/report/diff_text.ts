import type { Change } from '../model/change.js';
import { pathText } from '../model/field_path.js';
import type { Value } from '../model/value.js';
import { differences, type Difference } from './diff.js';
import type { Palette } from './palette.js';
import { plain } from './plain.js';
import { SECRET_CHANGED } from '../redaction/redact_change.js';
import { grouped } from './words.js';
import { entryLines } from './yaml_text.js';

const MOST_LINES = 400;

/**
 * A change as lines of `-`, `+` and `~` with the path of what changes, uncoloured:
 *
 *     cloud "edge-1"
 *     - mtu: 1500
 *     + mtu: 9000
 *     ~ vcenter_configuration.password: ‹secret changed›
 */
export function diffLines(change: Change): readonly string[] {
  if (change.kind === 'none') return [];
  const lines = [plain(change.object) + remark(change)];
  for (const difference of differences(change)) {
    if (lines.length > MOST_LINES) break;
    for (const line of linesOf(difference)) lines.push(line);
  }
  if (lines.length <= MOST_LINES) return lines;
  return [...lines.slice(0, MOST_LINES), `  … cut here, after ${grouped(MOST_LINES)} lines`];
}

/** Colours by the sign at the beginning of the line. */
export function paintDiff(line: string, palette: Palette): string {
  if (line.startsWith('+ ')) return palette.good(line);
  if (line.startsWith('- ')) return palette.bad(line);
  return line.startsWith('~ ') ? palette.changed(line) : line;
}

function remark(change: Change): string {
  if (change.kind === 'create') return ' (new)';
  return change.kind === 'update' && change.before === null ? ' (could not be compared)' : '';
}

function linesOf(difference: Difference): readonly string[] {
  const path = pathText(difference.path);
  switch (difference.type) {
    case 'added':
      return signed('+', path, difference.after);
    case 'removed':
      return signed('-', path, difference.before);
    case 'replaced':
      if (difference.after === SECRET_CHANGED) return signed('~', path, difference.after);
      return [...signed('-', path, difference.before), ...signed('+', path, difference.after)];
  }
}

function signed(sign: string, path: string, value: Value): readonly string[] {
  return entryLines(path, value).map((line) => `${sign} ${line}`);
}
