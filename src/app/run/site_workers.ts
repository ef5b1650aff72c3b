import path from 'node:path';
import { Diagnostics } from '../../model/source/diagnostic.js';
import { lookedUp } from '../../template/library/lookups/outside.js';
import { asText } from '../../template/runtime/text.js';
import type { Variables } from '../../template/scope.js';
import { type Place, RemoteDispatcher, type RunWorkers } from '../../run/remote/coordinator/remote_dispatcher.js';
import { makeBundle } from '../../workers/bundle/make_bundle.js';
import { openNatsCoordinator } from '../../workers/nats/coordinator.js';
import { passwordSourcesOf } from '../load/vault_passwords.js';
import { stateFolderOf, type PreparedRun } from '../load/prepared_run.js';
import { leaseOf, natsOptions } from '../request/nats_options.js';
import type { CarriedRun } from '../request/run_description.js';
import type { ExecutePorts, Permission } from './execute_ports.js';
import { describeRun, type Coordinator, type Workers } from './worker_processes.js';

/** The variable that names the site of a controller. */
const SITE = 'evenkeel_site';
/** Seconds to wait for a worker at a site that has none. */
const PATIENCE = 60;

/**
 * Hands controllers that have a site to its workers, over NATS. Those without a site are this process's own.
 *
 * @throws NatsError or BundleError: nothing was contacted
 */
export async function openSites(
  run: PreparedRun,
  permission: Permission,
  ports: ExecutePorts,
  { journal, refuseCredentials }: Coordinator,
): Promise<Workers> {
  const { request } = run;
  const { id, lock } = permission;
  const description = {
    ...(await describeRun(run, permission, ports, journal)),
    carried: await carriedBy(run, ports),
  };
  const transport = await openNatsCoordinator({
    nats: natsOptions(request, ports.cwd, run.loaded.target.secrets),
    run: id,
    description: JSON.stringify(description),
    version: ports.version,
    ...leaseOf(ports.env),
    siteTimeout: request.siteTimeout ?? PATIENCE,
    workerKeys: run.loaded.target.project.workerKeys,
    report: (line) => {
      ports.emit({ type: 'warning', time: new Date().toISOString(), run: id, message: line });
    },
  });
  const workers: RunWorkers = {
    transport,
    siteOf,
    refuseCredentials,
    lockController: async (url) => (await lock.lockLate(url)) ?? null,
  };
  return { dispatch: (context) => new RemoteDispatcher(context, workers), close: () => transport.close() };
}

/** The site that a controller's variables name, which may be a template. */
function siteOf(variables: Variables): Place {
  const site = variables.get(SITE) ?? null;
  return site === null || site === '' ? 'here' : { site: asText(site) };
}

/** The files that the run reads, and what of this machine a worker needs beside them. */
async function carriedBy(run: PreparedRun, { cwd, env }: ExecutePorts): Promise<CarriedRun> {
  const { loaded, request } = run;
  const { target, reads } = loaded;
  const { project, environment, vault } = target;
  const root = project.file === undefined ? cwd : path.dirname(path.resolve(cwd, project.file));
  const sources = passwordSourcesOf({ options: request, project, environment }, cwd, new Diagnostics());
  const bundle = await makeBundle({
    root,
    files: [...reads.files.keys()].map((file) => path.resolve(cwd, file)),
    state: stateFolderOf(run) ?? project.stateDirectory,
    secret: sources.flatMap((source) => (source.type === 'file' ? [source.path] : [])),
  });
  return {
    bundle: bundle.bytes.toString('base64'),
    digest: bundle.digest,
    root,
    others: bundle.others,
    vaultPasswords: vault.passwords.map(({ label, bytes }) => [label, bytes.toString('base64')]),
    env: Object.fromEntries(
      [...lookedUp].flatMap((name) => {
        const value = env[name];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  };
}
