import { createHash, getHashes } from 'node:crypto';
import { parseAllDocuments, parseDocument } from 'yaml';
import { isNumeric, parseWithDigits } from '../../../core/model/values/json.js';
import { TOO_DEEP, tooDeepAt } from '../../../core/model/values/nesting.js';
import { encodedPart, halfCharacter } from '../../../core/model/values/uri.js';
import { isList, isMapping, type Value } from '../../../core/model/values/value.js';
import { pythonJson } from '../../python/representation.js';
import { yamlText, type YamlLayout } from '../../python/yaml/emitter.js';
import { SCALAR_TAGS } from '../../python/yaml/types.js';
import { MOST_ITEMS, type CallableArguments } from '../../runtime/arguments.js';
import { callable, type Family } from '../../runtime/callable.js';
import { TemplateError } from '../../runtime/errors.js';
import { asString, evaluateLazy, refuseOmit } from '../../runtime/result.js';
import { decoded, encoded } from './charsets.js';

const YAML_SIGNATURE = 'value, indent?, sort_keys?, width?, explicit_start?, explicit_end?';

/** Values as text, and back. */
export const encodings = {
  to_json: callable('value, indent?, sort_keys?, ensure_ascii?, separators?', (args) => json(args, undefined, false)),
  to_nice_json: callable('value, indent?, sort_keys?, ensure_ascii?, separators?', (args) => json(args, 4, true)),
  /** Jinja's: keys sorted, and safe within HTML. */
  tojson: callable('value, indent?', (args) =>
    json(args, undefined, true).replaceAll(/[<>&']/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`),
  ),
  from_json: callable('text', (args) => fromJson(args.text(0))),
  to_yaml: callable(YAML_SIGNATURE, (args) => yaml(args, 2, true)),
  to_nice_yaml: callable(YAML_SIGNATURE, (args) => yaml(args, 4, false)),
  /** Values other than text are returned unchanged. */
  from_yaml: callable('text', (args) => {
    const value = args.value(0);
    return typeof value === 'string' ? readYaml(value) : value;
  }),
  from_yaml_all: callable('text', (args) => readAllYaml(args.text(0))),
  b64encode: callable('text, encoding?', (args) => encoded(args, args.string(0), 1).toString('base64')),
  b64decode: callable('text, encoding?', (args) => decoded(args, Buffer.from(args.text(0), 'base64'), 1)),
  hash: callable('text, algorithm|hashtype?', (args) => digest(args, args.text(1, 'sha1'))),
  checksum: callable('text', (args) => digest(args, 'sha1')),
  md5: callable('text', (args) => digest(args, 'md5')),
  // Every start would load what hardly any template needs.
  crc32: callable('text', (args) => process.getBuiltinModule('node:zlib').crc32(args.plainText(0)).toString(16)),
  sha1: callable('text', (args) => digest(args, 'sha1')),
  urlencode: callable('value', urlEncode),
  /** Quotes a text for a shell. */
  quote: callable('text', (args) => (args.value(0) === null ? quote('') : quote(args.string(0)))),
  to_uuid: callable('text, namespace?', (args) => uuid(args)),
} satisfies Family;

function json(args: CallableArguments, indent: number | undefined, sortKeys: boolean): string {
  return pythonJson(evaluateLazy(args.value(0), refuseOmit), {
    indent: args.value(1) === null ? indent : args.amount(1),
    sortKeys: args.optional(2) === undefined ? sortKeys : args.flag(2),
    ascii: args.optional(3) === undefined || args.flag(3),
    separators: args.optional(4) === undefined ? undefined : separators(args, args.list(4)),
  });
}

function separators(args: CallableArguments, [between, colon, ...rest]: readonly Value[]): readonly [string, string] {
  if (typeof between === 'string' && typeof colon === 'string' && rest.length === 0) return [between, colon];
  throw args.error('separators must be two texts', 'write separators=[",", ":"]');
}

function yaml(args: CallableArguments, indent: number, flow: boolean): Value {
  const sortKeys = args.optional(2) === undefined || args.flag(2);
  const text = writeYaml(args.value(0), { indent: args.amount(1, indent), width: args.number(3, 80), flow, sortKeys });
  // What is in brackets, or fits on one line and is no block, continues after the dashes; a text on several lines begins below them.
  const start = /^[[{]|^[^\n]*\n$/.test(text) && !/^(?:- |[^\s"'[{][^\n]*:(?: |\n))/.test(text) ? '--- ' : '---\n';
  return `${args.flag(4) ? start : ''}${text}${args.flag(5) ? '...\n' : ''}`;
}

function digest(args: CallableArguments, algorithm: string): Value {
  if (!getHashes().includes(algorithm))
    throw args.error(`there is no algorithm "${algorithm}"`, 'use one of md5, sha1, sha256, sha512, …');
  return createHash(algorithm).update(args.string(0)).digest('hex');
}

/** A text for a path (`/` stays); a mapping or a list of pairs as a query. */
function urlEncode(args: CallableArguments): Value {
  const value = evaluateLazy(args.value(0));
  if (isMapping(value)) return query(Object.entries(value));
  if (isList(value))
    return query(
      value.map((pair): [string, Value] =>
        isList(pair) ? [asString(pair[0] ?? null), pair[1] ?? null] : [asString(pair), ''],
      ),
    );
  return percentEncode(asString(value)).replaceAll('%2F', '/');
}

function query(pairs: readonly (readonly [string, Value])[]): string {
  return pairs
    .map((pair) => pair.map((one) => percentEncode(asString(one)).replaceAll('%20', '+')).join('='))
    .join('&');
}

function percentEncode(text: string): string {
  const half = halfCharacter(text);
  if (half !== undefined) throw new TemplateError(`urlencode: the text contains ${half}, which is half of a character`);
  return encodedPart(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}

function quote(text: string): string {
  if (text !== '' && /^[\w@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}

/** Ansible's name space, so that a text has the same uuid here and in Ansible. */
const NAMESPACE = '361E6D51-FAEC-444A-9079-341386DA8E2E';

function uuid(args: CallableArguments): string {
  const space = args.text(1, NAMESPACE).replaceAll('-', '');
  if (!/^[\da-f]{32}$/i.test(space)) throw args.error(`"${args.text(1)}" is not a UUID`);
  const bytes = createHash('sha1').update(Buffer.from(space, 'hex')).update(args.string(0)).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** YAML as PyYAML writes it, but without aliases, because equal values share an object here by accident. */
export function writeYaml(value: Value, layout: Omit<YamlLayout, 'aliases'>): string {
  return yamlText(evaluateLazy(value, refuseOmit), { ...layout, aliases: false });
}

/** The first document of a YAML text. */
export function readYaml(text: string): Value {
  requireFlat(text, 'from_yaml');
  return documentContent(parseDocument(text, OPTIONS), 'from_yaml');
}

/** Every document of a YAML text. */
export function readAllYaml(text: string): Value {
  requireFlat(text, 'from_yaml_all');
  const documents = parseAllDocuments(text, OPTIONS);
  return 'empty' in documents ? [] : documents.map((one) => documentContent(one, 'from_yaml_all'));
}

function requireFlat(text: string, filter: string): void {
  if (tooDeepAt(text) !== undefined) throw new TemplateError(`${filter}: ${TOO_DEEP}`);
}

const OPTIONS = { version: '1.1', schema: 'failsafe', customTags: SCALAR_TAGS, merge: true } as const;

function documentContent(document: ReturnType<typeof parseDocument>, filter: string): Value {
  const [error] = document.errors;
  if (!error) return contentWithAliases(document, filter);
  const [, reason = '', place = ''] = /^(.*) at (line \d+, column \d+):?$/m.exec(error.message) ?? [];
  const shown = UNQUOTED.test(error.code) ? reason : 'a mistake';
  throw new TemplateError(`${filter}: the text is not YAML: ${shown}${place === '' ? '' : ` at ${place}`}`);
}

function contentWithAliases(document: ReturnType<typeof parseDocument>, filter: string): Value {
  try {
    return plain(document.toJS({ maxAliasCount: -1 }), { left: MOST_ITEMS });
  } catch (error) {
    if (error instanceof TemplateError) throw error;
    const isMerge = error instanceof Error && error.message.startsWith('Merge sources');
    const why = isMerge ? '<< needs mappings' : 'an alias has no anchor, or is within its own';
    throw new TemplateError(`${filter}: the text is not YAML: ${why}`);
  }
}

/** Errors whose messages quote nothing of the text, which may be a secret. */
const UNQUOTED =
  /^(?:BAD_INDENT|BLOCK_AS_IMPLICIT_KEY|BLOCK_IN_FLOW|DUPLICATE_KEY|MISSING_CHAR|MULTI\w+|TAB_AS_INDENT)$/;

/** Converts dates and other types of YAML 1.1 that our values lack to text. Aliases make a small text large. */
function plain(value: unknown, budget: { left: number }): Value {
  budget.left -= 1;
  if (budget.left < 0)
    throw new TemplateError(`the YAML has more than ${MOST_ITEMS} values, with those of its aliases`);
  const inner = (one: unknown): Value => plain(one, budget);
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || isNumeric(value)) return value;
  if (Array.isArray(value)) return value.map(inner);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Set) return Array.from(value, inner);
  if (typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inner(one)]));
  return null;
}

export function fromJson(text: string): Value {
  if (tooDeepAt(text) !== undefined) throw new TemplateError(`from_json: ${TOO_DEEP}`);
  try {
    // A number that is too large becomes text, as in answers of controllers.
    return parseWithDigits(text);
  } catch {
    // The reason would quote the text, which may be a secret that nothing masks yet.
    throw new TemplateError('from_json: the text is not JSON');
  }
}
