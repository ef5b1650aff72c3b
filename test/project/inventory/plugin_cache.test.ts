import { chmod, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { Cursor } from '../../../src/project/document/cursor.js';
import { PluginCache } from '../../../src/project/inventory/plugin_cache.js';
import { parseYaml } from '../../../src/project/yaml/parse_yaml.js';
import { inFolder } from '../../rig/folder.js';
import { worded } from '../../rig/loaded.js';

type Settings = Parameters<typeof PluginCache.find>[2];

interface Found {
  readonly cache: PluginCache | undefined;
  readonly said: readonly string[];
}

function find(config: string, given: Partial<Settings> & Pick<Settings, 'cwd'>, file = '/inv/nb.yml'): Found {
  const diagnostics = new Diagnostics();
  const parsed = parseYaml(config, 'nb.yml', diagnostics);
  if (parsed === undefined) throw new Error('no YAML');
  const cursor = new Cursor(parsed.value, { ...parsed, diagnostics });
  const cache = PluginCache.find(cursor, file, { env: {}, stateDirectory: path.join(given.cwd, 'state'), ...given });
  return { cache, said: diagnostics.list.map(worded) };
}

const settings = (values: Readonly<Record<string, string>>): Settings['ansible'] => ({
  values: new Map(Object.entries(values).map(([name, value]) => [name, { value }])),
});

describe('the kept output of an inventory plugin', () => {
  it('is kept if the file says so, else the environment, else ansible.cfg', () =>
    inFolder({}, (cwd) => {
      const on = (config: string, env: Record<string, string> = {}, cfg: Record<string, string> = {}): boolean =>
        find(config, { cwd, env, ansible: settings(cfg) }).cache !== undefined;
      const environment = (value: string) => ({ ANSIBLE_INVENTORY_CACHE: value });
      const cfg = (value: string) => ({ 'inventory.cache': value });
      expect([on('a: 1'), on('cache: true'), on('cache: no')]).to.deep.equal([false, true, false]);
      expect([
        on('a: 1', environment('1')),
        on('a: 1', environment('0'), cfg('yes')),
        on('a: 1', {}, cfg('yes')),
      ]).to.deep.equal([true, false, true]);
      expect([on('cache: false', environment('yes'), cfg('yes')), on('a: 1', {}, cfg('perhaps'))]).to.deep.equal([
        false,
        false,
      ]);
      expect(find('cache: perhaps', { cwd, env: environment('yes') }).said).to.deep.equal([
        'nb.yml:1:8 "cache" must be true or false',
      ]);
      return Promise.resolve();
    }));

  it('is in the folder that is named, else in that of the state, and nowhere without', () =>
    inFolder({}, async (cwd) => {
      const where = async (config: string, more: Partial<Settings> = {}): Promise<string | undefined> => {
        const { cache } = find(`cache: true\n${config}`, { cwd, ...more });
        if (cache === undefined) return undefined;
        await cache.write('x');
        const found = (await readdir(cwd, { recursive: true })).find((one) => one.endsWith('.json'));
        await Promise.all((await readdir(cwd)).map((one) => rm(path.join(cwd, one), { recursive: true })));
        return found?.replace(/[0-9a-f]{16}/, 'DIGEST');
      };
      const name = 'evenkeel-DIGEST.json';
      expect(await where('')).to.equal(`state/inventory/${name}`);
      expect(await where('cache_connection: a/b')).to.equal(`a/b/${name}`);
      expect(await where('cache_connection: redis://x')).to.equal(`state/inventory/${name}`);
      expect(await where('', { stateDirectory: undefined })).to.equal(undefined);
      expect(await where('cache_connection: redis://x', { stateDirectory: undefined })).to.equal(undefined);
      expect(await where('cache_connection: c', { stateDirectory: undefined })).to.equal(`c/${name}`);
      const ansible = settings({ 'defaults.fact_caching_connection': 'd', 'inventory.cache_connection': 'e' });
      expect(await where('', { ansible })).to.equal(`e/${name}`);
      expect(await where('', { ansible: settings({ 'defaults.fact_caching_connection': 'd' }) })).to.equal(`d/${name}`);
      expect(await where('', { env: { ANSIBLE_INVENTORY_CACHE_CONNECTION: 'f' }, ansible })).to.equal(`f/${name}`);
      const home = find('cache: true\ncache_connection: ~/kept', { cwd }).cache;
      expect(JSON.stringify(home)).to.include(JSON.stringify(path.join(homedir(), 'kept/evenkeel-')).slice(0, -1));
      const named = find('cache: true\ncache_connection: ~kept', { cwd }).cache;
      expect(JSON.stringify(named)).to.include(path.join(cwd, '~kept'));
    }));

  it('is another one for another file or another content', () =>
    inFolder({}, async (cwd) => {
      const one = find('cache: true\na: 1', { cwd }).cache;
      await one?.write('of a');
      expect(await one?.read()).to.equal('of a');
      expect(await find('a: 1\ncache: true', { cwd }).cache?.read()).to.equal(undefined);
      expect(await find('cache: true\na: 2', { cwd }).cache?.read()).to.equal(undefined);
      expect(await find('cache: true\na: 1', { cwd }, '/inv/other.yml').cache?.read()).to.equal(undefined);
      await find('cache: true\na: 1', { cwd }, '/inv/other.yml').cache?.write('of other');
      expect(await one?.read()).to.equal('of a');
      expect(await readdir(path.join(cwd, 'state/inventory'))).to.have.length(2);
    }));

  it('is fresh for as long as is said, an hour without, and for ever with 0', () =>
    inFolder({}, async (cwd) => {
      const folder = path.join(cwd, 'state/inventory');
      const isFresh = async (seconds: number, config = '', more: Partial<Settings> = {}): Promise<boolean> => {
        const { cache } = find(`cache: true\n${config}`, { cwd, ...more });
        await cache?.write('kept');
        const time = Date.now() / 1000 - seconds;
        for (const name of await readdir(folder)) await utimes(path.join(folder, name), time, time);
        return (await cache?.read()) === 'kept';
      };
      expect([await isFresh(3590), await isFresh(3601)]).to.deep.equal([true, false]);
      const config = 'cache_timeout: 100';
      expect([await isFresh(90, config), await isFresh(101, config)]).to.deep.equal([true, false]);
      expect([
        await isFresh(90, config, { env: { ANSIBLE_INVENTORY_CACHE_TIMEOUT: '5' } }),
        await isFresh(1e7, 'cache_timeout: 0'),
      ]).to.deep.equal([true, true]);
      const env = { ANSIBLE_INVENTORY_CACHE_TIMEOUT: '100' };
      expect([await isFresh(90, '', { env }), await isFresh(101, '', { env })]).to.deep.equal([true, false]);
      const ansible = settings({ 'defaults.fact_caching_timeout': '100' });
      expect([await isFresh(90, '', { ansible }), await isFresh(101, '', { ansible })]).to.deep.equal([true, false]);
      for (const wrong of ['x', '-1'])
        expect(find(`cache: true\ncache_timeout: ${wrong}`, { cwd }).said).to.deep.equal([
          'nb.yml:2:16 "cache_timeout" must be a number of seconds',
        ]);
      expect(find('cache: true\ncache_timeout: 0', { cwd }).said).to.deep.equal([]);
    }));

  it('is not used if it is damaged, or another user may have written it', () =>
    inFolder({}, async (cwd) => {
      const { cache } = find('cache: true', { cwd });
      await cache?.write('kept');
      const folder = path.join(cwd, 'state/inventory');
      const [name = ''] = await readdir(folder);
      const file = path.join(folder, name);
      expect((await stat(file)).mode & 0o777).to.equal(0o600);
      const { config } = JSON.parse(await readFile(file, 'utf8')) as { readonly config: string };
      for (const content of [
        '',
        'null',
        '[]',
        '7',
        '{}',
        `{"config":"${config}"}`,
        `{"output":"x"}`,
        `{"config":7,"output":"x"}`,
        `{"config":"${config}","output":7}`,
      ]) {
        await writeFile(file, content);
        expect(await cache?.read(), content).to.equal(undefined);
      }
      await writeFile(file, JSON.stringify({ config, output: 'other' }));
      expect(await cache?.read()).to.equal('other');
      await chmod(file, 0o666);
      expect(await cache?.read()).to.equal(undefined);
      await rm(file);
      await mkdir(file);
      expect(await cache?.read()).to.equal(undefined);
    }));
});
