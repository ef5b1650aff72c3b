import { Option } from 'commander';
import { type DefineCommand, examples, folderName, MODULE_PATH } from '../cli/options/define.js';
import type { SchemaOptions } from '../schema/command.js';
import type { ModulesOptions } from './modules.js';

export const defineDoc: DefineCommand = (named, context, withAction) => {
  const command = named
    .description('Explain modules, keywords, filters, tests, lookups, variables, settings and shipped roles.')
    .argument('[name]', 'name of any of these, kind of objects, or "dialects"')
    .option('-l, --list', 'list all modules, one per line; with --type: everything of that type')
    .addOption(
      new Option('--type <type>', 'only this type').choices([
        'module',
        'keyword',
        'filter',
        'test',
        'lookup',
        'variable',
        'setting',
        'role',
      ]),
    )
    .option('--json', 'print JSON')
    .option(...MODULE_PATH);
  examples(command, [
    ['evenkeel doc -l', 'all modules'],
    ['evenkeel doc cloud_present', 'arguments and examples of one'],
    ['evenkeel doc pool', 'the modules of a kind'],
    ['evenkeel doc serial', 'a keyword of playbooks'],
    ['evenkeel doc regex_replace', 'a filter'],
    ['evenkeel doc -l --type filter', 'all filters'],
    ['evenkeel doc -l --type role', 'the roles that ship with Evenkeel'],
    ['evenkeel doc dialects', 'what controller_dialect can name'],
  ]);
  return withAction(command, async (module: string | undefined, options: Record<string, unknown>) =>
    (await import('./command.js')).docCommand({ ...options, ...(module === undefined ? {} : { module }) }, context),
  );
};

export const defineModules: DefineCommand = (named, context, withAction) => {
  const command = named
    .description('List all modules by purpose, or make modules from OpenAPI files.')
    .option('--json', 'print JSON')
    .option(...MODULE_PATH);
  examples(command, [
    ['evenkeel modules', 'kinds of objects, and the other modules'],
    ['evenkeel modules from-openapi Pool.json', 'modules from the OpenAPI files of a controller'],
  ]);
  const fromOpenApi = command
    .command('from-openapi')
    .description(
      'Write a table of kinds from OpenAPI 2 or 3 files (JSON or YAML). The project gets a module for each kind.',
    )
    .argument('<file...>', 'OpenAPI files of the controller')
    .option('--out <file>', 'default: modules/controller.kinds.json');
  examples(fromOpenApi, [
    ['evenkeel modules from-openapi Pool.json VsVip.json', 'pool_present, vsvip_present, … of this release'],
  ]);
  withAction(fromOpenApi, async (files: readonly string[], options: { readonly out?: string }) =>
    (await import('./from_openapi.js')).fromOpenApiCommand(files, options, context),
  );
  return withAction(command, async (options: ModulesOptions) =>
    (await import('./modules.js')).modulesCommand(options, context),
  );
};

export const defineSchema: DefineCommand = (named, context, withAction) => {
  const command = named
    .description('Print JSON Schemas of playbooks, inventories and other files, for editors.')
    .argument('[name]', 'name of a schema; without it, all are listed')
    .option('--out <folder>', 'write NAME.schema.json into this folder: one schema, or all', folderName)
    .option(...MODULE_PATH);
  examples(command, [
    ['evenkeel schema', 'the schemas and their files'],
    ['evenkeel schema playbook', 'one of them'],
    ['evenkeel schema --out .vscode/schemas', 'all of them, in the folder where editors expect them'],
  ]);
  return withAction(command, async (name: string | undefined, options: Omit<SchemaOptions, 'name'>) =>
    (await import('../schema/command.js')).schemaCommand(
      { ...options, ...(name === undefined ? {} : { name }) },
      context,
    ),
  );
};
