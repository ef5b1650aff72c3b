import type { KeptRun } from '../../journal/read/read_run.js';
import type { WrittenBefore } from '../../report/output/options.js';
import { createReporter, type Reporter } from '../../report/reporter.js';
import { asksSomething } from './ask_in_run.js';
import { colourWanted } from './colour.js';
import type { CommandContext } from '../context.js';
import type { Performance } from '../../app/run/prepared_run.js';
import { commandToGoOn } from './resume_hint.js';

/** Reports a run in the format that the user, else the project, else the terminal asks for. */
export function openRunReporter(
  { loaded, options, keeping }: Performance,
  id: string,
  context: CommandContext,
): Reporter {
  const { project, secrets } = loaded.target;
  const { stdout, stderr, env, cwd } = context;
  const interactive = stdout.isTTY && env['CI'] === undefined && env['TERM'] !== 'dumb';
  const wanted = options.output ?? project.output ?? (interactive ? 'live' : 'lines');
  const github = env['GITHUB_ACTIONS'] === 'true' ? { workspace: env['GITHUB_WORKSPACE'] ?? cwd } : undefined;
  return createReporter({
    // A question and a picture that is painted again and again do not go together.
    output: options.step === true || (wanted === 'live' && asksSomething(loaded.playbooks)) ? 'lines' : wanted,
    stdout,
    stderr,
    colour: colourWanted(stdout, env, options.color),
    verbosity: options.verbosity,
    secrets,
    cwd,
    diff: options.diff === 'fleet' ? 'fleet' : 'host',
    github,
    commandToGoOn: commandToGoOn(project, id),
    writtenBefore: keeping?.kept && writtenBy(keeping.kept),
  });
}

/** Writes with an unknown outcome are resolved, and reported, as the run continues. */
function writtenBy({ shownWrites }: KeptRun): readonly WrittenBefore[] {
  return shownWrites().flatMap(({ controller, object, outcome }) =>
    outcome === 'applied' && object !== undefined ? [{ controller, object }] : [],
  );
}
