import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseJson } from '../../../src/core/model/values/json.js';
import type { Value } from '../../../src/core/model/values/value.js';
import { ansible } from '../../rig/ansible.js';
import { readColumns, writeColumn, type Columns } from '../../rig/columns.js';
import { inFolder } from '../../rig/folder.js';
import { CASES, type Kind } from './cases.js';
import { ENVIRONMENT, FILES, VARIABLES_FILE } from './surroundings.js';

/** The outcome of a text: its value, or the beginning of Ansible's message. */
export type Outcome = { readonly value: Value } | { readonly fails: string };
export type Recording = Readonly<Record<Kind, Readonly<Record<string, Outcome>>>>;

const RECORDING = path.join(import.meta.dirname, '../recorded/ansible_expressions.json');

/** Replaces the name of the folder in which the cases ran. */
export const FOLDER = '/FOLDER';

export function recorded(): Promise<Columns<Recording>> {
  return readColumns(RECORDING, 2);
}

export async function record(found?: Recording): Promise<void> {
  const isAlike = (one: unknown, other: unknown): boolean => isLike(one as Outcome, other as Outcome);
  await writeColumn(RECORDING, found ?? (await askAnsible()), { depth: 2, isAlike });
}

/** Whether both outcomes have the same value, or both fail. */
export function isLike(one: Outcome | undefined, other: Outcome | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return 'value' in one && 'value' in other
    ? isDeepStrictEqual(withoutBigInt(one.value), withoutBigInt(other.value))
    : 'fails' in one && 'fails' in other;
}

/** JavaScript writes 1e20 with all its digits, which are read as a bigint. */
function withoutBigInt(value: unknown): unknown {
  return typeof value === 'bigint' && String(Number(value)) === String(value) ? Number(value) : value;
}

const PLAYBOOK = `- hosts: localhost
  connection: local
  gather_facts: false
  vars_files: [variables.yml]
  tasks:
    - evaluate: { cases: cases.json, found: found.json }
`;

/** The outcomes of all cases in the installed Ansible, from one run of one playbook. */
export async function askAnsible(): Promise<Recording> {
  const action = await readFile(path.join(import.meta.dirname, 'evaluate.py'), 'utf8');
  const files = {
    ...FILES,
    'action_plugins/evaluate.py': action,
    'library/evaluate.py': '',
    'variables.yml': VARIABLES_FILE,
    'cases.json': JSON.stringify(CASES),
    'play.yml': PLAYBOOK,
  };
  return inFolder(files, async (folder) => {
    ansible('ansible-playbook', ['-i', 'localhost,', 'play.yml'], folder, { ...ENVIRONMENT, PYTHONHASHSEED: '0' });
    const text = await readFile(path.join(folder, 'found.json'), 'utf8');
    return parseJson(text.replaceAll(folder, FOLDER)) as unknown as Recording;
  });
}
