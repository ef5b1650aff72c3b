import { sep } from 'node:path';
import { inReadingOrder, type Diagnostic, type Source } from '../core/model/source/diagnostic.js';
import { groupBy } from '../core/model/values/groups.js';
import { maskText } from '../core/secrets/mask_text.js';
import { Secrets } from '../core/secrets/secrets.js';
import { codeFrame } from './text/code_frame.js';
import { createPalette, type Palette } from './text/palette.js';
import { plain } from './text/plain.js';
import { shorten } from './text/shorten.js';
import { displayPlace, OUTDATED, SourceFiles } from './text/source_files.js';
import { count, MOST_SHOWN_CHARACTERS, nameSome } from './text/words.js';

export interface DiagnosticsFormat {
  readonly colour: boolean;
  /** Paths inside it are shown relative to it. */
  readonly cwd: string;
  /** Secrets to mask in files and messages. */
  readonly secrets?: Secrets | undefined;
  /** Whether to show the rule of each finding: `error[ignore-errors]: …` */
  readonly rules?: boolean | undefined;
}

interface DiagnosticWriter {
  readonly rules: boolean;
  readonly cwd: string;
  readonly palette: Palette;
  readonly mask: (text: string) => string;
  readonly files: SourceFiles;
}

/**
 * All diagnostics as text: message, position, the lines around it with a caret, hint, and the total at the end. Ends with a line break, or
 * is empty if there are none.
 */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], format: DiagnosticsFormat): string {
  const { colour, cwd, secrets = new Secrets(), rules = false } = format;
  const mask = (text: string): string => maskText(text, secrets);
  const writer = { rules, cwd, palette: createPalette(colour), files: new SourceFiles(cwd), mask };
  // Those without a position come first.
  const byPlace = groupBy(diagnostics, ({ source }) => source !== undefined);
  const distinct = grouped(inReadingOrder([...(byPlace.get(false) ?? []), ...(byPlace.get(true) ?? [])]));
  if (distinct.length === 0) return '';
  return `${distinct.map((one) => formatOne(one, writer)).join('\n')}\n${total(distinct)}\n`;
}

/** A diagnostic and the other positions where it occurs. */
interface Shown extends Diagnostic {
  readonly also: readonly Source[];
}

/** Merges each group into its first diagnostic. */
function grouped(diagnostics: readonly Diagnostic[]): readonly Shown[] {
  const groups = groupBy(diagnostics, (one) => (one.group && `${one.severity} ${one.group.message}`) ?? one);
  return [...groups.values()].map(([first, ...others]): Shown => {
    if (first.group === undefined || others.length === 0) return { ...first, also: [] };
    const message = `${first.group.message}${members([first, ...others])}`;
    return { ...first, message, also: others.flatMap(({ source }) => source ?? []) };
  });
}

/** `: copy (12), file`, most frequent first; ` (3 times)` if they have no names. */
function members(diagnostics: readonly Diagnostic[]): string {
  const counts = new Map<string, number>();
  for (const { group } of diagnostics) if (group?.member) counts.set(group.member, (counts.get(group.member) ?? 0) + 1);
  if (counts.size === 0) return ` (${diagnostics.length} times)`;
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return `: ${sorted.map(([name, times]) => (times === 1 ? name : `${name} (${times})`)).join(', ')}`;
}

/** Number of positions to list after the first. */
const MOST_PLACES = 8;

function otherPlaces(also: readonly Source[], cwd: string): string {
  const places = also.map((source) => displayPlace(source, cwd));
  return nameSome(places, MOST_PLACES);
}

function formatOne(diagnostic: Shown, writer: DiagnosticWriter): string {
  const { palette, mask } = writer;
  const { severity, message, source, hint, rule, also, isOutdated } = diagnostic;
  const paint = severity === 'error' ? palette.bad : palette.warning;
  const label = writer.rules && rule !== undefined ? `${severity}[${rule}]:` : `${severity}:`;
  const lines = [`${paint(label)} ${palette.strong(shortText(message, writer))}`];
  if (source !== undefined) {
    lines.push(`  ${palette.place('-->')} ${mask(displayPlace(source, writer.cwd))}`);
    if (isOutdated === true) lines.push(`    ${OUTDATED}`);
    else lines.push(...codeFrame(writer.files.lines(source.file) ?? [], source, writer).map((line) => `  ${line}`));
  }
  if (also.length > 0) lines.push(`  ${palette.place('=')} also: ${mask(otherPlaces(also, writer.cwd))}`);
  if (hint !== undefined) lines.push(`  ${palette.place('=')} hint: ${shortText(hint, writer)}`);
  return `${lines.join('\n')}\n`;
}

/** Masks before it cuts, because half a secret would not be recognised. */
function shortText(text: string, { mask, cwd }: DiagnosticWriter): string {
  return shorten(plain(withRelativeFiles(mask(text), cwd)), MOST_SHOWN_CHARACTERS, 'cut here');
}

/** A masked message that shows files as positions are shown. */
export function withRelativeFiles(text: string, cwd: string): string {
  return ` ${text}`.replaceAll(` ${cwd}${sep}`, ' ').slice(1);
}

function total(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const warnings = diagnostics.length - errors;
  const parts = [errors > 0 ? count(errors, 'error') : '', warnings > 0 ? count(warnings, 'warning') : ''];
  return parts.filter((part) => part !== '').join(', ');
}
