import path from 'node:path';
import type { Inventory } from '../core/model/inventory/inventory.js';
import { HIDDEN } from '../core/model/placeholder.js';
import { Diagnostics } from '../core/model/source/diagnostic.js';
import type { RunPorts } from '../launch/load/ports.js';
import type { NotPermitted } from '../launch/start/permission.js';
import { captureFiles, SECRETS_FILE } from './capture_files.js';
import { compareControllers, isEqualEverywhere, type ObjectComparison } from './compare/compare.js';
import { captureControllers, type Capture } from './playbook/capture.js';
import type { CaptureGroup } from './playbook/levels.js';
import { readFleet, type Fleet, type FleetOptions } from './read_fleet.js';
import { refusalOf, writeFiles } from './write_files.js';

export interface CaptureOptions extends FleetOptions {
  /** The folder to write. */
  readonly out: string;
  /** Also captures fields that controllers set, defaults, and objects that come with every controller. */
  readonly all?: boolean | undefined;
  /** Whether the folder may contain files. */
  readonly force?: boolean | undefined;
}

export interface CaptureResult extends Pick<Fleet, 'unread' | 'interrupted'> {
  /** The controllers that were captured. */
  readonly controllers: readonly string[];
  /** Absent: nothing was written. */
  readonly capture?: Capture | undefined;
}

type CaptureOutcome = { readonly status: 'captured'; readonly result: CaptureResult } | NotPermitted;

/** Reads a fleet and writes it to a folder, as a playbook and variables that declare it. */
export async function captureFleet(options: CaptureOptions, ports: RunPorts): Promise<CaptureOutcome> {
  const folder = path.resolve(ports.cwd, options.out);
  const diagnostics = new Diagnostics();
  const refusal = await refusalOf(folder, options.force === true);
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
  const groups = groupsOf(inventory, new Set(names));
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
function groupsOf(inventory: Inventory, captured: ReadonlySet<string>): readonly CaptureGroup[] {
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

export interface FleetComparison extends Pick<Fleet, 'kinds' | 'unread' | 'interrupted'> {
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
