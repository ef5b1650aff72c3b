import path from 'node:path';
import { ControllerError } from '../controller/exchange/controller_error.js';
import { SettingValues } from '../controller/settings/values.js';
import { DEFAULT_DIALECT } from '../core/model/dialect.js';
import { errorMessage } from '../core/model/error_message.js';
import { EXIT } from '../core/model/exit_code.js';
import { Diagnostics } from '../core/model/source/diagnostic.js';
import { didYouMean, likelyTypo } from '../core/model/source/suggestion.js';
import { HIDDEN } from '../core/model/values/display.js';
import { isMapping, type Value } from '../core/model/values/value.js';
import { NO_EXEC } from '../core/programs/programs.js';
import { maskText } from '../core/secrets/mask_text.js';
import { isSecretName } from '../core/secrets/names.js';
import type { KindTable } from '../kinds/kind_table.js';
import type { RunPorts } from '../launch/load/ports.js';
import { selectedControllers, selectPlays } from '../launch/load/selection.js';
import { loadTarget, type LoadedTarget } from '../launch/load/target.js';
import { runRequest, type RunOptions } from '../launch/request/run_request.js';
import type { NotPermitted } from '../launch/start/permission.js';
import { readingPlaybook, type ReadingContext } from '../launch/start/reading_playbook.js';
import { startPrepared } from '../launch/start/start_run.js';
import { readBeside } from '../launch/undo/variables_beside.js';
import { openProjectCatalogue } from '../launch/user_code/project_modules.js';
import { ProjectSources } from '../project/document/project_sources.js';
import { FleetCollector, type FleetController, type Reason, type Unread } from './fleet_collector.js';
import { portableObjects, type KindObjects, type PortableOptions } from './playbook/portable_objects.js';

/** Which objects of which controllers are read. */
export interface FleetOptions extends RunOptions {
  /** Absent: clouds and the system configuration. */
  readonly kind?: readonly string[] | undefined;
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

/** Whether tasks will declare the objects; refuses kinds that no task can declare. */
interface Declarable {
  readonly declarable: boolean;
}

/** In the form of the API document. */
const DEFAULT_KINDS: readonly string[] = ['cloud', 'systemconfiguration'];

/**
 * Reads objects of all selected controllers with a check run of a generated playbook, which cannot write. Keeps no
 * journal.
 */
export async function readFleet(
  options: FleetOptions,
  ports: RunPorts,
  portable: Pick<PortableOptions, 'all' | 'hide'> & Declarable,
): Promise<FleetOutcome> {
  const diagnostics = new Diagnostics();
  const wanted = options.kind ?? DEFAULT_KINDS;
  const request = runRequest({ type: 'run', playbooks: [] }, { ...options, check: true, diff: undefined });
  const reads = new ProjectSources();
  const workspace = { ...ports, askSecret: ports.user.askSecret, sources: reads };
  const folder = path.resolve(ports.cwd);
  const target = await loadTarget(request, workspace, diagnostics, [folder]);
  const beside = await readBeside([folder], ports.cwd, diagnostics, target);
  const table = await openProjectCatalogue(options.modulePath, target.project, ports, diagnostics).kinds();
  const names = [...new Set(wanted.flatMap((name) => (name === ALL ? declaredKinds(table) : [name])))];
  const kinds = names.flatMap((name) => kindNamed(name, table, diagnostics) ?? []);
  if (portable.declarable) refuseUploads(kinds, table, diagnostics);
  diagnostics.raiseToErrors(NO_EXEC);
  if (diagnostics.failed()) return { status: 'refused', diagnostics: diagnostics.list };
  const isSecret = (text: string): boolean => target.secrets.mask(text) !== text;
  const collector = new FleetCollector((text) => maskText(text, target.secrets));
  const made = readingPlaybook(folder, beside, 'all', (context) =>
    readController(context, {
      kinds,
      optional: wanted.includes(ALL),
      target,
      collector,
      portable: { ...portable, table, isSecret },
    }),
  );
  const loaded = { target, ...made, kinds: () => Promise.resolve(table), playbooks: [made.playbook], reads };
  const selected = selectPlays(loaded, {}, diagnostics);
  if (diagnostics.failed()) return { status: 'refused', diagnostics: diagnostics.list };
  ports.report.warnings(diagnostics.list, ports.cwd);
  const open: RunPorts['report']['open'] = (...about) => collector.beside(ports.report.open(...about));
  const run = { request, loaded, selected, label: 'reading', journalOptions: { isKept: false }, confirmed: true };
  const outcome = await startPrepared(run, { ...ports, report: { ...ports.report, open } });
  if (outcome.status !== 'finished') return outcome;
  const interrupted = outcome.finished.exitCode === EXIT.interrupted || ports.signals.drain.aborted;
  const { controllers, unread } = collector.result([...selectedControllers(selected)]);
  return { status: 'read', fleet: { target, kinds: names, table, controllers, unread, interrupted } };
}

/** The value of `--kind` for every kind of which a project can declare objects. */
const ALL = 'all';

function declaredKinds(table: KindTable): readonly string[] {
  return table.names.filter((name) => table.kind(name)?.upload === false && table.kind(name)?.reported !== true);
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

interface ReadOptions {
  readonly kinds: readonly KindObjects['kind'][];
  /** Whether a controller may lack kinds. */
  readonly optional: boolean;
  readonly target: LoadedTarget;
  readonly collector: FleetCollector;
  readonly portable: PortableOptions & Declarable;
}

async function readController(
  context: ReadingContext,
  { kinds, optional, target, collector, portable }: ReadOptions,
): Promise<{ readonly problem?: string }> {
  const { controller } = context;
  const dialectName = context.variable('controller_dialect');
  const dialect =
    (typeof dialectName === 'string' ? target.project.dialects.get(dialectName) : undefined) ?? DEFAULT_DIALECT;
  const values = new SettingValues((name) => context.variable(name), controller);
  const tenant = dialect.tenants && (values.text('controller_tenant') ?? dialect.tenants.default);
  if (tenant !== undefined && tenant === dialect.tenants?.all)
    return {
      problem: `controller_tenant is "${tenant}", and only the objects of one tenant can be read: name the tenant`,
    };
  const found: KindObjects[] = [];
  const failed: Reason[] = [];
  for (const kind of kinds) {
    try {
      const { objects } = await context.list(kind.path, { paged: !kind.single });
      found.push({ kind, objects });
    } catch (error) {
      // Possibly this controller does not have the kind, or hides it. Read its other kinds.
      if (!(error instanceof ControllerError) || error.outcome === 'unreachable' || error.givenUp) throw error;
      if (optional && error.status === 404) continue;
      failed.push({ controller, kind: kind.name, message: errorMessage(error) });
    }
  }
  const declaresTenant = portable.declarable && tenant !== dialect.tenants?.default;
  const traits = { referencesByName: dialect.references?.byName === true, tenant, declaresTenant };
  const { objects, problems } = portableObjects(found, traits, portable);
  collector.add(
    {
      name: controller,
      kinds: new Set(found.map(({ kind }) => kind.name)),
      objects,
      place: {
        controller_dialect: dialect.name,
        controller_tenant: tenant ?? null,
        controller_headers: plainHeaders(context.variable('controller_headers') ?? null, portable.isSecret),
      },
      variables: textVariables(context, target),
    },
    [...failed, ...problems.map((problem) => ({ controller, ...problem }))],
  );
  return {};
}

/** Headers can select the place, too: a tenant of a dialect without tenants. */
function plainHeaders(headers: Value, isSecret: PortableOptions['isSecret']): Value {
  if (!isMapping(headers)) return null;
  const isHidden = Object.entries(headers).some(
    ([name, value]) => isSecretName(name) || (typeof value === 'string' && isSecret(value)),
  );
  return isHidden ? HIDDEN : headers;
}

/** Connection variables. If an object has the same value, it is a coincidence. */
const OF_CONNECTION = /^(?:controller|ansible|evenkeel)_/;

function textVariables(context: ReadingContext, { inventory }: LoadedTarget): ReadonlyMap<string, string> {
  const layers = inventory.controllers.get(context.controller)?.layers ?? [];
  const names = [...new Set(layers.flatMap(({ values }) => Object.keys(values)))].sort();
  const texts = names
    .filter((name) => !OF_CONNECTION.test(name) && !isSecretName(name))
    .flatMap((name) => {
      const value = rendered(context, name);
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
  return new Map(texts);
}

/** Undefined if the variable cannot be rendered: then it is not used to replace values. */
function rendered(context: ReadingContext, name: string): unknown {
  try {
    return context.variable(name);
  } catch {
    return undefined;
  }
}
