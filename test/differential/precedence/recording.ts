import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { COLUMN } from '../../rig/ansible.js';
import { readColumns, writeColumn, type Columns } from '../../rig/columns.js';
import { ansibleAnswersNow } from '../rig/ansible_answers_now.js';
import type { Answer } from '../rig/answer.js';
import type { Case } from '../rig/cases.js';
import { recordingOf, type Recording } from '../rig/recordings.js';
import { project, VIEWS, type View } from './project.js';
import { looped, orderOf, winners, winnersIn, type Order, type Winners } from './winners.js';

/** What Ansible says. */
export interface Recorded {
  /** Of the project of every two spots. */
  readonly orders: Readonly<Record<View, Order>>;
  /** The result of loops whose variable is also set elsewhere: the same for every place. */
  readonly looped: readonly string[];
  /** Of `cases.yml`. */
  readonly answers: Recording;
}

const FILE = path.join(import.meta.dirname, 'recorded.json');
const CASES = path.join(import.meta.dirname, 'cases.yml');

export const VIEW_NAMES = Object.keys(VIEWS) as View[];

export async function readCases(): Promise<readonly Case[]> {
  const { cases } = parse(await readFile(CASES, 'utf8')) as { readonly cases: readonly Case[] };
  return cases;
}

export function recorded(): Promise<Columns<Recorded>> {
  return readColumns(FILE, 2);
}

export async function record(): Promise<void> {
  await writeColumn(FILE, await asked(), { depth: 2 });
}

/** What the installed Ansible says. */
export async function asked(): Promise<Recorded> {
  const cases = await readCases();
  const before = (await recorded())[COLUMN];
  const [every, ...answers] = await ansibleAnswersNow([project(), ...cases], ({ title }, answer) => {
    const then = before.answers[title];
    return then === undefined ? answer.exit === 0 : isDeepStrictEqual(answer, then);
  });
  if (every === undefined) throw new Error('Ansible did not answer');
  const orders = VIEW_NAMES.map((view) => [view, orderIn(every, view)]);
  return {
    orders: Object.fromEntries(orders) as Record<View, Order>,
    looped: looped(every),
    answers: recordingOf({ name: 'precedence', about: '', cases }, answers),
  };
}

/** The recorded order covers all pairs: it must explain each. */
function orderIn(answer: Answer, view: View): Order {
  const found = winners(answer, view);
  const order = orderOf(found);
  const unexpected = differing(found, winnersIn(order));
  if (unexpected.length > 0) throw new Error(`no order accounts for ${unexpected.join(', ')}`);
  return order;
}

function differing(found: Winners, expected: Winners): readonly string[] {
  return Object.keys(found).filter((pair) => found[pair] !== expected[pair]);
}
