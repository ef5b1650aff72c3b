import path from 'node:path';
import type { Inventory } from '../core/model/inventory/inventory.js';
import { getOrAdd, groupBy } from '../core/model/values/groups.js';
import { HIDDEN } from '../core/model/values/value.js';
import type { KindTable } from '../kinds/kind_table.js';
import { configOption } from '../launch/history/listed_run.js';
import type { RunPorts } from '../launch/load/ports.js';
import { refusal } from '../launch/request/run_request.js';
import type { NotPermitted } from '../launch/start/permission.js';
import { captureFiles, PLAYBOOK, playbookOfTenants, tenantFolder, type CaptureFiles } from './capture_files.js';
import { checkTargetFolder, isFileName, writeFiles } from './capture_folder.js';
import { compareControllers, isEqualEverywhere, type ObjectComparison } from './compare/compare.js';
import type { FleetController } from './fleet_collector.js';
import { captureControllers, type CapturedProject } from './playbook/capture.js';
import type { CaptureGroup } from './playbook/levels.js';
import { ALL, readFleet, type FleetOptions, type ReadFleet } from './read_fleet.js';

export interface CaptureOptions extends FleetOptions {
  /** The folder to write. */
  readonly out: string;
  /** Also captures fields that controllers set, defaults, and objects that come with every controller. */
  readonly all?: boolean | undefined;
  /** Whether the folder may contain files. */
  readonly force?: boolean | undefined;
}

export interface CaptureResult extends Pick<ReadFleet, 'unread' | 'interrupted'> {
  readonly controllers: readonly string[];
  /** From `configOption`. */
  readonly config: readonly string[];
  /** One, or one for each tenant. Empty: nothing was written. */
  readonly captures: readonly TenantCapture[];
}

/** What was captured of one tenant; undefined: of the tenant of each controller. */
interface TenantCapture {
  readonly tenant: string | undefined;
  readonly project: CapturedProject;
}

type CaptureOutcome = { readonly status: 'captured'; readonly result: CaptureResult } | NotPermitted;

/** Reads a fleet and writes it to a folder, as a playbook and variables that declare it. */
export async function captureFleet(options: CaptureOptions, ports: RunPorts): Promise<CaptureOutcome> {
  const folder = path.resolve(ports.cwd, options.out);
  const problem = await checkTargetFolder(folder, options.force === true);
  if (problem !== undefined) return refusal({ ...problem, message: `${options.out}: ${problem.message}` });
  const all = options.all === true;
  const outcome = await readFleet(options, ports, { all, hide: () => HIDDEN, declarable: true });
  if (outcome.status !== 'read') return outcome;
  const { target, table, controllers, unread, interrupted } = outcome.fleet;
  const names = [...new Set(controllers.map(({ name }) => name))];
  const result = { controllers: names, unread, interrupted, config: configOption(target.project) };
  if (interrupted || names.length === 0) return { status: 'captured', result: { ...result, captures: [] } };
  const strange = names.find((name) => !isFileName(name));
  if (strange !== undefined)
    return refusal({ message: `host_vars cannot have a file for the controller "${strange}"` });
  const tenants = groupBy(controllers, ({ tenant }) => tenant);
  const captures: TenantCapture[] = [];
  const files = new Map<string, string>();
  for (const [tenant, read] of tenants) {
    const { project, written } = captureTenant(read, { inventory: target.inventory, table, all });
    captures.push({ tenant, project });
    for (const [name, text] of written)
      files.set(tenant === undefined ? name : `${tenantFolder(tenant)}/${name}`, text);
  }
  if (options.tenant !== undefined) files.set(PLAYBOOK, playbookOfTenants(captures));
  const failure = await writeFiles(folder, files);
  if (failure !== undefined) return refusal({ message: `cannot write ${options.out}: ${failure}` });
  return { status: 'captured', result: { ...result, captures } };
}

/** The playbook and the variables of the controllers of one tenant. */
function captureTenant(
  controllers: readonly FleetController[],
  { inventory, table, all }: { readonly inventory: Inventory; readonly table: KindTable; readonly all: boolean },
): { readonly project: CapturedProject; readonly written: CaptureFiles } {
  const names = controllers.map(({ name }) => name);
  const hosts = names.length === inventory.controllers.size ? undefined : names;
  const groups = capturedGroups(inventory, new Set(names));
  const project = captureControllers({ controllers, groups, table, all, hosts });
  return { project, written: captureFiles(project, { groups: groups.map(({ name }) => name), controllers: names }) };
}

/** The groups of these controllers, the most specific last. */
function capturedGroups(inventory: Inventory, captured: ReadonlySet<string>): readonly CaptureGroup[] {
  const members = new Map<string, { ranks: number; names: string[] }>();
  for (const { name, groups } of inventory.controllers.values()) {
    if (!captured.has(name)) continue;
    for (const [rank, group] of groups.entries()) {
      const known = getOrAdd(members, group, () => ({ ranks: 0, names: [] }));
      known.ranks = Math.max(known.ranks, rank);
      known.names.push(name);
    }
  }
  return [...members]
    .filter(([name]) => isFileName(name))
    .sort(([, a], [, b]) => a.ranks - b.ranks)
    .map(([name, { names }]) => ({ name, members: names }));
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
  const isAll = options.tenant?.includes(ALL) === true;
  // A controller once, with the objects of all its tenants.
  const whole = [...groupBy(controllers, ({ name }) => name).values()].map((parts) => ({
    ...parts[0],
    objects: parts.flatMap(({ objects: found }) => found),
    ...(!isAll && { tenants: new Map(parts.map((part) => [part.tenant, part.kinds])) }),
  }));
  const objects = compareControllers(whole, table);
  const comparison = {
    kinds,
    unread,
    interrupted,
    objects,
    controllers: whole.map(({ name }) => name),
    isEqual: objects.every(isEqualEverywhere),
  };
  return { status: 'compared', comparison };
}
