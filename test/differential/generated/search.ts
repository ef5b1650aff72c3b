/**
 * Looks for playbooks with which we and Ansible differ, among COUNT seeds from FIRST: `npm run search -- FIRST COUNT [show|shrink]`.
 * `shrink` cuts them down, which takes minutes each. With EVENKEEL_ANSIBLE the newest is asked, and 2.14 where we differ from it.
 */
import { COLUMN, hasAnsible } from '../../rig/ansible.js';
import { ansibleAnswers } from '../rig/ansible_answers.js';
import type { Answer } from '../rig/answer.js';
import type { Case } from '../rig/cases.js';
import { ourAnswerAndErrors } from '../rig/our_answers.js';
import { difference, isAsBefore, said } from './compare.js';
import { generate, written, type Draft } from './generate.js';
import { smaller } from './shrink.js';

const AT_ONCE = 30;
const asksBoth = COLUMN === 'newest' && hasAnsible('reference');

interface Found {
  readonly draft: Draft;
  readonly one: Case;
  readonly ansible: Answer;
  readonly ours: Answer;
  readonly difference: string;
  /** Why that is on purpose: docs/coming-from-ansible.md has a line for each. */
  readonly documented?: 'refused' | 'as in 2.14' | undefined;
}

/** What Ansible finds during the run, or never, and we before it. */
const REFUSALS =
  /^error: .*(nothing has the tag|the tags leave out this include|these tags leave no task to run|"nowhere" is not defined)/;

async function compared(drafts: readonly Draft[]): Promise<readonly Found[]> {
  const cases = drafts.map(written);
  const answers = await ansibleAnswers(cases);
  const found: Found[] = [];
  for (const [index, draft] of drafts.entries()) {
    const [one, ansible] = [cases[index], answers[index]];
    if (one === undefined || ansible === undefined) continue;
    const { answer: ours, stderr } = await ourAnswerAndErrors(one, 'linear');
    const differs = difference(one, ansible, ours);
    const documented = ours.refused && REFUSALS.test(stderr) ? 'refused' : undefined;
    if (differs !== undefined) found.push({ draft, one, ansible, ours, difference: differs, documented });
  }
  return asksBoth ? withOlder(found) : found;
}

async function withOlder(found: readonly Found[]): Promise<readonly Found[]> {
  const older = await ansibleAnswers(
    found.map(({ one }) => one),
    'reference',
  );
  return found.map((each, index) => {
    const reference = older[index];
    const isOlder = reference !== undefined && isAsBefore(each.one, { reference, newest: each.ansible }, each.ours);
    return { ...each, documented: isOlder ? 'as in 2.14' : each.documented };
  });
}

async function shrunk(found: Found): Promise<Found> {
  let best = found;
  for (let round = 0; round < 60; round++) {
    const less = await firstSmaller(best);
    if (less === undefined) return best;
    best = less;
  }
  return best;
}

async function firstSmaller({ draft, ansible }: Found): Promise<Found | undefined> {
  const candidates = smaller(draft);
  for (let from = 0; from < candidates.length; from += 20) {
    const still = await compared(candidates.slice(from, from + 20));
    const one = still.find((other) => other.ansible.refused === ansible.refused && !other.ours.refused);
    if (one !== undefined) return one;
  }
  return undefined;
}

function say(found: Found): void {
  const { one } = found;
  const { playbook, files, arguments: options = [] } = one;
  const parts = [`=== seed ${found.draft.seed} ${options.join(' ')}`, playbook];
  for (const [name, content] of Object.entries(files ?? {}).slice(1)) parts.push(`# ${name}`, content);
  parts.push(
    '--- Ansible',
    ...said(one, found.ansible),
    '--- ours',
    ...said(one, found.ours),
    '--- first difference',
    found.difference,
  );
  process.stdout.write(`${parts.join('\n')}\n\n`);
}

const [first = 1, count = 30] = process.argv.slice(2, 4).map(Number);
const all: Found[] = [];
for (let from = first; from < first + count; from += AT_ONCE) {
  const length = Math.min(AT_ONCE, first + count - from);
  const found = await compared(Array.from({ length }, (_, index) => generate(from + index)));
  all.push(...found);
  for (const one of found) {
    if (process.argv[4] === 'show') say(one);
    else if (process.argv[4] === 'shrink') say(await shrunk(one));
    else if (one.documented === undefined) process.stdout.write(`seed ${one.draft.seed}: ${one.difference}\n`);
  }
}
const counted = (why: Found['documented']): number => all.filter(({ documented }) => documented === why).length;
process.stdout.write(
  `${counted(undefined)} of ${count} differ, ${counted('refused')} are refused here only, ${counted('as in 2.14')} are as in 2.14\n`,
);
