import type { Rule } from '../subject/subject.js';
import { literalCompare, name, nameTemplate, unquotedText } from './clarity.js';
import { duplicateHandler, noHandler, unusedHandler } from './handlers.js';
import { checkModeOff, ignoreErrors, noChangedWhen } from './hidden_outcomes.js';
import { LOADER_RULES } from './loader.js';
import { insecureConnection, secretInClearText } from './security.js';
import { loopVariable, misspeltConnection, reservedName, undefinedVariable, unusedRegister } from './variables.js';
import { versionDifference } from './version_differences.js';

/** By importance: rules about broken runs, about damage, about misleading code, about unclear code. */
export const RULES: readonly Rule[] = [
  ...LOADER_RULES,
  secretInClearText,
  insecureConnection,
  checkModeOff,
  ignoreErrors,
  noChangedWhen,
  undefinedVariable,
  misspeltConnection,
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
  versionDifference,
];
