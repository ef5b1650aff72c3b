/** A word that may follow. */
export interface Candidate {
  readonly word: string;
  /** A few words for shells that show them. */
  readonly about?: string | undefined;
  /** Whether more may follow in the same word: a folder, `--option=`. */
  readonly open?: boolean;
}

/** What completes the value of an option or argument. */
export type ValueKind =
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
  /** `RUN:failed,unreachable` */
  | 'reruns'
  | 'schemas'
  | 'dialects'
  | 'documented'
  /** `KIND=FILE` */
  | 'reports'
  /** Free text, a number. */
  | 'nothing';

/** By the name of the option. */
export const OPTION_VALUES: Readonly<Record<string, ValueKind>> = {
  '--against': 'environments',
  '--api-version': 'nothing',
  '--args': 'arguments',
  '--config': 'files',
  '--controllers': 'nothing',
  '--dialect': 'dialects',
  '--encrypt-vault-id': 'nothing',
  '--env': 'environments',
  '--extra-vars': 'variables',
  '--forks': 'nothing',
  '--from-ansible': 'folders',
  '--host': 'controllers',
  '--inventory': 'inventories',
  '--keep': 'nothing',
  '--kind': 'kinds',
  '--log': 'files',
  '--limit': 'patterns',
  '--max-age': 'nothing',
  '--max-registered': 'nothing',
  '--module': 'modules',
  '--module-path': 'folders',
  '--name': 'nothing',
  '--new-vault-id': 'vault ids',
  '--new-vault-password-file': 'files',
  '--out': 'files',
  '--output': 'files',
  '--port': 'nothing',
  '--reason': 'nothing',
  '--report': 'reports',
  '--rerun': 'reruns',
  '--save': 'folders',
  '--skip-tags': 'tags',
  '--start-at-task': 'tasks',
  '--stdin-name': 'nothing',
  '--tags': 'tags',
  '--ticket': 'nothing',
  '--user': 'nothing',
  '--vault-id': 'vault ids',
  '--vault-password-file': 'files',
  '--allow-module': 'modules',
  '--concurrency': 'nothing',
  '--nats': 'nothing',
  '--nats-ca': 'files',
  '--nats-creds': 'files',
  '--site': 'nothing',
  '--site-timeout': 'nothing',
  '--workers': 'nothing',
};

/** By the name of the argument; by command and name if the name means several things. */
export const ARGUMENT_VALUES: Readonly<Record<string, ValueKind>> = {
  playbook: 'playbooks',
  file: 'files',
  folder: 'folders',
  group: 'groups',
  pattern: 'patterns',
  run: 'runs',
  text: 'nothing',
  'doc name': 'documented',
  'schema name': 'schemas',
};
