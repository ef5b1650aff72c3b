import { isMapping, type Value } from '../../model/values/value.js';

export interface SettingProblem {
  readonly message: string;
  readonly hint?: string | undefined;
  /** The variables that it is about, strongest first. */
  readonly variables: readonly string[];
  /** The message without the controller's name, if it has that: the same for all controllers with this problem. */
  readonly general?: string | undefined;
}

/** A variable of the controller, rendered; undefined if there is none. */
export type Lookup = (name: string) => Value | undefined;

/**
 * The first of several names that is defined. `null` counts as undefined, as an empty YAML value is, and so does empty
 * text: an unset environment variable must not become a sign-in without a password.
 */
export interface Found {
  readonly name: string;
  readonly value: Value;
}

/** Reads variables by their names, strongest first, and collects their problems. */
export class SettingValues {
  readonly problems: SettingProblem[] = [];

  constructor(private readonly lookup: Lookup) {}

  first(...names: readonly string[]): Found | undefined {
    for (const name of names) {
      const value = this.lookup(name);
      if (value !== undefined && value !== null && value !== '') return { name, value };
    }
    return undefined;
  }

  /** The first of these variables that is set to empty text. */
  emptied(...names: readonly string[]): string | undefined {
    return names.find((name) => this.lookup(name) === '');
  }

  problem(message: string, variables: readonly string[], details: Pick<SettingProblem, 'hint' | 'general'> = {}): void {
    this.problems.push({ message, variables, ...details });
  }

  /** Numbers count as text, as in Ansible. */
  text(...names: readonly string[]): string | undefined {
    const found = this.first(...names);
    return found === undefined ? undefined : this.textOf(found, names);
  }

  /** As `text`, for a value that was found under one of the names. */
  textOf({ name, value }: Found, names: readonly string[]): string | undefined {
    if (typeof value === 'string') return value;
    if (typeof value === 'number') return String(value);
    this.problem(`${name} must be text`, names);
    return undefined;
  }

  /** Booleans, and the texts that INI files and `-e` make of them. */
  flag(...names: readonly string[]): boolean | undefined {
    const found = this.first(...names);
    if (found === undefined) return undefined;
    const text = JSON.stringify(found.value).replaceAll('"', '').toLowerCase();
    if (TRUE.has(text)) return true;
    if (FALSE.has(text)) return false;
    this.problem(`${found.name} must be true or false`, names);
    return undefined;
  }

  /** A number from `least` to `most`, whole if asked; texts that are numbers count. */
  number(options: NumberOptions, ...names: readonly string[]): number | undefined {
    const found = this.first(...names);
    if (found === undefined) return undefined;
    const { name, value } = found;
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number === 'number' && fits(number, options)) return number;
    const most = options.most === undefined ? '' : ` and at most ${options.most}`;
    this.problem(`${name} must be a ${options.whole ? 'whole ' : ''}number of at least ${options.least}${most}`, names);
    return undefined;
  }

  mapping(name: string): Readonly<Record<string, Value>> {
    const found = this.first(name);
    if (found === undefined) return {};
    if (isMapping(found.value)) return found.value;
    this.problem(`${name} must be a mapping of header names to texts`, [name]);
    return {};
  }
}

interface NumberOptions {
  readonly least: number;
  readonly most?: number;
  readonly whole: boolean;
}

function fits(number: number, { least, most = Number.MAX_VALUE, whole }: NumberOptions): boolean {
  return number >= least && number <= most && (!whole || Number.isInteger(number));
}

const TRUE: ReadonlySet<string> = new Set(['true', 'yes', 'on', '1', 'y', 't']);
const FALSE: ReadonlySet<string> = new Set(['false', 'no', 'off', '0', 'n', 'f']);
