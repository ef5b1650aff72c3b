import { Document, isCollection, isScalar, parseDocument, visit } from 'yaml';
import type { Value } from '../../model/value.js';
import { settle } from '../access.js';
import { TemplateError } from '../errors.js';

export interface YamlStyle {
  readonly indent: number;
  /** Lists and mappings of plain values on one line, as Ansible's `to_yaml` writes them. */
  readonly flow: boolean;
  readonly sortKeys: boolean;
}

/** YAML as PyYAML writes it: keys sorted, lists not indented, text quoted that YAML 1.1 would take for something else. */
export function writeYaml(value: Value, { indent, flow, sortKeys }: YamlStyle): string {
  const document = new Document(settle(value), {
    version: '1.1',
    sortMapEntries: sortKeys,
    aliasDuplicateObjects: false,
  });
  if (flow) visit(document, { Collection: (_, node) => void (node.flow = node.items.every((item) => isPlain(item))) });
  return document.toString({
    indent,
    indentSeq: false,
    lineWidth: 80,
    flowCollectionPadding: false,
    singleQuote: true,
  });
}

function isPlain(item: unknown): boolean {
  if (isScalar(item)) return true;
  return typeof item === 'object' && item !== null && 'value' in item && !isCollection(item.value);
}

/** The first document of a YAML text. */
export function readYaml(text: string): Value {
  const document = parseDocument(text, { version: '1.1', merge: true });
  const [error] = document.errors;
  if (error)
    throw new TemplateError(`from_yaml: the text is no YAML: ${error.message.split('\n')[0] ?? ''}`, { cause: error });
  return plain(document.toJS({ maxAliasCount: 100 }));
}

/** Dates and the like, which YAML 1.1 knows and our values do not, as text. */
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
