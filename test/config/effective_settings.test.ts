import { expect } from 'chai';
import { effectiveSettings, type SettingOptions } from '../../src/config/effective_settings.js';
import { Diagnostics } from '../../src/core/model/source/diagnostic.js';
import { inFolder } from '../rig/folder.js';

type Env = Readonly<Record<string, string>>;

interface Shown {
  readonly value: unknown;
  readonly origin: string;
}

/** The settings by name; the origin in a word. */
function settings(
  options: SettingOptions,
  text: string | undefined,
  env: Env = {},
): Promise<ReadonlyMap<string, Shown>> {
  return inFolder(text === undefined ? {} : { 'evenkeel.yml': text }, async (cwd) => {
    const diagnostics = new Diagnostics();
    const found = await effectiveSettings(options, { cwd, env }, diagnostics);
    expect(diagnostics.list).to.deep.equal([]);
    return new Map(
      found.map(({ name, value, origin, description }) => {
        expect(description, name).to.match(/\.$/);
        const where =
          origin.type === 'file'
            ? `${origin.file}:${origin.line}`
            : origin.type === 'default'
              ? 'default'
              : origin.name;
        return [name, { value, origin: where }];
      }),
    );
  });
}

const FILE = `inventory: [a]
forks: 7
max_registered: 9MB
strategy: linear
modules_path: [own, package]
vault_ids: [dev@pw, prod@prompt]
vault_password_file: secret
output: lines
lint: { skip: [name, one], warn: [two] }
routes: { madrid: ['socks5h://127.0.0.1:1081', 'socks5h://127.0.0.1:2081'] }
environments:
  live: { inventory: [b, c], limit: emea, vault_ids: [live@pw], confirm: true, extra_vars: [x.yml] }
  plain: {}
`;

describe('a setting', () => {
  it('is that of an option, which names itself', async () => {
    const options: SettingOptions = {
      inventory: ['i'],
      limit: 'lb1',
      forks: 3,
      maxRegistered: 5,
      strategy: 'free',
      modulePath: ['m'],
      vaultId: ['x@y'],
      vaultPasswordFile: ['f', 'g'],
      config: 'x',
      exec: false,
    };
    const found = await settings(options, FILE, { EVENKEEL_FORKS: '9', EVENKEEL_NO_EXEC: '1' });
    const shown = (name: string): unknown => found.get(name);
    expect(shown('inventory')).to.deep.equal({ value: ['i'], origin: '--inventory' });
    expect(shown('forks')).to.deep.equal({ value: 3, origin: '--forks' });
    expect(shown('max_registered')).to.deep.equal({ value: 5, origin: '--max-registered' });
    expect(shown('strategy')).to.deep.equal({ value: 'free', origin: '--strategy' });
    expect(shown('modules_path')).to.deep.equal({ value: ['m'], origin: '--module-path' });
    expect(shown('vault_ids')).to.deep.equal({ value: ['dev@pw', 'prod@prompt', 'x@y'], origin: '--vault-id' });
    expect(shown('vault_password_file')).to.deep.equal({ value: ['f', 'g'], origin: '--vault-password-file' });
    expect(shown('config')).to.deep.include({ origin: '--config' });
    expect(shown('no_exec')).to.deep.equal({ value: true, origin: '--no-exec' });
    expect(shown('limit')).to.deep.equal({ value: ['lb1'], origin: '--limit' });
    expect(shown('confirm'), 'a setting of environments').to.equal(undefined);
  });

  it('is that of the environment, else of the file', async () => {
    const live = await settings({ env: 'live', limit: 'lb1' }, FILE);
    expect(live.get('inventory')).to.deep.equal({ value: ['b', 'c'], origin: 'evenkeel.yml:12' });
    expect(live.get('limit')).to.deep.equal({ value: ['emea', 'lb1'], origin: '--limit' });
    expect(live.get('vault_ids')).to.deep.equal({ value: ['live@pw'], origin: 'evenkeel.yml:12' });
    expect(live.get('vault_password_file')).to.deep.equal({ value: 'secret', origin: 'evenkeel.yml:7' });
    expect(live.get('confirm')).to.deep.equal({ value: true, origin: 'evenkeel.yml:12' });
    expect(live.get('require_plan')).to.deep.equal({ value: false, origin: 'default' });
    expect(live.get('extra_vars')).to.deep.equal({ value: ['x.yml'], origin: 'evenkeel.yml:12' });
    const plain = await settings({ env: 'plain' }, FILE);
    expect(plain.get('inventory')).to.deep.equal({ value: ['a'], origin: 'evenkeel.yml:1' });
    expect(plain.get('vault_ids')).to.deep.equal({ value: ['dev@pw', 'prod@prompt'], origin: 'evenkeel.yml:6' });
    for (const [name, value] of [
      ['limit', []],
      ['confirm', false],
      ['extra_vars', []],
    ] as const)
      expect(plain.get(name), name).to.deep.equal({ value, origin: 'default' });
    expect(plain.get('lint')?.value).to.deep.equal(['skip name', 'skip one', 'warn two']);
    expect(plain.get('modules_path')?.value).to.deep.equal(['own', 'package']);
    expect(plain.get('environments')?.value).to.deep.equal(['live', 'plain']);
    expect(plain.get('routes')?.value).to.deep.equal(['madrid: socks5h://127.0.0.1:1081, socks5h://127.0.0.1:2081']);
    expect(plain.get('output')).to.deep.equal({ value: 'lines', origin: 'evenkeel.yml:8' });
  });

  it('is its default where nothing sets it', async () => {
    const found = await settings({}, undefined);
    for (const [name, value] of [
      ['inventory', null],
      ['forks', '50, auto for commands that only read'],
      ['max_registered', 16 * 2 ** 20],
      ['strategy', 'host_pinned'],
      ['state_dir', '.evenkeel'],
      ['output', 'live in a terminal, else grouped'],
      ['vault_ids', []],
      ['vault_password_file', null],
      ['environments', []],
      ['routes', []],
      ['lint', []],
      ['config', null],
      ['lock_dir', 'a folder of the user in the temporary folder'],
      ['trusted_folders', null],
      ['no_exec', false],
    ] as const)
      expect(found.get(name), name).to.deep.equal({ value, origin: 'default' });
  });

  it('is that of a variable of the environment, unless that is empty', async () => {
    const env = {
      EVENKEEL_LOCK_DIR: '/locks',
      EVENKEEL_TRUSTED_FOLDERS: '*',
      EVENKEEL_NO_EXEC: '1',
      EVENKEEL_FORKS: '9',
    };
    const found = await settings({}, FILE, env);
    expect(found.get('lock_dir')).to.deep.equal({ value: '/locks', origin: 'EVENKEEL_LOCK_DIR' });
    expect(found.get('trusted_folders')).to.deep.equal({ value: '*', origin: 'EVENKEEL_TRUSTED_FOLDERS' });
    expect(found.get('no_exec')).to.deep.equal({ value: true, origin: 'EVENKEEL_NO_EXEC' });
    expect(found.get('forks')).to.deep.equal({ value: 9, origin: 'EVENKEEL_FORKS' });
    const nothing = Object.fromEntries(Object.keys(env).map((name) => [name, '']));
    const empty = await settings({ exec: true }, FILE, nothing);
    expect(empty.get('no_exec')).to.deep.equal({ value: false, origin: 'default' });
    expect(empty.get('forks')).to.deep.equal({ value: 7, origin: 'evenkeel.yml:2' });
    const where = { value: 'a folder of the user in the temporary folder', origin: 'default' };
    expect([empty.get('lock_dir'), empty.get('trusted_folders')?.value]).to.deep.equal([where, null]);
  });
});
