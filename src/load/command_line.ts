import type { Diagnostics } from '../model/diagnostic.js';
import { Diagnostics as Collected } from '../model/diagnostic.js';
import type { Value } from '../model/value.js';
import { parseYaml } from './yaml.js';

/** Reads YAML or JSON that was given as an option: its places say nothing to the user, so messages name the option. */
export function parseOption(text: string, option: string, diagnostics: Diagnostics): Value | undefined {
  const found = new Collected();
  const parsed = parseYaml(text, option, found);
  for (const { message, hint } of found.list) diagnostics.error(`${option}: ${message}, in: ${text}`, undefined, hint);
  return found.failed ? undefined : parsed?.value;
}
