import { KEYWORDS, type Keyword, type Place } from '../load/keywords/keyword_table.js';
import { reference, type JsonSchema } from './json_schema.js';
import { keywordSchema } from './keyword_values.js';

type Properties = Readonly<Record<string, JsonSchema>>;

/** The keywords of a place, and nothing else. */
export function placeSchema(place: Place, more: Pick<JsonSchema, 'properties' | 'patternProperties'> = {}): JsonSchema {
  const patternProperties = { ...fullLoopNames(place), ...more.patternProperties };
  return {
    type: 'object',
    properties: { ...keywordsOf(place), ...more.properties },
    ...(Object.keys(patternProperties).length > 0 && { patternProperties }),
    additionalProperties: false,
  };
}

export function keywordsOf(place: Place): Properties {
  return Object.fromEntries(keywordsAt(place).map((keyword) => [keyword.name, reference(definitionOf(keyword))]));
}

/** `with_ansible.builtin.nested`, which no one needs to be offered. */
function fullLoopNames(place: Place): Properties {
  const loops = keywordsAt(place).flatMap(({ name }) => (name.startsWith('with_') ? [name.slice('with_'.length)] : []));
  if (loops.length === 0) return {};
  return { [String.raw`^with_(?:ansible\.(?:builtin|legacy)|community\.general)\.(?:${loops.join('|')})$`]: {} };
}

/** What the schemas of a place refer to; without one, of all. */
export function keywordDefinitions(place?: Place): Properties {
  const keywords = place === undefined ? KEYWORDS : keywordsAt(place);
  return Object.fromEntries(keywords.map((keyword) => [definitionOf(keyword), keywordSchema(keyword)]));
}

function keywordsAt(place: Place): readonly Keyword[] {
  return KEYWORDS.filter(({ places }) => places.includes(place));
}

/** A word may mean one thing in plays and another in `vars_prompt`. */
function definitionOf({ name, places }: Keyword): string {
  const [first, ...others] = places;
  return others.length === 0 && first !== undefined ? `${first}_${name}` : `keyword_${name}`;
}
