import { GREATEST_PORT } from '../../core/model/inventory/address.js';
import { isNumeric } from '../../core/model/values/json.js';
import { halfCharacter } from '../../core/model/values/uri.js';
import { isMapping, parseFlag, type Value } from '../../core/model/values/value.js';

export interface SettingProblem {
  readonly message: string;
  readonly hint?: string | undefined;
  /** The variables that it is about, strongest first. */
  readonly variables: readonly string[];
  /** The message without the controller's name, if it has that: the same for all controllers with this problem. */
  readonly general?: string | undefined;
}

/** A variable of the controller, rendered; undefined if there is none. */
export type VariableLookup = (name: string) => Value | undefined;

/** The first of several names that is set. */
export interface FoundVariable {
  readonly name: string;
  readonly value: Value;
}

/** Reads variables by their names, strongest first, and collects their problems. */
export class SettingValues {
  readonly problems: SettingProblem[] = [];

  constructor(
    private readonly lookup: VariableLookup,
    readonly controller: string,
  ) {}

  /** `null` counts as unset, as an empty YAML value is. */
  isSet(name: string): boolean {
    return (this.lookup(name) ?? null) !== null;
  }

  isEmpty(name: string): boolean {
    return this.lookup(name) === '';
  }

  /**
   * The value of a variable that can be more than text. Empty text is a problem: an unset environment variable must not
   * become another tenant, another account or another address.
   */
  first(names: readonly string[], hint = 'leave it out to use its default'): FoundVariable | undefined {
    for (const name of names) {
      const value = this.lookup(name) ?? null;
      if (value !== null) return this.#checked({ name, value }, hint);
    }
    return undefined;
  }

  #checked({ name, value }: FoundVariable, hint: string): FoundVariable | undefined {
    const half = typeof value === 'string' ? halfCharacter(value) : undefined;
    if (half !== undefined) {
      const advice = { hint: 'write the whole character, or leave it out' };
      this.problem(`${name} contains ${half}, which is half of a character`, [name], advice);
      return undefined;
    }
    if (value !== '') return { name, value };
    this.problem(`${name} of ${this.controller} is empty`, [name], { hint, general: `${name} is empty` });
    return undefined;
  }

  /** As `text`; a problem if none of them is set. */
  required(names: readonly [string, ...string[]], hint: string): string | undefined {
    const found = this.first(names, `${hint}; if it comes from the environment, export that variable`);
    if (found !== undefined) return this.#readText(found, names);
    const [name] = names;
    if (!names.some((one) => this.isSet(one)))
      this.problem(`${this.controller} has no ${name}`, names, { hint, general: `no ${name}` });
    return undefined;
  }

  problem(message: string, variables: readonly string[], details: Pick<SettingProblem, 'hint' | 'general'> = {}): void {
    this.problems.push({ message, variables, ...details });
  }

  /** Whole numbers count as text, as in Ansible. */
  text(...names: readonly string[]): string | undefined {
    const found = this.first(names);
    return found === undefined ? undefined : this.#readText(found, names);
  }

  #readText({ name, value }: FoundVariable, names: readonly string[]): string | undefined {
    if (typeof value === 'string') return value;
    // Of a version, the message about its form says more.
    if (isNumeric(value) && (Number.isInteger(Number(value)) || name === 'controller_api_version'))
      return String(value);
    const why = isNumeric(value) ? { hint: 'quote it: zeros at the end of a number are lost' } : {};
    this.problem(`${name} must be text`, names, why);
    return undefined;
  }

  /** Booleans, and the texts that INI files and `-e` make of them. */
  flag(...names: readonly string[]): boolean | undefined {
    return this.#flag(names, 'true or false');
  }

  /** As `flag`; the first name can also have one other value. */
  flagOr<Word extends string>(word: Word, ...names: readonly [string, ...string[]]): boolean | Word | undefined {
    return this.lookup(names[0]) === word ? word : this.#flag(names, `true, false or ${word}`);
  }

  #flag(names: readonly string[], wanted: string): boolean | undefined {
    const found = this.first(names);
    if (found === undefined) return undefined;
    const known = parseFlag(found.value);
    if (known === undefined) this.problem(`${found.name} must be ${wanted}`, names);
    return known;
  }

  /** A number from `least` to `most`, whole if asked; texts that are numbers count. */
  number(options: NumberOptions, ...names: readonly string[]): number | undefined {
    const found = this.first(names);
    if (found === undefined) return undefined;
    const { name, value } = found;
    const number = typeof value === 'string' && DECIMAL.test(value.trim()) ? Number(value) : value;
    if (typeof number === 'number' && fits(number, options)) return number;
    const most = options.most === undefined ? '' : ` and at most ${options.most}`;
    this.problem(`${name} must be a ${options.whole ? 'whole ' : ''}number of at least ${options.least}${most}`, names);
    return undefined;
  }

  mapping(name: string): Readonly<Record<string, Value>> {
    const found = this.first([name]);
    if (found === undefined) return {};
    if (isMapping(found.value)) return found.value;
    this.problem(`${name} must be a mapping of header names to texts`, [name]);
    return {};
  }
}

/** A number as people write it: not `0x1bb` or `1e3`. */
const DECIMAL = /^[+-]?[0-9]+(?:\.[0-9]+)?$/;

/** A port of TCP. */
export const PORT: NumberOptions = { least: 1, most: GREATEST_PORT, whole: true };

interface NumberOptions {
  readonly least: number;
  readonly most?: number;
  readonly whole: boolean;
}

function fits(number: number, { least, most = Number.MAX_VALUE, whole }: NumberOptions): boolean {
  return number >= least && number <= most && (!whole || Number.isInteger(number));
}
