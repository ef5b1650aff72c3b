/**
 * Looks for playbooks with which we and Ansible differ, among COUNT seeds from FIRST: `npm run search -- FIRST COUNT [show|shrink]`.
 * `shrink` cuts them down, which takes minutes each.
 */
import { ansibleAnswers } from '../rig/ansible_answers.js';
import type { Answer } from '../rig/answer.js';
import { ourAnswer } from '../rig/our_answers.js';
import { difference, said } from './compare.js';
import { generate, written, type Draft } from './generate.js';
import { smaller } from './shrink.js';

const AT_ONCE = 30;

interface Found {
  readonly draft: Draft;
  readonly ansible: Answer;
  readonly ours: Answer;
  readonly difference: string;
}

async function compared(drafts: readonly Draft[]): Promise<readonly Found[]> {
  const cases = drafts.map(written);
  const answers = await ansibleAnswers(cases);
  const found: Found[] = [];
  for (const [index, draft] of drafts.entries()) {
    const [one, ansible] = [cases[index], answers[index]];
    if (one === undefined || ansible === undefined) continue;
    const ours = await ourAnswer(one, 'linear');
    const differs = difference(one, ansible, ours);
    if (differs !== undefined) found.push({ draft, ansible, ours, difference: differs });
  }
  return found;
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
  const one = written(found.draft);
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
let differing = 0;
// A mistake that Ansible comes upon during the run, or never: it is one of what docs/coming-from-ansible.md lists.
let refused = 0;
for (let from = first; from < first + count; from += AT_ONCE) {
  const length = Math.min(AT_ONCE, first + count - from);
  const found = await compared(Array.from({ length }, (_, index) => generate(from + index)));
  refused += found.filter(({ ours }) => ours.refused).length;
  differing += found.filter(({ ours }) => !ours.refused).length;
  for (const one of found) {
    if (process.argv[4] === 'show') say(one);
    else if (process.argv[4] === 'shrink') say(await shrunk(one));
    else process.stdout.write(`seed ${one.draft.seed}: ${one.difference}\n`);
  }
}
process.stdout.write(`${differing} of ${count} differ, ${refused} are refused here only\n`);
