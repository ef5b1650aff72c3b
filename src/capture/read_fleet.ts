import type { Diagnostics } from '../core/model/source/diagnostic.js';
import { didYouMean, likelyTypo } from '../core/model/source/suggestion.js';
import { isNumeric } from '../core/model/values/json.js';
import type { Value } from '../core/model/values/value.js';
import { maskText } from '../core/secrets/mask_text.js';
import type { KindTable } from '../kinds/kind_table.js';
import type { RunPorts } from '../launch/load/ports.js';
import type { LoadedTarget } from '../launch/load/target.js';
import type { RunOptions } from '../launch/request/run_request.js';
import type { NotPermitted } from '../launch/start/permission.js';
import { openReading, runReading, type ReadingContext } from '../launch/start/reading_playbook.js';
import { openProjectCatalogue } from '../launch/user_code/project_modules.js';
import { FleetCollector, type FleetController, type Unread } from './fleet_collector.js';
import type { PortableOptions } from './playbook/portable_objects.js';
import type { KindObjects } from './playbook/reference_targets.js';
import { readController, type WantedTenants } from './read_controller.js';

/** Which objects of which controllers are read. */
export interface FleetOptions extends RunOptions {
  /** Absent: clouds and the system configuration. */
  readonly kind?: readonly string[] | undefined;
  /** Names of tenants, or all. Absent: that of each controller. */
  readonly tenant?: readonly string[] | undefined;
}

/** What was read from the selected controllers. */
export interface ReadFleet {
  readonly target: LoadedTarget;
  readonly kinds: readonly string[];
  /** The known kinds. */
  readonly table: KindTable;
  /** In the order of the inventory. */
  readonly controllers: readonly FleetController[];
  readonly unread: readonly Unread[];
  readonly interrupted: boolean;
}

export type FleetOutcome = { readonly status: 'read'; readonly fleet: ReadFleet } | NotPermitted;

/** In the form of the API document. */
const DEFAULT_KINDS: readonly string[] = ['cloud', 'systemconfiguration'];

/**
 * Reads objects of all selected controllers with a check run of a generated playbook, which cannot write. Keeps no
 * journal.
 */
export async function readFleet(
  options: FleetOptions,
  ports: RunPorts,
  portable: Pick<PortableOptions, 'all' | 'hide' | 'declarable'>,
): Promise<FleetOutcome> {
  const wanted = options.kind ?? DEFAULT_KINDS;
  const reading = await openReading(options, ports);
  const { target, diagnostics } = reading;
  const table = await openProjectCatalogue(options.modulePath, target.project, ports, diagnostics).kinds();
  const tenants = wantedTenants(options.tenant, target.project.dialects);
  // The tenants themselves come first, so that an empty controller gets them.
  const asked = tenants?.all === true ? [TENANTS, ...wanted] : wanted;
  const names = [...new Set(asked.flatMap((name) => (name === ALL ? declaredKinds(table) : [name])))];
  const kinds = names.flatMap((name) => kindNamed(name, table, diagnostics) ?? []);
  if (portable.declarable) refuseUploads(kinds, table, diagnostics);
  const isSecret = (value: Value): boolean =>
    (typeof value === 'string' || isNumeric(value)) && target.secrets.mask(String(value)) !== String(value);
  const collector = new FleetCollector((text) => maskText(text, target.secrets));
  const what = {
    kinds,
    target,
    collector,
    tenants,
    optional: wanted.includes(ALL),
    portable: { ...portable, table, isSecret },
  };
  const work = {
    label: 'reading',
    pattern: 'all',
    tenants: tenants?.names,
    kinds: () => Promise.resolve(table),
    read: (context: ReadingContext, tenant: string | undefined) => readController(context, what, tenant),
  };
  const outcome = await runReading(reading, work, ports);
  if (outcome.status !== 'read') return outcome;
  const { controllers, unread } = collector.result(outcome.controllers, outcome.failures, tenants?.names);
  return {
    status: 'read',
    fleet: { target, kinds: names, table, controllers, unread, interrupted: outcome.interrupted },
  };
}

/** The value of `--kind` for every kind of which a project can declare objects, and that of `--tenant` for all tenants. */
export const ALL = 'all';

function declaredKinds(table: KindTable): readonly string[] {
  return table.names.filter((name) => table.kind(name)?.upload === false && table.kind(name)?.reported !== true);
}

/** The kind of tenants. */
const TENANTS = 'tenant';

/** For all tenants, the name that means all of them, in each dialect that has one. */
function wantedTenants(
  asked: readonly string[] | undefined,
  dialects: LoadedTarget['project']['dialects'],
): WantedTenants | undefined {
  if (asked === undefined) return undefined;
  if (!asked.includes(ALL)) return { all: false, names: [...new Set(asked)] };
  return { all: true, names: [...new Set([...dialects.values()].flatMap(({ tenants }) => tenants?.all ?? []))] };
}

/** A kind that is not in the table is read from the collection of its name. */
function kindNamed(name: string, table: KindTable, diagnostics: Diagnostics): KindObjects['kind'] | undefined {
  const known = table.kind(name);
  if (known !== undefined) return known;
  const { names } = table;
  const meant = likelyTypo(name, names);
  if (/^[a-z0-9]+$/.test(name) && meant === undefined)
    return { name, path: `/api/${name}/`, single: false, structure: undefined };
  diagnostics.error(`--kind: there is no kind "${name}"`, undefined, didYouMean(name, names) ?? KINDS_SHOWN);
  return undefined;
}

/** No task can declare an object that is created by an upload. */
function refuseUploads(kinds: readonly KindObjects['kind'][], table: KindTable, diagnostics: Diagnostics): void {
  for (const { name } of kinds)
    if (table.kind(name)?.upload === true)
      diagnostics.error(`--kind: objects of the kind "${name}" are uploaded, so they cannot be captured`);
}

const KINDS_SHOWN = 'kinds are written as in paths: pool, virtualservice; docs/kinds.md lists those with known fields';
