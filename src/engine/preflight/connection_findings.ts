import { routeFor, type ProxyEnvironment } from '../../controller/route/environment.js';
import { parseSettings, PASSWORD_VARIABLES } from '../../controller/settings/settings.js';
import type { SettingProblem, VariableLookup } from '../../controller/settings/values.js';
import { NetworkRefusal } from '../../controller/transport/confinement.js';
import {
  beginsLikeConnection,
  CONNECTION_NAMES,
  type ConnectionSettings,
} from '../../core/model/inventory/connection_variables.js';
import { orElse } from '../../core/model/source/diagnostic.js';
import { likelyTypo, misspelling } from '../../core/model/source/suggestion.js';
import type { Value } from '../../core/model/values/value.js';
import { isOfControllers } from '../../core/model/values/variables.js';
import { NotKnownYet, TemplateError } from '../../language/runtime/errors.js';
import type { Compiled } from '../../language/runtime/frame.js';
import { Variables } from '../../language/scope.js';
import { lookupIn, withFallback } from '../controllers/controller_connections.js';
import type { EngineRecord, RunConnections } from '../input/run_input.js';
import { comparePlanned } from '../resource/planned_connection.js';
import { toPreflightFinding, type RunFinding } from './findings.js';

export interface ConnectionInput extends Pick<RunConnections, 'credentials' | 'settingSources'> {
  /** With the usual proxy variables, which are checked. */
  readonly env?: ProxyEnvironment;
  /** The plan that the run makes or applies. */
  readonly plan?: EngineRecord['plan'];
  /** Returns the problems of a `controller_simulation`. Absent: it has no effect on the run. */
  readonly examineSimulation?: ((value: Value) => readonly string[]) | undefined;
  /** Unset environment variables that lookups needed; the reader empties it. */
  readonly unset: Set<string>;
  /** Failures are not found: the run tells them of each controller, and reads the others. */
  readonly isTolerant?: boolean;
  /** Reads files. Only for a run that applies a plan, which refuses another address before it contacts any controller. */
  readonly local?: Compiled | undefined;
}

/**
 * A run warns of names near these. Others may be variables of templates, and nothing silences the warning, so it leaves
 * out words that are near others (`controller_uri`, `controller_auto`), and what a run without it refuses anyway
 * (`controller_shard`).
 */
const MISSPELLABLE = [...CONNECTION_NAMES].filter(
  (name) => name.length >= 'controller_route'.length && name !== 'controller_shared',
);

/** No plan has them: they may have changed since, and each is read only when a request needs it. */
const PASSWORDS: ReadonlySet<string> = new Set(PASSWORD_VARIABLES);

/** Problems of the connection settings of a controller, as far as they are known. */
export function connectionFindings(
  controller: string,
  scope: Variables,
  input: ConnectionInput,
): readonly RunFinding[] {
  const reader = new SettingReader(controller, scope, input);
  const parsed = parseSettings(withFallback(reader.get, input.credentials), controller, input.settingSources);
  const { isTolerant = false } = input;
  const doubts = isTolerant || 'settings' in parsed ? misspeltFindings(controller, scope) : [];
  if (isTolerant) return doubts;
  const problems =
    'problems' in parsed
      ? parsed.problems.filter(({ variables }) => !reader.isOpen(variables))
      : [...proxyProblems(parsed.settings, input.env), ...planProblems(parsed.settings, input.plan)];
  return [
    ...reader.findings,
    ...problems.map((problem) => settingFinding(problem, controller, reader)),
    ...simulationFindings(reader, input),
    ...doubts,
  ];
}

/** A misspelt tenant or route would lead writes to another one. */
export function misspeltFindings(controller: string, scope: Variables): readonly RunFinding[] {
  return namesOfNoSetting(scope).flatMap((name): readonly RunFinding[] => {
    const meant = misspelling(name, MISSPELLABLE);
    if (meant === undefined || scope.find(meant) !== undefined) return [];
    const message = `"${name}" is not a connection variable`;
    const [source, inInventory] = [scope.findSource(name), isInInventory(scope, name)];
    return [{ controller, message, source, inInventory, hint: `did you mean "${meant}"?`, isWarning: true }];
  });
}

/** Variables that have no meaning for connections, although they begin so. */
function namesOfNoSetting(scope: Variables): readonly string[] {
  const others: string[] = [];
  // Without a call for each variable: each controller has all of them.
  for (const name of scope.names())
    if (name.startsWith('c') && beginsLikeConnection(name) && !CONNECTION_NAMES.has(name)) others.push(name);
  return others;
}

function isInInventory(scope: Variables, name: string): boolean {
  const layer = scope.find(name)?.layer;
  return layer !== undefined && isOfControllers(layer.level);
}

function proxyProblems({ url, route }: ConnectionSettings, env: ProxyEnvironment = {}): readonly SettingProblem[] {
  try {
    routeFor(url, route, env);
    return [];
  } catch (error) {
    if (error instanceof NetworkRefusal) return [{ message: error.message, hint: error.hint, variables: [] }];
    throw error;
  }
}

function planProblems(settings: ConnectionSettings, plan: EngineRecord['plan']): readonly SettingProblem[] {
  const moved = comparePlanned(plan, settings);
  return moved === undefined ? [] : [{ ...moved, hint: 'make a new plan, or set what has changed as it was' }];
}

function settingFinding(problem: SettingProblem, controller: string, reader: SettingReader): RunFinding {
  const { message, general, hint, variables } = problem;
  const name = variables.find((one) => reader.get(one) !== undefined);
  const unset = name === undefined ? undefined : reader.unsetFor(name);
  const [first] = variables;
  const misspelt = name === undefined && first !== undefined ? reader.misspelt(first) : undefined;
  const why = unset === undefined ? reader.describeOrigin(name) : `: the environment variable ${unset} is not set`;
  return {
    controller,
    message: `${message}${why}`,
    hint: unset === undefined ? (misspelt ?? hint) : `export ${unset} before the run`,
    source: name === undefined ? undefined : reader.scope.findSource(name),
    inInventory: name !== undefined && isInInventory(reader.scope, name),
    ...(general !== undefined && { general: `${general}${why}` }),
  };
}

function simulationFindings(reader: SettingReader, { examineSimulation }: ConnectionInput): readonly RunFinding[] {
  const variable = 'controller_simulation';
  const wanted = examineSimulation === undefined ? undefined : reader.get(variable);
  if (wanted === undefined) return [];
  const { controller } = reader;
  const source = reader.scope.findSource(variable);
  const place = { controller, source, inInventory: isInInventory(reader.scope, variable) };
  return (examineSimulation?.(wanted) ?? []).map((problem) => ({ ...place, message: `${variable}: ${problem}` }));
}

/** Reads the variables that settings need. */
class SettingReader {
  /** Findings for variables that fail to render. */
  readonly findings: RunFinding[] = [];
  /** Unknown before the run, or reported already. */
  readonly #open = new Set<string>();
  readonly #unset = new Map<string, string>();
  #lookup: VariableLookup | undefined;

  constructor(
    readonly controller: string,
    readonly scope: Variables,
    private readonly input: Pick<ConnectionInput, 'unset' | 'local'>,
  ) {}

  readonly get = (name: string): Value | undefined => {
    if (this.#open.has(name)) return undefined;
    const { unset } = this.input;
    unset.clear();
    try {
      this.#lookup ??= lookupIn(this.scope);
      const value = this.#lookup(name);
      const [variable] = unset;
      if (variable !== undefined) this.#unset.set(name, variable);
      return value;
    } catch (error) {
      const now = error instanceof NotKnownYet ? this.#local(name) : undefined;
      if (now !== undefined) return now;
      this.#open.add(name);
      const finding = toPreflightFinding(error, this.controller, undefined, this.scope);
      if (finding !== undefined) this.findings.push(finding);
      return undefined;
    }
  };

  /** The value that files give now. Undefined if it needs more: then the run compares it. */
  #local(name: string): Value | undefined {
    const { local } = this.input;
    if (local === undefined) return undefined;
    if (PASSWORDS.has(name)) return 'not known yet';
    const read = (): Value | undefined => lookupIn(new Variables([], this.scope, undefined, local))(name);
    return orElse(undefined, read, TemplateError, NotKnownYet);
  }

  isOpen(names: readonly string[]): boolean {
    return names.some((name) => this.#open.has(name));
  }

  /** The unset environment variable because of which this variable is empty. */
  unsetFor(name: string): string | undefined {
    return this.get(name) === '' ? this.#unset.get(name) : undefined;
  }

  /** The hint if this variable is not set, but one with a similar name. */
  misspelt(name: string): string | undefined {
    const others = namesOfNoSetting(this.scope);
    // `controller_user`, `controller_pass`
    const nearest = likelyTypo(name, others) ?? others.find((one) => name.startsWith(one));
    return nearest === undefined ? undefined : `"${nearest}" is set: did you mean "${name}"?`;
  }

  /** The origin of a value that was not written in a file: ` (from --extra-vars)`. */
  describeOrigin(name: string | undefined): string {
    const layer = name === undefined ? undefined : this.scope.find(name)?.layer;
    return layer === undefined || layer.locate !== undefined ? '' : ` (from ${layer.origin})`;
  }
}
