import { spawnSync } from 'node:child_process';
import path from 'node:path';

const INVENTORY = 'ansible-inventory';

/** The folder of a second ansible-core (a venv), which is asked instead of the one on the path. */
const SECOND = process.env['EVENKEEL_ANSIBLE'] ?? '';

/** Each recording has the answers of ansible-core 2.14 and those of the newest. */
export type Column = 'reference' | 'newest';

/** The version that this process compares with. */
export const COLUMN: Column = SECOND === '' ? 'reference' : 'newest';

/** The folder of the commands of this version. */
export function ansiblePath(column: Column = COLUMN): string {
  const second = column === 'newest' ? [path.join(SECOND, 'bin')] : [];
  return [...second, process.env['PATH'] ?? ''].join(path.delimiter);
}

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
    env: { ...process.env, PATH: ansiblePath(), ANSIBLE_NOCOLOR: '1', ANSIBLE_DEVEL_WARNING: '0', ...variables },
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status ?? 'no'} status: ${stderr}`);
  return stdout;
}

/** Whether there is an Ansible to ask: 2.14, or the second one that was named. */
export function hasAnsible(column: Column = COLUMN): boolean {
  const version = ansibleVersion(column);
  if (column === 'reference') return version.includes('core 2.14');
  if (!version.includes('core ')) throw new Error(`EVENKEEL_ANSIBLE: no ansible-core in ${SECOND}`);
  return true;
}

/** The interpreter that Ansible's own packages are installed for. */
export function ansiblePython(column: Column = COLUMN): string {
  return /python version = .*\((\/[^)]+)\)$/m.exec(ansibleVersion(column))?.[1] ?? 'python3';
}

const versions = new Map<Column, string>();

/** What `--version` prints, asked once: that takes Ansible a second. Empty if it is not installed. */
export function ansibleVersion(column: Column = COLUMN): string {
  const known = versions.get(column);
  if (known !== undefined) return known;
  const { stdout, error } = spawnSync(INVENTORY, ['--version'], {
    encoding: 'utf8',
    env: { ...process.env, PATH: ansiblePath(column) },
  });
  const version = error === undefined ? stdout : '';
  versions.set(column, version);
  return version;
}
