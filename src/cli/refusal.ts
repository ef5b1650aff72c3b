import { EXIT } from '../core/model/exit_code.js';
import type { Diagnostic } from '../core/model/source/diagnostic.js';
import { formatDiagnostics, withRelativeFiles } from '../reporting/diagnostics.js';
import { GithubCommands } from '../reporting/reporters/github.js';
import { colourWanted } from '../reporting/text/palette.js';
import type { CommandContext } from './context.js';
import type { MaskedStream } from './masked_stream.js';

/** Prints the errors to stderr and returns the exit code for bad input. */
export function refuse(diagnostics: readonly Diagnostic[], context: CommandContext, color?: boolean): number {
  show(diagnostics, context, color);
  return EXIT.usage;
}

/** Shows errors and warnings with their code frames, on stderr. */
export function show(diagnostics: readonly Diagnostic[], context: CommandContext, color?: boolean): void {
  writeDiagnostics(diagnostics, context.stderr, context, { color });
  annotate(diagnostics, context);
}

/** Goes around the mask of the stream: the lines of code are masked more exactly, and a caret points into them. */
export function writeDiagnostics(
  diagnostics: readonly Diagnostic[],
  stream: MaskedStream,
  { env, cwd, secrets }: CommandContext,
  { color, rules }: { readonly color?: boolean | undefined; readonly rules?: boolean },
): void {
  const colour = colourWanted(stream, env, color);
  stream.unmasked.write(formatDiagnostics(diagnostics, { colour, cwd, secrets, rules }));
}

/** In a job of GitHub Actions, errors and warnings are shown at their lines in a pull request. */
export function annotate(diagnostics: readonly Diagnostic[], { stderr, env, cwd }: CommandContext): void {
  if (env['GITHUB_ACTIONS'] !== 'true') return;
  const github = new GithubCommands(env['GITHUB_WORKSPACE'] ?? cwd, cwd);
  const shown = (text: string): string => withRelativeFiles(text, cwd);
  for (const one of diagnostics) {
    const hint = one.hint && shown(one.hint);
    stderr.writeCommand(github.diagnostic({ ...one, message: shown(one.message), hint }));
  }
}
