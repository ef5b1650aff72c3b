import { type DefineCommand, examples, NO_COLOR, wholeNumber } from '../cli/options/define.js';
import type { UiOptions } from './command.js';

export const defineUi: DefineCommand = (named, context, withAction) => {
  const command = named
    .description('Show all runs as web pages, in a browser on this machine, until Ctrl-C or SIGTERM.')
    .option('--port <number>', 'where to listen (default: a free port)', wholeNumber)
    .option(...NO_COLOR);
  examples(command, [['evenkeel ui', 'until Ctrl-C']]);
  return withAction(command, async (options: UiOptions) => (await import('./command.js')).uiCommand(options, context));
};
