import { didYouMean } from '../../core/model/source/suggestion.js';
import { isMapping, type Mapping, type Value } from '../../core/model/values/value.js';
import { hasTemplate } from '../../language/syntax/template.js';
import { describeKind } from '../document/cursor.js';
import type { ParsedYaml } from '../yaml/parse_yaml.js';
import { GROUP_SECTIONS, type InventoryBuilder, type InventoryOrigin, type LocateLazily } from './builder.js';
import { expandNames } from './range.js';

type Path = readonly string[];

/** Reads groups, their controllers, variables and child groups from a parsed YAML (or JSON) inventory. */
export function addYamlInventory(parsed: ParsedYaml, origin: InventoryOrigin, builder: InventoryBuilder): void {
  const { value } = parsed;
  const reader = new YamlReader(parsed, origin, builder);
  if (value === null) builder.diagnostics.warn(`${origin.shown} is empty: it has no controllers`);
  else if (!isMapping(value)) reader.wrong(`an inventory must be a mapping of groups, not ${describeKind(value)}`, []);
  else for (const [name, group] of Object.entries(value)) reader.group(name, group, [name]);
}

class YamlReader {
  constructor(
    private readonly parsed: ParsedYaml,
    private readonly origin: InventoryOrigin,
    private readonly builder: InventoryBuilder,
  ) {}

  wrong(message: string, path: Path, hint?: string): void {
    this.builder.diagnostics.error(message, this.parsed.locate(path), hint);
  }

  group(name: string, content: Value, path: Path): void {
    this.builder.addGroup(name, this.#keyPlace(path));
    if (content === null) return;
    if (!isMapping(content))
      return this.wrong(
        `group "${name}" must be a mapping with "hosts", "vars" or "children", not ${describeKind(content)}`,
        path,
      );
    for (const [key, section] of Object.entries(content)) this.#section(name, key, section, [...path, key]);
  }

  #section(group: string, key: string, section: Value, path: Path): void {
    if (!GROUP_SECTIONS.some((one) => one === key)) {
      const hint = didYouMean(key, GROUP_SECTIONS) ?? 'a group has "hosts", "vars" and "children"';
      const message = `unknown key "${key}" in group "${group}"`;
      return this.builder.diagnostics.error(message, this.parsed.locateKey(path), hint);
    }
    const content = this.#mapping(group, key, section, path);
    if (key === 'hosts')
      for (const [name, variables] of Object.entries(content))
        this.#controllers(group, name, variables, [...path, name]);
    else if (key === 'vars') this.builder.addGroupVariables(group, this.#given(content, path), this.origin);
    else for (const [name, child] of Object.entries(content)) this.#child(group, name, child, [...path, name]);
  }

  /** A single controller or child group may be written without a colon, as in Ansible. */
  #mapping(group: string, key: string, section: Value, path: Path): Mapping {
    if (section === null) return {};
    if (isMapping(section)) return section;
    const hint =
      key === 'vars'
        ? 'write a line "name: value" for each'
        : 'write a line "name:" for each, with a colon and without "-"';
    if (typeof section === 'string' && key !== 'vars') {
      if (/\s/.test(section) && !hasTemplate(section)) {
        const message = `"${key}" of group "${group}" is one name with a space`;
        this.builder.diagnostics.warn(message, this.parsed.locate(path), hint);
      }
      return { [section]: null };
    }
    this.wrong(`"${key}" of group "${group}" must be a mapping, not ${describeKind(section)}`, path, hint);
    return {};
  }

  #child(parent: string, name: string, content: Value, path: Path): void {
    this.group(name, content, path);
    this.builder.addChild(parent, name, this.#keyPlace(path));
  }

  #controllers(group: string, pattern: string, variables: Value, path: Path): void {
    const expansion = expandNames(pattern);
    if (expansion.type === 'problem')
      return this.builder.diagnostics.error(expansion.message, this.parsed.locateKey(path), expansion.hint);
    const place = this.#keyPlace(path);
    for (const name of expansion.names) this.builder.addController(name, group, this.origin, place, expansion.port);
    if (variables === null) return;
    if (isMapping(variables))
      this.builder.addControllerVariables(expansion.names, this.#given(variables, path), this.origin);
    else this.wrong(`the variables of "${pattern}" must be a mapping, not ${describeKind(variables)}`, path);
  }

  // These functions live as long as the inventory: they must not keep the reader and its builder in memory.

  #given(values: Mapping, path: Path): { values: Mapping; locate: ParsedYaml['locate'] } {
    const parsed = this.parsed;
    return { values, locate: (inside) => parsed.locate([...path, ...inside]) };
  }

  #keyPlace(path: Path): LocateLazily {
    const parsed = this.parsed;
    return () => parsed.locateKey(path);
  }
}
