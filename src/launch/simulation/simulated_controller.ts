import { parseSettings, PASSWORD_VARIABLES, USERNAME_VARIABLES } from '../../controller/settings/settings.js';
import type { VariableLookup } from '../../controller/settings/values.js';
import type { Dialects } from '../../core/model/dialect.js';
import { magicLayer, type Controller } from '../../core/model/inventory/inventory.js';
import { LoadError, orElse, type Diagnostics } from '../../core/model/source/diagnostic.js';
import type { Value } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import type { Library } from '../../language/library.js';
import { TemplateError } from '../../language/runtime/errors.js';
import { Variables } from '../../language/scope.js';
import type { ParsedBehaviour } from '../../simulator/behaviour/parse_behaviour.js';
import { DEFAULT_CREDENTIALS } from '../../simulator/service/accounts.js';
import type { SimulatedControllerOptions } from '../../simulator/simulator.js';
import type { LoadedTarget } from '../load/target.js';

/** The settings of a simulated controller: those of the inventory, and defaults for missing ones. */
export interface SimulationPlan {
  readonly name: string;
  /** `controller_shared` */
  readonly shared: boolean;
  readonly options: SimulatedControllerOptions;
  /** Connection variables that the overlay must set, because the inventory has no value or a different one. */
  readonly missing: Readonly<Record<string, string>>;
}

/** What the overlay always sets. */
const OVERLAID = [
  'controller_url',
  'controller_ca_file',
  'controller_verify_tls',
  'controller_proxy',
  'controller_route',
] as const;

/** Options that replace what the inventory says; absent: the inventory decides. */
interface InventoryOverrides {
  /** `--api-version`. */
  readonly apiVersions: readonly string[] | undefined;
  /** `--dialect`. */
  readonly dialect: string | undefined;
}

/** A variable of a controller according to the inventory, without `-e`; undefined if it sets no text. */
export function inventoryText(controller: Controller, name: string, library: Library): string | undefined {
  const value = availableValue(variableScope(controller, [], library), name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

type PlanningInput = Pick<LoadedTarget, 'extraVars' | 'library' | 'project'> & InventoryOverrides;

/**
 * The plan for one controller from its inventory variables; undefined if they are unsuitable, with the reasons in
 * `diagnostics`.
 */
export function planSimulation(
  controller: Controller,
  { extraVars, library, project, apiVersions, dialect: dialectName }: PlanningInput,
  parseBehaviour: (value: unknown) => ParsedBehaviour,
  diagnostics: Diagnostics,
): SimulationPlan | undefined {
  const variables = variableScope(controller, extraVars, library);
  const missing = { ...missingCredentials(variables), ...dialectVariables(dialectName, project.dialects) };
  const replaced = Object.keys(missing).filter((one) => availableValue(variables, one) !== missing[one]);
  if (!isOverlayEffective(controller, [...OVERLAID, ...replaced], diagnostics)) return undefined;
  try {
    const behaviour = readBehaviour(controller.name, variables, parseBehaviour, diagnostics);
    const parsed = parseSettings(connectionLookup(variables, missing), controller.name, project);
    if ('problems' in parsed) {
      for (const { message, hint, variables: names } of parsed.problems) {
        const name = names.find((one) => variables.get(one) !== undefined);
        diagnostics.error(message, name === undefined ? undefined : variables.findSource(name), hint);
      }
      return undefined;
    }
    const { username, password, versionHeader, dialect, tenant, shared } = parsed.settings;
    const version = variables.get('controller_api_version');
    const supported = apiVersions ?? (typeof version === 'string' && version !== '' ? [version] : []);
    const tenants = tenant === undefined ? [] : [tenant];
    const options = { username, password, versionHeader, dialect, tenants, apiVersions: supported };
    return behaviour && { name: controller.name, shared, missing, options: { ...options, behaviour } };
  } catch (error) {
    if (!(error instanceof TemplateError || error instanceof LoadError)) throw error;
    diagnostics.error(`${controller.name}: ${error.message}`, error.source, error.hint);
    return undefined;
  }
}

/** Sign-in by session where the dialect has it: real controllers do not allow Basic authentication from the start. */
function dialectVariables(name: string | undefined, dialects: Dialects): Readonly<Record<string, string>> {
  if (name === undefined) return {};
  const hasSessions = dialects.get(name)?.session !== undefined;
  return { controller_dialect: name, ...(hasSessions && { controller_auth: 'session' }) };
}

function variableScope(controller: Controller, extraVars: readonly VariableLayer[], library: Library): Variables {
  return new Variables([...controller.layers, ...extraVars, magicLayer(controller)], undefined, undefined, library);
}

/**
 * Whether the overlay, as a later source of the inventory, replaces these variables: `host_vars` are stronger. A run itself
 * refuses addresses that playbooks set.
 */
function isOverlayEffective(
  { name, layers }: Controller,
  overlaid: readonly string[],
  diagnostics: Diagnostics,
): boolean {
  for (const { level, values, origin, locate } of layers) {
    if (level !== 'inventory host_vars/*') continue;
    const stronger = overlaid.find((variable) => Object.hasOwn(values, variable));
    if (stronger === undefined) continue;
    diagnostics.error(
      `${stronger} of ${name} is set in ${origin}, which overrides the inventory that this command prints: a run could not use the simulated controller`,
      locate?.([stronger]),
      'use "run --simulate", which replaces every connection, or move it into the inventory',
    );
    return false;
  }
  return true;
}

function readBehaviour(
  name: string,
  variables: Variables,
  parse: (value: unknown) => ParsedBehaviour,
  diagnostics: Diagnostics,
) {
  const wanted = variables.get('controller_simulation');
  if (wanted === undefined) return {};
  const parsed = parse(wanted);
  if (parsed.status === 'ok') return parsed.behaviour;
  const source = variables.findSource('controller_simulation');
  for (const problem of parsed.problems) diagnostics.error(`controller_simulation of ${name}: ${problem}`, source);
  return undefined;
}

/** The variables that take effect, and the default. The overlay sets the first. */
const CREDENTIALS = [
  [USERNAME_VARIABLES, DEFAULT_CREDENTIALS.username],
  [PASSWORD_VARIABLES, DEFAULT_CREDENTIALS.password],
] as const;

function missingCredentials(variables: Variables): Readonly<Record<string, string>> {
  const missing = CREDENTIALS.filter(([names]) =>
    names.every((name) => (availableValue(variables, name) ?? '') === ''),
  );
  return Object.fromEntries(missing.map(([[name], value]) => [name, value]));
}

/**
 * A password that is unavailable (an unset environment variable, an unreachable secret store, no key) is treated as
 * missing: a simulation needs no real one.
 */
function availableValue(variables: Variables, name: string): Value | undefined {
  return orElse(undefined, () => variables.get(name), TemplateError, LoadError);
}

/** The settings of the inventory, except those that lead to the real controller. */
function connectionLookup(variables: Variables, missing: Readonly<Record<string, string>>): VariableLookup {
  const replaced: Readonly<Record<string, Value>> = {
    ...missing,
    controller_url: 'https://127.0.0.1',
    controller_simulated_url: null,
    controller_api_version: '1.0.0',
    controller_ca_file: null,
    controller_proxy: '',
    controller_route: '',
  };
  return (name) => (Object.hasOwn(replaced, name) ? replaced[name] : variables.get(name));
}
