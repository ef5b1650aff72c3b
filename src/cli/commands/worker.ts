import { hostname } from 'node:os';
import path from 'node:path';
import { serveSite } from '../../app/worker/site_worker.js';
import { pickEnvironment } from '../../app/load/target.js';
import { natsOptions } from '../../app/request/nats_options.js';
import { passwordSourcesOf } from '../../app/load/vault_passwords.js';
import { openProjectCatalogue } from '../../app/user_code/project_modules.js';
import { UNDO_MODULE } from '../../rollback/undo_module.js';
import { didYouMean } from '../../model/source/suggestion.js';
import { type Broker, brokerIn, brokerOf } from '../../load/project/broker.js';
import { type Environment, loadProject, type Project } from '../../load/project/project.js';
import { openVault } from '../../load/vault/open_vault.js';
import type { Vault } from '../../load/vault/vault.js';
import { EXIT } from '../../model/exit_code.js';
import { Diagnostics } from '../../model/source/diagnostic.js';
import { NatsError } from '../../workers/nats/broker/connection.js';
import { workersOf } from '../../workers/nats/workers_of.js';
import type { CommandContext } from '../terminal/context.js';
import { refuse } from '../terminal/refusal.js';
import type { WorkerEntry } from '../../workers/nats/protocol/registry.js';

interface BrokerOptions {
  readonly nats?: string | undefined;
  readonly natsCreds?: string | undefined;
  readonly natsCa?: string | undefined;
  readonly color?: boolean | undefined;
}

export interface WorkerOptions extends BrokerOptions {
  readonly site: string;
  readonly name?: string | undefined;
  readonly concurrency?: number | undefined;
  readonly allowModule?: readonly string[] | undefined;
  readonly allowCode?: boolean | undefined;
  readonly vaultId?: readonly string[] | undefined;
  readonly vaultPasswordFile?: readonly string[] | undefined;
}

export interface WorkersOptions extends BrokerOptions {
  readonly env?: string | undefined;
  readonly json?: boolean | undefined;
}

const CONCURRENCY = 50;

/** `evenkeel worker --site S --nats URL`: works until it is interrupted. */
export async function workerCommand(options: WorkerOptions, context: CommandContext): Promise<number> {
  const { cwd, env, stderr, signals, version } = context;
  const diagnostics = new Diagnostics();
  const project = await loadProject(cwd, env, diagnostics);
  const { passwords } = await vaultOfWorker(options, project, context, diagnostics);
  const broker = givenBroker(options, project, undefined, diagnostics);
  if (diagnostics.failed()) return refuse(diagnostics.list, context, options.color);
  const report = (line: string): void => {
    stderr.write(`${new Date().toISOString()} ${line}\n`);
  };
  if (options.allowCode !== true) for (const line of unknownModules(options, project, context)) report(line);
  const abort = new AbortController();
  let count = 0;
  signals.onTermination?.(() => {
    count += 1;
    if (count > 1) abort.abort();
  });
  return explained(options, context, async () => {
    await serveSite({
      nats: natsOptions(broker, cwd, context.secrets),
      site: options.site,
      name: options.name ?? hostname(),
      version,
      concurrency: options.concurrency ?? CONCURRENCY,
      stateFolder: path.join(project.stateDirectory, 'worker'),
      allowed: options.allowModule ?? [],
      allowCode: options.allowCode === true,
      vaultPasswords: passwords,
      env,
      report,
      signal: signals.drain,
      abort: AbortSignal.any([abort.signal, signals.abort]),
    });
    // A request that no controller answers must not keep it.
    signals.exit?.(EXIT.ok);
    return EXIT.ok;
  });
}

/** A misspelled name would refuse runs only later. */
function unknownModules(
  { allowModule = [] }: WorkerOptions,
  project: Project,
  { cwd, env }: CommandContext,
): readonly string[] {
  if (allowModule.length === 0) return [];
  const catalogue = openProjectCatalogue(undefined, project, { cwd, env }, new Diagnostics());
  const known = [...catalogue.names, ...catalogue.unlisted, UNDO_MODULE];
  return allowModule.flatMap((name) => {
    if (known.includes(name)) return [];
    const hint = didYouMean(name, known);
    return `warning: --allow-module ${name}: no module has this name${hint === undefined ? '' : `: ${hint}`}`;
  });
}

/** The passwords of the site, as a run would find them. A service has no terminal to type one. */
async function vaultOfWorker(
  options: WorkerOptions,
  project: Project,
  { cwd, env, secrets }: CommandContext,
  diagnostics: Diagnostics,
): Promise<Vault> {
  const sources = passwordSourcesOf({ options, project, environment: undefined }, cwd, diagnostics);
  const typed = sources.find(({ type }) => type === 'prompt');
  if (typed !== undefined)
    diagnostics.error(
      `a worker cannot ask for the vault password "${typed.label}": it is a service`,
      undefined,
      `put the password into a file, and pass --vault-id ${typed.label}@FILE`,
    );
  const files = sources.filter(({ type }) => type === 'file');
  return openVault(files, { cwd, env, secrets, diagnostics, ask: () => Promise.resolve(undefined) });
}

/** `evenkeel workers --nats URL`: the workers that are registered now. */
export async function workersCommand(options: WorkersOptions, context: CommandContext): Promise<number> {
  const diagnostics = new Diagnostics();
  const project = await loadProject(context.cwd, context.env, diagnostics);
  const broker = givenBroker(options, project, pickEnvironment(options.env, project, diagnostics), diagnostics);
  if (diagnostics.failed()) return refuse(diagnostics.list, context, options.color);
  return explained(options, context, async () => {
    const workers = await workersOf(natsOptions(broker, context.cwd, context.secrets));
    const text = options.json === true ? `${JSON.stringify(workers, undefined, 2)}\n` : workerLines(workers);
    context.stdout.write(text, options);
    return EXIT.ok;
  });
}

function givenBroker(
  options: BrokerOptions,
  project: Project,
  environment: Environment | undefined,
  diagnostics: Diagnostics,
): Broker {
  const broker = brokerOf(brokerIn(project, environment), options);
  if (broker.nats === undefined)
    diagnostics.error(
      'no NATS server was given',
      undefined,
      'pass --nats URL, or name one as "nats" in evenkeel.yml or in EVENKEEL_NATS',
    );
  return broker;
}

async function explained(
  { color }: BrokerOptions,
  context: CommandContext,
  work: () => Promise<number>,
): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof NatsError)) throw error;
    return refuse([{ severity: 'error', message: error.message, hint: error.hint }], context, color);
  }
}

const HEADINGS = ['site', 'worker', 'version', 'at work', 'since', 'public key'] as const;

/** A line for each worker, under its headings. */
function workerLines(workers: readonly WorkerEntry[]): string {
  if (workers.length === 0) return 'no workers\n';
  const rows = workers.map(({ site, name, version, load, concurrency, since, publicKey }) => [
    site,
    name,
    version,
    `${load} of ${concurrency}`,
    since.replace(/\.\d+Z$/, 'Z'),
    publicKey,
  ]);
  const all = [HEADINGS, ...rows];
  const widths = HEADINGS.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
