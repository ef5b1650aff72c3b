import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Mapping } from '../../src/core/model/values/value.js';

export const ROOT = path.resolve(import.meta.dirname, '../..');
/** The built command, as a user gets it; `npm test` builds it first. */
export const BINARY = path.join(ROOT, 'dist/main.js');
/**
 * What Node is given before the command's own arguments. V8's helper threads compile and collect ahead, which a short process never
 * gets back: without them it needs a quarter less CPU time.
 */
export const STARTED = ['--single-threaded', BINARY] as const;

/** A warning of Node itself, such as one about too many listeners: not for users. */
const NODE_WARNING = /^\(node:\d+\) /m;

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

/** Runs the built command to its end, without a terminal. */
export function evenkeel(args: readonly string[], options: CommandOptions): Promise<Ended> {
  return command(process.execPath, [...STARTED, ...args], options);
}

/** A home folder of its own, but with the compiled code that all tests share. */
export function ownHome(directory: string): Readonly<Record<string, string>> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: directory,
    XDG_CACHE_HOME: path.join(ROOT, 'node_modules/.cache'),
    // Other suites may use controllers with the same URL on this machine.
    EVENKEEL_LOCK_DIR: path.join(directory, '.claims'),
  };
}

/** Runs any program to its end. Passes on only PATH, HOME and `env`, so that tests do not depend on the user's environment. */
export function command(
  file: string,
  args: readonly string[],
  { cwd, env = {}, stdin = '' }: CommandOptions,
): Promise<Ended> {
  const child = spawn(file, args, {
    cwd,
    // Most tests look at single tasks. `''` selects the default.
    env: { ...ownHome(cwd), NO_COLOR: '1', EVENKEEL_OUTPUT: 'lines', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  child.stdin.on('error', () => undefined).end(stdin);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      const stderr = Buffer.concat(err).toString();
      if (NODE_WARNING.test(stderr)) reject(new Error(`a warning of Node: ${stderr}`));
      else resolve({ code, stdout: Buffer.concat(out).toString(), stderr });
    });
  });
}

export interface Project {
  readonly directory: string;
  /** Environment in which the shell finds `evenkeel`. */
  readonly env: Readonly<Record<string, string>>;
  write(name: string, text: string): Promise<void>;
  remove(): Promise<void>;
}

/** An empty project folder. */
export async function emptyProject(files: Readonly<Record<string, string>> = {}): Promise<Project> {
  const directory = await mkdtemp(path.join(tmpdir(), 'evenkeel-'));
  const bin = path.join(directory, '.bin');
  await mkdir(bin);
  const quoted = [process.execPath, ...STARTED].map((word) => `'${word}'`);
  await writeFile(path.join(bin, 'evenkeel'), `#!/bin/sh\nexec ${quoted.join(' ')} "$@"\n`, { mode: 0o755 });
  const write = async (name: string, text: string): Promise<void> => {
    const file = path.join(directory, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  for (const [name, text] of Object.entries(files)) await write(name, text);
  return {
    directory,
    env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` },
    write,
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

/** A playbook of these tasks for all controllers, named `task 1`, `task 2`, …. */
export function playbookOf(tasks: readonly Mapping[]): string {
  return JSON.stringify([{ hosts: 'all', tasks: tasks.map((task, at) => ({ name: `task ${at + 1}`, ...task })) }]);
}

/** A copy of the repository's example project. */
export async function exampleProject(): Promise<Project> {
  const project = await emptyProject();
  for (const name of ['evenkeel.yml', 'inventory', 'playbooks']) {
    await cp(path.join(ROOT, name), path.join(project.directory, name), { recursive: true });
  }
  return project;
}
