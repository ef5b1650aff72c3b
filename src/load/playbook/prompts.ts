import type { Prompt } from '../../model/playbook/prompt.js';
import { isMapping } from '../../model/values/value.js';
import { kindOf, type Cursor } from '../cursor.js';
import { checkKeyword, VARS_PROMPT } from '../steps/keywords.js';
import { plainFlag, template, templated } from '../templated.js';
import { variableName } from '../texts.js';

/** Ansible's keys for answers that are kept as password hashes. */
const HASHING = ['encrypt', 'salt', 'salt_size'];

/** The variables that the user is asked for before a play; a single one needs no list, as in Ansible. */
export function promptsOf(cursor: Cursor | undefined): readonly Prompt[] {
  return (cursor?.items() ?? []).flatMap((item) => promptOf(item) ?? []);
}

function promptOf(cursor: Cursor): Prompt | undefined {
  if (!isMapping(cursor.value)) {
    cursor.error(`${cursor.title} must be a mapping, not ${kindOf(cursor.value)}`, 'write "- name: VARIABLE"');
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
  if (!HASHING.includes(item.name)) checkKeyword(item, VARS_PROMPT);
  else if (item.value !== null) {
    item.errorAtKey(
      `"${item.name}" is not supported: answers are not hashed`,
      'give the hash itself, as the answer or with -e',
    );
  }
}
