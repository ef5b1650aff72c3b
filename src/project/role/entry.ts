import path from 'node:path';
import { distance } from 'fastest-levenshtein';
import { letters } from '../../core/model/source/suggestion.js';
import { isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { checkTemplates } from '../../language/check.js';
import { describeKind, text, type Cursor } from '../document/cursor.js';
import { isAnsibleOnlyKeyword } from '../keywords/ansible_only.js';
import { checkKeyword, keywordsAt } from '../keywords/keywords.js';
import { readModuleDefaults } from '../keywords/modules.js';
import { inheritedFrom } from '../keywords/step_keywords.js';
import { knownText } from '../task/arguments.js';
import type { InnerContext, RoleContext } from '../task/read_context.js';
import { readVars } from '../variables/written_variables.js';
import { findRole } from './files.js';
import type { RoleRequest } from './request.js';

/** An entry of `roles`, or of a role's dependencies. */
interface RoleEntry extends Pick<RoleRequest, 'at' | 'vars' | 'params' | 'identity'> {
  /** As written; may hold templates. */
  readonly name: string;
  /** The context that its keywords pass on. */
  readonly inside: InnerContext;
}

/**
 * The role of an entry, and the context that it passes on. Reports what is wrong, and returns undefined.
 *
 * @param parents the roles whose tasks contain it
 * @param advice what to do if the name is not known before the run
 */
export function requestedRole(cursor: Cursor, around: InnerContext, parents: readonly RoleContext[], advice: string) {
  const entry = roleEntry(cursor, around);
  const name = entry && knownText(entry.name, entry.at, around, advice);
  const role = entry && name !== undefined ? findRole(name, entry.at, around.context, parents) : undefined;
  if (entry === undefined || role === undefined) return undefined;
  const asEntry = { named: {}, repeatable: undefined, validate: true, fromStep: false };
  return { request: { ...entry, ...asEntry, role }, inside: entry.inside };
}

/** Keys of a dependency that only Galaxy reads. */
const GALAXY = ['src', 'scm', 'version'];

/** Keywords of tasks, which are unlikely names of role parameters. */
const MISTAKEN = /^(?:loop|loop_control|register|with_\w+)$/;

function roleEntry(cursor: Cursor, { context, inherited }: InnerContext): RoleEntry | undefined {
  const name = readRoleName(cursor);
  if (name === undefined) return undefined;
  const params = readParams(cursor);
  const { when, tags, vars = null } = isMapping(cursor.value) ? cursor.value : {};
  const tagNames = typeof tags === 'string' ? tags.split(',').map((tag) => tag.trim()) : tags;
  return {
    name,
    at: cursor.get('role') ?? cursor.get('name') ?? cursor.get('src') ?? cursor,
    inside: {
      context: {
        ...context,
        moduleDefaults: readModuleDefaults(cursor, context.moduleDefaults, context.reader.modules),
      },
      inherited: inheritedFrom(cursor, inherited),
    },
    vars: readVars(cursor.get('vars'), 'role vars', `vars of role ${name}`),
    params: paramLayers(name, params, cursor),
    identity: { when: [when ?? []].flat(), tags: [tagNames ?? []].flat(), vars, params },
  };
}

function readRoleName(cursor: Cursor): string | undefined {
  if (isMapping(cursor.value)) return nameIn(cursor);
  if (typeof cursor.value !== 'string' && typeof cursor.value !== 'number')
    return cursor.error(`a role must be a name, or a mapping with "role", not ${describeKind(cursor.value)}`);
  return checked(String(cursor.value), cursor);
}

function nameIn(cursor: Cursor): string | undefined {
  const at = cursor.get('role') ?? cursor.get('name');
  if (at !== undefined) return checked(text(at), at);
  const source = text(cursor.get('src'));
  if (source === undefined) cursor.error('a role needs "role": its name');
  return source === undefined ? undefined : nameInGalaxy(source);
}

function checked(name: string | undefined, at: Cursor): string | undefined {
  if (name === undefined) return undefined;
  if (name.trim() === '') at.error('the name of a role is empty');
  else if (name.includes(',')) at.error(`"${name}" is not the name of a role`, 'one entry names one role');
  else return name.trim();
  return undefined;
}

/** `https://git.example.com/roles/web.git` → `web` */
function nameInGalaxy(source: string): string {
  const [location = ''] = source.split(',');
  return path.basename(location).replace(/\.(?:git|tar\.gz)$/, '');
}

/** Every key that is not a keyword. */
function readParams(cursor: Cursor): Mapping {
  const params: Record<string, Value> = {};
  const galaxy = cursor.get('src') === undefined ? [] : GALAXY;
  for (const item of cursor.entries()) {
    if (galaxy.includes(item.name)) continue;
    if (keywordsAt('role').known.includes(item.name) || isAnsibleOnlyKeyword(item.name))
      checkKeyword(item, keywordsAt('role'));
    else if (MISTAKEN.test(item.name)) item.errorAtKey(`"${item.name}" is not a keyword of a role`, hintFor(item.name));
    else params[item.name] = item.value;
  }
  return params;
}

function hintFor(name: string): string {
  return name === 'register' ? 'it belongs to a task' : 'include_role can loop';
}

function paramLayers(
  role: string,
  values: Mapping,
  { locate, diagnostics, library }: Cursor,
): readonly VariableLayer[] {
  if (Object.keys(values).length === 0) return [];
  diagnostics.add(checkTemplates(values, locate, library));
  return [{ level: 'role params', values, origin: `parameters of role ${role}`, locate }];
}

/** Warns of unknown parameters that are nearly keywords: with `whne`, a role would run that must not. */
export function warnOfMistypedKeywords(params: readonly VariableLayer[], known: ReadonlySet<string>, at: Cursor): void {
  for (const { values, locate } of params) {
    for (const name of Object.keys(values)) {
      const word = known.has(name) ? undefined : keywordsAt('role').known.find((keyword) => isTypo(name, keyword));
      if (word === undefined) continue;
      const source = locate?.([name]) ?? at.source;
      at.diagnostics.warn(`"${name}" is a parameter of the role, not a keyword`, source, `did you mean "${word}"?`);
    }
  }
}

/** One letter added, missing or wrong, or two letters swapped. */
function isTypo(name: string, keyword: string): boolean {
  const edits = distance(name, keyword);
  return edits === 1 || (edits === 2 && letters(name) === letters(keyword));
}
