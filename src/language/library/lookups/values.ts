import type { Inventory } from '../../../core/model/inventory/inventory.js';
import { selectControllers } from '../../../core/model/inventory/pattern.js';
import { joinPatterns } from '../../../core/model/inventory/pattern_terms.js';
import { isList, isMapping, type Value } from '../../../core/model/values/value.js';
import { WaitInterrupted } from '../../../core/programs/side_thread.js';
import { MersenneTwister } from '../../python/mersenne_twister.js';
import { splitLines } from '../../python/string.js';
import type { CallableArguments } from '../../runtime/arguments.js';
import { Interrupted, NotKnownYet } from '../../runtime/errors.js';
import { asText, describe, evaluateLazy, step } from '../../runtime/result.js';
import { pattern } from '../texts/regexes.js';
import { describeError, flattenTerms, forEach, playbookFolder, type LookupCall, type Lookups } from './lookup.js';

/** Lookups of variables. */
export const valueLookups = {
  vars: forEach(['default'], (term, { args, options }) => {
    const value = args.scope.get(requireName(args, term));
    const found = value === undefined ? options.get('default') : value;
    if (found !== undefined) return found;
    throw args.error(`variable "${asText(term)}" is not defined`, 'write default=… where it may be missing');
  }),
  varnames: {
    options: [],
    run: (call) => {
      if (call.args.invoke.preview !== undefined) throw new NotKnownYet('varnames');
      const names = [...call.args.scope.names()];
      return flattenTerms(call).flatMap((term) => names.filter((name) => pattern(asText(term)).test(name)));
    },
  },
  /** The controllers that match a pattern, in the terms of the play's `groups`. */
  inventory_hostnames: { options: [], run: controllersIn },
  /** One of the terms: always the same for a controller, because a repeated run must do the same. */
  random_choice: { options: ['seed'], run: choose },
} satisfies Lookups;

function requireName(args: CallableArguments, term: Value): string {
  if (typeof term === 'string') return term;
  throw args.error(`the name of a variable is needed, not ${describe(term)}`);
}

/** Nothing if the pattern is wrong, as in Ansible. */
function controllersIn(call: LookupCall): readonly Value[] {
  const patterns = flattenTerms(call).map(asText);
  return selectControllers(requireInventory(call.args), joinPatterns(patterns)).names;
}

/**
 * Cached by the list of all controllers, which is a new object after each change of a group, because thousands of controllers need
 * the same.
 */
const inventories = new WeakMap<object, Inventory>();

function requireInventory(args: CallableArguments): Inventory {
  const groups = args.scope.get('groups') ?? {};
  const all = step(groups, 'all') ?? [];
  const known = isList(all) ? inventories.get(all) : undefined;
  if (known !== undefined) return known;
  const made = inventoryFrom(evaluateLazy(groups), args);
  if (isList(all)) inventories.set(all, made);
  return made;
}

function inventoryFrom(groups: Value, args: CallableArguments): Inventory {
  if (!isMapping(groups)) throw args.error(`"groups" must be a mapping, not ${describe(groups)}`);
  const asNames = (value: Value): readonly string[] => (isList(value) ? value.map(asText) : []);
  const members = Object.entries(groups).map(([name, names]) => [name, asNames(names)] as const);
  return {
    groups: new Map(members.map(([name, controllers]) => [name, { name, controllers, children: [], layers: [] }])),
    controllers: new Map(members.flatMap(([, names]) => names.map((name) => [name, { name, groups: [], layers: [] }]))),
  };
}

function choose({ terms, options, args }: LookupCall): readonly Value[] {
  const seed = options.get('seed') ?? args.scope.get('inventory_hostname') ?? '';
  if (terms.length === 0) return [];
  return [terms[new MersenneTwister(typeof seed === 'number' ? seed : asText(seed)).below(terms.length)] ?? null];
}

/** The environment and the shell. */
export const processLookups = {
  env: forEach(
    ['default'],
    (term, { options, args }) => environment(asText(term), args) ?? options.get('default') ?? '',
  ),
  /** The output of a command, run by `/bin/sh` in the playbook's folder. */
  pipe: forEach([], (term, call) => output(asText(term), call).trimEnd()),
  /** The same, line by line. */
  lines: {
    options: [],
    run: (call) => flattenTerms(call).flatMap((term) => splitLines(output(asText(term), call), 'bytes')),
  },
} satisfies Lookups;

function environment(name: string, { invoke }: LookupCall['args']): string | undefined {
  const value = process.env[name];
  if (value === undefined) invoke.preview?.unset(name);
  return value;
}

function output(command: string, { args }: LookupCall): string {
  const { commands, preview } = args.invoke;
  const { allowed } = commands;
  if (!allowed && preview?.readsLocal !== true) throw args.error(`--no-exec does not run the command "${command}"`);
  if (preview !== undefined && !(preview.readsLocal && allowed)) throw new NotKnownYet(`the output of "${command}"`);
  try {
    return commands.run(command, playbookFolder(args));
  } catch (error) {
    if (error instanceof WaitInterrupted) throw new Interrupted(`interrupted during the command "${command}"`);
    throw args.error(`the command "${command}" failed: ${describeError(error)}`);
  }
}
