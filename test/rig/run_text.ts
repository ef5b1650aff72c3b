import path from 'node:path';
import { Connections } from '../../src/controller/connections.js';
import type { LoadWatch } from '../../src/controller/pace/slow_down.js';
import { caReader } from '../../src/controller/settings/settings.js';
import type { Event, RunFinished, TaskFinished } from '../../src/core/model/run/event.js';
import { Diagnostics, LoadError } from '../../src/core/model/source/diagnostic.js';
import type { Mapping } from '../../src/core/model/values/value.js';
import type { VariableLayer } from '../../src/core/model/values/variables.js';
import { Secrets } from '../../src/core/secrets/secrets.js';
import type {
  EngineRecord,
  RunConnections,
  RunIdentity,
  RunInput,
  RunSelection,
  RunSettings,
  RunSources,
  RunStops,
  RunUser,
} from '../../src/engine/input/run_input.js';
import { selectReadyPlays } from '../../src/engine/play/ready_plays.js';
import { run } from '../../src/engine/run.js';
import { builtInKinds } from '../../src/kinds/kind_table.js';
import { loadInventory } from '../../src/project/inventory/load.js';
import { loadPlaybooks } from '../../src/project/playbook/playbook.js';
import { readVariables } from '../../src/project/variables/written_variables.js';
import { IMPATIENT } from './controllers.js';
import { inFolder, type Files } from './folder.js';
import { catalogue, worded } from './loaded.js';

/** The parts of an input as one: tests set a few. */
type Parts = RunIdentity & RunSettings & RunSelection & RunSources & RunConnections & EngineRecord & RunUser & RunStops;

export interface TextOptions extends Partial<Omit<Parts, 'playbooks' | 'inventory' | 'extraVars' | 'plays'>> {
  /** YAML of `inventory.yml`; default: `lb1`, which cannot be contacted. */
  readonly inventory?: string;
  /** Default: `site.yml` alone. */
  readonly playbooks?: readonly string[];
  /** Beside `site.yml`. */
  readonly files?: Files;
  readonly extraVars?: Mapping;
  /** Aborted as if several controllers had refused the same credentials. */
  readonly refused?: AbortController;
  /** Called with each event as it happens. */
  readonly watch?: (event: Event) => void;
}

export interface Ran {
  readonly finished: RunFinished;
  readonly events: readonly Event[];
  /** `controller task: status`, a loop's items as `controller task [item]: status`. */
  readonly lines: readonly string[];
  readonly tasks: readonly TaskFinished[];
  /** What `debug` said, in the order in which it did. */
  readonly said: readonly string[];
  readonly secrets: Secrets;
}

const LONELY = 'all: { hosts: { lb1: } }';

/** Loads a playbook and an inventory from text and runs them through the engine. */
export function runText(playbook: string, options: TextOptions = {}): Promise<Ran> {
  const { inventory = LONELY, files = {} } = options;
  return inFolder({ 'site.yml': playbook, 'inventory.yml': inventory, ...files }, (cwd) => runFolder(cwd, options));
}

async function runFolder(cwd: string, options: TextOptions): Promise<Ran> {
  const events: Event[] = [];
  const { refused = new AbortController() } = options;
  const emit = (event: Event): void => {
    events.push(event);
    options.watch?.(event);
  };
  let load: LoadWatch | undefined;
  const connections = new Connections({
    load: {
      sent: (now, isFirst) => load?.sent(now, isFirst) ?? { at: now, isFirst },
      ended: (...exchange) => load?.ended(...exchange),
    },
    abort: new AbortController().signal,
    retry: IMPATIENT,
    findCollection: (field, object) => Promise.resolve(builtInKinds().referredCollection(field, object)),
    onCredentialsRefused: (reason) => {
      refused.abort(reason);
    },
  });
  const watchLoad = (watch: LoadWatch): void => {
    load = watch;
  };
  const parts = { ...(await partsOf(cwd, connections, options)), watchLoad, credentialsRefused: refused.signal };
  try {
    const finished = await run(inputOf(parts), emit);
    return { finished, events, secrets: parts.secrets, ...summaryOf(events) };
  } finally {
    await connections.close();
  }
}

type Wired = Omit<Parts, 'credentialsRefused'>;

async function partsOf(cwd: string, connections: Connections, options: TextOptions): Promise<Wired> {
  const diagnostics = new Diagnostics();
  const inventory = await loadInventory(['inventory.yml'], { cwd, diagnostics });
  const extraVars: readonly VariableLayer[] =
    options.extraVars === undefined ? [] : [{ level: 'extra vars', origin: '-e', values: options.extraVars }];
  const playbooks = await loadPlaybooks(options.playbooks ?? ['site.yml'], {
    cwd,
    catalogue: options.catalogue ?? catalogue,
    inventory,
    extraVars,
    diagnostics,
  });
  if (diagnostics.failed()) throw new Error(diagnostics.list.map(worded).join('\n'));
  const parts: Omit<Wired, 'plays'> = {
    id: 'test-run',
    version: '0.0.0',
    catalogue,
    tags: [],
    skipTags: [],
    forks: 50,
    check: false,
    diff: false,
    verbosity: 0,
    simulated: false,
    connect: (settings) => connections.open(settings),
    secrets: new Secrets(),
    readVariables: (file) => readVariablesOr(path.resolve(cwd, file)),
    settingSources: { readCa: caReader(cwd) },
    drain: new AbortController().signal,
    ...options,
    playbooks,
    inventory,
    extraVars,
  };
  const plays = selectReadyPlays(parts, diagnostics);
  if (diagnostics.failed()) throw new Error(diagnostics.list.map(({ message }) => message).join('\n'));
  return { ...parts, plays };
}

function inputOf(parts: Parts): RunInput {
  const { id, version, environment, projectFile, inventorySources, simulated } = parts;
  const { forks, maxRegistered, strategy, forceHandlers, check, readOnly, diff, verbosity, results } = parts;
  const { plays, limit, limitPattern, shard, tags, skipTags, startAtTask } = parts;
  const { playbooks, inventory, extraVars, answers, catalogue: modules, library, readVariables, secrets } = parts;
  const { connect, beforeWrite, watchLoad, confine, credentials, settingSources, unsettled, unlock } = parts;
  const { journal, planRollback, plan, past } = parts;
  const { ask, confirmTask, drain, abort, credentialsRefused } = parts;
  return {
    identity: { id, version, environment, projectFile, inventorySources, simulated },
    settings: { forks, maxRegistered, strategy, forceHandlers, check, readOnly, diff, verbosity, results },
    selection: { plays, limit, limitPattern, shard, tags, skipTags, startAtTask },
    sources: { playbooks, inventory, extraVars, answers, catalogue: modules, library, readVariables, secrets },
    connections: { connect, beforeWrite, watchLoad, confine, credentials, settingSources, unsettled, unlock },
    record: { journal, planRollback, plan, past },
    user: { ask, confirmTask },
    stops: { drain, abort, credentialsRefused },
  };
}

async function readVariablesOr(file: string): ReturnType<RunSources['readVariables']> {
  const diagnostics = new Diagnostics();
  const layer = await readVariables(file, 'vars_files', { diagnostics }, path.basename(file));
  const wrong = diagnostics.list.find(({ severity }) => severity === 'error');
  if (wrong !== undefined) throw new LoadError(wrong.message, wrong.source, wrong.hint);
  return layer;
}

function summaryOf(events: readonly Event[]): Pick<Ran, 'lines' | 'tasks' | 'said'> {
  const tasks = events.filter((event) => event.type === 'task-finished');
  return {
    tasks,
    lines: tasks.map(line),
    said: tasks.flatMap(({ spoken, message = '' }) => (spoken === true ? [message] : [])),
  };
}

function line({ controller, task, item, status, ignored }: TaskFinished): string {
  return `${controller} ${task}${item === undefined ? '' : ` [${item}]`}: ${status}${ignored === true ? ' ignored' : ''}`;
}
