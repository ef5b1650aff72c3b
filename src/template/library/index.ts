import { addresses, addressTests } from './addresses.js';
import { arithmetic } from './arithmetic.js';
import { collections } from './collections.js';
import { comparisons } from './comparisons.js';
import { dates } from './dates.js';
import { encodings } from './encodings.js';
import { lists } from './lists.js';
import { logic } from './logic.js';
import { lookups } from './lookups.js';
import { mappings } from './mappings.js';
import { numbers } from './numbers.js';
import { paths } from './paths.js';
import { regexes, regexTests } from './regexes.js';
import { selection } from './selection.js';
import { sets } from './sets.js';
import { HelperTable, table } from './table.js';
import { tests } from './tests.js';
import { texts } from './texts.js';

const HELPERS = [
  comparisons,
  logic,
  arithmetic,
  collections,
  lists,
  selection,
  sets,
  mappings,
  texts,
  regexes,
  numbers,
  encodings,
  paths,
  addresses,
  dates,
  lookups,
];

/** The helpers and tests that every project has. */
export const BUILT_IN = new HelperTable(table(HELPERS), table([tests, regexTests, addressTests]));
