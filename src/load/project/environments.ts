import path from 'node:path';
import type { Located } from '../../model/playbook/step.js';
import type { Source } from '../../model/source/source.js';
import { isMapping } from '../../model/values/value.js';
import { kindOf, type Cursor } from '../document/cursor.js';
import type { ProjectFile } from './project_file.js';
import { ENVIRONMENT_SETTINGS, namesOf } from './table.js';
import { passwordFileSource, passwordSources } from './vault_settings.js';
import { boolean, checkSetting, relativeTo, sources } from './values.js';
import { text, texts } from '../document/texts.js';
import type { PasswordSource } from '../vault/password_source.js';

/** One of the `environments` of the project file, which `--env` picks. */
export interface Environment {
  readonly name: string;
  /** Relative to the working directory; undefined if it sets none. */
  readonly inventory: readonly string[] | undefined;
  readonly inventoryPlace: Source | undefined;
  /** Files of variables, relative to the working directory, weakest first. */
  readonly extraVars: readonly Located<string>[];
  readonly limit: Located<string> | undefined;
  /** Overrides the project's; undefined if it sets none. */
  readonly vaultIds: readonly PasswordSource[] | undefined;
  readonly vaultPasswordFile: PasswordSource | undefined;
  /** Whether a run shows what is targeted and wants the name typed. */
  readonly confirm: boolean;
  /** Whether only a plan that was made before may write. */
  readonly requirePlan: boolean;
}

export function environmentsOf(file: ProjectFile | undefined, cwd: string): ReadonlyMap<string, Environment> {
  const found = new Map<string, Environment>();
  const environments = file?.cursor.get('environments');
  if (file === undefined || environments === undefined) return found;
  if (!isMapping(environments.value)) {
    environments.error(`"environments" must be a mapping of names to settings, not ${kindOf(environments.value)}`);
  }
  for (const item of environments.entries()) found.set(item.name, environment(item, file.directory, cwd));
  return found;
}

function environment(cursor: Cursor, base: string, cwd: string): Environment {
  if (!isMapping(cursor.value) && cursor.value !== null) {
    cursor.error(`the environment "${cursor.name}" must be a mapping of settings, not ${kindOf(cursor.value)}`);
  }
  for (const item of cursor.entries()) checkSetting(item, 'an environment', namesOf(ENVIRONMENT_SETTINGS));
  return {
    name: cursor.name,
    inventory: sources(cursor.get('inventory'), base, cwd),
    inventoryPlace: cursor.get('inventory')?.source,
    extraVars: texts(cursor.get('extra_vars')).map(({ value, source }) => ({
      value: relativeTo(cwd, path.resolve(base, value)),
      source,
    })),
    limit: limitOf(cursor.get('limit')),
    vaultIds: passwordSources(cursor.get('vault_ids'), base, cwd),
    vaultPasswordFile: passwordFileSource(cursor.get('vault_password_file'), base, cwd),
    confirm: boolean(cursor.get('confirm')),
    requirePlan: boolean(cursor.get('require_plan')),
  };
}

function limitOf(cursor: Cursor | undefined): Located<string> | undefined {
  const value = text(cursor);
  return cursor === undefined || value === undefined ? undefined : { value, source: cursor.source };
}
