import { didYouMean } from '../../core/model/source/suggestion.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { absentLookup, findLookup, LOOKUP_NAMES } from '../../language/library/lookups/lookups.js';
import { withoutCollection } from '../../language/runtime/callable.js';
import type { Plugins } from '../../language/runtime/plugins.js';
import type { Cursor } from '../document/cursor.js';
import { checkAnsibleOnlyKeyword, isAnsibleOnlyKeyword } from './ansible_only.js';
import type { Construct } from './keyword.js';
import { KEYWORDS } from './keyword_table.js';
import { plainName } from './modules.js';

/** The keys that a mapping of the playbook language can have. */
export interface Vocabulary {
  readonly construct: Construct;
  /** `a task`, for messages. */
  readonly owner: string;
  readonly known: readonly string[];
}

/** Of others, the name says it. */
const OWNERS: Readonly<Partial<Record<Construct, string>>> = {
  play: 'a play',
  block: 'a block',
  task: 'a task',
  handler: 'a handler',
  role: 'a role',
  gate: 'a gate',
  vars_prompt: 'an entry of vars_prompt',
};

const vocabularies = new Map<Construct, Vocabulary>();

/** @param listens for an include or a meta among the handlers */
export function keywordsAt(construct: Construct, listens = false): Vocabulary {
  const found = getOrAdd(vocabularies, construct, () => {
    const known = KEYWORDS.filter(({ constructs }) => constructs.includes(construct)).map(({ name }) => name);
    return { construct, owner: OWNERS[construct] ?? construct, known };
  });
  return listens ? { ...found, known: [...found.known, 'listen'] } : found;
}

const LOOPS = ['loop', ...LOOKUP_NAMES.map((name) => `with_${name}`)];

/** The likely correct constructs of a misplaced keyword, best guess first. */
const HOMES: readonly Construct[] = [
  'play',
  'task',
  'block',
  'handler',
  'loop_control',
  'gate',
  'import_playbook',
  'role',
  'vars_prompt',
];

/** Whether it is a keyword of any construct. Other keys are names of modules, or misspelled. */
export function isWord(name: string): boolean {
  return KEYWORDS.some((one) => one.name === name) || isAnsibleOnlyKeyword(name) || name.startsWith('with_');
}

/** Whether it is `loop`, or the `with_NAME` of a lookup. */
export function isLoop(name: string, plugins?: Plugins): boolean {
  return name === 'loop' || loopLookup(name, plugins) !== undefined;
}

/** The lookup of a `with_NAME`; `with_ansible.builtin.nested` is `with_nested`. */
export function loopLookup(name: string, plugins?: Plugins): string | undefined {
  if (!name.startsWith(WITH)) return undefined;
  const written = name.slice(WITH.length);
  if (findLookup(written) !== undefined) return withoutCollection(written);
  return findLookup(written, plugins) === undefined ? undefined : written;
}

const WITH = 'with_';

/** Whether the key is a keyword of this vocabulary, by its short or its full name. */
export function isKeyword(name: string, { known }: Vocabulary, plugins?: Plugins): boolean {
  const lookup = loopLookup(name, plugins);
  if (lookup !== undefined && loopLookup(name) === undefined) return known.includes('loop');
  return known.includes(lookup === undefined ? name : WITH + lookup);
}

/** Reports a key that is not allowed in this vocabulary. @param hint in place of the keyword that may be meant */
export function checkKeyword(cursor: Cursor, vocabulary: Vocabulary, hint?: string): void {
  const { name } = cursor;
  const plugins = cursor.library?.table.plugins;
  const isKnown = isKeyword(isActionWord(name) ? plainName(name) : name, vocabulary, plugins);
  const isListed = KEYWORDS.some((one) => one.name === name);
  if (isAnsibleOnlyKeyword(name) && (isKnown || !isListed)) checkAnsibleOnlyKeyword(cursor);
  else if (isKnown) return;
  else if (name.startsWith(WITH) && !isLoop(name)) unsupportedLoop(cursor);
  else refuse(cursor, vocabulary, hint ?? hintFor(name, vocabulary));
}

/** Whether the keyword is also a module, so that the name of a collection may precede it. */
function isActionWord(name: string): boolean {
  return /^(?:meta|(?:import|include)_\w+)$/.test(plainName(name));
}

function refuse(cursor: Cursor, vocabulary: Vocabulary, hint: string | undefined): void {
  const { name, keySource: source } = cursor;
  const message = `"${name}" is not a keyword of ${vocabulary.owner}`;
  const rule = KEYWORDS.some((one) => one.name === name) ? 'misplaced-key' : 'unknown-key';
  cursor.diagnostics.add([{ severity: 'error', message, source, hint, rule }]);
}

function unsupportedLoop(cursor: Cursor): void {
  const { name } = cursor;
  const lookup = withoutCollection(name.slice(WITH.length));
  const message = `"${name}" is not a loop: there is no lookup "${lookup}"`;
  cursor.errorAtKey(message, didYouMean(name, LOOPS) ?? absentLookup(lookup));
}

/** The right construct for the keyword, or a keyword with a similar name. */
function hintFor(name: string, { construct, known }: Vocabulary): string | undefined {
  const constructs = KEYWORDS.filter((one) => one.name === name).flatMap((one) => one.constructs);
  if (isLoop(name)) return loopHint(construct);
  if (constructs.includes('apply') && (construct === 'include_tasks' || construct === 'include_role'))
    return 'put it under "apply"';
  const home = HOMES.find((one) => constructs.includes(one));
  return home === undefined ? didYouMean(name, known) : `it belongs to ${OWNERS[home] ?? home}`;
}

function loopHint(construct: Construct): string {
  if (construct === 'import_tasks' || construct === 'import_role')
    return `an import happens before the run; use ${construct.replace('import', 'include')}, which can loop`;
  return 'it belongs to a task';
}
