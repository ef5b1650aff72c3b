import type { CandidateKind } from './values.js';

/** What an option takes, by the word in its declaration: `--log <file>`. */
const PLACEHOLDERS: Readonly<Record<string, CandidateKind>> = {
  file: 'files',
  folder: 'folders',
  pattern: 'patterns',
  tags: 'tags',
  days: 'nothing',
  'n.n.n': 'nothing',
  names: 'nothing',
  number: 'nothing',
  size: 'nothing',
  text: 'nothing',
  'i/n': 'nothing',
};

/** By the name of the option, where that word can mean several things. */
const OPTION_VALUES: Readonly<Record<string, CandidateKind>> = {
  '--against': 'environments',
  '--args': 'arguments',
  '--confirm': 'environments',
  '--dialect': 'dialects',
  '--encrypt-vault-id': 'nothing',
  '--env': 'environments',
  '--extra-vars': 'variables',
  '--host': 'controllers',
  '--inventory': 'inventories',
  '--kind': 'kinds',
  '--module': 'modules',
  '--name': 'nothing',
  '--new-vault-id': 'vault ids',
  '--report': 'reports',
  '--rerun': 'reruns',
  '--start-at-task': 'tasks',
  '--stdin-name': 'nothing',
  '--tenant': 'nothing',
  '--ticket': 'nothing',
  '--user': 'nothing',
  '--vault-id': 'vault ids',
};

/** @param declared `<file>`, `[mode]` */
export function optionValue(option: string, declared: string): CandidateKind | undefined {
  const [, word = ''] = /[<[]([^\]>]+)/.exec(declared) ?? [];
  return PLACEHOLDERS[word] ?? OPTION_VALUES[option];
}

/** Completions by name of the argument; by command and name if the name is ambiguous. */
export const ARGUMENT_VALUES: Readonly<Record<string, CandidateKind>> = {
  playbook: 'playbooks',
  file: 'files',
  folder: 'folders',
  group: 'groups',
  pattern: 'patterns',
  run: 'runs',
  'report run': 'reported',
  text: 'nothing',
  'doc name': 'documented',
  'schema name': 'schemas',
};
