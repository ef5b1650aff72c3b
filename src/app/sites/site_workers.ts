import { homedir } from 'node:os';
import path from 'node:path';
import { Diagnostics } from '../../model/source/diagnostic.js';
import type { Playbook } from '../../model/playbook/playbook.js';
import { stepsOf, tasksIn } from '../../model/playbook/steps.js';
import { someOf } from '../../report/text/words.js';
import { lookedUpVariables } from '../../template/library/lookups/environment_and_shell.js';
import { RemoteDispatcher } from '../../run/remote/coordinator/remote_dispatcher.js';
import type { RunWorkers } from '../../run/remote/coordinator/walk_coordinator.js';
import { makeBundle, type Bundle } from '../../workers/bundle/make_bundle.js';
import { isToken, TOKEN_HAS } from '../../workers/nats/broker/storage.js';
import { openNatsCoordinator } from '../../workers/nats/coordinator.js';
import { passwordSourcesOf } from '../load/vault_passwords.js';
import { stateFolderOf, type PreparedRun } from '../load/prepared_run.js';
import { leaseOf, natsOptions } from '../request/nats_options.js';
import type { CarriedRun, RunDescription } from '../request/run_description.js';
import { type ExecutePorts, type Permission, SiteProblem } from '../prepare/execute_ports.js';
import { SITE, siteIn } from './controller_site.js';
import { type RunSite, sitesOf } from './run_sites.js';
import { SiteNeeds } from './site_needs.js';
import { SiteSecrets } from './site_secrets.js';
import { describeRun, requestsOf, type Coordinator, type Workers } from './worker_processes.js';

const MOST_NAMES = 3;

/** Seconds to wait for a worker at a site that has none. */
const PATIENCE = 60;

/**
 * Hands controllers with a site to the workers of the site, over NATS. This process handles controllers without a site.
 *
 * @throws NatsError, BundleError or SiteProblem: nothing was contacted
 */
export async function openSites(
  run: PreparedRun,
  permission: Permission,
  ports: ExecutePorts,
  { journal, refuseCredentials }: Coordinator,
): Promise<Workers> {
  const { request } = run;
  const { id, lock } = permission;
  const sites = sitesOf(run);
  requireNames(sites);
  const needs = await SiteNeeds.of(run, sites, ports);
  const bundle = await bundleOf(run, ports);
  const secrets = new SiteSecrets(run, { sites, credentials: permission.credentials, entries: bundle.entries });
  const shared = await describeRun(run, permission, ports, journal);
  const describe = async (site: string): Promise<string> => {
    const passwords = await secrets.passwordsFor(site);
    const description: RunDescription = {
      ...shared,
      // The typed answers are vault passwords, which are added below.
      asked: {},
      credentials: secrets.credentialsFor(site),
      carried: {
        ...carriedBy(bundle, ports),
        vaultPasswords: passwords.map(({ label, bytes }) => [label, bytes.toString('base64')]),
      },
    };
    return JSON.stringify(description);
  };
  const transport = await openNatsCoordinator({
    nats: natsOptions(request, ports.cwd, run.loaded.target.secrets),
    run: id,
    describe,
    files: bundle.bytes,
    sites: [...sites.keys()],
    version: ports.version,
    ...leaseOf(ports.env),
    siteTimeout: request.siteTimeout ?? PATIENCE,
    objectionTo: (worker) => needs.objectionTo(worker)?.message,
    workerKeys: run.loaded.target.project.workerKeys,
    report: (line) => {
      ports.emit({ type: 'warning', time: new Date().toISOString(), run: id, message: line });
    },
  });
  const objections = [...sites.keys()].flatMap((site) => {
    const found = transport.workersOf(site).map((worker) => needs.objectionTo(worker));
    return found.includes(undefined) ? [] : (found[0] ?? []);
  });
  if (objections.length > 0) {
    await transport.close();
    throw new SiteProblem(objections);
  }
  const workers: RunWorkers = {
    transport,
    siteOf: (variables) => {
      const site = siteIn(variables);
      return site === undefined ? 'here' : { site };
    },
    refuseCredentials,
    onRequest: requestsOf(ports),
    lockController: async (url) => (await lock.lockLate(url)) ?? null,
  };
  return { dispatch: (context) => new RemoteDispatcher(context, workers), close: () => transport.close() };
}

/** @throws SiteProblem */
function requireNames(sites: ReadonlyMap<string, RunSite>): void {
  const objections = [...sites].flatMap(([site, { controllers }]) => {
    if (isToken(site)) return [];
    const message = `${SITE} is not the name of a site: ${JSON.stringify(site)} on ${someOf([...controllers], MOST_NAMES)}`;
    return [{ message, hint: `the name of a site may have ${TOKEN_HAS}` }];
  });
  if (objections.length > 0) throw new SiteProblem(objections);
}

/** The files that the run reads, with their local paths. */
async function bundleOf(run: PreparedRun, { cwd }: ExecutePorts): Promise<Bundle & { readonly root: string }> {
  const { loaded, request } = run;
  const { target, reads } = loaded;
  const { project, environment } = target;
  const root = project.file === undefined ? cwd : path.dirname(path.resolve(cwd, project.file));
  // Sites do not get passwords of other environments.
  const sources = [environment, ...project.environments.values()].flatMap((one) =>
    passwordSourcesOf({ options: request, project, environment: one }, cwd, new Diagnostics()),
  );
  const bundle = await makeBundle({
    root,
    files: [...reads.files.keys(), ...roleFolders(loaded.playbooks)].map((file) => path.resolve(cwd, file)),
    state: stateFolderOf(run) ?? project.stateDirectory,
    secret: sources.flatMap((source) => (source.type === 'file' ? [source.path] : [])),
  });
  return { ...bundle, root };
}

/** Tasks of a role look for files and templates in its folder, which may be outside of the project. */
function roleFolders(playbooks: readonly Playbook[]): ReadonlySet<string> {
  const plays = playbooks.flatMap((playbook) => playbook.plays);
  const layers = plays
    .flatMap((play) => tasksIn([...stepsOf(play), ...play.handlers]))
    .flatMap((task) => task.layers.filter(({ level }) => level === 'magic'));
  return new Set(layers.map(({ values }) => values['role_path']).filter((folder) => typeof folder === 'string'));
}

/** What a worker needs from this machine besides files. */
function carriedBy(
  { digest, root, others }: Awaited<ReturnType<typeof bundleOf>>,
  { env }: ExecutePorts,
): Omit<CarriedRun, 'vaultPasswords'> {
  const looked = [...lookedUpVariables].flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { digest, root, others, home: homedir(), env: Object.fromEntries(looked) };
}
