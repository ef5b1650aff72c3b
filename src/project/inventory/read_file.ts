import path from 'node:path';
import type { Diagnostics, Locate, Source } from '../../core/model/source/diagnostic.js';
import { entry, isList, isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import { describeKind } from '../document/cursor.js';
import { quotableWords, readDecrypted } from '../document/read_file_text.js';
import { parseYaml, type ParsedYaml } from '../yaml/parse_yaml.js';
import type { InventoryBuilder, InventoryOrigin } from './builder.js';
import type { PluginServices } from './plugin.js';
import { addScriptInventory, addScriptVariables, isScriptInventory } from './script_inventory.js';
import { addYamlInventory } from './yaml_inventory.js';

/** Reads an inventory file of any format, and adds what its plugin finds if it configures one. */
export async function addFile(
  source: InventoryOrigin,
  builder: InventoryBuilder,
  plugins: PluginServices,
): Promise<void> {
  const { diagnostics, services } = builder;
  const read = await readDecrypted(source.file, { ...services, diagnostics }, source.shown);
  if (read === undefined) return;
  const { text, encrypted } = read;
  if (encrypted) services.vault?.hide(quotableWords(text));
  const origin = encrypted ? { ...source, encrypted } : source;
  const format = detectFormat(origin.file, text);
  switch (format) {
    case 'ini':
      if (text.trim() === '') diagnostics.warn(`${origin.shown} is empty: it has no controllers`);
      return (await import('./ini_inventory.js')).addIniInventory(text, origin, builder);
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
      else await addParsed(parsed, origin, builder, plugins);
      return;
    }
  }
}

/** Adds the groups of a document, or what the plugin finds that it configures. */
export async function addParsed(
  parsed: ParsedYaml,
  origin: InventoryOrigin,
  builder: InventoryBuilder,
  plugins: PluginServices,
): Promise<void> {
  if (!isMapping(parsed.value) || !Object.hasOwn(parsed.value, 'plugin'))
    return addYamlInventory(parsed, origin, builder);
  // Imported here because few runs need it.
  const { addPlugin } = await import('./plugin.js');
  await addPlugin(parsed, origin, builder, plugins);
}

/** Reads the JSON output of an executable that was saved to a file. */
function addPrinted({ value, locate }: ParsedYaml, origin: InventoryOrigin, builder: InventoryBuilder): void {
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
function detectFormat(file: string, text: string): FileFormat {
  const known = BY_SUFFIX[path.extname(file)];
  if (known !== undefined) return known;
  const first = text.split(/\r?\n/).find((line) => /^\s*[^\s#;]/.test(line)) ?? '';
  if (first.trimStart().startsWith('{')) return 'json';
  return YAML_START.test(first.trimStart()) ? 'yaml' : 'ini';
}

/**
 * Converts a TOML inventory to the structure of a YAML one; in TOML `children` is a list of names. Reports invalid
 * files, and returns undefined.
 *
 * @param file the name of the file in messages
 */
async function parseTomlInventory(
  text: string,
  file: string,
  diagnostics: Diagnostics,
): Promise<ParsedYaml | undefined> {
  // Imported here because few runs need it.
  const { parse, TomlError } = await import('smol-toml');
  const locate = locator(text, file);
  try {
    const groups = fromToml(parse(text));
    const value =
      isMapping(groups) && Object.keys(groups).length > 0 ? withChildren(groups, locate, diagnostics) : null;
    return { value, locate, locateKey: locate };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [first = ''] = error.message.split('\n');
    return diagnostics.error(`this is not TOML: ${first.replace('Invalid TOML document: ', '')}`, {
      file,
      line: error.line,
      column: error.column,
    });
  }
}

/** Dates become text, as in YAML; so do numbers that JSON does not support. */
function fromToml(toml: unknown): Value {
  if (Array.isArray(toml)) return toml.map(fromToml);
  if (toml instanceof Date) return toml.toISOString();
  if (typeof toml === 'number') return Number.isFinite(toml) ? toml : String(toml);
  if (typeof toml === 'string' || typeof toml === 'boolean') return toml;
  if (typeof toml !== 'object' || toml === null) return String(toml);
  return Object.fromEntries(Object.entries(toml).map(([name, value]) => [name, fromToml(value)]));
}

function withChildren(groups: Mapping, locate: Locate, diagnostics: Diagnostics): Mapping {
  const entries = Object.entries(groups).map(([name, group]) => {
    if (!isMapping(group) || group['children'] === undefined) return [name, group] as const;
    const { children } = group;
    if (isList(children))
      return [
        name,
        {
          ...group,
          children: Object.fromEntries(
            children.map((child) => [typeof child === 'string' ? child : describeKind(child), null]),
          ),
        },
      ] as const;
    const message = `"children" of group "${name}" must be a list of names, not ${describeKind(children)}`;
    diagnostics.error(message, locate([name, 'children']));
    return [name, { ...group, children: {} }] as const;
  });
  return Object.fromEntries(entries);
}

/** The parser returns no positions, so each part of a path is searched for after the previous one. */
function locator(text: string, file: string): Locate {
  const lines = text.split(/\r?\n/);
  return (path): Source => {
    let place = { file, line: 1, column: 1 };
    for (const part of path) {
      const name = String(part);
      const line = lines.findIndex((one, index) => index >= place.line - 1 && one.includes(name));
      if (line !== -1) place = { file, line: line + 1, column: (lines[line]?.indexOf(name) ?? 0) + 1 };
    }
    return place;
  };
}
