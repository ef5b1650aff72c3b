import { isSecretName, MASK } from './secret_names.js';

/** `indent - name: value` of a YAML or JSON line, or `name=value` of an INI one. */
const ASSIGNMENT = /^(\s*(?:-\s+)?["']?)([\w.-]+)(["']?\s*[:=]\s*)(\S.*)$/;
const INLINE = /(["']?)\b([\w.-]+)\1(\s*[:=]\s*)("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s,}\]"'{[]+)/g;

/** A line of a file with the values of secret names masked; templates stay readable, they are not the secret itself. */
export function hideSecretScalar(line: string): string {
  const whole = ASSIGNMENT.exec(line);
  const [, indent = '', name = '', sign = '', value = ''] = whole ?? [];
  if (whole !== null && isSecretName(name) && !opensCollection(value)) {
    return indent + name + sign + masked(value);
  }
  return line.replace(INLINE, (all, quote: string, key: string, between: string, text: string) =>
    isSecretName(key) ? `${quote}${key}${quote}${between}${masked(text)}` : all,
  );
}

function opensCollection(value: string): boolean {
  return /^[{[](?!\{)/.test(value);
}

function masked(value: string): string {
  return /^["']?\{\{.*\}\}["']?$/.test(value) || /^[|>&*!#]/.test(value) ? value : MASK;
}
