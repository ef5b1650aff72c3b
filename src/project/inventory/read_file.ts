import path from 'node:path';
import { entry } from '../../core/model/values/value.js';
import { readDecrypted } from '../document/read_file_text.js';
import { parseYaml, type ParsedYaml } from '../yaml/parse_yaml.js';
import type { InventoryBuilder } from './builder.js';
import type { Origin } from './draft.js';
import { addIniInventory } from './ini_inventory.js';
import { addScriptInventory, addScriptVariables, isScriptInventory } from './script_inventory.js';
import { parseTomlInventory } from './toml_inventory.js';
import { addYamlInventory } from './yaml_inventory.js';

/** Separators of words in every format. */
const SEPARATORS = /[\s=:,"'[\]{}]+/;

/** Reads an inventory file of any format. */
export async function addFile(source: Origin, builder: InventoryBuilder): Promise<void> {
  const { diagnostics, services } = builder;
  const read = await readDecrypted(source.file, diagnostics, services, source.shown);
  if (read === undefined) return;
  const { text, encrypted } = read;
  if (encrypted) services.vault?.hide(text.split(SEPARATORS));
  const origin = encrypted ? { ...source, encrypted } : source;
  const format = formatOf(origin.file, text);
  switch (format) {
    case 'ini':
      if (text.trim() === '') diagnostics.warn(`${origin.shown} is empty: it has no controllers`);
      addIniInventory(text, origin, builder);
      return;
    case 'toml': {
      const parsed = await parseTomlInventory(text, origin.shown, diagnostics);
      if (parsed !== undefined) addYamlInventory(parsed, origin, builder);
      return;
    }
    case 'yaml':
    case 'json': {
      const parsed = parseYaml(text, origin.shown, diagnostics, services.vault);
      if (parsed === undefined) return;
      if (format === 'json' && isScriptInventory(parsed.value)) addPrinted(parsed, origin, builder);
      else addYamlInventory(parsed, origin, builder);
      return;
    }
    default:
      format satisfies never;
  }
}

/** Reads the JSON output of an executable that was saved to a file. */
function addPrinted({ value, locate }: ParsedYaml, origin: Origin, builder: InventoryBuilder): void {
  const { controllers, variables = {} } = addScriptInventory(value, origin, builder, locate);
  for (const name of controllers) {
    const inside = ['_meta', 'hostvars', name];
    addScriptVariables(name, entry(variables, name) ?? {}, origin, builder, (path) => locate([...inside, ...path]));
  }
}

type FileFormat = 'yaml' | 'json' | 'ini' | 'toml';

const BY_SUFFIX: Readonly<Record<string, FileFormat>> = {
  '.yml': 'yaml',
  '.yaml': 'yaml',
  '.json': 'json',
  '.ini': 'ini',
  '.cfg': 'ini',
  '.toml': 'toml',
};

const YAML_START = /^(?:---|%|[{"'&!]|[^\s[\]=]+:(?:\s|$))/;

/**
 * The format of an inventory file: by its suffix, else by the first line that is neither empty nor a comment, so that
 * messages about mistakes assume a single format.
 */
function formatOf(file: string, text: string): FileFormat {
  const known = BY_SUFFIX[path.extname(file)];
  if (known !== undefined) return known;
  const first = text.split(/\r?\n/).find((line) => /^\s*[^\s#;]/.test(line)) ?? '';
  if (first.trimStart().startsWith('{')) return 'json';
  return YAML_START.test(first.trimStart()) ? 'yaml' : 'ini';
}
