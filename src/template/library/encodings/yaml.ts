import { parseAllDocuments, parseDocument } from 'yaml';
import { TOO_DEEP, tooDeepAt } from '../../../model/values/nesting.js';
import type { Value } from '../../../model/values/value.js';
import { settle } from '../../runtime/access.js';
import { TemplateError } from '../../runtime/errors.js';
import { yamlText, type YamlLayout } from '../../../python/yaml/emitter.js';
import { SCALAR_TAGS } from '../../../python/yaml/types.js';

/** YAML as PyYAML writes it, but without aliases, because equal values share an object here by accident. */
export function writeYaml(value: Value, layout: Omit<YamlLayout, 'aliases'>): string {
  return yamlText(settle(value), { ...layout, aliases: false });
}

/** The first document of a YAML text. */
export function readYaml(text: string): Value {
  requireFlat(text, 'from_yaml');
  return contentOf(parseDocument(text, OPTIONS), 'from_yaml');
}

/** Every document of a YAML text. */
export function readAllYaml(text: string): Value {
  requireFlat(text, 'from_yaml_all');
  const documents = parseAllDocuments(text, OPTIONS);
  return 'empty' in documents ? [] : documents.map((one) => contentOf(one, 'from_yaml_all'));
}

function requireFlat(text: string, helper: string): void {
  if (tooDeepAt(text) !== undefined) throw new TemplateError(`${helper}: ${TOO_DEEP}`);
}

const OPTIONS = { version: '1.1', schema: 'failsafe', customTags: SCALAR_TAGS, merge: true } as const;

function contentOf(document: ReturnType<typeof parseDocument>, helper: string): Value {
  const [error] = document.errors;
  if (error)
    throw new TemplateError(`${helper}: the text is not YAML: ${error.message.split('\n')[0] ?? ''}`, { cause: error });
  return plain(document.toJS({ maxAliasCount: 100 }));
}

/** Converts dates and other types of YAML 1.1 that our values lack to text. */
function plain(value: unknown): Value {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number')
    return value;
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Set) return Array.from(value, plain);
  if (typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
  return null;
}
