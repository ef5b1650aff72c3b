import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { whyUnreadable } from '../../core/files/paths.js';
import { readBytes } from '../../core/files/read_bytes.js';
import { HOW_TO_TRUST, Trust } from '../../core/files/trust.js';
import { NO_EXEC } from '../../core/model/source/diagnostic.js';
import { mayExecute, programs } from '../../core/programs/programs.js';
import { maskDocument } from '../../core/secrets/mask_value.js';
import { isEncrypted } from './cipher.js';
import type { NamedFile } from './passwords.js';
import type { Vault } from './vault.js';

/** By convention, the exit code of a client that has no password for the label. */
const UNKNOWN_LABEL = 2;

type ReadPassword =
  | { readonly status: 'ok'; readonly bytes: Buffer }
  | { readonly status: 'failed'; readonly message: string; readonly hint?: string; readonly rule?: string };

interface PasswordFile extends NamedFile {
  readonly label: string;
}

/** The working directory and environment of a script. */
export interface ProgramEnvironment {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads the password from a file, or runs the file if it is executable. A program whose name ends in `-client` gets the
 * label: `--vault-id LABEL`. An earlier password may decrypt the file.
 *
 * @param earlier the earlier passwords
 */
export async function readPasswordFile(
  file: PasswordFile,
  earlier: Vault,
  environment: ProgramEnvironment,
): Promise<ReadPassword> {
  const executable = await Promise.all([access(file.path, constants.X_OK), stat(file.path)]).then(
    ([, facts]) => !facts.isDirectory(),
    () => false,
  );
  if (executable && !mayExecute(environment.env)) {
    const message = `the vault password file ${file.shown} is a program, which --no-exec does not run`;
    return { status: 'failed', message, rule: NO_EXEC };
  }
  const refusal = executable ? whyNotRun(file, environment) : undefined;
  if (refusal !== undefined) {
    const message = `the vault password script ${file.shown} is not run: ${refusal}`;
    return { status: 'failed', message, hint: HOW_TO_TRUST };
  }
  const read = executable ? await readFromProgram(file, environment) : await readFromFile(file, earlier);
  if (read.status === 'failed' || read.bytes.length > 0) return read;
  return {
    status: 'failed',
    message: `the vault password ${executable ? 'script' : 'file'} ${file.shown} ${executable ? 'printed nothing' : 'is empty'}`,
  };
}

/** The user who names a script knows its folder; a project file may name one that others can replace. */
function whyNotRun(file: PasswordFile, { cwd, env }: ProgramEnvironment): string | undefined {
  const trust = new Trust(cwd, env);
  return typeof file.place === 'object' ? trust.refusal(file.path) : trust.foreign(file.path);
}

async function readFromFile({ path: name, shown }: PasswordFile, earlier: Vault): Promise<ReadPassword> {
  try {
    const content = trimmed(await readBytes(name), /^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/g);
    const text = content.toString('latin1');
    if (!isEncrypted(text)) return { status: 'ok', bytes: content };
    const opened = await earlier.open(text);
    if (opened.status === 'ok') return { status: 'ok', bytes: trimmed(opened.content, LINE_ENDS) };
    return { ...opened, status: 'failed', message: `the vault password file ${shown} ${opened.message}` };
  } catch (error) {
    return { status: 'failed', message: `cannot read the vault password file ${shown}: ${whyUnreadable(error)}` };
  }
}

const LINE_ENDS = /^[\r\n]+|[\r\n]+$/g;

/** Trims bytes, because a password need not be text. */
function trimmed(bytes: Buffer, edges: RegExp): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll(edges, ''), 'latin1');
}

async function readFromProgram(file: PasswordFile, environment: ProgramEnvironment): Promise<ReadPassword> {
  const client = path.parse(file.path).name.endsWith('-client');
  const ended = await run(file.path, client ? ['--vault-id', file.label] : [], environment, client);
  if (ended.status === 'unstarted') {
    const hint = 'if it is not a script, remove its executable bit';
    return { status: 'failed', message: `cannot run the vault password script ${file.shown}: ${ended.message}`, hint };
  }
  if (ended.code === 0) return { status: 'ok', bytes: trimmed(ended.stdout, LINE_ENDS) };
  const said = ended.stderr === '' ? '' : `; it says: ${maskDocument(ended.stderr)}`;
  const what =
    client && ended.code === UNKNOWN_LABEL
      ? `has no password for "${file.label}"`
      : `ended with ${ended.code === null ? 'a signal' : `exit code ${ended.code}`}`;
  return { status: 'failed', message: `the vault password script ${file.shown} ${what}${said}` };
}

type Ended =
  | { readonly status: 'unstarted'; readonly message: string }
  | { readonly status: 'ended'; readonly code: number | null; readonly stdout: Buffer; readonly stderr: string };

/**
 * A plain script inherits stderr, because it may ask the user on the terminal. The stderr of a client is for the
 * message.
 */
function run(file: string, args: readonly string[], { cwd, env }: ProgramEnvironment, client: boolean): Promise<Ended> {
  return new Promise((resolve) => {
    const child = programs(mayExecute(env)).spawn(file, args, {
      cwd,
      env,
      stdio: ['inherit', 'pipe', client ? 'pipe' : 'inherit'],
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.on('error', (error) => resolve({ status: 'unstarted', message: whyUnreadable(error) }));
    child.on('close', (code) =>
      resolve({
        status: 'ended',
        code,
        stdout: Buffer.concat(stdout),
        stderr: Buffer.concat(stderr).toString().trim(),
      }),
    );
  });
}
