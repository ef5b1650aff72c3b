import { isList, isMapping, type Mapping } from '../../core/model/values/value.js';
import { checkTemplates } from '../../language/check.js';
import { renderText, renderValue } from '../../language/render.js';
import { TemplateError } from '../../language/runtime/errors.js';
import { Variables } from '../../language/scope.js';
import type { Cursor } from '../document/cursor.js';
import type { InventoryBuilder, InventoryOrigin } from './builder.js';

export const GENERATOR_OPTIONS = ['hosts', 'layers', 'plugin'] as const;

/** Adds a controller for each combination of the layers, and its parent groups, as Ansible's plugin `generator` does. */
export function addGenerated(config: Cursor, origin: InventoryOrigin, builder: InventoryBuilder): void {
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
