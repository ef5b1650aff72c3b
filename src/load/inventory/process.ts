import { spawn } from 'node:child_process';

export interface Execution {
  readonly stdout: string;
  readonly stderr: string;
  /** `exit code 3`, `signal SIGKILL`, or why it could not be started; undefined if it ended well. */
  readonly failure: string | undefined;
}

export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Runs a program to its end, without a terminal to read from. */
export function execute(file: string, args: readonly string[], { cwd, env }: Surroundings): Promise<Execution> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    const finish = (failure: string | undefined): void => {
      resolve({ stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString(), failure });
    };
    child.on('error', (error) => {
      const missing = 'code' in error && error.code === 'ENOENT';
      finish(
        missing
          ? 'could not be started: the interpreter of its first line is not there'
          : `could not be started (${error.message})`,
      );
    });
    child.on('close', (code, signal) => {
      if (signal !== null) finish(`was ended by signal ${signal}`);
      else finish(code === 0 ? undefined : `ended with exit code ${code ?? 'unknown'}`);
    });
  });
}
