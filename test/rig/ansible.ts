import { spawnSync } from 'node:child_process';

const INVENTORY = 'ansible-inventory';

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
    env: { ...process.env, ANSIBLE_NOCOLOR: '1', ANSIBLE_DEVEL_WARNING: '0', ...variables },
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status ?? 'no'} status: ${stderr}`);
  return stdout;
}

/** Whether the version that the expectations were recorded with is there. */
export function hasAnsible(): boolean {
  return version().includes('core 2.14');
}

/** The interpreter that Ansible's own packages are installed for. */
export function ansiblePython(): string {
  return /python version = .*\((\/[^)]+)\)$/m.exec(version())?.[1] ?? 'python3';
}

/** What it says of itself, asked once: that takes it a second. Empty if it is not there. */
const version = once(() => {
  const { stdout, error } = spawnSync(INVENTORY, ['--version'], { encoding: 'utf8' });
  return error === undefined ? stdout : '';
});

function once(ask: () => string): () => string {
  let answer: string | undefined;
  return () => (answer ??= ask());
}
