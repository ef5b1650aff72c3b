import { caReader } from '../controller/ca_files.js';
import type { Diagnostic } from '../model/diagnostic.js';
import { alike, mentions } from '../report/alike.js';
import { count, grouped, someOf } from '../report/words.js';
import type { Credentials, RunInput } from '../run/input.js';
import type { Finding } from '../run/preflight/findings.js';
import { preflight } from '../run/preflight/preflight.js';
import { variablesReader } from './execute.js';
import type { LoadedRun } from './load_run.js';

/** Enough for what is typically wrong with a fleet; more would only scroll away. */
const MOST = 20;
const MOST_NAMES = 3;

/** A run that is about to begin. */
export interface PreflightRequest
  extends
    Pick<
      RunInput,
      'tags' | 'skipTags' | 'startAtTask' | 'check' | 'diff' | 'verbosity' | 'answers' | 'past' | 'signal'
    >,
    Pick<RunInput, 'version' | 'credentials'> {
  readonly loaded: LoadedRun;
  readonly simulate: boolean;
  readonly forks: number | undefined;
  readonly cwd: string;
}

/** What is certain to fail during the run: if there is anything, the run does not start. */
export async function preflightErrors(request: PreflightRequest): Promise<readonly Diagnostic[]> {
  const { loaded, cwd, simulate, forks, ...options } = request;
  const { target, playbooks, catalogue } = loaded;
  const { project, environment, secrets } = target;
  const simulation = simulate ? await import('./simulation.js') : undefined;
  const credentials: Credentials = { ...simulation?.SIMULATED_CREDENTIALS, ...options.credentials };
  const found = await preflight({
    ...target,
    ...options,
    playbooks,
    catalogue,
    credentials,
    secrets,
    forks: forks ?? project.forks,
    environment: environment?.name,
    readVariables: variablesReader(cwd, target),
    readCa: caReader(cwd),
    examineSimulation: simulation?.simulationExaminer(),
  });
  const groups = groupsOf(found);
  const shown = groups.length > MOST ? groups.toSorted((a, b) => b.length - a.length) : groups;
  return [...shown.slice(0, MOST).flatMap(diagnosticsOf), ...theRest(shown.length - MOST)];
}

/** Findings with the same cause on several controllers, in the order in which they were found. */
function groupsOf(findings: readonly Finding[]): readonly (readonly Finding[])[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const { controller, message, source, hint } = finding;
    const key = JSON.stringify([alike(message, controller), source, hint]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  return [...groups.values()];
}

function diagnosticsOf(findings: readonly Finding[]): readonly Diagnostic[] {
  const [first] = findings;
  if (first === undefined) return [];
  const { message, general = message, source, hint } = first;
  const controllers = [...new Set(findings.map(({ controller }) => controller))];
  const text = controllers.length === 1 ? message : general;
  return [{ severity: 'error', message: `${text}${who(controllers, text)}`, source, hint }];
}

/** A message may name its controller itself. */
function who(controllers: readonly string[], message: string): string {
  const [only = ''] = controllers;
  if (controllers.length > 1)
    return ` on ${count(controllers.length, 'controller')}: ${someOf(controllers, MOST_NAMES)}`;
  return mentions(message, only) ? '' : ` on ${only}`;
}

function theRest(number: number): readonly Diagnostic[] {
  if (number <= 0) return [];
  return [{ severity: 'error', message: `and ${grouped(number)} more problems like these` }];
}
