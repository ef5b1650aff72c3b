import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** `main` in the sources and in `dist`. */
const OWN = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../main.ts' : '../main.js', import.meta.url));

/** Another process of this program that talks to this one. It is no program of the project, so `--no-exec` allows it. */
export function startOwnProcess(command: string): ChildProcess {
  return fork(OWN, [command], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}
