import { spawnSync } from 'node:child_process';
import path from 'node:path';

const INVENTORY = 'ansible-inventory';

/** The folder of a second ansible-core (a venv), which is asked instead of the one on the path. */
const SECOND = process.env['EVENKEEL_ANSIBLE'] ?? '';

/** Each recording has the answers of ansible-core 2.14 and those of the newest. */
export type Column = 'reference' | 'newest';

/** Which of them this process asks for and compares with. */
export const COLUMN: Column = SECOND === '' ? 'reference' : 'newest';

/** Where its commands are found. */
export const ANSIBLE_PATH = [...(SECOND === '' ? [] : [path.join(SECOND, 'bin')]), process.env['PATH'] ?? ''].join(
  path.delimiter,
);

/** What one of Ansible's commands printed; its warnings are left out. */
export function ansible(
  command: string,
  args: readonly string[],
  cwd: string,
  variables: Readonly<Record<string, string>> = {},
): string {
  const { stdout, stderr, status } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, PATH: ANSIBLE_PATH, ANSIBLE_NOCOLOR: '1', ANSIBLE_DEVEL_WARNING: '0', ...variables },
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status ?? 'no'} status: ${stderr}`);
  return stdout;
}

/** Whether there is an Ansible to ask: 2.14, or the second one that was named. */
export function hasAnsible(): boolean {
  if (COLUMN === 'newest' && !version().includes('core '))
    throw new Error(`EVENKEEL_ANSIBLE: no ansible-core in ${SECOND}`);
  return COLUMN === 'newest' || version().includes('core 2.14');
}

/** The interpreter that Ansible's own packages are installed for. */
export function ansiblePython(): string {
  return /python version = .*\((\/[^)]+)\)$/m.exec(version())?.[1] ?? 'python3';
}

/** What it says of itself, asked once: that takes it a second. Empty if it is not there. */
const version = once(() => {
  const { stdout, error } = spawnSync(INVENTORY, ['--version'], {
    encoding: 'utf8',
    env: { ...process.env, PATH: ANSIBLE_PATH },
  });
  return error === undefined ? stdout : '';
});

function once(ask: () => string): () => string {
  let answer: string | undefined;
  return () => (answer ??= ask());
}
