import { CallableTable, table } from '../runtime/callable.js';
import { addresses, hardwareAddresses } from './addresses/addresses.js';
import { addressRanges, addressTests } from './addresses/ranges.js';
import { encodings } from './encodings/encodings.js';
import { passwordHashes } from './encodings/password_hash.js';
import { chance, combinations } from './lists/combinations.js';
import { lists } from './lists/lists.js';
import { selection, sets } from './lists/selection.js';
import { filePaths, fileTests } from './lookups/file_tests.js';
import { csv } from './lookups/ini.js';
import { lookups } from './lookups/lookups.js';
import { keyFilters } from './mappings/keys.js';
import { mappings } from './mappings/mappings.js';
import { queries, valuePaths } from './mappings/paths.js';
import { dates, durations, sizes } from './numbers/dates.js';
import { numbers, vlans } from './numbers/numbers.js';
import { arithmetic } from './operators/arithmetic.js';
import { changes } from './operators/changes.js';
import { collections, loops } from './operators/collections.js';
import { comparisons, logic } from './operators/logic.js';
import { tests } from './operators/tests.js';
import { layout } from './texts/layout.js';
import { textMethods } from './texts/methods.js';
import { paths, pathTests, urls, urlTests } from './texts/paths.js';
import { regexes, regexTests } from './texts/regexes.js';
import { markup, texts } from './texts/texts.js';

const FILTERS = [
  comparisons,
  logic,
  arithmetic,
  collections,
  lists,
  selection,
  sets,
  combinations,
  chance,
  mappings,
  keyFilters,
  queries,
  valuePaths,
  csv,
  texts,
  textMethods,
  layout,
  markup,
  regexes,
  numbers,
  sizes,
  encodings,
  urls,
  paths,
  filePaths,
  passwordHashes,
  addresses,
  addressRanges,
  hardwareAddresses,
  vlans,
  dates,
  durations,
  lookups,
  loops,
  changes,
];

/** The filters and tests that every project has. */
export const BUILT_IN = new CallableTable(
  table(FILTERS),
  table([tests, regexTests, addressTests, pathTests, fileTests, urlTests]),
);
