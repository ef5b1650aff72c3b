import type { Answer } from '../rig/answer.js';

/** In what the answers differ, with Ansible's first; undefined if they agree. */
export function difference(ansible: Answer, ours: Answer): string | undefined {
  const [a, b] = [text(ansible), text(ours)];
  const place = a.findIndex((line, index) => line !== b[index]);
  if (place < 0 && a.length === b.length) return undefined;
  const at = place < 0 ? a.length : place;
  return `line ${at}\n  Ansible: ${a[at] ?? 'nothing more'}\n  ours:    ${b[at] ?? 'nothing more'}`;
}

/** Line by line. */
export function text({ refused, exit, rounds, recap }: Answer): readonly string[] {
  if (refused) return ['refused'];
  return [...rounds, ...Object.entries(recap).map(([host, counts]) => `${host}: ${counts}`), `exit ${exit}`];
}
