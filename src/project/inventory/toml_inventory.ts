import type { Diagnostics } from '../../core/model/source/diagnostic.js';
import type { Locate, Source } from '../../core/model/source/source.js';
import { isList, isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import { kindOf } from '../document/cursor.js';
import type { ParsedYaml } from '../yaml/parse_yaml.js';

/**
 * Converts a TOML inventory to the structure of a YAML one; in TOML `children` is a list of names. Reports invalid
 * files, and returns undefined.
 *
 * @param file the name of the file in messages
 */
export async function parseTomlInventory(
  text: string,
  file: string,
  diagnostics: Diagnostics,
): Promise<ParsedYaml | undefined> {
  // Imported here because few runs need it.
  const { parse, TomlError } = await import('smol-toml');
  const locate = locator(text, file);
  try {
    const groups = valueOf(parse(text));
    const value =
      isMapping(groups) && Object.keys(groups).length > 0 ? withChildren(groups, locate, diagnostics) : null;
    return { value, locate, locateKey: locate };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [first = ''] = error.message.split('\n');
    diagnostics.error(`this is not TOML: ${first.replace('Invalid TOML document: ', '')}`, {
      file,
      line: error.line,
      column: error.column,
    });
    return undefined;
  }
}

/** Dates become text, as in YAML; so do numbers that JSON does not support. */
function valueOf(toml: unknown): Value {
  if (Array.isArray(toml)) return toml.map(valueOf);
  if (toml instanceof Date) return toml.toISOString();
  if (typeof toml === 'number') return Number.isFinite(toml) ? toml : String(toml);
  if (typeof toml === 'string' || typeof toml === 'boolean') return toml;
  if (typeof toml !== 'object' || toml === null) return String(toml);
  return Object.fromEntries(Object.entries(toml).map(([name, value]) => [name, valueOf(value)]));
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
            children.map((child) => [typeof child === 'string' ? child : kindOf(child), null]),
          ),
        },
      ] as const;
    diagnostics.error(
      `"children" of group "${name}" must be a list of names, not ${kindOf(children)}`,
      locate([name, 'children']),
    );
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
