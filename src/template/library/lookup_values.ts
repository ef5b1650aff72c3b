import { isList, isMapping, type Mapping, type Value } from '../../model/value.js';
import { settle } from '../access.js';
import { NotKnownYet } from '../errors.js';
import { asText, describe } from '../text.js';
import type { Arguments } from './arguments.js';
import { forEach, termsOf, type Lookups } from './lookup.js';
import { pattern } from './regexes.js';
import { sequence } from './sequence.js';

/** What is made of the terms themselves, or of variables. */
export const valueLookups = {
  /** Items; lists of items are taken apart. */
  items: { options: [], run: termsOf },
  list: { options: [], run: ({ terms }) => terms },
  dict: {
    options: [],
    run: (call) =>
      termsOf(call).flatMap((one) => Object.entries(mappingOf(call.args, one)).map(([key, value]) => ({ key, value }))),
  },
  indexed_items: { options: [], run: (call) => termsOf(call).map((item, index) => [index, item]) },
  /** Each item of the first list with each of the others. */
  nested: { options: [], run: ({ terms, args }) => rowsOf(args.call('product', ...terms.map(listed))) },
  /** The first items of all lists, the second ones, and so on. */
  together: { options: [], run: ({ terms, args }) => rowsOf(args.call('zip_longest', ...terms.map(listed))) },
  subelements: { options: [], run: ({ terms, args }) => listOf(args.call('subelements', ...terms)) },
  sequence: { options: [], run: (call) => termsOf(call).flatMap((term) => sequence(asText(term))) },
  vars: forEach(['default'], (term, { args, options }) => {
    const value = args.scope.get(nameOf(args, term)) ?? options.get('default');
    if (value !== undefined) return value;
    throw args.error(`variable "${asText(term)}" is not defined`, 'write default=… where it may be missing');
  }),
  varnames: {
    options: [],
    run: (call) => {
      if (call.args.invoke.preview !== undefined) throw new NotKnownYet('varnames');
      const names = [...call.args.scope.names()];
      return termsOf(call).flatMap((term) => names.filter((name) => pattern(asText(term)).test(name)));
    },
  },
} satisfies Lookups;

function nameOf(args: Arguments, term: Value): string {
  if (typeof term === 'string') return term;
  throw args.error(`the name of a variable is needed, not ${describe(term)}`);
}

function mappingOf(args: Arguments, value: Value): Mapping {
  const mapping = settle(value);
  if (isMapping(mapping)) return mapping;
  throw args.error(`"dict" needs a mapping, not ${describe(value)}`);
}

function listed(term: Value): Value {
  return isList(term) ? term : [term];
}

function listOf(value: Value): readonly Value[] {
  return isList(value) ? value : [value];
}

function rowsOf(value: Value): readonly Value[] {
  return listOf(value).map((row) => (isList(row) ? row.flat() : row));
}
