import { didYouMean } from '../../core/model/source/suggestion.js';
import { withoutCollection, type Callable, type CallableTable, type Signature } from '../runtime/callable.js';
import { isUnpacked, type Expression, type MappingPair, type SubExpression } from '../syntax/expressions/nodes.js';

/** Why a call cannot work with any values. */
export interface CallProblem {
  readonly message: string;
  readonly hint?: string | undefined;
}

/** The arguments of a call, assigned to the parameters of the callable. */
export interface BoundCall {
  readonly callable: Callable;
  readonly slots: readonly (Expression | undefined)[];
  readonly rest: readonly Expression[];
  readonly named: readonly MappingPair[];
}

/**
 * Finds the callable of a call and assigns its arguments to parameters, or returns the problem. Of a call that unpacks
 * arguments, checks only that the callable exists.
 */
export function bind(node: SubExpression, table: CallableTable): BoundCall | { readonly problem: CallProblem } {
  const callable = table.called(node);
  if (callable === undefined) return { problem: unknown(node, table) };
  const { parameters, aliases, positional, required, variadic, open } = callable.signature();
  const slots: (Expression | undefined)[] = parameters.map((_, index) =>
    index < positional ? node.params[index] : undefined,
  );
  if (isUnpacked(node)) return { callable, slots, rest: [], named: [] };
  const rest = node.params.slice(positional);
  if (rest.length > 0 && !variadic) return { problem: wrongCount(node, callable) };
  const named: MappingPair[] = [];
  for (const pair of node.hash) {
    const index = parameters.indexOf(aliases.get(pair.key) ?? pair.key);
    // `lookup("acme.lb.vip", name="edge")`: the first argument is the lookup's name already.
    const isGiven = index >= 0 && slots[index] !== undefined;
    if (index >= 0 && !isGiven) slots[index] = pair.value;
    else if (open) named.push(pair);
    else if (isGiven) return { problem: { message: `"${node.name}" gets its argument "${pair.key}" twice` } };
    else return { problem: unknownArgument(node, callable, pair.key) };
  }
  const missing = slots.findIndex((slot, index) => slot === undefined && index < required);
  return missing < 0 ? { callable, slots, rest, named } : { problem: wrongCount(node, callable) };
}

function unknown(node: SubExpression, table: CallableTable): CallProblem {
  const kind = node.test ? 'test' : 'filter or function';
  const name = withoutCollection(node.name);
  const hint = absentHint(name) ?? didYouMean(name, node.test ? table.testNames() : table.filterNames());
  return { message: `there is no ${kind} "${name}"`, hint };
}

function wrongCount(node: SubExpression, callable: Callable): CallProblem {
  const given = node.params.length + node.hash.length;
  return {
    message: `"${node.name}" takes ${arity(callable.signature())}, but ${given === 0 ? 'none is' : given === 1 ? 'one is' : `${given} are`} given`,
    hint: `write ${node.name}(${callable.signature().text})`,
  };
}

function unknownArgument(node: SubExpression, callable: Callable, key: string): CallProblem {
  const { parameters, text } = callable.signature();
  const hint = didYouMean(key, parameters) ?? `write ${node.name}(${text})`;
  return { message: `"${node.name}" has no argument "${key}"`, hint };
}

function arity({ required, parameters, variadic }: Signature): string {
  if (variadic) return `at least ${count(required)}`;
  return parameters.length === required ? count(required) : `${required} to ${count(parameters.length)}`;
}

function count(arguments_: number): string {
  return arguments_ === 1 ? '1 argument' : arguments_ === 0 ? 'no arguments' : `${arguments_} arguments`;
}

const OWN_FILTER = 'write a filter in filters/, in TypeScript';
const XML = 'XML has no meaning here: write a filter in filters/, in TypeScript';
const INI = 'write lookup("ini", key, section=…, file=…)';
const COMMAND = 'devices with a command line have no meaning here';

/** Ansible's filters and tests that do not exist here, with what to do instead. */
const ABSENT: ReadonlyMap<string, string> = new Map([
  ['attr', 'write value[name]'],
  ['comp_type5', COMMAND],
  ['consolidate', OWN_FILTER],
  ['fact_diff', 'write value == other, or run with --diff'],
  ['from_ini', INI],
  ['from_xml', XML],
  ['hashids_decode', OWN_FILTER],
  ['hashids_encode', OWN_FILTER],
  ['ipcut', OWN_FILTER],
  ['jc', 'write pipe("… | jc …") | from_json'],
  ['parse_cli', COMMAND],
  ['parse_cli_textfsm', COMMAND],
  ['parse_xml', XML],
  ['to_ini', OWN_FILTER],
  ['to_prettytable', 'write value | to_nice_yaml'],
  ['to_xml', XML],
  ['type5_pw', COMMAND],
  ['validate', 'write the task assert'],
  ['callable', 'no value is a function here'],
  ['escaped', 'nothing is escaped here'],
  ['filter', 'unknown filters are reported before the run'],
  ['pprint', 'write value | to_nice_json'],
  ['striptags', 'write text | regex_replace("<[^>]*>", "")'],
  ['test', 'unknown tests are reported before the run'],
  ['unvault', 'write lookup("unvault", file)'],
  ['urlize', 'write the link yourself'],
  ['vault', 'encrypt beforehand: evenkeel vault encrypt-string'],
  ['vault_encrypted', 'values are decrypted when they are read'],
]);

export function absentHint(name: string): string | undefined {
  return ABSENT.get(name);
}
