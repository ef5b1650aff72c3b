import type { Secrets } from '../../secrets/secrets.js';
import { maskBody } from '../../secrets/mask_value.js';
import { maskTitle } from '../../secrets/mask_text.js';
import { maskSourceLine } from '../../secrets/mask_source.js';

/** A short option that takes a value; what follows it in the same word is the value. */
const FIRST_WITH_VALUE = /(?<=^-[A-Za-z]*)[iEletfouMma]/;
/** Variables and arguments: their names tell what is a secret. */
const NAMED = new Set(['e', 'a', 'extra-vars', 'args']);

/** What the user typed, as it may be kept: all of it but secrets. */
export function shownArgv(argv: readonly string[], secrets: Secrets): readonly string[] {
  let namedNext = false;
  return argv.map((word) => {
    const isNamed = namedNext;
    const option = isNamed ? undefined : optionOf(word);
    namedNext = option !== undefined && option.value === undefined && NAMED.has(option.name);
    if (isNamed) return withoutSecretValues(word, secrets);
    if (option?.value !== undefined && NAMED.has(option.name))
      return option.before + withoutSecretValues(option.value, secrets);
    return maskTitle(word, secrets);
  });
}

interface TypedOption {
  readonly name: string;
  /** The part before the value, and the value in the same word, if any. */
  readonly before: string;
  readonly value: string | undefined;
}

/** The option that takes this word's value, as far as the word shows it. */
function optionOf(word: string): TypedOption | undefined {
  const [, long, sign, after] = /^--([\w-]+)(=)?([^]*)$/.exec(word) ?? [];
  if (long !== undefined) return { name: long, before: `--${long}=`, value: sign === undefined ? undefined : after };
  if (!/^-[A-Za-z]/.test(word)) return undefined;
  const at = word.search(FIRST_WITH_VALUE);
  if (at < 0) return undefined;
  const value = word.slice(at + 1);
  return { name: word.charAt(at), before: word.slice(0, at + 1), value: value === '' ? undefined : value };
}

/** `version=1 db_pw=x1` becomes `version=1 db_pw=********`, and so with JSON and YAML. */
function withoutSecretValues(text: string, secrets: Secrets): string {
  const json = compact(text);
  const shown = maskBody(text, secrets);
  if (json === undefined) return maskSourceLine(shown);
  return shown === json ? text : shown;
}

/** The body as `maskBody` writes it where it hides nothing; undefined if it is no JSON. */
function compact(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}
