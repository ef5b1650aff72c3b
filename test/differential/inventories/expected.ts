import type { Answer } from './answers.js';
import type { Case } from './cases.js';

/** The expected output: Ansible's, except for intended differences. */
export function expectedOf({ differs }: Case, recorded: Answer): Answer {
  if (differs === undefined) return recorded;
  const replaced = (line: string): string =>
    Object.entries(differs.instead).reduce((text, [theirs, ours]) => text.replaceAll(theirs, ours), line);
  const entries = Object.entries(recorded).map(([view, lines]) => [
    view,
    lines?.map(replaced).filter((line) => line !== '') ?? null,
  ]);
  return Object.fromEntries(entries) as Answer;
}
