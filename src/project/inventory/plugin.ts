import { didYouMean } from '../../core/model/source/suggestion.js';
import { entry, isMapping } from '../../core/model/values/value.js';
import { findProgram } from '../../core/programs/programs.js';
import { forEachSecret } from '../../core/secrets/values.js';
import { asString } from '../../language/runtime/text.js';
import { Cursor } from '../document/cursor.js';
import { ProjectSources } from '../document/project_sources.js';
import type { ParsedYaml } from '../yaml/parse_yaml.js';
import type { InventoryBuilder, InventoryOrigin } from './builder.js';
import { addConstructed, CONSTRUCTED_OPTIONS, type ConstructedServices } from './constructed.js';
import { addExecutable } from './executable.js';
import { addGenerated, GENERATOR_OPTIONS } from './generator.js';
import { PluginCache, type CacheSurroundings } from './plugin_cache.js';

/** What inventory plugins use besides their configuration. */
export interface PluginServices extends ConstructedServices {
  readonly surroundings: CacheSurroundings;
  /** Whether a program may run for this source. Reports why not. @param what a part of a sentence: `is a program` */
  readonly mayRun: (what: string, origin: InventoryOrigin) => boolean;
}

/** Adds what the plugin finds that the file configures. Ansible is asked about those that are not built in. */
export async function addPlugin(
  parsed: ParsedYaml,
  origin: InventoryOrigin,
  builder: InventoryBuilder,
  services: PluginServices,
): Promise<void> {
  const config = new Cursor(parsed.value, { ...parsed, ...builder.services, diagnostics: builder.diagnostics });
  const plugin = isMapping(parsed.value) ? asString(entry(parsed.value, 'plugin') ?? null) : '';
  switch (plugin.replace(/^ansible\.builtin\./, '')) {
    case 'constructed':
      warnOfUnknown(config, CONSTRUCTED_OPTIONS);
      await addConstructed(config, origin, builder, services);
      return;
    case 'generator':
      warnOfUnknown(config, GENERATOR_OPTIONS);
      addGenerated(config, origin, builder);
      return;
    default:
      if (services.mayRun(`needs ansible-inventory for the plugin "${plugin}"`, origin))
        await addFromAnsible(plugin, config, origin, builder, services.surroundings);
  }
}

function warnOfUnknown(config: Cursor, options: readonly string[]): void {
  for (const { name, keySource } of config.entries())
    if (!options.includes(name))
      config.diagnostics.warn(`unknown option "${name}" has no effect`, keySource, didYouMean(name, options));
}

const PROGRAM = 'ansible-inventory';

/** The variables of groups on their own, so that those of a playbook's `group_vars` replace them. */
const SEPARATELY = '--export';

/** What Ansible must not do: go on after a mistake, and read `group_vars`, which Evenkeel reads itself. */
const SETTINGS = { ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED: 'true', ANSIBLE_VARS_ENABLED: '', ANSIBLE_NOCOLOR: '1' };

/** Adds what ansible-inventory finds, or what was kept of it. */
async function addFromAnsible(
  plugin: string,
  config: Cursor,
  origin: InventoryOrigin,
  builder: InventoryBuilder,
  surroundings: CacheSurroundings,
): Promise<void> {
  const { cwd, env } = surroundings;
  const { vault, sources = new ProjectSources() } = builder.services;
  const named = config.get('plugin') ?? config;
  if (origin.directory === undefined) {
    named.error(`the plugin "${plugin}" runs in Ansible, which reads a file`, 'write the inventory to a file');
    return;
  }
  const file = sources.ask('installed', PROGRAM, () => findProgram(PROGRAM, env));
  if (file === undefined) {
    const collection = /^(\w+\.\w+)\.\w+$/.exec(plugin)?.[1];
    const what = collection === undefined ? 'ansible-core' : `ansible-core and the collection ${collection}`;
    named.error(
      `the plugin "${plugin}" runs in Ansible, and there is no ${PROGRAM} in PATH`,
      `install ${what}, or let an executable print the inventory: docs/inventory.md`,
    );
    return;
  }
  forEachSecret(config.value, false, (text) => vault?.hide([text]));
  const shown = `${PROGRAM} -i ${origin.shown} ${SEPARATELY}`;
  const cache = PluginCache.find(config, origin.file, surroundings);
  const program = { shown, file, args: ['-i', origin.file, SEPARATELY], cwd, env: { ...env, ...SETTINGS }, cache };
  await addExecutable(program, origin, builder);
}
