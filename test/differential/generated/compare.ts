import type { Columns } from '../../rig/columns.js';
import { byController, type Answer } from '../rig/answer.js';
import type { Case } from '../rig/cases.js';
import { hasFilesByGroup } from './includes.js';

/** The differences between the answers, Ansible's first; undefined if they agree. */
export function difference(one: Case, ansible: Answer, ours: Answer): string | undefined {
  const [a, b] = [said(one, ansible), said(one, ours)];
  const place = a.findIndex((line, index) => line !== b[index]);
  if (place < 0 && a.length === b.length) return undefined;
  const at = place < 0 ? a.length : place;
  return `line ${at}\n  Ansible: ${a[at] ?? 'nothing more'}\n  ours:    ${b[at] ?? 'nothing more'}`;
}

/**
 * What must agree, line by line. Which of two files that different controllers include at once comes first is chance with Ansible (it
 * takes them as the results arrive; we take them in the order of the controllers): then each one's own way is what counts.
 */
export function said(one: Case, { refused, exit, rounds, recap }: Answer): readonly string[] {
  if (refused) return ['refused'];
  const walks = Object.entries(byController(rounds)).sort(([a], [b]) => (a < b ? -1 : 1));
  const done = hasFilesByGroup(one) ? walks.flatMap(([, lines]) => lines) : rounds;
  return [...done, ...Object.entries(recap).map(([host, counts]) => `${host}: ${counts}`), `exit ${exit}`];
}

/**
 * Whether the two versions of Ansible do different things with it, and we do what 2.14 does. How many of a controller's tasks were ok is
 * left out: an include of a role counts as in the newest.
 */
export function isAsBefore(one: Case, { reference, newest }: Columns<Answer>, ours: Answer): boolean {
  const [then, now, own] = [reference, newest, ours].map((answer) => said(one, answer).map(withoutOk).join('\n'));
  return then !== now && own === then;
}

function withoutOk(line: string): string {
  return line.replace(/^(\S+:) ok=\d+/, '$1');
}
