import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { SideThread } from './side_thread.js';

/**
 * The only place that starts programs, loads code of the project, and sends requests of templates.
 * `.dependency-cruiser.cjs` holds everything else to it.
 */
interface Programs {
  readonly spawn: typeof spawn;
  readonly execFileSync: typeof execFileSync;
  readonly shellOutput: typeof shellOutput;
  readonly webAnswer: typeof webAnswer;
  /**
   * The default export of a TypeScript or JavaScript file. `packages`: URLs of modules that replace imports of these
   * names.
   */
  readonly importCode: (file: string, packages: Readonly<Record<string, string>>) => Promise<unknown>;
}

const OFF: ReadonlySet<string> = new Set(['', '0', 'false', 'no', 'off']);

/** Whether anything may be executed: `--no-exec` sets `EVENKEEL_NO_EXEC`. */
export function mayExecute({ EVENKEEL_NO_EXEC = '' }: Readonly<Record<string, string | undefined>>): boolean {
  return OFF.has(EVENKEEL_NO_EXEC.toLowerCase());
}

/** The absolute path of a program in `PATH`. */
export function findProgram(
  name: string,
  { PATH: folders = '' }: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return folders
    .split(path.delimiter)
    .map((folder) => path.join(folder, name))
    .find((file) => path.isAbsolute(file) && existsSync(file));
}

/** @throws Error with `--no-exec`; callers refuse earlier, with a message and position */
export function programs(allowed: boolean): Programs {
  if (!allowed) throw new Error('--no-exec does not start programs or load code');
  return { spawn, execFileSync, shellOutput, webAnswer, importCode };
}

async function importCode(file: string, packages: Readonly<Record<string, string>>): Promise<unknown> {
  const { createJiti } = await import('jiti');
  const virtualModules: Record<string, unknown> = {};
  for (const [name, url] of Object.entries(packages)) virtualModules[name] = await import(url);
  const jiti = createJiti(import.meta.url, { virtualModules, fsCache: false, moduleCache: true });
  return jiti.import(file, { default: true });
}

/**
 * The output of a command that `/bin/sh` runs. Ctrl-C ends the command, and then counts as usual. SIGTERM and SIGHUP
 * end the process and the command at once.
 *
 * @throws Error with `status` and `stderr` if the command fails; WaitInterrupted
 */
function shellOutput(command: string, cwd: string): Uint8Array {
  return checkOutput(shell.answer({ command, cwd }));
}

/**
 * Runs a command ($0) in a new process group. Descriptor 3 closes when the waiting process ends, even if it was killed;
 * then the whole group is ended.
 */
const GUARD = `
(read -r _; kill -TERM -$$) <&3 >/dev/null 2>&1 &
guard=$!
/bin/sh -c "$0" </dev/null 3<&- &
wait $!
status=$?
exec 2>/dev/null
kill -KILL $guard
exit $status
`;

const shell = new SideThread(new URL('./shell_worker.mjs', import.meta.url), { guard: GUARD });

function checkOutput(message: unknown): Uint8Array {
  if (typeof message === 'object' && message !== null) {
    if ('output' in message && message.output instanceof Uint8Array) return message.output;
    if ('problem' in message) throw toFailure(message.problem, message);
  }
  throw new Error('its output was lost');
}

function toFailure(problem: unknown, details: object): Error {
  const stderr = 'stderr' in details && details.stderr instanceof Uint8Array ? details.stderr : new Uint8Array();
  const status = 'status' in details ? details.status : undefined;
  return Object.assign(new Error(String(problem)), { status, stderr: Buffer.from(stderr) });
}

/** A GET over HTTP or HTTPS. */
export interface WebRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds for all of it. */
  readonly timeout: number;
  /** PEM of the trusted authorities. Absent: those of Node. */
  readonly ca: string | undefined;
  /** URLs of SOCKS5 and HTTP proxies, with their credentials, in the order in which they are tried. Empty: directly. */
  readonly proxies: readonly string[];
  /** The maximum length of a body, in bytes. */
  readonly most: number;
  /** Whether any certificate is trusted. */
  readonly insecure: boolean;
  /** URLs at which a POST of the body signs in, and one with the cookies signs out. */
  readonly session: { readonly login: string; readonly logout: string; readonly body: string } | undefined;
}

export type WebAnswer =
  | {
      readonly type: 'answer';
      readonly status: number;
      readonly reason: string;
      readonly location: string | undefined;
      /** Empty unless the status is 2xx or the answer is that of a sign-in. */
      readonly body: Uint8Array;
      /** The sign-in before the request has failed: this is its answer. */
      readonly isSignIn?: boolean;
    }
  /** `code` is Node's or OpenSSL's, or `TIMEOUT`, `TOO_LARGE` or `PROXY`. */
  | { readonly type: 'failure'; readonly code: string; readonly message: string };

/**
 * Sends the request and waits for the answer, as templates must. It follows no redirects. Certificates are always
 * verified.
 *
 * @throws Error if the system starts no thread; WaitInterrupted
 */
function webAnswer(request: WebRequest): WebAnswer {
  const answer = requests.answer(request);
  return isAnswer(answer) ? answer : { type: 'failure', code: '', message: 'its answer was lost' };
}

/** The thread posts nothing else. */
function isAnswer(message: unknown): message is WebAnswer {
  return typeof message === 'object' && message !== null && 'type' in message;
}

const requests = new SideThread(new URL('./web_worker.mjs', import.meta.url), {});
