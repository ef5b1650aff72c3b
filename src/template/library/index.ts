import { addressTests } from './address_tests.js';
import { addresses } from './addresses.js';
import { arithmetic } from './arithmetic.js';
import { collections } from './collections.js';
import { chance } from './chance.js';
import { changes } from './changes.js';
import { combinations } from './combinations.js';
import { comparisons } from './comparisons.js';
import { csv } from './csv.js';
import { dates } from './dates.js';
import { durations } from './durations.js';
import { encodings } from './encodings.js';
import { filePaths, fileTests } from './file_tests.js';
import { queries } from './json_query.js';
import { keyFilters } from './keys.js';
import { layout } from './layout.js';
import { lists } from './lists.js';
import { logic } from './logic.js';
import { lookups } from './lookups.js';
import { loops } from './loops.js';
import { markup } from './markup.js';
import { mappings } from './mappings.js';
import { numbers } from './numbers.js';
import { passwordHashes } from './password_hash.js';
import { paths, pathTests } from './paths.js';
import { regexes, regexTests } from './regexes.js';
import { selection } from './selection.js';
import { sets } from './sets.js';
import { urls, urlTests } from './urls.js';
import { HelperTable, table } from '../runtime/helper_table.js';
import { sizes } from './sizes.js';
import { valuePaths } from './value_paths.js';
import { tests } from './tests.js';
import { textMethods } from './text_methods.js';
import { texts } from './texts.js';

const HELPERS = [
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
  dates,
  durations,
  lookups,
  loops,
  changes,
];

/** The helpers and tests that every project has. */
export const BUILT_IN = new HelperTable(
  table(HELPERS),
  table([tests, regexTests, addressTests, pathTests, fileTests, urlTests]),
);
