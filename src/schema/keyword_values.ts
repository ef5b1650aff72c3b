import type { Keyword, ValueKind } from '../load/keywords/keyword_table.js';
import { orNothing, reference, type JsonSchema } from './json_schema.js';
import { anyText, boolean, flag, listOf, number, oneOrMore, template, variableName, wholeNumber } from './scalars.js';

/** What may stand behind a keyword, with its description. */
export function keywordSchema(keyword: Keyword): JsonSchema {
  return { description: keyword.description, ...orNothing(valueSchema(keyword.value, keyword.choices ?? [])) };
}

function valueSchema(kind: ValueKind, choices: readonly string[]): JsonSchema {
  switch (kind) {
    case 'text':
      return anyText;
    case 'variable':
      return variableName;
    case 'flag':
      return flag;
    case 'boolean':
      return boolean;
    case 'number':
      return number;
    case 'whole number':
      return wholeNumber;
    case 'conditions':
      return oneOrMore({ type: ['boolean', 'string', 'number'] });
    case 'names':
    case 'texts':
      return oneOrMore(anyText);
    case 'variables':
      return { type: 'object', propertyNames: variableName };
    case 'arguments':
      return { anyOf: [{ type: 'object' }, { type: 'string' }] };
    case 'call':
      return { anyOf: [{ type: 'string' }, { type: 'object', required: ['module'] }] };
    case 'any':
      return {};
    case 'loop control':
      return reference('loop_control');
    case 'gate':
      return reference('gate');
    case 'steps':
      return listOf(reference('step'));
    case 'handlers':
      return listOf(reference('handler'));
    case 'roles':
      return listOf({ anyOf: [anyText, reference('role')] });
    case 'prompts':
      return oneOrMore(reference('vars_prompt'));
    case 'files':
      return oneOrMore(oneOrMore({ type: 'string' }));
    case 'sizes':
      return oneOrMore(SIZE);
    case 'percentage':
      return { anyOf: [{ type: 'number', minimum: 0 }, PERCENTAGE] };
    case 'defaults':
      return oneOrMore({ type: 'object', additionalProperties: { type: ['object', 'null'] } });
    case 'choice':
      return { anyOf: [{ enum: choices }, template] };
    default:
      return kind satisfies never;
  }
}

const SIZE: JsonSchema = {
  anyOf: [{ type: 'integer' }, { type: 'string', pattern: String.raw`\{\{|^\s*(?:-?\d+|\d+(?:\.\d+)?%)\s*$` }],
};

const PERCENTAGE: JsonSchema = { type: 'string', pattern: String.raw`\{\{|^\s*\d+(?:\.\d+)?\s*%?\s*$` };
