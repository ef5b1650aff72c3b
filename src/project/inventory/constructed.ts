import { magicLayer } from '../../core/model/inventory/inventory.js';
import { GroupPrecedence } from '../../core/model/inventory/inventory_draft.js';
import { entry, isList, isMapping, readBoolean, type Value } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { checkTemplates } from '../../language/check.js';
import { renderText } from '../../language/render.js';
import { TemplateError } from '../../language/runtime/errors.js';
import { asString } from '../../language/runtime/result.js';
import { Variables } from '../../language/scope.js';
import type { Cursor } from '../document/cursor.js';
import type { GroupVars } from '../variables/group_vars.js';
import type { ControllerDraft, GroupDraft, InventoryBuilder, InventoryOrigin } from './builder.js';

/** What a constructed inventory may use besides the sources before it. */
export interface ConstructedServices {
  /** `group_vars` and `host_vars` of the sources before, for `use_vars_plugins`. */
  readonly readAdjacent: () => Promise<readonly GroupVars[]>;
  readonly extraVars: readonly VariableLayer[];
}

export const CONSTRUCTED_OPTIONS = [
  'compose',
  'groups',
  'keyed_groups',
  'leading_separator',
  'plugin',
  'strict',
  'use_extra_vars',
  'use_vars_plugins',
] as const;

/** Sets variables and groups of the controllers of earlier sources, as Ansible's plugin `constructed` does. */
export async function addConstructed(
  config: Cursor,
  origin: InventoryOrigin,
  builder: InventoryBuilder,
  services: ConstructedServices,
): Promise<void> {
  const adjacent = readFlag(config, 'use_vars_plugins', false) ? await services.readAdjacent() : [];
  const extraVars = readFlag(config, 'use_extra_vars', false) ? services.extraVars : [];
  const constructed = new Constructed(config, origin, builder, { ...services, adjacent, extraVars });
  for (const controller of builder.controllers.values()) constructed.apply(controller);
}

/** A mistake that ends the construction for one entry, whether it is `strict` or not. */
class InvalidEntry extends Error {}

class Constructed {
  readonly #strict: boolean;
  readonly #leadingSeparator: boolean;
  readonly #compose: readonly Cursor[];
  readonly #groups: readonly Cursor[];
  readonly #keyedGroups: readonly Cursor[];
  /** Places of mistakes that are reported: each once, not for each controller. */
  readonly #reported = new Set<Cursor>();
  #precedence: GroupPrecedence<GroupDraft>;

  constructor(
    config: Cursor,
    private readonly origin: InventoryOrigin,
    private readonly builder: InventoryBuilder,
    private readonly services: Omit<ConstructedServices, 'readAdjacent'> & { readonly adjacent: readonly GroupVars[] },
  ) {
    this.#strict = readFlag(config, 'strict', false);
    this.#leadingSeparator = readFlag(config, 'leading_separator', true);
    this.#precedence = new GroupPrecedence(builder.groups);
    this.#compose = this.#expressions(config.get('compose'), (text) => `{{${text}}}`);
    this.#groups = this.#expressions(config.get('groups'), asCondition);
    this.#keyedGroups = this.#keyed(config.get('keyed_groups'));
  }

  apply(controller: ControllerDraft): void {
    const before = this.#scope(controller);
    const composed: [string, Value][] = [];
    for (const one of this.#compose)
      this.#attempt(one, `"${one.name}" of ${controller.name} cannot be set`, () => {
        composed.push([one.name, renderText(`{{${written(one)}}}`, before)]);
      });
    if (composed.length > 0) {
      const variables = { values: Object.fromEntries(composed), literal: true };
      this.builder.addControllerVariables([controller.name], variables, this.origin);
    }
    const scope = composed.length > 0 ? this.#scope(controller) : before;
    for (const one of this.#groups) {
      const name = safeGroupName(one.name);
      this.#attempt(one, `${controller.name} cannot be added to the group "${name}"`, () => {
        if (asString(renderText(asCondition(written(one)), scope)).trim() === 'True') this.#join(controller, name, one);
      });
    }
    for (const one of this.#keyedGroups)
      this.#attempt(one, `${controller.name} cannot be added to a group`, () =>
        this.#joinKeyed(controller, one, scope),
      );
  }

  /** The entries of a mapping. Warns of those that can never be evaluated, which are errors if `strict`. */
  #expressions(config: Cursor | undefined, template: (text: string) => string): readonly Cursor[] {
    if (config === undefined) return [];
    if (!isMapping(config.value)) config.error(`${config.title} must be a mapping of names and expressions`);
    for (const one of config.entries()) this.#check(one, template(written(one)));
    return config.entries();
  }

  #keyed(config: Cursor | undefined): readonly Cursor[] {
    if (config === undefined) return [];
    if (!isList(config.value)) {
      config.error('"keyed_groups" must be a list of mappings');
      return [];
    }
    return config.items().filter((one) => {
      const { value } = one;
      if (!isMapping(value) || Object.keys(value).length === 0)
        one.error('an entry of "keyed_groups" must be a mapping');
      else if (value['default_value'] !== undefined && value['trailing_separator'] !== undefined)
        one.error('"default_value" and "trailing_separator" exclude each other');
      else {
        const key = one.get('key');
        if (key === undefined) one.error('an entry of "keyed_groups" needs a "key", an expression');
        else this.#check(key, `{{${written(key)}}}`);
        return key !== undefined;
      }
      return false;
    });
  }

  #check(one: Cursor, template: string): void {
    const { library } = this.builder.services;
    const found = checkTemplates(template, () => one.source, library);
    this.builder.diagnostics.add(this.#strict ? found : found.map((each) => ({ ...each, severity: 'warning' })));
  }

  /** Without `strict`, an expression that fails has no effect, as in Ansible: a variable may be missing. */
  #attempt(one: Cursor, failed: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof TemplateError) && !(error instanceof InvalidEntry)) throw error;
      if ((error instanceof TemplateError && !this.#strict) || this.#reported.has(one)) return;
      this.#reported.add(one);
      one.error(`${failed}: ${error.message}`, error instanceof TemplateError ? error.hint : undefined);
    }
  }

  #joinKeyed(controller: ControllerDraft, config: Cursor, scope: Variables): void {
    const options = isMapping(config.value) ? config.value : {};
    const key = renderText(`{{${written(config.get('key') ?? config)}}}`, scope);
    const instead = options['default_value'] ?? undefined;
    if (!isFilled(key) && !(key === '' && instead !== undefined)) {
      if (this.#strict && !isList(key) && !isMapping(key))
        throw new InvalidEntry(`the key is empty: ${asString(options['key'] ?? null)}`);
      return;
    }
    const prefix = asString(entry(options, 'prefix') ?? '');
    const separator = asString(entry(options, 'separator') ?? '_');
    const parentText = config.get('parent_group');
    const parent = parentText === undefined ? '' : asString(renderText(written(parentText), scope));
    const lead = prefix === '' && !this.#leadingSeparator ? '' : separator;
    for (const bare of bareNames(key, separator, instead, options['trailing_separator'])) {
      const name = safeGroupName(`${prefix}${lead}${bare}`);
      this.#join(controller, name, config);
      if (parent !== '') this.#addParent(safeGroupName(parent), name, config);
    }
  }

  #join(controller: ControllerDraft, group: string, { source }: Cursor): void {
    if (group === '') throw new InvalidEntry('the name of the group is empty');
    this.builder.addController(controller.name, group, this.origin, () => source);
  }

  #addParent(parent: string, group: string, { source }: Cursor): void {
    if (this.builder.groups.get(parent)?.children.has(group) === true) return;
    this.builder.addChild(parent, group, () => source);
    // The depths of groups have changed.
    this.#precedence = new GroupPrecedence(this.builder.groups);
  }

  /** As in Ansible, a group has the variables of `all` only if a source has put it below `all`. */
  #scope(controller: ControllerDraft): Variables {
    const { adjacent, extraVars } = this.services;
    const { groups } = this.builder;
    const above = this.#precedence.ordered(controller.groups);
    const isInAll = controller.groups.has('all') || above.some(({ parents }) => parents.has('all'));
    const all = isInAll ? [groups.get('all') ?? []].flat() : [];
    const names = [...all, ...above].map(({ name }) => name);
    const { name, origin } = controller;
    const magic = magicLayer({ name, groups: above.map((group) => group.name), ...origin });
    const layers = [
      ...[...all, ...above].flatMap((group) => group.layers),
      ...adjacent.flatMap((one) => names.flatMap((name) => one.groups.get(name) ?? [])),
      ...controller.layers,
      ...adjacent.flatMap((one) => one.controllers.get(controller.name) ?? []),
      ...extraVars,
    ];
    return new Variables([...layers, magic], undefined, undefined, this.builder.services.library);
  }
}

export function readFlag(config: Cursor, name: string, otherwise: boolean): boolean {
  const one = config.get(name);
  const value = one === undefined ? otherwise : readBoolean(one.value);
  if (typeof value === 'boolean') return value;
  one?.error(`"${name}" must be true or false`);
  return otherwise;
}

/** As in Ansible: letters, digits and "_", without a digit at the start. */
function safeGroupName(name: string): string {
  return name.replace(/^\d|[^\p{L}\p{N}_]/gu, '_');
}

function written({ value }: Cursor): string {
  return asString(value);
}

function asCondition(text: string): string {
  return `{% if ${text} %} True {% else %} False {% endif %}`;
}

function isFilled(key: Value): boolean {
  if (isList(key)) return key.length > 0;
  return isMapping(key) ? Object.keys(key).length > 0 : Boolean(key);
}

/** The names of groups without their prefix: a text is one, a list has several, a mapping has name and value. */
function bareNames(key: Value, separator: string, instead: Value | undefined, trailing: Value | undefined): string[] {
  const filled = (name: Value): string => asString(name === '' && instead !== undefined ? instead : name);
  if (typeof key === 'string') return [filled(key)];
  if (isList(key)) return key.map(filled);
  if (!isMapping(key)) throw new InvalidEntry(`the key must be a text, a list or a mapping, not ${asString(key)}`);
  return Object.entries(key).map(([name, value]) =>
    value === '' && instead === undefined && trailing === false ? name : `${name}${separator}${filled(value)}`,
  );
}
