import { expect } from 'chai';
import { ENVIRONMENT_SETTINGS, PROJECT_SETTINGS } from '../../src/project/project/table.js';
import { emptyProject, type Project } from '../rig/command.js';
import { atHome } from '../rig/folder.js';
import { evenkeel } from '../rig/in_process.js';

/** Sets everything. */
const EVERYTHING = `inventory: [inventory/a, inventory/b]
forks: 7
max_registered: 9MB
strategy: linear
state_dir: state
modules_path: own
roles_path: shared
collections: vendor.controller
output: lines
vault_ids: [dev@secrets/dev, prod@prompt]
vault_password_file: secrets/any
environments:
  live:
    inventory: inventory/live
    extra_vars: vars/live.yml
    limit: emea
    vault_ids: live@secrets/live
    vault_password_file: secrets/other
    confirm: true
    require_plan: true
dialects: { lab: { extends: avi } }
routes: { madrid: ['socks5h://127.0.0.1:1081', 'socks5h://127.0.0.1:2081'] }
lint: { skip: [name], warn: no-handler }
`;

interface Row {
  readonly name: string;
  readonly value: unknown;
  readonly origin: Readonly<Record<string, unknown>>;
}

describe('evenkeel config', () => {
  let project: Project;
  before(async () => {
    project = await emptyProject({ 'evenkeel.yml': EVERYTHING, 'own/.keep': '', 'none/evenkeel.yml': '' });
  });
  after(() => project.remove());

  async function config(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<ReadonlyMap<string, Row>> {
    const { code, stdout, stderr } = await evenkeel(['config', '--json', ...args], {
      cwd: project.directory,
      env: { EVENKEEL_OUTPUT: '', ...env },
    });
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    return new Map((JSON.parse(stdout) as readonly Row[]).map((row) => [row.name, row]));
  }

  it('shows every setting that a file can set, with its place', async () => {
    const rows = await config(['--env', 'live']);
    const shared = ['inventory', 'vault_ids', 'vault_password_file'];
    for (const { name } of [...PROJECT_SETTINGS, ...ENVIRONMENT_SETTINGS]) {
      const row = rows.get(name);
      const key =
        shared.includes(name) || ENVIRONMENT_SETTINGS.some((one) => one.name === name) ? `    ${name}:` : `${name}:`;
      expect(row?.origin, name).to.include({ type: 'file', file: 'evenkeel.yml' });
      expect(EVERYTHING.split('\n')[Number(row?.origin['line']) - 1], name).to.match(new RegExp(`^${key}`));
      expect(row?.value, name).to.not.be.oneOf([null, undefined]);
    }
    expect(rows.get('inventory')?.value).to.deep.equal(['inventory/live']);
    expect(rows.get('vault_ids')?.value).to.deep.equal(['live@secrets/live']);
    expect(rows.get('lint')?.value).to.deep.equal(['skip name', 'warn no-handler']);
  });

  it('shows which of option, environment, variable and file wins', async () => {
    const env = { EVENKEEL_FORKS: '3', EVENKEEL_INVENTORY: 'elsewhere' };
    expect((await config([], env)).get('forks')).to.deep.include({
      value: 3,
      origin: { type: 'variable', name: 'EVENKEEL_FORKS' },
    });
    const rows = await config(['-f', '9', '-E', 'live', '-l', 'lb1', '--no-exec'], env);
    expect(rows.get('forks')).to.deep.include({ value: 9, origin: { type: 'option', name: '--forks' } });
    expect(rows.get('inventory')?.value).to.deep.equal(['inventory/live']);
    expect(rows.get('limit')?.value).to.deep.equal(['emea', 'lb1']);
    expect(rows.get('no_exec')).to.deep.include({ value: true, origin: { type: 'option', name: '--no-exec' } });
  });

  it('prints a table', async () => {
    // No shell expands it behind "=".
    const typed = ['config', '--config=~/none/evenkeel.yml'];
    const { directory: cwd } = project;
    const { stdout } = await atHome(cwd, () => evenkeel(typed, { cwd, env: { EVENKEEL_OUTPUT: '' } }));
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.trim().split(/ {2,}/));
    expect(lines).to.deep.include.members([
      ['config', 'none/evenkeel.yml', '--config'],
      ['inventory', 'none', 'default'],
      ['forks', '50, auto for commands that only read', 'default'],
      ['state_dir', 'none/.evenkeel', 'default'],
      ['output', 'live in a terminal, else grouped', 'default'],
    ]);
  });

  it('masks secrets', async () => {
    const env = {
      EVENKEEL_INVENTORY: 'https://user:hunter22@host/inv,',
      DB_PASSWORD: 'correct-horse',
      EVENKEEL_ROLES_PATH: 'correct-horse',
    };
    for (const args of [['config'], ['config', '--json']]) {
      const { stdout } = await evenkeel(args, { cwd: project.directory, env });
      expect(stdout)
        .to.include('********')
        .and.to.not.match(/hunter22|correct-horse/);
    }
  });

  it('reports mistakes as other commands do', async () => {
    const { code, stdout, stderr } = await evenkeel(['config', '-E', 'live2'], { cwd: project.directory });
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    expect(stderr).to.include('there is no environment "live2"').and.to.include('did you mean "live"?');
  });
});
