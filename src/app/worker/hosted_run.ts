import { JournalError } from '../../journal/disk/journal_error.js';
import { stepDigest } from '../../journal/disk/sealer.js';
import { PastSteps } from '../../journal/read/past_steps.js';
import { PastWrites } from '../../journal/read/past_writes.js';
import { WholeRecords } from '../../journal/read/whole_record.js';
import type { JournalRecord } from '../../model/run/journal.js';
import type { Meter, SentRequest } from '../../model/run/meter.js';
import type { Past } from '../../model/run/past.js';
import { type Value, isMapping } from '../../model/values/value.js';
import { type HostedRun, WalkHost } from '../../run/remote/worker/walk_host.js';
import { maskEvent } from '../../secrets/mask_event.js';
import { Secrets } from '../../secrets/secrets.js';
import { withUnmanaged } from '../drift/unmanaged.js';
import { differences } from '../follow_up/differences.js';
import { fingerprintOf } from '../load/fingerprint.js';
import type { LoadedRun } from '../load/load_run.js';
import type { RunPorts } from '../load/ports.js';
import type { PreparedRun } from '../load/prepared_run.js';
import { guarded } from '../lock/run_lock.js';
import { requestOf } from '../request/invocation.js';
import type { RunDescription } from '../request/run_description.js';
import { type GivenInputs, workspaceOf } from '../request/workspace.js';
import { rollbackPlaybook, type RollbackPart } from '../rollback/rollback_playbook.js';
import { engineConnections } from '../run/engine_connections.js';
import { prepareRun } from '../prepare/prepare_run.js';
import { sharedInput } from '../run/run_input.js';

/** The environment and permissions of a worker. */
interface Hosting {
  readonly env: RunPorts['env'];
  readonly version: string;
  readonly inputs?: Pick<GivenInputs, 'vaultPasswords' | 'vaultRules' | 'lookupEnv'>;
  /** Limits the run to the modules that the worker allows. Absent: no limit. */
  readonly restrict?: ((loaded: LoadedRun) => LoadedRun) | undefined;
}

/**
 * A coordinator's run, loaded by a worker.
 *
 * @throws Error if it cannot be loaded, or differs from the run of the coordinator
 */
export async function hostRun(
  description: RunDescription,
  { env, version, inputs, restrict = (loaded) => loaded }: Hosting,
): Promise<WalkHost> {
  if (description.version !== version)
    throw new Error(
      `the worker is evenkeel ${version}, and the coordinator is ${description.version}: install the same`,
    );
  const secrets = new Secrets();
  for (const { bytes } of inputs?.vaultPasswords ?? []) secrets.add(bytes.toString());
  const keptSecrets = secrets.count;
  const { invocation, verbosity, asked } = description;
  const digests = digestsOf(description);
  const { plan, rollback } = description;
  const applied = plan?.applied;
  const appliedPlan = applied && { ...applied, snapshot: () => applied.snapshot, digest: digests.plan };
  const workspace = {
    ...workspaceOf(invocation, { cwd: invocation.cwd, env }),
    inputs: { ...inputs, rollback, appliedPlan },
  };
  const request = { ...requestOf(invocation), verbosity };
  const ports = { ...workspace, ...silentPorts(asked), secrets, version };
  const prepared = await prepareRun(request, ports, { answers: invocation.answers });
  if (prepared.status === 'refused') {
    const messages = prepared.diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message);
    throw new Error(`a worker cannot load the run: ${messages.join('; ')}`);
  }
  requireSame(prepared.run, description, { version, cwd: workspace.cwd });
  const whole = description.listsUnmanaged === true ? (await withUnmanaged(prepared.run)).run : prepared.run;
  const run = { ...whole, loaded: restrict(whole.loaded) };
  const make: HostedRun['make'] = (controller, of) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the sender is the same version of Evenkeel
    const { undos, ...part } = of as RollbackPart;
    const { rollback: inputs } = prepared.run.loaded;
    const about = { undos: new Map([[controller, undos]]), cwd: workspace.cwd, beside: inputs?.beside };
    const made = rollbackPlaybook({ ...part, ...about });
    return Promise.resolve({ ...made, catalogue: restrict({ ...run.loaded, catalogue: made.catalogue }).catalogue });
  };
  return hostOf(run, description, { ...ports, env: workspace.env }, { ...digests, make, keptSecrets });
}

type Digest = (value: Value) => string;

/** The same digests as the coordinator's. */
function digestsOf({ digestKey, plan }: RunDescription): { readonly steps: Digest; readonly plan: Digest } {
  const keyed = (base64: string): Digest => {
    const key = Buffer.from(base64, 'base64');
    return (value) => stepDigest(key, value);
  };
  return { steps: keyed(digestKey), plan: keyed(plan?.digestKey ?? '') };
}

function requireSame(
  { loaded }: PreparedRun,
  { fingerprint, invocation }: RunDescription,
  { version, cwd }: { readonly version: string; readonly cwd: string },
): void {
  const found = fingerprintOf(loaded, { version, cwd, key: invocation.fingerprintKey });
  const changes = differences(fingerprint, found);
  if (changes.length > 0)
    throw new Error(`the project on a worker differs from the project of the run: ${changes.join('; ')}`);
}

function hostOf(
  run: PreparedRun,
  description: RunDescription,
  ports: RunPorts,
  {
    steps,
    plan: digestOfPlan,
    make,
    keptSecrets,
  }: ReturnType<typeof digestsOf> & Pick<HostedRun, 'make' | 'keptSecrets'>,
): WalkHost {
  const { plan } = description;
  const refused = new AbortController();
  const drain = new AbortController();
  const abort = new AbortController();
  const { secrets } = ports;
  const engine = engineConnections(
    run,
    description.id,
    {
      ...ports,
      signals: { drain: drain.signal, abort: abort.signal },
      ...(description.isMeasured === true && {
        meter: meterOf((request) => {
          host.walks.measured(request);
        }),
      }),
      emit: (event) => {
        host.walks.report(maskEvent(event, secrets));
      },
    },
    {
      confine: undefined,
      credentials: description.credentials,
      onCredentialsRefused: () => {
        refused.abort();
      },
      guard: (direct) => (settings, variables) =>
        guarded(direct, (url) => host.walks.lockController(settings.controller, url))(settings, variables),
      onReached: (record) => {
        host.walks.record(record);
      },
    },
  );
  const shared = sharedInput(run, ports);
  const host: WalkHost = new WalkHost({
    ...shared,
    identity: { ...shared.identity, id: description.id, simulated: false },
    sources: { ...shared.sources, library: engine.library },
    connections: { ...shared.connections, ...engine.connections },
    digest: steps,
    make,
    ...(keptSecrets !== undefined && { keptSecrets }),
    pastOf: (records) => pastOfRecords(records, steps),
    plan:
      plan === undefined || plan.isFinished === true
        ? undefined
        : { type: plan.applied === undefined ? 'make' : 'follow', digest: digestOfPlan },
    stops: { drain, abort },
    credentialsRefused: refused.signal,
    close: () => engine.close(),
  });
  return host;
}

function meterOf(tell: (request: SentRequest) => void): Meter {
  return {
    template: (evaluate) => evaluate(),
    request: ({ controller, seconds }) => {
      tell({ controller, seconds });
    },
    requestOfWorker: tell,
  };
}

/** A worker has no terminal: it prints nothing and asks no questions. */
function silentPorts(asked: RunDescription['asked']): Pick<RunPorts, 'caller' | 'user' | 'report' | 'signals'> {
  const never = new AbortController().signal;
  return {
    caller: { name: 'evenkeel', command: 'worker', argv: () => [] },
    user: {
      stepProblems: [],
      answer: () => Promise.resolve({ type: 'unanswered' }),
      askSecret: (question) => Promise.resolve(Object.hasOwn(asked, question) ? asked[question] : undefined),
      confirm: () => Promise.resolve(undefined),
      duringRun: () => ({}),
    },
    report: {
      warnings: () => undefined,
      notice: () => undefined,
      open: () => ({ handle: () => undefined, close: () => Promise.resolve() }),
    },
    signals: { drain: never, abort: never },
  };
}

/**
 * What whole records say that was done, for a process that has no journal.
 *
 * @param digest as that of the journal that they come from
 */
export function pastOfRecords(records: readonly JournalRecord[], digest: (value: Value) => string): Past {
  const whole = new WholeRecords({
    sealer: () => ({ digest }),
    open: (_, what) => {
      throw new JournalError(`cannot restore ${what}: it is sealed`);
    },
  });
  const writes = new PastWrites();
  const past = new PastSteps(whole, writes);
  for (const record of records) {
    const shown: unknown = record;
    if (!isMapping(shown)) continue;
    const kept = { type: record.type, shown, sealed: undefined };
    past.record(kept);
    writes.record(kept);
  }
  return past;
}
