import { type FieldPath, pathText } from '../../core/model/source/diagnostic.js';
import { didYouMean } from '../../core/model/source/suggestion.js';
import { display, entry, isList, isMapping, mappingsIn } from '../../core/model/values/value.js';
import type { Mapping, Value } from '../../core/model/values/value.js';
import { textsIn } from '../arguments/validation.js';
import { brokenRules, mutuallyExclusive, supported, choiceProblem, type Rules } from './requirements.js';
import { convert, isTypeName, kindName } from './types.js';

/**
 * Compares arguments with an argument specification: a mapping of names to `type`, `required`, `choices` and so on.
 * Checks in the same order as Ansible's `ArgumentSpecValidator`, and uses its messages where they are clear.
 *
 * @param rules conditions on several arguments together
 */
export function validateSpecified(spec: Mapping, args: Mapping, rules: Rules = {}): Findings {
  const findings = new Findings();
  new ArgumentLevel(spec, rules, [], findings).check(args);
  return findings;
}

/** The arguments of one mapping: the outermost one, or one that is an argument itself. */
class ArgumentLevel {
  readonly #aliases: ReadonlyMap<string, string>;

  constructor(
    private readonly spec: Mapping,
    private readonly rules: Rules,
    private readonly around: FieldPath,
    private readonly findings: Findings,
  ) {
    this.#aliases = new Map(
      this.#options().flatMap(([name, { aliases }]) =>
        (isList(aliases) ? aliases : []).flatMap((one) => (typeof one === 'string' ? [[one, name] as const] : [])),
      ),
    );
  }

  check(args: Mapping): void {
    const values: Record<string, Value> = { ...args };
    this.#takeAliases(values);
    this.#learn(values);
    this.#checkNames(values);
    this.#addErrors(mutuallyExclusive(this.rules, values));
    this.#setDefaults(values);
    this.#checkRequired(values);
    for (const [name, option] of this.#options()) this.#checkType(name, option, values);
    for (const [name, option] of this.#options()) this.#checkChoice(name, option, values);
    this.#addErrors(brokenRules(this.rules, values));
    for (const [name, option] of this.#options()) this.#checkInside(name, option, values);
  }

  #options(): readonly (readonly [string, Mapping])[] {
    return Object.entries(this.spec).map(([name, option]) => [name, isMapping(option) ? option : {}]);
  }

  #error(name: string, message: string): void {
    this.findings.error([...this.around, name], message, this.around);
  }

  #addErrors(messages: readonly string[]): void {
    for (const message of messages) this.findings.error(this.around, message, this.around);
  }

  #takeAliases(values: Record<string, Value>): void {
    for (const [alias, name] of this.#aliases) {
      const value = entry(values, alias);
      if (value === undefined) continue;
      if (entry(values, name) !== undefined)
        this.findings.warnings.push(`both "${this.#named(name)}" and its alias "${alias}" are set`);
      values[name] = value;
    }
  }

  /** Collects secrets, and warns of deprecated arguments. */
  #learn(values: Mapping): void {
    for (const [name, option] of this.#options()) {
      const value = entry(values, name);
      if (option['no_log'] === true) this.findings.hide(value ?? option['default']);
      const end = option['removed_in_version'] ?? option['removed_at_date'] ?? null;
      if (value !== undefined && end !== null) this.#deprecated(name, option);
      for (const old of mappingsIn(option['deprecated_aliases'])) {
        if (typeof old['name'] === 'string' && entry(values, old['name']) !== undefined)
          this.#deprecated(old['name'], old);
      }
    }
  }

  #deprecated(name: string, option: Mapping): void {
    const version = option['removed_in_version'] ?? option['version'] ?? null;
    const date = option['removed_at_date'] ?? option['date'] ?? null;
    const end =
      version !== null
        ? ` and will be removed in version ${display(version)}`
        : date === null
          ? ''
          : ` and will be removed on ${display(date)}`;
    this.findings.warnings.push(`the argument "${this.#named(name)}" is deprecated${end}`);
  }

  #named(name: string): string {
    return pathText([...this.around, name]);
  }

  #checkNames(values: Mapping): void {
    const known = [...Object.keys(this.spec), ...this.#aliases.keys()];
    for (const name of Object.keys(values)) {
      if (known.includes(name)) continue;
      const hint = didYouMean(name, known);
      const suggestion = hint === undefined ? '' : ` (${hint})`;
      const others = supported(this.spec, this.#aliases);
      this.#error(name, `unsupported parameter: ${name}${suggestion}. Supported parameters include: ${others}`);
    }
  }

  #setDefaults(values: Record<string, Value>): void {
    for (const [name, option] of this.#options()) {
      const value = option['default'] ?? null;
      if (value !== null && entry(values, name) === undefined) values[name] = value;
    }
  }

  #checkRequired(values: Mapping): void {
    const missing = this.#options().filter(
      ([name, { required }]) => required === true && entry(values, name) === undefined,
    );
    if (missing.length === 0) return;
    this.#addErrors([
      `missing required arguments: ${missing
        .map(([name]) => name)
        .sort()
        .join(', ')}`,
    ]);
  }

  /** Values that cannot be converted stay as they are; an item of a list is dropped, because one error is enough. */
  #checkType(name: string, option: Mapping, values: Record<string, Value>): void {
    const value = entry(values, name) ?? null;
    if (value === null) return;
    const converted = this.#converted(`argument '${name}'`, name, value, option['type'] ?? 'str');
    values[name] = converted ?? value;
    const elements = option['elements'] ?? null;
    if (converted === undefined || elements === null || !isList(converted)) return;
    const what = `Elements value for option '${name}'`;
    const items = converted.map((item) => this.#converted(what, name, item, elements));
    values[name] = items.filter((item) => item !== undefined);
  }

  #converted(what: string, name: string, value: Value, type: Value): Value | undefined {
    const converted = isTypeName(type) ? convert(type, value) : undefined;
    if (converted === undefined)
      this.#error(name, `${what} is of type ${kindName(value)} and we were unable to convert to ${display(type)}`);
    return converted;
  }

  #checkChoice(name: string, option: Mapping, values: Mapping): void {
    const choices = option['choices'] ?? null;
    const value = entry(values, name);
    if (choices === null || value === undefined) return;
    const wrong = choiceProblem(name, value, choices, option['no_log'] === true);
    if (wrong !== undefined) this.#error(name, wrong);
  }

  #checkInside(name: string, option: Mapping, values: Mapping): void {
    const { options, type, elements } = option;
    const list = type === 'list' && elements === 'dict';
    if (!isMapping(options) || !(type === 'dict' || list)) return;
    const value = entry(values, name) ?? (option['apply_defaults'] === true ? {} : null);
    if (value === null) return;
    const here = [...this.around, name];
    const items = isList(value) ? value : [value];
    for (const [index, item] of items.entries()) {
      const around = isList(value) ? [...here, index] : here;
      if (isMapping(item)) new ArgumentLevel(options, option, around, this.findings).check(item);
      else this.#error(name, `value of '${name}' must be of type dict or list of dicts`);
    }
  }
}

/** A problem of an argument. */
interface ArgumentError {
  /** The path of the argument, from the outermost in. */
  readonly path: FieldPath;
  readonly message: string;
}

/** Collects problems while arguments are compared with their specification. */
class Findings {
  readonly errors: ArgumentError[] = [];
  readonly warnings: string[] = [];
  /** Texts that `no_log` masks. */
  readonly secrets = new Set<string>();

  error(path: FieldPath, message: string, around: FieldPath): void {
    const where = around.length === 0 ? '' : ` found in ${contextText(around)}`;
    this.errors.push({ path, message: `${message}${where}` });
  }

  hide(value: Value | undefined): void {
    for (const text of textsIn(value ?? null)) this.secrets.add(text);
  }
}

/** `outer -> items[0]` */
function contextText(around: FieldPath): string {
  return around.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? step : `${text} -> ${step}`;
  }, '');
}
