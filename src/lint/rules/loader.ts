import { NO_EXEC } from '../../core/programs/programs.js';
import type { Rule } from '../subject/subject.js';

/** Errors that keep a playbook from running; this rule cannot be switched off. */
export const SYNTAX_CHECK: Rule = {
  name: 'syntax-check',
  reason: 'A playbook with a mistake does not run.',
  severity: 'error',
};

/** Code that loads but is probably a mistake. */
export const DOUBTFUL: Rule = {
  name: 'doubtful',
  reason: 'Something has no effect, or not the one that it seems to have.',
  severity: 'warning',
};

/** The findings of the loader, under its rule names. */
export const LOADER_RULES: readonly Rule[] = [
  SYNTAX_CHECK,
  {
    name: 'unknown-key',
    reason: 'A key that the language does not have; the playbook does not run.',
    severity: 'error',
  },
  {
    name: 'misplaced-key',
    reason: 'A keyword that belongs elsewhere; the playbook does not run.',
    severity: 'error',
  },
  {
    name: 'unknown-field',
    reason: 'A field of a controller’s object that is known under another name, in another place or with another type.',
    severity: 'error',
  },
  {
    name: 'no-jinja-when',
    reason: 'A condition is an expression already: braces around it only make it harder to read.',
    severity: 'warning',
  },
  {
    name: 'foreign-module',
    reason: 'A module for hosts, which does not work on a controller; the playbook does not run.',
    severity: 'error',
  },
  {
    name: 'no-effect',
    reason: 'A keyword for hosts, which has no effect on a controller.',
    severity: 'warning',
  },
  {
    name: 'deprecated',
    reason: 'A form that newer versions of Ansible refuse. It works here.',
    severity: 'warning',
  },
  {
    name: NO_EXEC,
    reason: 'Something that `--no-exec` did not execute, so nothing that depends on it was checked.',
    severity: 'warning',
  },
  DOUBTFUL,
];
