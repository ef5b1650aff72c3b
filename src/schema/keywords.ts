import type { Construct, Keyword, KeywordValueKind } from '../project/keywords/keyword.js';
import { KEYWORDS } from '../project/keywords/keyword_table.js';
import {
  anyText,
  boolean,
  flag,
  listSchema,
  number,
  oneOrMore,
  orNothing,
  reference,
  template,
  variableName,
  wholeNumber,
  type JsonSchema,
} from './scalars.js';

type Properties = Readonly<Record<string, JsonSchema>>;

/** Only the keywords of a construct. */
export function constructSchema(
  construct: Construct,
  more: Pick<JsonSchema, 'properties' | 'patternProperties'> = {},
): JsonSchema {
  const patternProperties = { ...fullLoopNames(construct), ...more.patternProperties };
  return {
    type: 'object',
    properties: { ...keywordSchemas(construct), ...more.properties },
    ...(Object.keys(patternProperties).length > 0 && { patternProperties }),
    additionalProperties: false,
  };
}

/** References to the definitions of the keywords, by name. */
export function keywordSchemas(construct: Construct): Properties {
  return Object.fromEntries(
    keywordsAt(construct).map((keyword) => [keyword.name, reference(keywordDefinition(keyword))]),
  );
}

/** `with_ansible.builtin.nested`, which editors need not offer. */
function fullLoopNames(construct: Construct): Properties {
  const loops = keywordsAt(construct).flatMap(({ name }) =>
    name.startsWith('with_') ? [name.slice('with_'.length)] : [],
  );
  if (loops.length === 0) return {};
  return { [String.raw`^with_(?:ansible\.(?:builtin|legacy)|community\.general)\.(?:${loops.join('|')})$`]: {} };
}

/** The definitions that the schemas of a construct refer to; without one, all definitions. */
export function keywordDefinitions(construct?: Construct): Properties {
  const keywords = construct === undefined ? KEYWORDS : keywordsAt(construct);
  return Object.fromEntries(keywords.map((keyword) => [keywordDefinition(keyword), keywordSchema(keyword)]));
}

function keywordsAt(construct: Construct): readonly Keyword[] {
  return KEYWORDS.filter(({ constructs }) => constructs.includes(construct));
}

/** A word may mean one thing in plays and another in `vars_prompt`. */
function keywordDefinition({ name, constructs }: Keyword): string {
  const [first, ...others] = constructs;
  return others.length === 0 && first !== undefined ? `${first}_${name}` : `keyword_${name}`;
}

/** The schema of a keyword's value, with its description. */
function keywordSchema({ description, value, choices }: Keyword): JsonSchema {
  return {
    description,
    ...orNothing(choices === undefined ? VALUES[value] : { anyOf: [{ enum: choices }, template] }),
  };
}

const SIZE: JsonSchema = {
  anyOf: [{ type: 'integer' }, { type: 'string', pattern: String.raw`\{\{|^\s*(?:-?\d+|\d+(?:\.\d+)?%)\s*$` }],
};

const PERCENTAGE: JsonSchema = { type: 'string', pattern: String.raw`\{\{|^\s*\d+(?:\.\d+)?\s*%?\s*$` };

const VALUES: Readonly<Record<KeywordValueKind, JsonSchema>> = {
  text: anyText,
  variable: variableName,
  'variable or template': { anyOf: [variableName, template] },
  flag,
  boolean,
  number,
  'whole number': wholeNumber,
  conditions: oneOrMore({ type: ['boolean', 'string', 'number'] }),
  names: oneOrMore(anyText),
  texts: oneOrMore(anyText),
  variables: { type: 'object', propertyNames: variableName },
  arguments: { anyOf: [{ type: 'object' }, { type: 'string' }] },
  call: { anyOf: [{ type: 'string' }, { type: 'object', required: ['module'] }] },
  any: {},
  'loop control': reference('loop_control'),
  gate: reference('gate'),
  steps: listSchema(reference('step')),
  handlers: listSchema(reference('handler')),
  roles: listSchema({ anyOf: [anyText, reference('role')] }),
  prompts: oneOrMore(reference('vars_prompt')),
  files: oneOrMore(oneOrMore({ type: 'string' })),
  sizes: oneOrMore(SIZE),
  percentage: { anyOf: [{ type: 'number', minimum: 0 }, PERCENTAGE] },
  defaults: oneOrMore({ type: 'object', additionalProperties: { type: ['object', 'null'] } }),
  choice: template,
};
