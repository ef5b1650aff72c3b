import { isSecretName } from '../model/secret_names.js';
import { MASK } from '../model/secrets.js';
import { redactQueries, USER_INFO } from './redact_text.js';

/** `indent - name: value` of a YAML or JSON line, or `name=value` of an INI one. */
const ASSIGNMENT = /^(\s*(?:-\s+)?["']?)([\w.-]+)(["']?\s*[:=]\s*)(\S.*)$/;
/** Inside a line; a quote that is never closed goes on to its end. */
const VALUE = String.raw`("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s,}\]"'{[]+|["'].*)`;
/** One sign after the other: in `module: password=…` the whole of the second is no value of the first. */
const INLINE = ['=', ':'].map((sign) => new RegExp(String.raw`(["']?)\b([\w.-]+)\1(\s*${sign}\s*)${VALUE}`, 'g'));

const HEADER = /^\s*(?:-\s+)?["']?([\w.-]+)["']?\s*:\s*(?:[|>].*)?$/;
/** A secret's lines further away from its name are not looked for: private keys are about so long. */
const LONGEST_BLOCK = 200;

/** The line of that number (from 1), its secrets masked, also if it belongs to the text of a secret that begins further up. */
export function withoutSecrets(lines: readonly string[], number: number): string {
  const line = lines[number - 1] ?? '';
  return belowSecretName(lines, number) ? `${' '.repeat(indentation(line))}${MASK}` : hideSecretScalar(line);
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
    if (isSecretName(name)) return /[|>]/.test(candidate) || !/:(?:\s|$)|^\s*-/.test(line);
  }
  return false;
}

function indentation(line: string): number {
  return line.length - line.trimStart().length;
}

/** A line of text with the values of secret names masked; templates stay readable, they are not the secret itself. */
export function hideSecretScalar(line: string): string {
  const whole = ASSIGNMENT.exec(line);
  const [, indent = '', name = '', sign = '', value = ''] = whole ?? [];
  if (whole !== null && isSecretName(name) && !opensCollection(value)) {
    return indent + name + sign + masked(value);
  }
  return INLINE.reduce(hideInline, redactQueries(line).replace(USER_INFO, `$1${MASK}@`));
}

function hideInline(line: string, pattern: RegExp): string {
  return line.replace(pattern, (all, quote: string, key: string, between: string, text: string) =>
    isSecretName(key) ? `${quote}${key}${quote}${between}${masked(text)}` : all,
  );
}

function opensCollection(value: string): boolean {
  return /^[{[](?!\{)/.test(value);
}

function masked(value: string): string {
  return /^["']?\{\{.*\}\}["']?$/.test(value) || /^[|>&*!#]/.test(value) ? value : MASK;
}
