import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { withFiles, type CarriedFiles } from '../../files/carried_files.js';
import type { VaultPassword } from '../../load/vault/passwords.js';
import { relocation } from '../../workers/bundle/relocation.js';
import { unpackBundle } from '../../workers/bundle/unpack_bundle.js';
import type { NatsOptions } from '../../workers/nats/broker/connection.js';
import { openNatsWorker } from '../../workers/nats/worker.js';
import type { WalkHost } from '../../run/remote/worker/walk_host.js';
import { leaseOf } from '../request/nats_options.js';
import { type CarriedRun, parseDescription, type RunDescription } from '../request/run_description.js';
import { allowedModules } from '../sites/allowed_modules.js';
import { hostRun } from './hosted_run.js';

export interface SiteWorkerOptions {
  readonly nats: NatsOptions;
  readonly site: string;
  readonly name: string;
  readonly version: string;
  readonly concurrency: number;
  /** The absolute folder for its key, its bundles, and undelivered reports. */
  readonly stateFolder: string;
  /** Modules that it runs, besides actions that write nothing. Empty: all built-in ones. */
  readonly allowed: readonly string[];
  /** Whether it may execute project code: modules, helpers, inventory programs. */
  readonly allowCode: boolean;
  /** Passwords of the site, which are tried before those of the coordinator. */
  readonly vaultPasswords: readonly VaultPassword[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly report: (line: string) => void;
  /** When aborted, the worker takes no more controllers, finishes its current ones, and ends. */
  readonly signal: AbortSignal;
  /** When aborted, the worker ends at once. */
  readonly abort: AbortSignal;
}

/**
 * Runs the tasks of a site's controllers for coordinators on other machines, until the signal aborts.
 * @throws NatsError
 */
export async function serveSite(options: SiteWorkerOptions): Promise<void> {
  const { signal, abort, report } = options;
  await mkdir(options.stateFolder, { recursive: true, mode: 0o700 });
  const transport = await openNatsWorker({
    ...options,
    allows: { modules: options.allowed, code: options.allowCode },
    ...leaseOf(options.env),
  }).catch((error: unknown) => {
    if (signal.aborted) return undefined;
    throw error;
  });
  if (transport === undefined) return;
  const runs = new Map<string, CarriedHost>();
  report(`${options.name} works for site ${options.site}: up to ${options.concurrency} controllers at once`);
  await transport.serve({
    begin: async (run, description, bundle) => {
      // The message is authenticated: only the coordinator and this site have the key.
      runs.set(run, await hostCarried(parseDescription(description), bundle, options));
      report(`run ${run} started here`);
    },
    walk: async (assignment) => {
      const carried = runs.get(assignment.run);
      if (carried === undefined) throw new Error('the run has not started here');
      await withFiles(carried.files, () => carried.host.walk(assignment));
    },
    whyUnfit: whyReplaced,
    onBroadcast: (run, text) => {
      runs.get(run)?.host.onBroadcast(text);
    },
    end: async (run) => {
      await runs.get(run)?.host.close();
      runs.delete(run);
      report(`run ${run} ended here`);
    },
    signal,
    abort,
  });
}

/** Why the worker must be restarted: an update deletes files of the program that are loaded only when needed. */
function whyReplaced(): string | undefined {
  return existsSync(import.meta.filename)
    ? undefined
    : 'evenkeel was updated while this worker ran: restart the worker';
}

/** A run whose files came from another machine. */
interface CarriedHost {
  readonly host: WalkHost;
  readonly files: CarriedFiles;
}

async function hostCarried(
  description: RunDescription,
  bundle: Uint8Array | undefined,
  options: SiteWorkerOptions,
): Promise<CarriedHost> {
  const { carried } = description;
  if (carried === undefined || bundle === undefined) throw new Error('the coordinator sent no files');
  const cache = path.join(options.stateFolder, 'bundles');
  const folder = await unpackBundle(bundle, carried.digest, cache);
  const { cwd } = description.invocation;
  const files = relocation({ ...carried, cwd }, folder);
  // A bundle contains no empty folders.
  if (files.at(cwd) !== cwd) await mkdir(files.at(cwd), { recursive: true });
  const lookupEnv = environmentOf(carried, options.env);
  const host = await withFiles(files, () =>
    hostRun(description, {
      env: { ...lookupEnv, ...(options.allowCode ? {} : { EVENKEEL_NO_EXEC: '1' }) },
      version: options.version,
      inputs: {
        lookupEnv,
        vaultPasswords: [
          ...options.vaultPasswords,
          ...carried.vaultPasswords.map(([label, password]) => ({ label, bytes: Buffer.from(password, 'base64') })),
        ],
        vaultRules: {
          whenLocked: (reason) => reason,
          adviceFor: (label) =>
            `start the workers of site ${options.site} with --vault-id ${label}@FILE, or give the password to the run`,
        },
      },
      restrict: (loaded) => ({ ...loaded, catalogue: allowedModules(loaded.catalogue, options.allowed) }),
    }),
  );
  return { host, files };
}

/** Variables that would change the worker process itself. */
const ITS_OWN = /^(?:NODE_|LD_|DYLD_|EVENKEEL_|NATS_|PATH$|HOME$|USER$|SHELL$|TMPDIR$)/;

/** The environment variables of a run. The worker's own variables win. */
function environmentOf({ env }: CarriedRun, own: SiteWorkerOptions['env']): SiteWorkerOptions['env'] {
  return { ...Object.fromEntries(Object.entries(env).filter(([name]) => !ITS_OWN.test(name))), ...own };
}
