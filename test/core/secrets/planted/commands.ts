import { OUTPUTS } from '../../../../src/core/model/run/choices.js';
import { REPORT_KINDS } from '../../../../src/reporting/reports/report.js';
import { SECRETS, type Place } from './secrets.js';

/** One way to call the program. */
export interface Call {
  readonly args: readonly string[];
  /** Environment beside the secret ones. */
  readonly env?: Readonly<Record<string, string>>;
  /** Interrupted when this is on stdout or stderr. */
  readonly until?: string;
  /** In a pseudo-terminal; what is typed, and after which question. */
  readonly typed?: readonly (readonly [question: string, answer: string])[];
  /** Secrets that the command prints on purpose, as documented. */
  readonly prints?: readonly Place[];
  /** It ends its process, or starts others like it. */
  readonly needsProcess?: true;
  /** What else must be on the output, or the call proves nothing. */
  readonly says?: string;
}

const VAULT = ['--vault-password-file', 'vault-password'];
const INVENTORY = ['-i', 'inv.yml', ...VAULT];
const EXTRA = [
  '-e',
  `extra_password=${JSON.stringify(SECRETS.extraVar)}`,
  '-e',
  '@extra.yml',
  '-e',
  JSON.stringify({ prompted: SECRETS.prompted }),
];
const LOUD = ['-vvvv', '-D'];
/** A file of each report. */
const BESIDE = REPORT_KINDS.flatMap((kind) => ['--report', `${kind}=report.${kind}`]);
/** Controllers whose errors contain secrets. */
const FAILING = ['-i', 'failing.yml', ...VAULT];
const SITE = ['run', 'site.yml', ...INVENTORY, ...EXTRA];
/** The content of inventories and files of variables, in plain text as in `ansible-inventory`. */
const VARIABLES: readonly Place[] = [
  'controllerPassword',
  'otherPassword',
  'inventoryHost',
  'inventoryGroup',
  'groupVarsFile',
  'hostVarsFile',
  'vaultFile',
  'proxy',
  'header',
  'listed',
  'number',
  'headerNumber',
  'listedNumber',
  'privateKey',
  'memberPassword',
  'memberToken',
  'memberCsrf',
  'memberSession',
  'memberOther',
];

/** A project that `init` makes for a team: its files are readable for all. */
export const MADE = 'made-project';

/** Calls of which each needs those before it. */
type Chain = readonly Call[];

/** Every command of the program, and how it is called; a command that is missing here fails the test. */
export const CALLS: Readonly<Record<string, readonly (Call | Chain)[]>> = {
  run: [
    ...OUTPUTS.filter((output) => output !== 'live').map((output) => ({
      args: [...SITE, ...LOUD, '-o', output],
      says: 'nothing_of',
    })),
    { args: [...SITE, ...LOUD, '-o', 'live'], typed: [], says: 'nothing_of' },
    { args: [...SITE, ...LOUD, ...BESIDE, '--log', 'run.log', '--profile'], says: 'took longest' },
    { args: [...SITE, '-vvvv', '--check', '--diff=fleet', '-o', 'lines'], says: 'nothing_of' },
    { args: [...SITE, '--nats', `nats://ann:${SECRETS.adHoc}@127.0.0.1:1`], says: '--nats was removed' },
    { args: [...SITE, `--nats=nats://ann:${SECRETS.adHoc}@127.0.0.1:1`], says: '--nats was removed' },
    { args: [...SITE, ...LOUD], env: { GITHUB_ACTIONS: 'true' }, says: '::error file=site.yml' },
    { args: ['run', '--rerun', 'last:failed', ...LOUD], says: 'nothing_of' },
    { args: ['run', 'change.yml', ...INVENTORY, ...LOUD, '--simulate'], says: 'created cloud' },
    { args: ['run', 'encrypted.yml', ...INVENTORY, ...LOUD], says: '********' },
    { args: ['run', 'crash.yml', ...INVENTORY, ...LOUD], needsProcess: true, says: 'outside of its task' },
    { args: ['run', 'broken.yml', ...INVENTORY], says: 'error' },
    { args: ['run', 'wrong.yml', ...INVENTORY], says: 'error' },
    { args: ['run', 'site.yml', '-i', 'proxied.yml', ...VAULT, ...EXTRA, ...LOUD], says: 'unreachable' },
    { args: ['run', 'site.yml', '-i', 'open.yml', ...VAULT, ...EXTRA, ...LOUD], says: 'controller_password' },
    { args: [...SITE, '--list-hosts', '--list-tasks', '--list-tags'], says: 'play #1' },
    { args: [...SITE, '--syntax-check'], says: 'playbook: site.yml' },
    { args: [...SITE, `--paswsord=${SECRETS.mistyped}`], says: 'unknown option' },
    { args: [...SITE, '-e', `${SECRETS.extraVar} oops`], says: 'error' },
    { args: ['run', 'slow.yml', ...INVENTORY, '-vvvv'], until: '→ 200', says: 'interrupted' },
    ...OUTPUTS.filter((output) => output !== 'live').map((output) => ({
      args: ['run', 'read.yml', ...FAILING, ...LOUD, '-o', output, ...BESIDE, '--log', 'read.log'],
      says: '500',
    })),
    { args: ['run', 'read.yml', ...FAILING, '-o', 'live'], typed: [], says: '500' },
    { args: ['run', 'read.yml', ...FAILING], env: { GITHUB_ACTIONS: 'true' }, says: '500' },
  ],
  task: [
    {
      args: ['task', 'bad', '-m', 'api_request', '-a', 'path=/api/cloud/', ...FAILING, ...LOUD],
      says: '500',
    },
    {
      args: [
        'task',
        'all',
        '-m',
        'debug',
        '-a',
        `msg="{{ x_password | upper }}"`,
        '-e',
        `x_password='${SECRETS.adHoc.replaceAll("'", '')}'`,
        ...INVENTORY,
        '-v',
      ],
      says: '********',
    },
    { args: ['task', 'lb1', '-m', 'debug', '-a', '@args.yml', ...INVENTORY, ...LOUD], says: '********' },
    {
      args: ['task', 'lb1', '-m', 'api_request', '-a', 'path=/api/cloud/', '-i', 'open.yml', ...VAULT, '-k', ...LOUD],
      typed: [['Controller password:', SECRETS.controllerPassword]],
      says: '200',
    },
    {
      args: ['task', 'lb1', '-m', 'debug', '-a', 'var=motd', '-i', 'inv.yml', '-J'],
      typed: [['Vault password:', SECRETS.vaultPassword]],
      says: '********',
    },
  ],
  render: [
    { args: ['render', 'site.yml', ...INVENTORY, ...EXTRA], says: 'controllers:' },
    { args: ['render', 'site.yml', 'change.yml', 'encrypted.yml', ...INVENTORY, ...EXTRA, '--json'], says: '"tasks":' },
    { args: ['render', 'wrong.yml', ...INVENTORY], says: 'error' },
    { args: ['render', 'read.yml', ...FAILING], says: 'mtu' },
  ],
  drift: [
    { args: ['drift', 'planned.yml', ...INVENTORY, '-v'], says: 'differ' },
    { args: ['drift', 'site.yml', ...INVENTORY, ...EXTRA, '-v'], says: 'nothing_of' },
    { args: ['drift', 'site.yml', ...INVENTORY, ...EXTRA, '--json', '--unmanaged'], says: '"drift":' },
    { args: ['drift', 'change.yml', ...INVENTORY, '--diff=host', ...BESIDE], says: 'controller' },
    { args: ['drift', 'read.yml', ...FAILING, '-v', ...BESIDE], says: '500' },
    { args: ['drift', 'read.yml', ...FAILING, '--json', '--unmanaged'], says: '500' },
  ],
  resume: [
    [
      { args: ['run', 'create.yml', ...FAILING], says: 'created cloud' },
      {
        args: ['run', 'resumed.yml', ...FAILING],
        env: { PLANTED_PAUSE: '300' },
        until: 'before the pause',
        says: 'interrupted',
      },
      { args: ['resume', 'last', ...VAULT, ...LOUD, ...BESIDE], says: '500' },
    ],
    [
      { args: ['run', 'slow.yml', ...INVENTORY, '-vvvv'], until: '→ 200', says: 'interrupted' },
      { args: ['resume', 'last', ...VAULT, '-vvvv'], until: 'slow.yml', says: 'interrupted' },
    ],
    { args: ['resume', '20', ...VAULT], says: 'error' },
  ],
  runs: [
    { args: ['runs'] },
    { args: ['runs', 'last'] },
    { args: ['runs', '--json'] },
    { args: ['runs', 'last', '--json'] },
    { args: ['run', 'update.yml', ...FAILING, '--check'], says: 'mtu' },
    { args: ['run', 'update.yml', ...FAILING, ...LOUD], says: '500' },
    { args: ['runs', 'last'] },
    { args: ['runs', 'last', '--json', '--objects'], says: '"path"' },
  ],
  report: [
    { args: ['report', 'last', '--out', 'updated.html'], says: 'the report is in' },
    [
      { args: ['run', 'read.yml', ...FAILING, ...LOUD], says: '500' },
      { args: ['report', 'last', '--out', 'failing.html'], says: 'the report is in' },
    ],
    [
      { args: ['run', 'change.yml', ...INVENTORY, ...LOUD, '--check'], says: 'cloud' },
      { args: ['report', 'last', '--out', 'change.html'], says: 'the report is in' },
    ],
    [
      { args: [...SITE, ...LOUD, '-o', 'quiet'], says: 'nothing_of' },
      { args: ['report', 'last', '--out', 'site.html'], says: 'the report is in' },
    ],
  ],
  ui: [{ args: ['ui'], until: 'Ctrl-C', says: '127.0.0.1' }],
  rollback: [
    { args: ['run', 'change.yml', ...INVENTORY, ...LOUD], says: 'updated cloud' },
    { args: ['runs', 'last', '--json', '--objects'], says: '"path"' },
    { args: ['rollback', 'last', ...INVENTORY, '--check', ...LOUD], says: 'edge' },
    { args: ['rollback', 'last', ...INVENTORY, '--yes', ...LOUD], says: 'edge' },
    { args: ['rollback', 'last', ...INVENTORY, '--yes', '-o', 'json', ...LOUD, ...BESIDE], says: 'edge' },
    { args: ['run', 'undone.yml', '-e', 'mtu=1700', ...FAILING], says: 'created cloud' },
    { args: ['run', 'undone.yml', '-e', 'mtu=1800', ...FAILING], says: 'updated cloud' },
    { args: ['rollback', 'last', ...FAILING, '--yes', ...LOUD, ...BESIDE], says: '500' },
  ],
  'plan show': [
    { args: ['plan', 'planned.yml', ...INVENTORY, ...LOUD, '--out', 'change.plan'], says: 'the plan is in' },
    { args: ['plan', 'show', 'change.plan'], says: 'planned' },
    { args: ['plan', 'show', 'change.plan', '--json'], says: 'planned' },
    { args: ['plan', 'read.yml', ...FAILING, ...LOUD], says: '500' },
    { args: ['plan', 'update.yml', ...FAILING, '--out', 'update.plan'], says: 'the plan is in' },
  ],
  apply: [
    { args: ['apply', 'change.plan', ...VAULT, ...LOUD, ...BESIDE], says: 'planned' },
    { args: ['apply', 'update.plan', ...VAULT, ...LOUD, ...BESIDE], says: '500' },
  ],
  capture: [
    { args: ['capture', ...INVENTORY, ...EXTRA, '--out', 'captured'], says: 'captured' },
    { args: ['capture', ...INVENTORY, '--all', '--force', '--out', 'captured', '--kind', 'cloud'], says: 'captured' },
    { args: ['capture', ...FAILING, '--out', 'failing', '--kind', 'cloud'], says: '500' },
  ],
  compare: [
    { args: ['compare', ...INVENTORY, ...EXTRA], says: 'compared' },
    { args: ['compare', ...INVENTORY, '--json', '--kind', 'cloud', '--kind', 'pool'], says: 'cloud' },
    { args: ['compare', ...FAILING, '--limit', 'bad'], says: '500' },
    { args: ['compare', ...FAILING, '--kind', 'cloud', '--json'], says: '500' },
  ],
  ping: [
    { args: ['ping', ...INVENTORY, ...EXTRA], says: 'lb1  ok' },
    { args: ['ping', ...FAILING, '--limit', 'bad', '--json'], says: 'controllers' },
  ],
  routes: [
    { args: ['routes', '-i', 'proxied.yml', ...VAULT, ...EXTRA, '--check'], says: 'down' },
    { args: ['routes', '-i', 'proxied.yml', ...VAULT, ...EXTRA, '--json'], says: 'controllers' },
  ],
  inventory: [
    { args: ['inventory', '--graph', ...INVENTORY], says: '@all' },
    { args: ['inventory', '--list', ...INVENTORY], prints: VARIABLES, says: '__ansible_vault' },
    { args: ['inventory', '--list', '-y', ...INVENTORY], prints: VARIABLES, says: '!vault' },
    { args: ['inventory', '--host', 'lb1', ...INVENTORY], prints: VARIABLES, says: 'api_key' },
    { args: ['inventory', '--graph', '--vars', ...INVENTORY], prints: [...VARIABLES, 'vaultValue'], says: 'api_key' },
    { args: ['inventory', '--list', '-i', 'group_vars/all/vault.yml', ...VAULT] },
  ],
  lint: [
    { args: ['lint', 'site.yml', 'encrypted.yml', 'wrong.yml', ...INVENTORY, ...EXTRA], says: 'site.yml' },
    { args: ['lint', 'site.yml', 'wrong.yml', ...INVENTORY, '--json'], says: 'site.yml' },
    { args: ['lint', 'broken.yml', ...INVENTORY], says: 'error' },
    { args: ['lint', 'read.yml', ...FAILING] },
  ],
  doc: [
    { args: ['doc', 'cloud_present'] },
    { args: ['doc', 'breaks'], says: 'pin' },
    { args: ['doc', '--json'] },
    { args: ['doc', '-l'] },
  ],
  completion: [
    { args: ['completion', 'bash'], says: '__complete' },
    { args: ['__complete', 'zsh', 'run', '-i', 'inv.yml', '-l', 'l'], says: 'lb1' },
    { args: ['__complete', 'zsh', 'run', 'site.yml', '-i', 'inv.yml', '-t', ''] },
  ],
  config: [
    { args: ['config', '--json'], says: 'forks' },
    { args: ['config', '-i', 'inv.yml'], says: 'forks' },
  ],
  init: [{ args: ['init', MADE], says: 'Created a project' }],
  'modules from-openapi': [
    { args: ['modules', 'from-openapi', 'extra.yml', 'inv.yml'], says: 'error' },
    { args: ['modules'], says: 'pool' },
  ],
  schema: [{ args: ['schema', 'playbook'], says: '"pin"' }],
  simulate: [{ args: ['simulate', ...INVENTORY], until: 'Ctrl-C', says: '127.0.0.1' }],
  'vault encrypt': [{ args: ['vault', 'encrypt', 'extra.yml', '--out', 'made.vault', ...VAULT] }],
  'vault rekey': [{ args: ['vault', 'rekey', 'made.vault', ...VAULT, '--new-vault-password-file', 'vault-password'] }],
  'vault encrypt-string': [
    { args: ['vault', 'encrypt-string', SECRETS.adHoc, '--name', 'a_password', ...VAULT], says: '!vault' },
    { args: ['vault', 'encrypt-string', '--name', 'a_password', '-i', SECRETS.adHoc, ...VAULT], says: 'error' },
  ],
  'vault decrypt': [
    {
      args: ['vault', 'decrypt', 'group_vars/all/vault.yml', '--out', '-', ...VAULT],
      prints: ['vaultFile'],
      says: 'banner',
    },
    { args: ['vault', 'decrypt', 'site.yml', ...VAULT], says: 'error' },
  ],
  'vault view': [
    { args: ['vault', 'view', 'group_vars/all/vault.yml', ...VAULT], prints: ['vaultFile'], says: 'banner' },
  ],
  'vault edit': [{ args: ['vault', 'edit', 'made.vault', ...VAULT], env: { EDITOR: 'true' } }],
  'vault create': [{ args: ['vault', 'create', 'made.vault', ...VAULT], env: { EDITOR: 'true' }, says: 'error' }],
  help: [{ args: ['help'] }, { args: ['help', 'run'] }],
};
