import { isFileError } from '../../files/file_error.js';
import { decodeUtf8, type BadByte } from '../../files/utf8.js';
import { mayExecute, programs } from '../../programs/programs.js';

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

/** Larger than any inventory; what never ends would fill all memory. */
const MOST_MIB = 64;
/** Ten minutes: some ask a cloud. */
const PATIENCE_MS = 600_000;

/** Runs a program to its end, without a terminal to read from. What prints too much, or does not end, is ended. */
export function execute(
  file: string,
  args: readonly string[],
  { cwd, env }: Surroundings,
  patience = PATIENCE_MS,
): Promise<Execution> {
  return new Promise((resolve) => {
    const child = programs(mayExecute(env)).spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let size = 0;
    const finish = (failure: string | undefined): void => {
      clearTimeout(timer);
      const decoded = decodeUtf8(Buffer.concat(stdout));
      const complaint = Buffer.concat(stderr).toString();
      if ('text' in decoded) resolve({ stdout: decoded.text, stderr: complaint, failure });
      else resolve({ stdout: '', stderr: complaint, failure: failure ?? notText(decoded.bad) });
    };
    const end = (failure: string): void => {
      child.kill('SIGKILL');
      // Programs that it started may hold its output open.
      child.stdout.destroy();
      child.stderr.destroy();
      finish(failure);
    };
    const timer = setTimeout(() => {
      end(`did not end within ${patience / 1000} seconds, and was ended`);
    }, patience);
    const take = (chunks: Buffer[]) => (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > MOST_MIB << 20) end(`printed more than ${MOST_MIB} MiB, and was ended`);
    };
    child.stdout.on('data', take(stdout));
    child.stderr.on('data', take(stderr));
    child.on('error', (error) => {
      const missing = isFileError(error, 'ENOENT');
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

function notText({ line, column, byte }: BadByte): string {
  return `did not print UTF-8 text: line ${line}, column ${column} has the byte ${byte}`;
}
