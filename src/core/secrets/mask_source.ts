import type { Diagnostic } from '../model/source/diagnostic.js';
import { maskQueries, USER_INFO } from './mask_text.js';
import { isPluralOfSecret, isSecretName } from './names.js';
import { MASK } from './secrets.js';

/** `indent - name: value` of a YAML or JSON line, or `name=value` of an INI one. */
const ASSIGNMENT = /^(\s*(?:-\s+)?["']?)([\w.-]+)(["']?\s*[:=]\s*)(\S.*)$/;
/** Inside a line; an unclosed quote extends to the end of the line. */
const VALUE = String.raw`("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s,}\]"'{[]+|["'].*)`;
/** Words behind a value without quotes: in INI, those of a password that needs them. */
const MORE_WORDS = String.raw`(?:(?!\{\{|["'](?:[\s,}\]]|$))\S)*(?:[ \t]+(?!#)[^\s=:]+(?=\s|$))*`;
/** First `=`, then `:`. In `module: password=…`, the part after the colon is not one value. */
const INLINE = [
  ['=', VALUE + MORE_WORDS],
  [':', VALUE + String.raw`(?:[ \t]+[^\s,}\]"'{[:=#]+(?=[\s,}\]]|$))*`],
].map(([sign, value]) => new RegExp(String.raw`(["']?)\b([\w.-]+)\1(\s*${sign}\s*)${value}`, 'g'));

/** A list of values on the line. Of mappings, only the values of secret names are masked. */
const LIST = /(["']?)\b([\w.-]+)\1\s*[:=]\s*\[(?!\s*\{(?!\{))/g;
/** Also the texts in quotes, which may contain brackets. */
const BRACKETS = /(?<=[\s,[{(:])(?:"(?:[^"\\]|\\.)*"|'[^']*')|[[\]]/g;

const HEADER = /^\s*(?:-\s+)?["']?([\w.-]+)["']?\s*:\s*(?:[|>].*)?$/;
/** Lines further below a secret's name are not considered part of it: private keys are about this long. */
const LONGEST_BLOCK = 200;

/**
 * The line of that number (from 1), its secrets masked, even if it belongs to the text of a secret that begins further
 * up.
 */
export function maskedSourceLine(lines: readonly string[], number: number): string {
  const line = lines[number - 1] ?? '';
  return belowSecretName(lines, number) ? `${' '.repeat(indentation(line))}${MASK}` : maskSourceLine(line);
}

function belowSecretName(lines: readonly string[], number: number): boolean {
  const line = lines[number - 1] ?? '';
  if (line.trim() === '') return false;
  let indent = indentation(line);
  for (let above = number - 1; above > Math.max(0, number - LONGEST_BLOCK) && indent > 0; above--) {
    const candidate = lines[above - 1] ?? '';
    if (candidate.trim() === '' || indentation(candidate) >= indent) continue;
    indent = indentation(candidate);
    const [, name = ''] = HEADER.exec(candidate) ?? [];
    if (isSecretName(name)) return /[|>]/.test(candidate) || !/:(?:\s|$)/.test(line);
  }
  return false;
}

function indentation(line: string): number {
  return line.length - line.trimStart().length;
}

/** A line of text with the values of secret names masked; templates stay readable, they are not the secret itself. */
export function maskSourceLine(line: string): string {
  const whole = ASSIGNMENT.exec(line);
  const [, indent = '', name = '', sign = '', value = ''] = whole ?? [];
  if (whole !== null && isSecretName(name) && !/^[{[](?!\{)/.test(value)) {
    return indent + name + sign + masked(value);
  }
  return INLINE.reduce(maskInline, maskLists(maskQueries(line)).replace(USER_INFO, `$1${MASK}@`));
}

function maskInline(line: string, pattern: RegExp): string {
  return line.replace(pattern, (all, quote: string, key: string, between: string, text: string) =>
    isSecretName(key) ? `${quote}${key}${quote}${between}${masked(text)}` : all,
  );
}

function maskLists(line: string): string {
  let shown = '';
  let done = 0;
  for (const { 0: opening, 2: name = '', index } of line.matchAll(LIST)) {
    const from = index + opening.length - 1;
    if (from < done || !(isSecretName(name) || isPluralOfSecret(name))) continue;
    const end = findListEnd(line, from);
    shown += line.slice(done, from) + masked(line.slice(from, end));
    done = end;
  }
  return shown + line.slice(done);
}

/** Behind the bracket that closes the one at `from`; an unclosed list extends to the end of the line. */
function findListEnd(line: string, from: number): number {
  let depth = 0;
  for (const { 0: part, index } of line.slice(from).matchAll(BRACKETS)) {
    if (part === '[') depth++;
    else if (part === ']' && --depth === 0) return from + index + 1;
  }
  return line.length;
}

/**
 * Block scalars, anchors, aliases and tags contain no secret on this line. In a text with templates, only the literal
 * parts are secret.
 */
function masked(value: string): string {
  if (/^[|>&*!#]/.test(value)) return value;
  const parts = value.split(TEMPLATE);
  if (parts.length === 1) return MASK;
  const shown = parts.map((part, index) => (index % 2 === 1 ? withoutLiterals(part, value) : outsideTemplate(part)));
  return shown.join('').replace(USER_INFO, `$1${MASK}@`);
}

const TEMPLATE = /(\{\{.*?\}\})/;
/** A shorter text, such as `x_` in `"x_{{ y }}"`, is not a secret. */
const SHORTEST = 4;
/** Their texts say where a value is: the name of a variable, a file, an entry. */
const NAMES_PLACE = String.raw`\b(?:lookup|query|q|env|vars|file|pipe|lines|ini|csvfile)(?:\([^()]*\)|\s+"[^"]*")|\[\s*["'][^"']*["']\s*\]`;
const LITERALS = String.raw`(?<quote>QUOTE)(?<text>(?:(?!\k<quote>)(?:\\+[^\\]|[^\\]))*)(?:\k<quote>|\\*$)`;
const IN_SINGLE_QUOTES = new RegExp(`${NAMES_PLACE}|${LITERALS.replace('QUOTE', `''|"`)}`, 'g');
const ELSEWHERE = new RegExp(`${NAMES_PLACE}|${LITERALS.replace('QUOTE', String.raw`\\?["']`)}`, 'g');

/**
 * The source of a template, with its literal texts masked. In single quotes, YAML doubles the quotes of the template.
 */
function withoutLiterals(template: string, value: string): string {
  const pattern = value.startsWith("'") ? IN_SINGLE_QUOTES : ELSEWHERE;
  return template.replace(pattern, (all, quote: string | undefined, text: string | undefined) =>
    quote === undefined || text === undefined || text.length < SHORTEST ? all : `${quote}${MASK}${quote}`,
  );
}

function outsideTemplate(part: string): string {
  const [, before = '', text = '', after = ''] = /^(["']?)(.*?)(["']?)$/s.exec(part) ?? [];
  return text.length < SHORTEST ? part : `${before}${MASK}${after}`;
}

/** The same diagnostics, with secrets in their text masked. */
export function maskDiagnostics(
  diagnostics: readonly Diagnostic[],
  mask: (text: string) => string,
): readonly Diagnostic[] {
  return diagnostics.map(({ message, hint, ...rest }) => ({
    ...rest,
    message: mask(message),
    hint: hint && mask(hint),
  }));
}
