import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { ROOT } from '../rig/command.js';
import { inFolder } from '../rig/folder.js';
import { evenkeel } from '../rig/in_process.js';
import { NATS_SERVER, sayWithoutNats } from '../rig/nats.js';
import { blocksOf } from './blocks.js';

interface Service {
  readonly image: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly network_mode?: string;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly configs: Readonly<Record<string, { readonly content: string }>>;
}

/** The options of a command line that its command does not have; the command if there is none. */
async function unknownIn([command = '', ...args]: readonly string[]): Promise<readonly string[]> {
  const { code, stdout } = await evenkeel(['help', command], { cwd: ROOT });
  if (code !== 0) return [command];
  return args.filter((arg) => arg.startsWith('-') && !new RegExp(String.raw`(?:^|[\s,])${arg}[\s,]`, 'm').test(stdout));
}

/** Nothing can be started here: there is no Docker, and the sites are on other machines. */
describe('docs/scaling.md', () => {
  const page = readFileSync(path.join(ROOT, 'docs/scaling.md'), 'utf8');
  const lines = blocksOf(page)
    .flatMap(({ text }) => text.replaceAll(/\\\n\s*/g, '').split('\n'))
    .filter((line) => line.startsWith('evenkeel '));

  for (const line of lines)
    it(`has commands and options that exist: ${line}`, async () => {
      expect(await unknownIn(line.split(/\s+/).slice(1))).to.deep.equal([]);
    });
});

describe('compose.yaml', () => {
  const { services, configs } = parse(readFileSync(path.join(ROOT, 'compose.yaml'), 'utf8'), {
    merge: true,
  }) as Compose;

  it('starts commands that exist, on files and services that exist', async () => {
    for (const [name, service] of Object.entries(services)) {
      const { build, command, entrypoint = [], volumes = [], depends_on: needed = {} } = service;
      for (const file of volumes.map((volume) => volume.split(':')[0] ?? '').filter((file) => file.startsWith('.')))
        expect(existsSync(path.join(ROOT, file)), file).to.equal(true);
      const others = [...Object.keys(needed), ...(service.network_mode?.split(':').slice(1) ?? [])];
      expect(Object.keys(services), name).to.include.members(others);
      const started = /^exec evenkeel (.*) >/.exec(entrypoint.at(-1) ?? '')?.[1]?.split(' ') ?? command;
      if (build !== undefined) expect(await unknownIn(started ?? []), name).to.deep.equal([]);
    }
  });

  it('has no service that ends before the run, at which compose would stop all', () => {
    const conditions = Object.values(services).flatMap(({ depends_on: needed = {} }) => Object.values(needed));
    expect(conditions.map(({ condition }) => condition)).to.not.include('service_completed_successfully');
  });

  it('names an inventory whose groups are the sites', () =>
    inFolder({ 'sites.yml': configs['sites']?.content ?? '' }, async (folder) => {
      const sources = ['-i', path.join(ROOT, 'inventory/staging'), '-i', path.join(folder, 'sites.yml')];
      const { stdout } = await evenkeel(['inventory', '--list', ...sources], { cwd: ROOT });
      const { _meta: meta } = JSON.parse(stdout) as {
        readonly _meta: { readonly hostvars: Readonly<Record<string, { readonly evenkeel_site?: string }>> };
      };
      const started = Object.values(services).flatMap(
        ({ command = [] }) => command[command.indexOf('--site') + 1] ?? [],
      );
      for (const [name, { evenkeel_site: site }] of Object.entries(meta.hostvars))
        expect(started, name).to.include(site);
    }));

  it('has a configuration that the broker accepts', async function () {
    if (NATS_SERVER === undefined) {
      sayWithoutNats('the configuration of the broker in compose.yaml');
      this.skip();
    }
    const server = NATS_SERVER;
    await inFolder({ 'broker.conf': configs['broker']?.content ?? '' }, async (folder) => {
      await copyFile(path.join(ROOT, 'docs/examples/evenkeel-users.conf'), path.join(folder, 'evenkeel-users.conf'));
      const { environment: env } = services['broker'] as { readonly environment?: Readonly<Record<string, string>> };
      const { stderr, status } = spawnSync(server, ['-c', 'broker.conf', '-t'], { cwd: folder, env, encoding: 'utf8' });
      expect(status, stderr).to.equal(0);
    });
  });
});
