import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isFileError, whyFailed } from '../core/files/file_error.js';
import { makeFolder } from '../core/files/folders.js';
import type { Inventory } from '../core/model/inventory/inventory.js';
import { Diagnostics } from '../core/model/source/diagnostic.js';
import { HIDDEN } from '../core/model/values/display.js';
import type { RunPorts } from '../launch/load/ports.js';
import type { NotPermitted } from '../launch/start/permission.js';
import { CAPTURED, captureFiles, COMMENT, PLAYBOOK, SECRETS_FILE, type CaptureFiles } from './capture_files.js';
import { compareControllers, isEqualEverywhere, type ObjectComparison } from './compare/compare.js';
import { captureControllers, type CapturedProject } from './playbook/capture.js';
import type { CaptureGroup } from './playbook/levels.js';
import { readFleet, type FleetOptions, type ReadFleet } from './read_fleet.js';

export interface CaptureOptions extends FleetOptions {
  /** The folder to write. */
  readonly out: string;
  /** Also captures fields that controllers set, defaults, and objects that come with every controller. */
  readonly all?: boolean | undefined;
  /** Whether the folder may contain files. */
  readonly force?: boolean | undefined;
}

export interface CaptureResult extends Pick<ReadFleet, 'unread' | 'interrupted'> {
  /** The controllers that were captured. */
  readonly controllers: readonly string[];
  /** Absent: nothing was written. */
  readonly capture?: CapturedProject | undefined;
}

type CaptureOutcome = { readonly status: 'captured'; readonly result: CaptureResult } | NotPermitted;

/** Reads a fleet and writes it to a folder, as a playbook and variables that declare it. */
export async function captureFleet(options: CaptureOptions, ports: RunPorts): Promise<CaptureOutcome> {
  const folder = path.resolve(ports.cwd, options.out);
  const diagnostics = new Diagnostics();
  const refusal = await checkTargetFolder(folder, options.force === true);
  if (refusal !== undefined) return refused(diagnostics, `${options.out}: ${refusal.message}`, refusal.hint);
  const all = options.all === true;
  const outcome = await readFleet(options, ports, { all, hide: () => HIDDEN, declarable: true });
  if (outcome.status !== 'read') return outcome;
  const { target, table, controllers, unread, interrupted } = outcome.fleet;
  const names = controllers.map(({ name }) => name);
  if (interrupted || names.length === 0)
    return { status: 'captured', result: { controllers: names, unread, interrupted } };
  const strange = names.find((name) => !isFileName(name));
  if (strange !== undefined)
    return refused(diagnostics, `host_vars cannot have a file for the controller "${strange}"`);
  const { inventory } = target;
  const hosts = names.length === inventory.controllers.size ? undefined : names;
  const groups = capturedGroups(inventory, new Set(names));
  const capture = captureControllers({ controllers, groups, table, all, hosts });
  const files = captureFiles(capture, { groups: groups.map(({ name }) => name), controllers: names });
  const failure = await writeFiles(folder, files, new Set([SECRETS_FILE]));
  if (failure !== undefined) return refused(diagnostics, `cannot write ${options.out}: ${failure}`);
  return { status: 'captured', result: { controllers: names, unread, interrupted, capture } };
}

function refused(diagnostics: Diagnostics, message: string, hint?: string): NotPermitted {
  diagnostics.error(message, undefined, hint);
  return { status: 'refused', diagnostics: diagnostics.list };
}

/** The groups of these controllers, the most specific last. */
function capturedGroups(inventory: Inventory, captured: ReadonlySet<string>): readonly CaptureGroup[] {
  const members = new Map<string, { ranks: number; names: string[] }>();
  for (const { name, groups } of inventory.controllers.values()) {
    if (!captured.has(name)) continue;
    for (const [rank, group] of groups.entries()) {
      const known = members.get(group) ?? { ranks: 0, names: [] };
      members.set(group, known);
      known.ranks = Math.max(known.ranks, rank);
      known.names.push(name);
    }
  }
  return [...members]
    .filter(([name]) => isFileName(name))
    .sort(([, a], [, b]) => a.ranks - b.ranks)
    .map(([name, { names }]) => ({ name, members: names }));
}

function isFileName(name: string): boolean {
  return !/[/\\\0]/.test(name) && name !== '.' && name !== '..';
}

export interface FleetComparison extends Pick<ReadFleet, 'kinds' | 'unread' | 'interrupted'> {
  /** The controllers that were compared. */
  readonly controllers: readonly string[];
  readonly objects: readonly ObjectComparison[];
  readonly isEqual: boolean;
}

type ComparisonOutcome = { readonly status: 'compared'; readonly comparison: FleetComparison } | NotPermitted;

/** Reads all selected controllers and compares them with each other. Secrets that controllers show are compared, never shown. */
export async function compareFleet(options: FleetOptions, ports: RunPorts): Promise<ComparisonOutcome> {
  const numbers = new Map<string, number>();
  const hide = (secret: string): string => {
    const number = numbers.get(secret) ?? numbers.size + 1;
    numbers.set(secret, number);
    return `‹secret ${number}›`;
  };
  const outcome = await readFleet(options, ports, { all: false, hide, declarable: false });
  if (outcome.status !== 'read') return outcome;
  const { kinds, table, controllers, unread, interrupted } = outcome.fleet;
  const objects = compareControllers(controllers, table);
  const comparison = {
    ...{ kinds, unread, interrupted, objects },
    controllers: controllers.map(({ name }) => name),
    isEqual: objects.every(isEqualEverywhere),
  };
  return { status: 'compared', comparison };
}

/** Why the folder must not be written to; undefined if it may. */
async function checkTargetFolder(
  folder: string,
  force: boolean,
): Promise<{ readonly message: string; readonly hint?: string } | undefined> {
  try {
    const entries = await readdir(folder);
    if (entries.length === 0) return undefined;
    if (force) return await foreignPlaybook(folder);
    return {
      message: 'the folder is not empty; nothing was contacted',
      hint: 'name another folder, or pass --force to replace an earlier capture in it',
    };
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return undefined;
    return { message: isFileError(error, 'ENOTDIR') ? 'is not a folder' : whyFailed(error) };
  }
}

/** Must not replace a playbook of this name that the user wrote. */
async function foreignPlaybook(folder: string): Promise<{ readonly message: string } | undefined> {
  const text = await readFile(path.join(folder, PLAYBOOK), 'utf8').catch((error: unknown) => {
    if (isFileError(error, 'ENOENT')) return undefined;
    throw error;
  });
  if (text === undefined || text.startsWith(`# ${COMMENT}`)) return undefined;
  return { message: `${PLAYBOOK} in this folder is not from a capture, so --force does not replace it` };
}

/**
 * Writes a new folder all at once. In a folder with content, replaces the files of an earlier capture one by one.
 * Objects may be confidential, so only the owner can read the files.
 *
 * @param once files that are never replaced
 * @returns why it failed
 */
async function writeFiles(folder: string, files: CaptureFiles, once: ReadonlySet<string>): Promise<string | undefined> {
  const beside = path.join(path.dirname(folder), `.${path.basename(folder)}.${randomBytes(6).toString('hex')}`);
  try {
    await makeFolder(path.dirname(folder));
    await writeAll(beside, files);
    const isNew = (await readdir(folder).catch(() => [])).length === 0;
    if (isNew) await rename(beside, folder);
    else await replaceIn(folder, beside, files, once);
    return undefined;
  } catch (error) {
    return whyFailed(error);
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

async function writeAll(folder: string, files: CaptureFiles): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  const folders = new Set([...files.keys()].map((name) => path.dirname(path.join(folder, name))));
  for (const one of folders) await mkdir(one, { recursive: true, mode: 0o700 });
  for (const [name, text] of files) await writeFile(path.join(folder, name), text, { mode: 0o600, flag: 'wx' });
}

async function replaceIn(folder: string, from: string, files: CaptureFiles, once: ReadonlySet<string>): Promise<void> {
  for (const name of files.keys()) {
    const file = path.join(folder, name);
    if (once.has(name) && (await exists(file))) continue;
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await rename(path.join(from, name), file);
  }
  for (const name of await capturedIn(folder)) if (!files.has(name)) await rm(path.join(folder, name), { force: true });
}

/** The files of variables that an earlier capture wrote. */
async function capturedIn(folder: string): Promise<readonly string[]> {
  const kinds = ['group_vars', 'host_vars'];
  const names = await Promise.all(kinds.map((kind) => readdir(path.join(folder, kind)).catch(() => [])));
  return kinds.flatMap((kind, at) => (names[at] ?? []).map((name) => `${kind}/${name}/${CAPTURED}`));
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}
