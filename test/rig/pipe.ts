import { execFileSync } from 'node:child_process';

/** Makes a named pipe; Node cannot. */
export function makePipe(file: string): void {
  execFileSync('sh', ['-c', 'mkfifo "$0"', file]);
}
