import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Diagnostics } from '../../model/source/diagnostic.js';

const NEVER = /^\.|^(?:host_vars|group_vars|vars_plugins)$/;
const OTHER_THINGS = /(?:~|\.(?:pyc|pyo|swp|bak|rpm|md|txt|rst|orig|cfg|retry))$/;

/** The entries of an inventory folder that are sources themselves, in sorted order; Ansible leaves the same ones out. */
export async function sourcesIn(folder: string, shown: string, diagnostics: Diagnostics): Promise<readonly string[]> {
  const entries = (await readdir(folder)).sort().filter((name) => !NEVER.test(name) && !OTHER_THINGS.test(name));
  const sources = entries.filter((name) => !name.endsWith('.ini'));
  for (const name of entries) {
    if (!name.endsWith('.ini')) continue;
    const hint = `name it ${path.basename(name, '.ini')}, without a suffix`;
    diagnostics.warn(
      `${path.join(shown, name)} is left out: in an inventory folder, Ansible takes .ini files for settings`,
      undefined,
      hint,
    );
  }
  if (sources.length === 0) diagnostics.error(`the inventory folder ${shown} has no inventory in it`);
  return sources;
}
