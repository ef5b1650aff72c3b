import { NO_EXEC } from '../../core/model/source/diagnostic.js';
import type { Rule } from '../subject/subject.js';
import { literalCompare, name, nameTemplate, unquotedText } from './clarity.js';
import { duplicateHandler, noHandler, unusedHandler } from './handlers.js';
import { checkModeOff, ignoreErrors, noChangedWhen } from './hidden_outcomes.js';
import { insecureConnection, secretInClearText } from './security.js';
import { loopVariable, misspeltConnection, reservedName, undefinedVariable, unusedRegister } from './variables.js';
import { versionDifference } from './version_differences.js';

function finding(name: string, severity: Rule['severity'], reason: string): Rule {
  return { name, reason, severity };
}

/** Errors that keep a playbook from running; this rule cannot be switched off. */
export const SYNTAX_CHECK = finding('syntax-check', 'error', 'A playbook with a mistake does not run.');

/** Code that loads but is probably a mistake. */
export const DOUBTFUL = finding(
  'doubtful',
  'warning',
  'Something has no effect, or not the one that it seems to have.',
);

/** The findings of the loader, under its rule names. */
export const LOADER_RULES: readonly Rule[] = [
  SYNTAX_CHECK,
  finding('unknown-key', 'error', 'A key that the language does not have; the playbook does not run.'),
  finding('misplaced-key', 'error', 'A keyword that belongs elsewhere; the playbook does not run.'),
  finding(
    'unknown-field',
    'error',
    'A field of a controller’s object that is known under another name, in another place or with another type.',
  ),
  finding(
    'no-jinja-when',
    'warning',
    'A condition is an expression already: braces around it only make it harder to read.',
  ),
  finding(
    'foreign-module',
    'error',
    'A module for hosts, which does not work on a controller; the playbook does not run.',
  ),
  finding('no-effect', 'warning', 'A keyword for hosts, which has no effect on a controller.'),
  finding('deprecated', 'warning', 'A form that newer versions of Ansible refuse. It works here.'),
  finding(NO_EXEC, 'warning', 'Something that `--no-exec` did not execute, so nothing that depends on it was checked.'),
  DOUBTFUL,
];

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
