import { isMap, visit, type Document, type YAMLError } from 'yaml';
import {
  orElse,
  type Diagnostics,
  type FieldPath,
  type Locate,
  type Source,
} from '../../core/model/source/diagnostic.js';
import { TOO_DEEP, tooDeepAt } from '../../core/model/values/nesting.js';
import { type Value, mapValues, isList, isMapping, Unsafe } from '../../core/model/values/value.js';
import { maskSourceLine } from '../../core/secrets/mask_source.js';
import { isEncrypted, parseEnvelope } from '../vault/cipher.js';
import { Vault } from '../vault/vault.js';
import { indented } from './indentation.js';
import { parsePlain } from './plain.js';
import { parseText, YamlPositions } from './positions.js';
import { ENCRYPT_AGAIN, ValueReader } from './values.js';
import { worded } from './wording.js';

export interface ParsedYaml {
  readonly value: Value;
  /** The position of the value at a path; without such a value, of the nearest one around it. */
  readonly locate: Locate;
  /** The position of the key at a path, for mistakes in names. */
  readonly locateKey: Locate;
  /** How a plain scalar is written: `1.0` for the number 1. Undefined for other values. Parses the file a second time. */
  readonly spelling?: (path: FieldPath) => string | undefined;
}

/**
 * Reads one YAML document: YAML 1.2 core, and Ansible's additions (plain `yes`/`no`/`on`/`off`, merge keys, `!unsafe`, `!vault`). In
 * JSON, `{"__ansible_vault": …}` and `{"__ansible_unsafe": …}` replace the two tags. An empty text is `null`. Reports mistakes to
 * `diagnostics`. Returns undefined if the text is not YAML; after a lesser mistake, such as a duplicate key, returns the rest, so that
 * the caller can check it.
 *
 * @param file the name of the file in messages
 * @param vault decrypts `!vault` values when they are used
 */
export function parseYaml(
  text: string,
  file: string,
  diagnostics: Diagnostics,
  vault = Vault.locked(),
): ParsedYaml | undefined {
  const plain = parsePlain(text);
  if (plain !== undefined) return located(plain, new YamlPositions(text, file));
  if (reportEncrypted(text, file, diagnostics)) return undefined;
  const deep = tooDeepAt(text);
  if (deep !== undefined) return diagnostics.error(TOO_DEEP, new YamlPositions(text, file).at(deep));
  const document = parsed(text);
  if (document === undefined) return diagnostics.error(TOO_DEEP, new YamlPositions(text, file).at(0));
  const moved = document.errors.length === 0 ? undefined : indented(text, document, parsed);
  const positions = new YamlPositions(moved?.text ?? text, file, moved?.document ?? document, moved?.added);
  if (reportSyntax(moved?.document ?? document, positions, moved?.text ?? text, diagnostics)) return undefined;
  const value = new ValueReader(positions, diagnostics, vault).read((moved?.document ?? document).contents);
  const locate: Locate = (path) => positions.locate(path, 'value');
  return located(hasJsonTags(text) ? untagged(value, { vault, diagnostics, locate }) : value, positions);
}

/** Undefined if the parser overflows the stack: `tooDeepAt` does not recognize every kind of nesting. */
function parsed(text: string): ReturnType<typeof parseText> | undefined {
  return orElse(undefined, () => parseText(text), RangeError);
}

function located(value: Value, positions: YamlPositions): ParsedYaml {
  return {
    value,
    locate: (path) => positions.locate(path, 'value'),
    locateKey: (path) => positions.locate(path, 'key'),
    spelling: (path) => positions.spelling(path),
  };
}

/** Reports an encrypted file that must be plain text. Otherwise, its hexadecimal digits would be read as a scalar. */
function reportEncrypted(text: string, file: string, diagnostics: Diagnostics): boolean {
  if (!isEncrypted(text)) return false;
  diagnostics.error('this file is encrypted with ansible-vault, but must be plain text', { file, line: 1, column: 1 });
  return true;
}

const OPENING = /^[ \t]*(?:-[ \t]+)*(?:(?:"[^"]*"|'[^']*'|[^\s"'#{][^"'#{]*?)[ \t]*:[ \t]+)?(?=\{\{)/;

/**
 * Reports syntax errors and unquoted templates, which YAML reads as mappings. Reports only the first syntax error,
 * because the others are mostly its consequences.
 */
export function reportSyntax(
  document: Document.Parsed,
  positions: YamlPositions,
  text: string,
  diagnostics: Diagnostics,
): boolean {
  const templates = new Set([...mistakenForMappings(document), ...errorLines(document.errors, text)]);
  for (const offset of [...templates].sort((a, b) => a - b))
    diagnostics.error('a value that starts with "{{" must be quoted', positions.at(offset), quoted(text, offset));
  const [error] = document.errors;
  if (templates.size > 0) return true;
  if (error === undefined) return false;
  const { offset, message, hint } = worded(error, text);
  diagnostics.error(message, positions.at(offset), hint);
  return true;
}

/** `{{ x }}` reads as a mapping whose key is a mapping. */
function mistakenForMappings(document: Document.Parsed): readonly number[] {
  const found: number[] = [];
  visit(document, {
    Map(_, node) {
      const key: unknown = node.items[0]?.key;
      const start = node.range?.[0];
      if (start !== undefined && node.flow === true && isMap(key) && key.range?.[0] === start + 1) found.push(start);
    },
  });
  return found;
}

/** `{{ x }}/y` is a syntax error after the mapping, but the missing quotes are the mistake to report. */
function errorLines(errors: readonly YAMLError[], text: string): readonly number[] {
  return errors.flatMap((error) => {
    const start = text.lastIndexOf('\n', error.pos[0] - 1) + 1;
    const opening = OPENING.exec(restOfLine(text, start));
    return opening === null ? [] : [start + opening[0].length];
  });
}

function quoted(text: string, offset: number): string {
  const whole = restOfLine(text, text.lastIndexOf('\n', offset) + 1);
  if (maskSourceLine(whole) !== whole) return 'quote the whole value';
  const line = restOfLine(text, offset).trim();
  // Inside brackets the value ends before the line does.
  const value = /^(\{\{.*?\}\})\s*[\]},]/.exec(line)?.[1] ?? line;
  if (!value.includes('"')) return `write "${value}"`;
  return value.includes("'") ? 'quote the whole value' : `write '${value}'`;
}

function restOfLine(text: string, start: number): string {
  const end = text.indexOf('\n', start);
  return text.slice(start, end === -1 ? undefined : end).replace(/\r$/, '');
}

/** The keys for `!vault` and `!unsafe` in JSON, as ansible-inventory prints them. */
const VAULT = '__ansible_vault';
const UNSAFE = '__ansible_unsafe';

type Path = readonly (string | number)[];

/** Whether a text is JSON with these keys. As in Ansible, they have no meaning in other YAML. */
function hasJsonTags(text: string): boolean {
  if (!text.includes(`"${VAULT}"`) && !text.includes(`"${UNSAFE}"`)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

interface JsonTagReading {
  readonly vault: Vault;
  readonly diagnostics: Diagnostics;
  readonly locate: (path: Path) => Source;
}

/** A JSON value in which every `{"__ansible_vault": …}` is an encrypted value, and `{"__ansible_unsafe": …}` is text. */
export function untagged(value: Value, reading: JsonTagReading, path: Path = []): Value {
  if (isList(value)) return value.map((one, index) => untagged(one, reading, [...path, index]));
  if (!isMapping(value)) return value;
  const unsafe = Object.hasOwn(value, UNSAFE) ? value[UNSAFE] : undefined;
  if (typeof unsafe === 'string') return new Unsafe(unsafe);
  const envelope = Object.hasOwn(value, VAULT) ? value[VAULT] : undefined;
  if (typeof envelope === 'string') return encrypted(envelope, reading, [...path, VAULT]);
  return mapValues(value, (one, key) => untagged(one, reading, [...path, key]));
}

function encrypted(envelope: string, { vault, diagnostics, locate }: JsonTagReading, path: Path): Value {
  const parsed = parseEnvelope(envelope);
  if (parsed.status === 'ok') return vault.value(envelope, () => locate(path));
  diagnostics.error(`this encrypted value is damaged: ${parsed.message}`, locate(path), ENCRYPT_AGAIN);
  return null;
}
