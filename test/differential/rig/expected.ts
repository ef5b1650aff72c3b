import { byController, type Answer } from './answer.js';
import type { Case, Difference } from './cases.js';

/** The expected answer under `linear`: Ansible's, except for intended differences. */
export function expectedOf({ differs }: Case, recorded: Answer): Answer {
  return differing(recorded, differs);
}

/** The same under `host_pinned`. */
export function expectedPinned({ differs, host_pinned: pinned }: Case, recorded: Answer): Answer {
  return differing(differing(recorded, differs), pinned);
}

function differing(answer: Answer, difference: Difference | undefined): Answer {
  const { recap, ...rest } = difference?.ours ?? {};
  const merged = Object.entries({ ...answer.recap, ...recap });
  return { ...answer, ...rest, recap: Object.fromEntries(merged.filter(([, text]) => text !== '')) };
}

/** What must agree. Of what was refused it matters only that it was: we refuse earlier, and with another code. */
export function comparable({ refused, exit, rounds, recap }: Answer): unknown {
  return refused ? { refused } : { exit, rounds, recap };
}

/** If controllers do not wait for each other: the results and recap of each controller, without those that may be ahead. */
export function comparablePinned({ refused, exit, rounds, recap }: Answer, ahead: readonly string[] = []): unknown {
  if (refused) return { refused };
  const others = <T>(of: Readonly<Record<string, T>>): unknown =>
    Object.fromEntries(Object.entries(of).filter(([name]) => !ahead.includes(name)));
  return { exit, walks: others(byController(rounds)), recap: others(recap) };
}

/** Whether a controller did at least this; its messages may differ. */
export function hasDone(name: string, expected: Answer, answer: Answer): boolean {
  const done = byController(answer.rounds)[name]?.map(withoutWords) ?? [];
  const wanted = byController(expected.rounds)[name]?.map(withoutWords) ?? [];
  let place = 0;
  for (const line of done) if (line === wanted[place]) place++;
  return place === wanted.length;
}

function withoutWords(line: string): string {
  return line.replace(/ "[^]*"$/, '');
}
