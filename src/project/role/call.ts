import { isMapping, type Mapping } from '../../core/model/values/value.js';
import { convert } from '../../module/argument_spec/types.js';
import { describeKind, type Cursor } from '../document/cursor.js';
import { argument, wordIn } from '../task/step_call.js';
import type { FilePositions, FilesNamed } from './files.js';

type RoleKeyword = 'include_role' | 'import_role';

/** The arguments of an include or import that name files of the role. */
const NAMING = {
  tasks: 'tasks_from',
  vars: 'vars_from',
  defaults: 'defaults_from',
  handlers: 'handlers_from',
} as const;

/** The role of an include or import, and its options; texts may contain templates unless they were rendered. */
export interface RoleCall {
  readonly name: string;
  readonly named: FilesNamed;
  readonly positions: FilePositions;
  /** The value with the name. */
  readonly at: Cursor;
}

/** Reports arguments without a role, and returns undefined. */
export function roleCall(cursor: Cursor, word: RoleKeyword, args: Mapping): RoleCall | undefined {
  const at = argument(cursor, word, 'name') ?? argument(cursor, word, 'role') ?? wordIn(cursor, word);
  const name = args['name'] ?? args['role'] ?? null;
  if (typeof name === 'string' && name.trim() !== '')
    return { name: name.trim(), named: namedIn(args), positions: positionsIn(cursor, word), at };
  if (name === null) at.errorAtKey(`${word} needs "name": the role`);
  else if (typeof name === 'string') at.error('the name of a role is empty');
  else at.error(`the name of a role must be text, not ${describeKind(name)}`);
  return undefined;
}

function namedIn(args: Mapping): FilesNamed {
  const found = Object.entries(NAMING).flatMap(([part, key]) => {
    const file = args[key];
    return typeof file === 'string' ? [[part, file] as const] : [];
  });
  return Object.fromEntries(found);
}

function positionsIn(cursor: Cursor, word: RoleKeyword): FilePositions {
  const found = Object.entries(NAMING).flatMap(([part, key]) => {
    const at = argument(cursor, word, key);
    return at === undefined ? [] : [[part, at] as const];
  });
  return Object.fromEntries(found);
}

/** The options of an include or import of a role. */
export interface RoleOptions {
  readonly repeatable: boolean;
  readonly validate: boolean;
  readonly public: boolean;
}

export function readRoleOptions(args: Mapping): RoleOptions {
  const is = (name: string, otherwise: boolean): boolean =>
    (convert('bool', args[name] ?? otherwise) ?? otherwise) === true;
  return {
    repeatable: is('allow_duplicates', true),
    validate: is('rolespec_validate', true),
    public: is('public', false),
  };
}

/** Every text that determines which files are read. */
export function callTexts({ name, named }: RoleCall): readonly string[] {
  return [name, ...Object.values(named)];
}

/** A copy with each of these texts changed; undefined if one cannot be. */
export function mapTexts(call: RoleCall, change: (text: string) => string | undefined): RoleCall | undefined {
  const name = change(call.name);
  const named = Object.entries(call.named).map(([part, file]) => [part, change(file)] as const);
  if (name === undefined || named.some(([, file]) => file === undefined)) return undefined;
  return { ...call, name, named: Object.fromEntries(named) };
}

export function asMapping(args: unknown): Mapping {
  return isMapping(args) ? args : {};
}
