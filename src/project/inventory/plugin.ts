import { didYouMean } from '../../core/model/source/suggestion.js';
import { entry, isList, isMapping, type Mapping } from '../../core/model/values/value.js';
import { findProgram } from '../../core/programs/programs.js';
import { forEachSecret } from '../../core/secrets/values.js';
import { checkTemplates } from '../../language/check.js';
import { renderText, renderValue } from '../../language/render.js';
import { TemplateError } from '../../language/runtime/errors.js';
import { asString } from '../../language/runtime/result.js';
import { Variables } from '../../language/scope.js';
import { Cursor } from '../document/cursor.js';
import { ProjectSources } from '../document/project_sources.js';
import type { ParsedYaml } from '../yaml/parse_yaml.js';
import type { InventoryBuilder, InventoryOrigin } from './builder.js';
import { addConstructed, CONSTRUCTED_OPTIONS, type ConstructedServices } from './constructed.js';
import { addExecutable } from './executable.js';
import { PluginCache, type CacheSettings } from './plugin_cache.js';

/** What inventory plugins use besides their configuration. */
export interface PluginServices extends ConstructedServices {
  readonly settings: CacheSettings;
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
      return addConstructed(config, origin, builder, services);
    case 'generator':
      warnOfUnknown(config, GENERATOR_OPTIONS);
      return addGenerated(config, origin, builder);
    default:
      if (services.mayRun(`needs ansible-inventory for the plugin "${plugin}"`, origin))
        await addFromAnsible(plugin, config, origin, builder, services.settings);
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
  settings: CacheSettings,
): Promise<void> {
  const { cwd, env } = settings;
  const { vault, sources = new ProjectSources() } = builder.services;
  const named = config.get('plugin') ?? config;
  if (origin.directory === undefined)
    return named.error(`the plugin "${plugin}" runs in Ansible, which reads a file`, 'write the inventory to a file');
  const file = sources.recall('installed', PROGRAM, () => findProgram(PROGRAM, env));
  if (file === undefined) {
    const collection = /^(\w+\.\w+)\.\w+$/.exec(plugin)?.[1];
    const what = collection === undefined ? 'ansible-core' : `ansible-core and the collection ${collection}`;
    const hint = `install ${what}, or let an executable print the inventory: docs/inventory.md`;
    return named.error(`the plugin "${plugin}" runs in Ansible, and there is no ${PROGRAM} in PATH`, hint);
  }
  forEachSecret(config.value, false, (text) => vault?.hide([text]));
  const shown = `${PROGRAM} -i ${origin.shown} ${SEPARATELY}`;
  const cache = PluginCache.find(config, origin.file, settings);
  const program = { shown, file, args: ['-i', origin.file, SEPARATELY], cwd, env: { ...env, ...SETTINGS }, cache };
  await addExecutable(program, origin, builder);
}

const GENERATOR_OPTIONS = ['hosts', 'layers', 'plugin'] as const;

/** Adds a controller for each combination of the layers, and its parent groups, as Ansible's plugin `generator` does. */
function addGenerated(config: Cursor, origin: InventoryOrigin, builder: InventoryBuilder): void {
  const hosts = config.get('hosts');
  const layers = config.get('layers');
  if (hosts === undefined) config.error('a generator needs "hosts" with a "name", a template');
  const wrong = layers?.entries().find(({ value }) => !isList(value));
  if (layers === undefined || !isMapping(layers.value))
    (layers ?? config).error('a generator needs "layers", a mapping of names and lists of values');
  else wrong?.error(`the layer ${wrong.title} must be a list of values`);
  if (hosts === undefined || layers === undefined || wrong !== undefined) return;
  const { library } = builder.services;
  const found = checkTemplates(hosts.value, hosts.locate, library);
  builder.diagnostics.add(found);
  if (found.some(({ severity }) => severity === 'error')) return;
  try {
    for (const values of combinations(layers.entries())) {
      const layer = { level: 'inventory host vars', values, origin: origin.shown } as const;
      addOne(hosts, new Variables([layer], undefined, undefined, library), origin, builder);
    }
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    builder.diagnostics.error(error.message, error.source, error.hint);
  }
}

/** The last layer changes fastest. */
function* combinations(layers: readonly Cursor[]): Iterable<Mapping> {
  const [first, ...rest] = layers;
  if (first === undefined) yield {};
  else
    for (const { value } of first.items())
      for (const others of combinations(rest)) yield { [first.name]: value, ...others };
}

function addOne(hosts: Cursor, scope: Variables, origin: InventoryOrigin, builder: InventoryBuilder): void {
  const name = renderName(hosts, scope);
  const groups = hosts.get('parents')?.items() ?? [];
  builder.addController(name, undefined, origin, () => hosts.source);
  for (const parent of groups)
    builder.addController(name, addGroup(parent, scope, origin, builder), origin, () => parent.source);
}

/** Adds a group with its variables and the groups above it. Returns its name. */
function addGroup(group: Cursor, scope: Variables, origin: InventoryOrigin, builder: InventoryBuilder): string {
  const name = renderName(group, scope);
  const place = (): Cursor['source'] => group.source;
  builder.addGroup(name, place);
  const variables = group.get('vars');
  if (variables !== undefined) {
    const values = renderValue(variables.value, scope, variables.locate);
    if (isMapping(values)) builder.addGroupVariables(name, { values }, origin);
    else variables.error(`"vars" must be a mapping`);
  }
  for (const parent of group.get('parents')?.items() ?? [])
    builder.addChild(addGroup(parent, scope, origin, builder), name, place);
  return name;
}

function renderName(config: Cursor, scope: Variables): string {
  const name = config.get('name');
  if (name === undefined)
    throw new TemplateError('"hosts" and each of its "parents" need a "name", a template', { source: config.source });
  const text = typeof name.value === 'string' ? renderText(name.value, scope, () => name.source) : name.value;
  if (typeof text === 'string' && text !== '') return text;
  throw new TemplateError('the name must be a text', { source: name.source, hint: 'add text or the filter string' });
}
