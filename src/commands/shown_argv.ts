import { MASK, type Secrets } from '../model/secrets.js';
import { redactText } from '../redaction/redact_text.js';

/** A short option that takes a value; what follows it in the same word is the value. */
const FIRST_WITH_VALUE = /(?<=^-[A-Za-z]*)[iEletfouMma]/;
/** Variables and arguments may be secrets under any name. */
const HIDDEN = new Set(['e', 'a', 'extra-vars', 'args']);

/** What the user typed, as it may be kept: names of variables may be read, their values not. */
export function shownArgv(argv: readonly string[], secrets: Secrets): readonly string[] {
  let hideNext = false;
  return argv.map((word) => {
    const hide = hideNext;
    const option = hide ? undefined : optionOf(word);
    hideNext = option !== undefined && option.value === undefined && HIDDEN.has(option.name);
    if (hide) return withoutValues(word);
    if (option?.value !== undefined && HIDDEN.has(option.name)) return option.before + withoutValues(option.value);
    return redactText(word, secrets);
  });
}

interface TypedOption {
  readonly name: string;
  /** What stands before the value, and the value in the same word, if it has one. */
  readonly before: string;
  readonly value: string | undefined;
}

/** The option of a word that takes a value, as far as that can be told from the word. */
function optionOf(word: string): TypedOption | undefined {
  const [, long, sign, after] = /^--([\w-]+)(=)?([^]*)$/.exec(word) ?? [];
  if (long !== undefined) return { name: long, before: `--${long}=`, value: sign === undefined ? undefined : after };
  if (!/^-[A-Za-z]/.test(word)) return undefined;
  const at = word.search(FIRST_WITH_VALUE);
  if (at < 0) return undefined;
  const value = word.slice(at + 1);
  return { name: word.charAt(at), before: word.slice(0, at + 1), value: value === '' ? undefined : value };
}

/** `version=1 mtu=1500` becomes `version=******** mtu=********`; `@file` names a file. */
function withoutValues(text: string): string {
  if (text.startsWith('@')) return text;
  const words = text.split(/\s+/);
  if (!words.every((word) => /^[\w.-]+=/.test(word))) return MASK;
  return words.map((word) => `${word.slice(0, word.indexOf('=') + 1)}${MASK}`).join(' ');
}
