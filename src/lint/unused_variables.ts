import path from 'node:path';
import { kindAt, namesIn } from '../core/files/folders.js';
import { LOCALHOST_NAMES } from '../core/model/inventory/inventory.js';
import type { Diagnostics } from '../core/model/source/diagnostic.js';
import { didYouMean } from '../core/model/source/suggestion.js';
import type { LintSubject } from './subject/subject.js';

/** Modules that add controllers or groups during a run. */
const ADDING = ['add_host', 'group_by'];

/**
 * Warns about files of `group_vars` and `host_vars` whose group or controller is in no inventory. A run ignores them, as
 * Ansible does, so a typo in such a name goes unnoticed.
 *
 * @param subject its inventories are all of the project
 * @param folders those of the playbooks
 */
export function warnUnusedVariables(
  { inventories, modules, complete }: LintSubject,
  folders: readonly string[],
  cwd: string,
  diagnostics: Diagnostics,
): void {
  const isKnown = complete && !ADDING.some((name) => modules.has(name));
  if (!isKnown || inventories.length === 0 || inventories.some(({ partial }) => partial === true)) return;
  const controllers = inventories.flatMap((one) => [...one.controllers.values()]);
  const directories = controllers.flatMap(({ directory }) => directory ?? []);
  const groups = inventories.flatMap((one) => [...one.groups.keys()]);
  const kinds = [
    { kind: 'group_vars', what: 'group', known: new Set(groups) },
    {
      kind: 'host_vars',
      what: 'controller',
      known: new Set([...controllers.map(({ name }) => name), ...LOCALHOST_NAMES]),
    },
  ];
  for (const folder of new Set([...folders, ...directories]))
    for (const { kind, what, known } of kinds)
      for (const entry of namesIn(path.join(folder, kind))) {
        const file = path.join(folder, kind, entry);
        const name = nameFor(file);
        if (name === undefined || known.has(name) || known.has(entry)) continue;
        const message = `${path.relative(cwd, file)} has no effect: no inventory of the project has a ${what} "${name}"`;
        diagnostics.warn(message, undefined, didYouMean(name, [...known]));
      }
}

/** The group or controller of a file or folder of variables; undefined for other files. */
function nameFor(file: string): string | undefined {
  const { base, name, ext } = path.parse(file);
  if (base.startsWith('.')) return undefined;
  if (['.yml', '.yaml', '.json'].includes(ext)) return name;
  return kindAt(file) === 'folder' ? base : undefined;
}
