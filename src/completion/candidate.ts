/** A word that may follow. */
export interface Candidate {
  readonly word: string;
  /** A few words for shells that show them. */
  readonly about?: string | undefined;
  /** Whether more may follow in the same word: a folder, `--option=`. */
  readonly open?: boolean;
}

/** The completion of an option or argument. */
export type CandidateKind =
  | 'playbooks'
  | 'files'
  | 'folders'
  /** A variable, or `@FILE`. */
  | 'variables'
  /** `name=value` of the module, or `@FILE`. */
  | 'arguments'
  /** `LABEL@FILE` */
  | 'vault ids'
  | 'inventories'
  | 'environments'
  /** Patterns of controllers and groups. */
  | 'patterns'
  | 'controllers'
  | 'groups'
  | 'tags'
  | 'tasks'
  | 'modules'
  | 'kinds'
  | 'runs'
  /** Runs, state folders, and files of events. */
  | 'reported'
  /** `RUN:failed,unreachable` */
  | 'reruns'
  | 'schemas'
  | 'dialects'
  | 'documented'
  /** `KIND=FILE` */
  | 'reports'
  /** Free text, a number. */
  | 'nothing';

/** What an option takes, by the word in its declaration: `--log <file>`. */
const PLACEHOLDERS: Readonly<Record<string, CandidateKind>> = {
  file: 'files',
  folder: 'folders',
  pattern: 'patterns',
  tags: 'tags',
  ...{ days: 'nothing', 'n.n.n': 'nothing', names: 'nothing', number: 'nothing' },
  ...{ size: 'nothing', text: 'nothing', 'i/n': 'nothing' },
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
