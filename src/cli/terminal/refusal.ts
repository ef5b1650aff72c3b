import type { Diagnostic } from '../../model/source/diagnostic.js';
import { formatDiagnostics } from '../../report/diagnostics.js';
import { colourWanted } from './colour.js';
import { EXIT } from '../../model/exit_code.js';
import type { CommandContext } from './context.js';

/** Prints the errors to stderr and returns the exit code for bad input. */
export function refuse(diagnostics: readonly Diagnostic[], context: CommandContext, color?: boolean): number {
  show(diagnostics, context, color);
  return EXIT.usage;
}

/** Shows errors and warnings with their code frames, on stderr. */
export function show(diagnostics: readonly Diagnostic[], context: CommandContext, color?: boolean): void {
  const colour = colourWanted(context.stderr, context.env, color);
  context.stderr.write(formatDiagnostics(diagnostics, { colour, cwd: context.cwd, secrets: context.secrets }));
}
