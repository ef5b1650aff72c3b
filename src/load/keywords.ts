import { didYouMean } from '../model/suggestion.js';
import type { Cursor } from './cursor.js';
import { plainName } from './modules.js';

/** The words that a mapping of the playbook language may have as keys. */
export interface Vocabulary {
  /** `a task`, for messages. */
  readonly owner: string;
  readonly known: readonly string[];
  /** Of the language, but not of this version. */
  readonly later: readonly string[];
}

/** Inherited by the tasks of a play. */
const COMMON = ['name', 'tags', 'vars', 'ignore_errors', 'no_log', 'check_mode', 'diff', 'connection'];

const COMMON_LATER = ['any_errors_fatal', 'ignore_unreachable', 'module_defaults', 'run_once', 'throttle', 'timeout'];

export const PLAY: Vocabulary = {
  owner: 'a play',
  known: [...COMMON, 'gather_facts', 'hosts', 'vars_files', 'tasks', 'handlers', 'serial', 'strategy'],
  later: [
    ...COMMON_LATER,
    'force_handlers',
    'forks',
    'gate',
    'import_playbook',
    'max_fail_percentage',
    'order',
    'post_tasks',
    'pre_tasks',
    'roles',
    'vars_prompt',
  ],
};

const LOOPS = ['loop', 'with_items', 'with_dict', 'with_list', 'with_sequence'];

export const TASK: Vocabulary = {
  owner: 'a task',
  known: [
    ...COMMON,
    ...LOOPS,
    'action',
    'args',
    'backoff',
    'changed_when',
    'delay',
    'failed_when',
    'loop_control',
    'notify',
    'register',
    'retries',
    'until',
    'when',
  ],
  later: [
    ...COMMON_LATER,
    'always',
    'block',
    'delegate_facts',
    'delegate_to',
    'import_playbook',
    'import_role',
    'import_tasks',
    'include',
    'include_role',
    'include_tasks',
    'include_vars',
    'rescue',
    'add_host',
    'group_by',
    'meta',
    'validate_argument_spec',
    'wait_for',
  ],
};

export const HANDLER: Vocabulary = { ...TASK, owner: 'a handler', known: [...TASK.known, 'listen'] };

export const LOOP_CONTROL: Vocabulary = {
  owner: 'loop_control',
  known: ['loop_var', 'index_var', 'label', 'pause', 'extended', 'break_when', 'parallel'],
  later: [],
};

/** Ansible's words for SSH, files and privilege. */
const MEANINGLESS: ReadonlySet<string> = new Set([
  'async',
  'become',
  'become_exe',
  'become_flags',
  'become_method',
  'become_user',
  'collections',
  'debugger',
  'environment',
  'fact_path',
  'gather_subset',
  'gather_timeout',
  'local_action',
  'poll',
  'port',
  'remote_user',
]);

/** Whether the language has the word, in this version or not; what is left names a module, or is a slip. */
export function isWord(name: string, { known, later }: Vocabulary): boolean {
  return known.includes(name) || later.includes(name) || MEANINGLESS.has(name) || name.startsWith('with_');
}

/** Complains about a key unless it may stand there. */
export function checkKeyword(cursor: Cursor, vocabulary: Vocabulary): void {
  const { name } = cursor;
  if (vocabulary.known.includes(name)) checkSilent(cursor);
  else if (vocabulary.later.includes(plainName(name))) cursor.errorAtKey(`"${name}" is not supported in this version`);
  else if (MEANINGLESS.has(name)) cursor.errorAtKey(withoutMeaning(name), instead(name));
  else if (name.startsWith('with_') && vocabulary.known.includes('loop')) unsupportedLoop(cursor);
  else unknownKeyword(cursor, vocabulary);
}

/** Of these two, `gather_facts: false` and `connection: local` are in every such playbook, and say what is so anyway. */
function checkSilent(cursor: Cursor): void {
  const { name, value } = cursor;
  if (name !== 'gather_facts' && name !== 'connection') return;
  const harmless = name === 'gather_facts' ? value === false : value === 'local';
  if (harmless || value === null) return;
  const instead = name === 'gather_facts' ? 'gather_facts: false' : 'connection: local';
  cursor.errorAtKey(withoutMeaning(name), `remove it, or write "${instead}"`);
}

function unsupportedLoop(cursor: Cursor): void {
  cursor.errorAtKey(`"${cursor.name}" is not supported`, didYouMean(cursor.name, LOOPS) ?? 'write it as a "loop"');
}

function unknownKeyword(cursor: Cursor, { owner, known }: Vocabulary): void {
  cursor.errorAtKey(`"${cursor.name}" is not a keyword of ${owner}`, didYouMean(cursor.name, known));
}

function instead(name: string): string {
  return name === 'local_action' ? 'write the module as the key: every task runs on this machine' : 'remove it';
}

function withoutMeaning(name: string): string {
  return `"${name}" has no meaning for a REST controller`;
}
