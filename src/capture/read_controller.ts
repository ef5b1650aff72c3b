import { ControllerError } from '../controller/exchange/call.js';
import { SettingValues } from '../controller/settings/values.js';
import { DEFAULT_DIALECT, type Dialect } from '../core/model/dialect.js';
import { orElse } from '../core/model/source/diagnostic.js';
import { HIDDEN, isMapping, type Value } from '../core/model/values/value.js';
import { isSecretName } from '../core/secrets/names.js';
import type { KindTable } from '../kinds/kind_table.js';
import type { LoadedTarget } from '../launch/load/target.js';
import type { ReadingContext } from '../launch/start/reading_playbook.js';
import type { FleetCollector, Reason } from './fleet_collector.js';
import { portableObjects, type PortableOptions } from './playbook/portable_objects.js';
import { referencesIntoClouds, type KindObjects } from './playbook/reference_targets.js';

export interface WantedTenants {
  readonly all: boolean;
  /** With `all`, the names that mean all tenants. */
  readonly names: readonly string[];
}

interface ReadOptions {
  /** Undefined: the tenant of each controller. */
  readonly tenants: WantedTenants | undefined;
  readonly kinds: readonly KindObjects['kind'][];
  /** Whether a controller may lack kinds. */
  readonly optional: boolean;
  readonly target: LoadedTarget;
  readonly collector: FleetCollector;
  readonly portable: PortableOptions;
}

/** Reads the objects of one controller, in its tenant, the given one, or all. */
export async function readController(
  context: ReadingContext,
  options: ReadOptions,
  given: string | undefined,
): Promise<{ readonly problem?: string }> {
  const { controller } = context;
  const { target, collector, portable, tenants } = options;
  const dialectName = context.variable('controller_dialect');
  const dialect =
    (typeof dialectName === 'string' ? target.project.dialects.get(dialectName) : undefined) ?? DEFAULT_DIALECT;
  const values = new SettingValues((name) => context.variable(name), controller);
  const named = given ?? values.text('controller_tenant');
  const tenant = dialect.tenants === undefined ? undefined : (named ?? dialect.tenants.default);
  const isAll = tenants?.all === true;
  if (isAll && dialect.tenants === undefined)
    return { problem: `--tenant all is not possible with the dialect "${dialect.name}", which has no tenants` };
  if (isAll && given !== dialect.tenants?.all) return {};
  if (!isAll && tenant !== undefined && tenant === dialect.tenants?.all)
    return {
      problem: `controller_tenant is "${tenant}", and only the objects of one tenant can be read: name the tenant`,
    };
  const missing = isAll || given === undefined ? undefined : await whyMissing(context, dialect, given);
  const { found, failed } =
    missing === undefined
      ? await readKinds(context, options, isAll ? undefined : given)
      : { found: [], failed: [missing] };
  const listed = isAll ? listTenants(found, dialect.tenants?.collection) : [tenant];
  if (listed.length === 0) {
    const why = failed.find(({ kind }) => kind === portable.table.kindAt(dialect.tenants?.collection ?? '')?.name);
    return {
      problem: `cannot list its tenants${why === undefined ? '' : ` (${why.message})`}: name them with --tenant`,
    };
  }
  const into = dialect.references?.byName === true ? referencesIntoClouds(found, portable.table) : [];
  const referred = await readReferred(context, into, portable.table);
  // What belongs to no tenant is the default tenant's.
  const among = isAll ? listed : (tenants?.names ?? listed);
  const first = among.find((name) => name === dialect.tenants?.default) ?? among[0];
  for (const name of listed.toSorted((a, b) => Number(b === first) - Number(a === first))) {
    const traits = {
      // What no task declares is only compared.
      referencesByName: dialect.references?.byName === true || !portable.declarable,
      tenant: name,
      isNamed: tenants !== undefined,
      hasCommon: tenants === undefined || name === first,
      declaresTenant: portable.declarable && name !== dialect.tenants?.default,
    };
    const { objects, problems } = portableObjects({ found, referred }, traits, portable);
    const read = {
      name: controller,
      tenant: tenants && name,
      objects,
      kinds: new Set(found.map(({ kind }) => kind.name)),
      place: {
        controller_dialect: dialect.name,
        controller_tenant: name ?? null,
        controller_headers: plainHeaders(context.variable('controller_headers') ?? null, portable.isSecret),
      },
      variables: textVariables(context, target),
    };
    const unread = problems.map((problem) => ({ controller, tenant: read.tenant, ...problem }));
    collector.add(read, name === first || !isAll ? [...failed, ...unread] : unread);
  }
  return {};
}

/** A controller may lack a tenant that others have. A user may read a tenant without a right to list tenants. */
async function whyMissing(context: ReadingContext, { tenants }: Dialect, tenant: string): Promise<Reason | undefined> {
  if (tenants === undefined) return undefined;
  try {
    await context.list(tenants.collection, { paged: true });
    return undefined;
  } catch (error) {
    const { status, message } = toAnswer(error);
    return status === 404 ? { controller: context.controller, tenant, message } : undefined;
  }
}

function listTenants(found: readonly KindObjects[], collection: string | undefined): readonly string[] {
  const objects = found.find(({ kind }) => kind.path === collection)?.objects ?? [];
  return objects.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
}

async function readKinds(
  { controller, list }: ReadingContext,
  { kinds, optional }: ReadOptions,
  tenant: string | undefined,
): Promise<{ readonly found: readonly KindObjects[]; readonly failed: readonly Reason[] }> {
  const found: KindObjects[] = [];
  const failed: Reason[] = [];
  for (const kind of kinds) {
    try {
      const { objects } = await list(kind.path, { paged: !kind.single });
      found.push({ kind, objects });
    } catch (error) {
      // Possibly this controller does not have the kind, or hides it. Read its other kinds.
      const { status, message } = toAnswer(error);
      if (optional && status === 404) continue;
      failed.push({ controller, tenant, kind: kind.name, message });
    }
  }
  return { found, failed };
}

async function readReferred(
  { list }: ReadingContext,
  paths: readonly string[],
  table: KindTable,
): Promise<readonly KindObjects[]> {
  const referred: KindObjects[] = [];
  for (const path of paths) {
    const kind = table.kindAt(path);
    if (kind === undefined) continue;
    try {
      const { objects } = await list(path, { paged: false });
      referred.push({ kind, objects });
    } catch (error) {
      // Its reference stays a path.
      toAnswer(error);
    }
  }
  return referred;
}

/** An error that says nothing about other reads of the controller. @throws other errors */
function toAnswer(error: unknown): ControllerError {
  if (error instanceof ControllerError && error.outcome !== 'unreachable' && !error.givenUp) return error;
  throw error;
}

/** Headers can select the place, too: a tenant of a dialect without tenants. */
function plainHeaders(headers: Value, isSecret: PortableOptions['isSecret']): Value {
  if (!isMapping(headers)) return null;
  const isHidden = Object.entries(headers).some(([name, value]) => isSecretName(name) || isSecret(value));
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
      // A variable that cannot be rendered is not used to replace values.
      const value = orElse(undefined, () => context.variable(name));
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
  return new Map(texts);
}
