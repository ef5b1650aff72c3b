import type { Prompt } from '../../core/model/playbook/playbook.js';
import type { Located } from '../../core/model/playbook/step.js';
import { didYouMean } from '../../core/model/source/suggestion.js';
import { isMapping } from '../../core/model/values/value.js';
import { hasTemplate } from '../../language/check.js';
import { describeKind, type Cursor } from '../document/cursor.js';
import { plainFlag, template, templated } from '../document/templated.js';
import { variableName } from '../document/texts.js';
import { ORDERS } from '../keywords/keyword_table.js';
import { checkKeyword, keywordsAt } from '../keywords/keywords.js';

/** The order of a play's controllers. */
export function readOrder(cursor: Cursor | undefined): Located<string> | undefined {
  const order = template(cursor);
  if (order === undefined || hasTemplate(order.value) || ORDERS.includes(order.value)) return order;
  const hint = didYouMean(order.value, ORDERS) ?? `it is one of ${ORDERS.join(', ')}`;
  cursor?.error(`there is no order "${order.value}"`, hint);
  return undefined;
}

/** `30`, `"30%"`, or a template that evaluates to one of them. */
export function readPercentage(cursor: Cursor | undefined): Located | undefined {
  if (cursor === undefined) return undefined;
  const { value, source } = cursor;
  if (typeof value === 'string' && hasTemplate(value)) return template(cursor);
  const written = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  const number = /^(\d+(?:\.\d+)?)\s*%?$/.exec(written)?.[1];
  if (number !== undefined) return { value: Number(number), source };
  cursor.error(`${cursor.title} must be a percentage, such as 30 or "30%"`);
  return undefined;
}

/** Batch sizes: counts, `"n%"`, or templates; undefined if all controllers go at once. */
export function readSerial(cursor: Cursor | undefined): readonly Located[] | undefined {
  const sizes = (cursor?.items() ?? []).flatMap((item) => size(item) ?? []);
  return sizes.length === 0 ? undefined : sizes;
}

function size(cursor: Cursor): Located | undefined {
  const { value, source } = cursor;
  if (typeof value === 'string' && hasTemplate(value)) return template(cursor);
  const written = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  if (/^-?\d+$/.test(written)) return { value: Number(written), source };
  if (/^\d+(?:\.\d+)?%$/.test(written)) return { value: written, source };
  cursor.error('"serial" takes a count, a percentage such as "25%", or a list of them');
  return undefined;
}

/** Ansible's keys for storing answers as password hashes. */
const HASHING = ['encrypt', 'salt', 'salt_size'];

/** The variables that a play prompts for; a single one needs no list, as in Ansible. */
export function readPrompts(cursor: Cursor | undefined): readonly Prompt[] {
  return (cursor?.items() ?? []).flatMap((item) => readPrompt(item) ?? []);
}

function readPrompt(cursor: Cursor): Prompt | undefined {
  if (!isMapping(cursor.value)) {
    cursor.error(`${cursor.title} must be a mapping, not ${describeKind(cursor.value)}`, 'write "- name: VARIABLE"');
    return undefined;
  }
  for (const item of cursor.entries()) checkKey(item);
  const written = cursor.get('name');
  if (written === undefined) cursor.error(`${cursor.title} needs "name": the variable that is asked for`);
  const name = variableName(written);
  const settings = {
    source: cursor.source,
    prompt: template(cursor.get('prompt'))?.value,
    default: templated(cursor.get('default'))?.value,
    private: plainFlag(cursor.get('private')) ?? true,
    confirm: plainFlag(cursor.get('confirm')) ?? false,
    unsafe: plainFlag(cursor.get('unsafe')) ?? false,
  };
  return name === undefined ? undefined : { name, ...settings };
}

function checkKey(item: Cursor): void {
  if (!HASHING.includes(item.name)) checkKeyword(item, keywordsAt('vars_prompt'));
  else if (item.value !== null) {
    item.errorAtKey(
      `"${item.name}" is not supported: answers are not hashed`,
      'give the hash itself, as the answer or with -e',
    );
  }
}
