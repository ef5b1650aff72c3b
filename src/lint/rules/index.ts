import type { Rule } from '../rule.js';
import { checkModeOff } from './check_mode_off.js';
import { duplicateHandler } from './duplicate_handler.js';
import { ignoreErrors } from './ignore_errors.js';
import { insecureConnection } from './insecure_connection.js';
import { literalCompare } from './literal_compare.js';
import { LOADER_RULES } from './loader.js';
import { loopVariable } from './loop_variable.js';
import { name } from './name.js';
import { nameTemplate } from './name_template.js';
import { noChangedWhen } from './no_changed_when.js';
import { noHandler } from './no_handler.js';
import { reservedName } from './reserved_name.js';
import { secretInClearText } from './secret_in_clear_text.js';
import { undefinedVariable } from './undefined_variable.js';
import { unquotedText } from './unquoted_text.js';
import { unusedHandler } from './unused_handler.js';
import { unusedRegister } from './unused_register.js';

/** In the order of their weight: what breaks a run, what does harm, what misleads, what is only unclear. */
export const RULES: readonly Rule[] = [
  ...LOADER_RULES,
  secretInClearText,
  insecureConnection,
  checkModeOff,
  ignoreErrors,
  noChangedWhen,
  undefinedVariable,
  reservedName,
  loopVariable,
  duplicateHandler,
  unusedHandler,
  unusedRegister,
  name,
  nameTemplate,
  noHandler,
  literalCompare,
  unquotedText,
];
