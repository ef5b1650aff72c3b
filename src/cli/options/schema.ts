import { Command } from 'commander';
import type { SchemaOptions } from '../commands/schema.js';
import type { Define } from './define.js';
import { examples } from './examples.js';
import { collected } from './option_values.js';

export const defineSchema: Define = (context, finish) => {
  const command = new Command('schema')
    .description('JSON Schemas of playbooks, inventories and the rest, for editors.')
    .argument('[name]', 'which one; without it, all are listed')
    .option('-o, --output <folder>', 'write NAME.schema.json into a folder: that one, or all')
    .option('-M, --module-path <folder>', 'folder with more modules (repeatable)', collected);
  examples(command, [
    ['evenkeel schema', 'which there are, and for which files'],
    ['evenkeel schema playbook', 'one of them'],
    ['evenkeel schema -o .vscode/schemas', 'all of them, where an editor finds them'],
  ]);
  return command.action(async (name: string | undefined, options: Omit<SchemaOptions, 'name'>) => {
    const { schemaCommand } = await import('../commands/schema.js');
    finish(await schemaCommand({ ...options, ...(name === undefined ? {} : { name }) }, context));
  });
};
