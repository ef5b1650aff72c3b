import { isMap, visit, type Document, type YAMLError } from 'yaml';
import type { Diagnostics } from '../../core/model/source/diagnostic.js';
import type { Positions } from './positions.js';
import { worded } from './wording.js';

const OPENING = /^[ \t]*(?:-[ \t]+)*(?:(?:"[^"]*"|'[^']*'|[^\s"'#{][^"'#{]*?)[ \t]*:[ \t]+)?(?=\{\{)/;

/**
 * Reports syntax errors and unquoted templates, which YAML reads as mappings. Reports only the first syntax error,
 * because the others are mostly its consequences.
 */
export function reportSyntax(
  document: Document.Parsed,
  positions: Positions,
  text: string,
  diagnostics: Diagnostics,
): boolean {
  const templates = new Set([...mistakenForMappings(document), ...onLinesOf(document.errors, text)]);
  for (const offset of [...templates].sort((a, b) => a - b)) {
    diagnostics.error('a value that starts with "{{" must be quoted', positions.at(offset), quoted(text, offset));
  }
  const [error] = document.errors;
  if (templates.size > 0) return true;
  if (error === undefined) return false;
  const { offset, message, hint } = worded(error, text);
  diagnostics.error(message, positions.at(offset), hint);
  return true;
}

/** `{{ x }}` reads as a mapping whose key is a mapping. */
function mistakenForMappings(document: Document.Parsed): readonly number[] {
  const found: number[] = [];
  visit(document, {
    Map(_, node) {
      const key: unknown = node.items[0]?.key;
      const start = node.range?.[0];
      if (start !== undefined && node.flow === true && isMap(key) && key.range?.[0] === start + 1) found.push(start);
    },
  });
  return found;
}

/** `{{ x }}/y` is a syntax error after the mapping, but the missing quotes are the mistake to report. */
function onLinesOf(errors: readonly YAMLError[], text: string): readonly number[] {
  return errors.flatMap((error) => {
    const start = text.lastIndexOf('\n', error.pos[0] - 1) + 1;
    const opening = OPENING.exec(restOfLine(text, start));
    return opening === null ? [] : [start + opening[0].length];
  });
}

function quoted(text: string, offset: number): string {
  const line = restOfLine(text, offset).trim();
  // Inside brackets the value ends before the line does.
  const value = /^(\{\{.*?\}\})\s*[\]},]/.exec(line)?.[1] ?? line;
  if (!value.includes('"')) return `write "${value}"`;
  return value.includes("'") ? 'quote the whole value' : `write '${value}'`;
}

function restOfLine(text: string, start: number): string {
  const end = text.indexOf('\n', start);
  return text.slice(start, end === -1 ? undefined : end).replace(/\r$/, '');
}
