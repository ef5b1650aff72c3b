import { isMapping } from '../core/model/values/value.js';
import { SCHEMAS, type Declared, type SchemaKind } from './index.js';
import type { JsonSchema } from './json_schema.js';

interface SchemaFile {
  readonly name: string;
  readonly text: string;
}

/** The schemas as files of one folder. Those of task files refer to the playbook schema if it is among them. */
export function schemaFiles(kinds: readonly SchemaKind[], declared: Declared): readonly SchemaFile[] {
  const playbook = kinds.find(({ name }) => name === 'playbook');
  return kinds.map((kind) => {
    const short = playbook && kind.makeBeside?.(fileName(playbook));
    return { name: fileName(kind), text: schemaText(short ?? kind.make(declared)) };
  });
}

function fileName({ name }: SchemaKind): string {
  return `${name}.schema.json`;
}

/** One definition per line: with one entry per line, the schema of playbooks would be twice as long. */
export function schemaText(schema: JsonSchema): string {
  const parts = Object.entries(schema).map(([name, value]: readonly [string, unknown]) => {
    const text = name === 'definitions' && isMapping(value) ? mappingText(value) : JSON.stringify(value);
    return `  ${JSON.stringify(name)}: ${text}`;
  });
  return `{\n${parts.join(',\n')}\n}\n`;
}

function mappingText(mapping: object): string {
  const lines = Object.entries(mapping).map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `{\n${lines.join(',\n')}\n  }`;
}

/** Tags of Evenkeel that YAML editors do not know. */
const CUSTOM_TAGS = [
  '!vault scalar',
  '!vault-encrypted scalar',
  '!unsafe scalar',
  '!unsafe sequence',
  '!unsafe mapping',
];

/** `.vscode/settings.json` for schemas in `folder`: which schema checks which files. */
export function editorSettings(folder: string): string {
  const schemas = Object.fromEntries(SCHEMAS.map((kind) => [`${folder}/${fileName(kind)}`, kind.files]));
  return `${JSON.stringify({ 'yaml.schemas': schemas, 'yaml.customTags': CUSTOM_TAGS }, null, 2)}\n`;
}
