import type { Rule } from '../subject/subject.js';
import { ignoreErrors, checkModeOff, noChangedWhen } from './hidden_outcomes.js';
import { LOADER_RULES } from './loader.js';
import { name, nameTemplate, literalCompare, unquotedText } from './clarity.js';
import { secretInClearText, insecureConnection } from './security.js';
import { undefinedVariable, unusedRegister, reservedName, loopVariable } from './variables.js';
import { unusedHandler, duplicateHandler, noHandler } from './handlers.js';
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
