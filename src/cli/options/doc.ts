import { Command } from 'commander';
import type { Define } from './define.js';
import { examples } from './examples.js';
import { collected } from './option_values.js';

export const defineDoc: Define = (context, finish) => {
  const command = new Command('doc')
    .description('Module reference, and what dialects are.')
    .argument('[module]', 'module name, or "dialects"')
    .option('-l, --list', 'all modules, a line each')
    .option('--json', 'for programs')
    .option('-M, --module-path <folder>', 'folder with more modules (repeatable)', collected);
  examples(command, [
    ['evenkeel doc -l', 'all modules'],
    ['evenkeel doc cloud_present', 'arguments and examples of one'],
    ['evenkeel doc dialects', 'what controller_dialect can name'],
  ]);
  return command.action(async (module: string | undefined, options: Record<string, unknown>) => {
    const { docCommand } = await import('../commands/doc.js');
    finish(await docCommand({ ...options, ...(module === undefined ? {} : { module }) }, context));
  });
};
