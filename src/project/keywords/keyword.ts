import type { StrategyName } from '../../core/model/playbook/playbook.js';
import { didYouMean } from '../../core/model/source/suggestion.js';
import { text, type Cursor } from '../document/cursor.js';
import { plainName } from './modules.js';

/** The constructs that have keywords. */
export type Construct =
  | 'play'
  | 'block'
  | 'task'
  | 'handler'
  | 'meta'
  | 'include_tasks'
  | 'include_role'
  | 'import_tasks'
  | 'import_role'
  | 'import_playbook'
  /** An entry of `roles`, or a dependency of a role. */
  | 'role'
  /** Of `include_tasks` and `include_role`. */
  | 'apply'
  | 'loop_control'
  | 'gate'
  /** An entry of `vars_prompt`. */
  | 'vars_prompt';

/** The type of a keyword's value. Templates are allowed, except in `variable`, `listen`, `steps` and where noted. */
export type KeywordValueKind =
  | 'text'
  /** The name of a variable. */
  | 'variable'
  | 'variable or template'
  /** True or false, in any of Ansible's spellings. */
  | 'flag'
  /** True or false, not a template. */
  | 'boolean'
  /** A number that may have a fraction. */
  | 'number'
  | 'whole number'
  /** `true`, `false`, an expression, or a list of them. */
  | 'conditions'
  /** A list of texts, or one text with commas. */
  | 'names'
  /** One text, or a list of them. */
  | 'texts'
  | 'variables'
  | 'arguments'
  /** A module and its arguments. */
  | 'call'
  | 'any'
  | 'loop control'
  | 'gate'
  | 'steps'
  | 'handlers'
  | 'roles'
  | 'prompts'
  /** A list of names of files, or of lists of such names. */
  | 'files'
  /** Counts or percentages, or a list of them. */
  | 'sizes'
  | 'percentage'
  /** Arguments by module, or a list of such mappings. */
  | 'defaults'
  /** One of `choices`. */
  | 'choice';

export interface Keyword {
  readonly name: string;
  readonly value: KeywordValueKind;
  /** The constructs that allow it. */
  readonly constructs: readonly Construct[];
  /** One line, for editors. */
  readonly description: string;
  readonly choices?: readonly string[];
}

/** `free` is Ansible's word for what `host_pinned` does here. */
const STRATEGIES: ReadonlyMap<string, StrategyName> = new Map([
  ['host_pinned', 'host_pinned'],
  ['free', 'host_pinned'],
  ['linear', 'linear'],
]);

/** @param known renders the templates of the name; returns undefined if it cannot */
export function readStrategy(
  cursor: Cursor | undefined,
  known: (name: string) => string | undefined = (name) => name,
): StrategyName | undefined {
  const written = text(cursor);
  const name = written === undefined ? undefined : known(written);
  if (cursor === undefined || name === undefined) return undefined;
  const strategy = STRATEGIES.get(plainName(name));
  if (strategy === undefined) {
    const nearest = didYouMean(name, [...STRATEGIES.keys()]);
    cursor.error(`there is no strategy "${name}"`, nearest ?? 'it is "host_pinned" (or "free") or "linear"');
  }
  return strategy;
}
