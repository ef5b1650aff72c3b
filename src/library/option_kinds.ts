import { DATA, oddIn } from '../controller/answers/json_object.js';
import { STRATEGIES, type ForkCount } from '../core/model/run/choices.js';
import type { Event } from '../core/model/run/event.js';
import { isMapping, type Mapping } from '../core/model/values/value.js';
import { schemaProblem, isNamedModule, missingParts } from '../launch/user_code/user_module.js';
import type { Module } from '../module/contract.js';
import type { RunPlaybookOptions, TargetOptions } from './options.js';

/** What an option takes. Programs in JavaScript may pass anything. */
export interface OptionKind<T> {
  /** Follows "must be". */
  readonly words: string;
  readonly is: (value: unknown) => value is T;
  /** What is wrong inside of the value; follows the name of the option and a colon. */
  readonly problem?: (value: T) => string | undefined;
}

/** A kind for each option of a function. */
export type OptionKinds<T> = { readonly [K in keyof T]-?: OptionKind<NonNullable<T[K]>> };

export const text: OptionKind<string> = { words: 'a text', is: isText };

export const texts: OptionKind<readonly string[]> = {
  words: 'a list of texts',
  is: (value): value is readonly string[] => Array.isArray(value) && value.every(isText),
};

export const someTexts: OptionKind<readonly string[]> = {
  words: 'a list of at least one text',
  is: (value): value is readonly string[] => texts.is(value) && value.length > 0,
};

export const shard: OptionKind<string> = {
  words: "I/N with I from 1 to N, such as '2/4', or auto/N",
  is: (value): value is string => {
    if (!isText(value)) return false;
    const [, part, of] = /^(auto|[1-9]\d*)\/([1-9]\d*)$/.exec(value) ?? [];
    return of !== undefined && (part === 'auto' || Number(part) <= Number(of));
  },
};

export const flag: OptionKind<boolean> = {
  words: 'true or false',
  is: (value): value is boolean => typeof value === 'boolean',
};

export const count = wholeFrom(1);
export const level = wholeFrom(0);

export const values: OptionKind<Mapping> = {
  words: 'an object of values by name',
  is: isMapping,
  problem: dataProblem,
};

export const environment: OptionKind<NonNullable<TargetOptions['env']>> = {
  words: 'an object of texts by name',
  is: (value): value is NonNullable<TargetOptions['env']> =>
    isObject(value) && Object.values(value).every((one) => one === undefined || isText(one)),
};

export const versions: OptionKind<readonly string[]> = {
  words: "a list of API versions such as '22.1.3'",
  is: (value): value is readonly string[] => texts.is(value) && value.every((one) => /^\d+\.\d+\.\d+$/.test(one)),
};

export const strategy: OptionKind<NonNullable<RunPlaybookOptions['strategy']>> = {
  words: `one of ${STRATEGIES.join(', ')}`,
  is: (value): value is NonNullable<RunPlaybookOptions['strategy']> => STRATEGIES.some((one) => one === value),
};

export const inventory: OptionKind<NonNullable<TargetOptions['inventory']>> = {
  words: 'a text, an object of groups by name, or a list of at least one of these',
  is: (value): value is NonNullable<TargetOptions['inventory']> =>
    [value].flat().length > 0 && [value].flat().every((one) => isText(one) || isObject(one)),
  problem: (value) => first([value].flat(), dataProblem),
};

export const listener: OptionKind<(event: Event) => void> = {
  words: 'a function',
  is: (value): value is (event: Event) => void => typeof value === 'function',
};

export const forks: OptionKind<ForkCount> = {
  words: 'a whole number from 1, or "auto"',
  is: (value): value is ForkCount => value === 'auto' || count.is(value),
};

export const signal: OptionKind<AbortSignal> = {
  words: 'an AbortSignal',
  is: (value): value is AbortSignal => value instanceof AbortSignal,
};

export const modules: OptionKind<readonly Module[]> = {
  words: 'a list of modules from defineResource or defineAction',
  is: (value): value is readonly Module[] => Array.isArray(value) && value.every(isNamedModule),
  problem: (value) => first(value, moduleProblem),
};

export const moduleOrName: OptionKind<string | Module> = {
  words: 'the name of a module, or one from defineResource or defineAction',
  is: (value): value is string | Module => isText(value) || isNamedModule(value),
  problem: (value) => (isText(value) ? undefined : moduleProblem(value)),
};

/** JSON would leave it out or change it, and a controller would get that. */
function dataProblem(value: unknown): string | undefined {
  const odd = oddIn(value, 'option');
  return odd === undefined ? undefined : `there is ${odd}; values are ${DATA}`;
}

function moduleProblem(module: Module): string | undefined {
  const missing = missingParts(module);
  if (missing.length > 0) return `"${module.name}" lacks ${missing.join(', ')}`;
  const problem = schemaProblem(module);
  return problem === undefined ? undefined : `"args" of "${module.name}" cannot be used: ${problem}`;
}

function first<T>(all: readonly T[], problem: (one: T) => string | undefined): string | undefined {
  return all.map(problem).find((one) => one !== undefined);
}

function wholeFrom(least: number): OptionKind<number> {
  return {
    words: `a whole number from ${least}`,
    is: (value): value is number => Number.isInteger(value) && Number(value) >= least,
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
