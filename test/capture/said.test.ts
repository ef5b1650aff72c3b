import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { emptyProject, type Ended, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

describe('what a capture says', () => {
  let fleet: Fleet;
  let project: Project;
  beforeEach(async () => {
    fleet = await startFleet({ controllers: 2 });
    project = await emptyProject({ 'evenkeel.yml': `environments: { lab: { inventory: ${fleet.inventoryFile} } }\n` });
  });
  afterEach(() => Promise.all([fleet.dispose(), project.remove()]));

  const command = (...args: readonly string[]): Promise<Ended> => evenkeel(args, { cwd: project.directory });
  const capture = (...args: readonly string[]): Promise<Ended> =>
    command('capture', '--out', 'out', '-i', fleet.inventoryFile, ...args);
  const set = (kind: string, make: (controller: string) => readonly object[]): void => {
    for (const name of fleet.names) fleet.controller(name).setObjects(`/api/${kind}/`, make(name) as never);
  };
  const file = (name: string): Promise<string> => readFile(path.join(project.directory, name), 'utf8');

  it('names 20 secrets, and counts the others and the controllers that have them', async () => {
    const certificates = (number: number) => (controller: string) =>
      Array.from({ length: number }, (_, at) => ({
        uuid: `s-${at}`,
        name: `c${String(at).padStart(2, '0')}`,
        ...((at > 0 || controller === 'lb1') && { key: 'Blue-Whale-42' }),
      }));
    set('sslkeyandcertificate', certificates(21));
    const { code, stdout, stderr } = await capture('--kind', 'sslkeyandcertificate');
    expect([code, stderr]).to.deep.equal([0, '']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.slice(0, 4)).to.deep.equal([
      'captured 21 objects of 2 controllers in out',
      '21 secrets to fill in, in out/group_vars/all/secrets.yml:',
      '  captured_sslkeyandcertificate_c00_key_secret: sslkeyandcertificate "c00": key, on 1 controller',
      '  captured_sslkeyandcertificate_c01_key_secret: sslkeyandcertificate "c01": key, on 2 controllers',
    ]);
    expect([lines.length, ...lines.slice(22)]).to.deep.equal([
      24,
      '  and 1 more',
      `check it with: evenkeel run out/capture.yml -i ${fleet.inventoryFile} --check`,
    ]);
    expect(await file('out/group_vars/all/secrets.yml')).to.match(
      /^# Captured by evenkeel: secrets to fill in\..*\n# A value.*\n# Encrypt.*\n\n# sslkeyandcertificate "c00": key, on 1 controller\n# captured_sslkeyandcertificate_c00_key_secret:\n\n# sslkey/,
    );
    set('sslkeyandcertificate', certificates(20));
    const twenty = (await capture('--kind', 'sslkeyandcertificate', '--force')).stdout;
    expect(twenty).to.include('\n20 secrets to fill in').and.not.include(' more');
  });

  it('names what refers to each other in a circle', async () => {
    const pools = (number: number) => () =>
      Array.from({ length: number }, (_, at) => ({
        uuid: `p-${at}`,
        name: `p${at}`,
        group_ref: `/api/poolgroup/g-${at}#g${at}`,
      }));
    const groups = (number: number) => () =>
      Array.from({ length: number }, (_, at) => ({
        uuid: `g-${at}`,
        name: `g${at}`,
        pool_ref: `/api/pool/p-${at}#p${at}`,
      }));
    set('pool', pools(3));
    set('poolgroup', groups(3));
    const { stdout } = await capture('--kind', 'pool', '--kind', 'poolgroup');
    expect(stdout).to.include(
      '\nrefer to each other in a circle, so a new controller cannot get them in one run: pool "p0", pool "p1", pool "p2"\n',
    );
  });

  it('gives the check with the options that select controllers and sign in', async () => {
    const check = (stdout: string): string => stdout.trimEnd().split('\n').at(-1) ?? '';
    const env = await command('capture', '--out', 'by env', '--env', 'lab', '--kind', 'cloud');
    expect(check(env.stdout)).to.equal(`check it with: evenkeel run 'by env/capture.yml' --env lab --check`);
    const dash = await command('capture', '--out=-x', '--env', 'lab');
    expect(check(dash.stdout)).to.equal('check it with: evenkeel run ./-x/capture.yml --env lab --check');
    const named = await command('capture', '--out', 'out/', '--env', 'lab', '--config', 'evenkeel.yml');
    expect(check(named.stdout)).to.equal(
      'check it with: evenkeel run out/capture.yml --env lab --check --config evenkeel.yml',
    );
    const signedIn = await command('capture', '--out', 'in', '--env', 'lab', '-e', 'site="a b"', '-u', 'ann');
    expect(check(signedIn.stdout)).to.equal(
      `check it with: evenkeel run in/capture.yml --env lab -e 'site="a b"' -u ann --check`,
    );
    const simulated = await capture('--simulate', '--force');
    expect(check(simulated.stdout)).to.equal(
      `check it with: evenkeel run out/capture.yml -i ${fleet.inventoryFile} --simulate --check`,
    );
    expect(simulated.stdout).to.match(/^captured \d+ objects? of 2 controllers in out\n/);
  });

  it('refuses kinds that there are not, before it contacts anything', async () => {
    for (const [kind, message] of [
      ['pol', 'error: --kind: there is no kind "pol"\n       = hint: did you mean "pool"?\n\n1 error\n'],
      ['Pool!', 'error: --kind: there is no kind "Pool!"\n       = hint: did you mean "pool"?\n\n1 error\n'],
      [
        'a/b',
        'error: --kind: there is no kind "a/b"\n       = hint: kinds are written as in paths: pool, virtualservice; docs/kinds.md lists those with known fields\n\n1 error\n',
      ],
      ['image', 'error: --kind: objects of the kind "image" are uploaded, so they cannot be captured\n\n1 error\n'],
    ]) {
      const { code, stderr } = await capture('--kind', kind ?? '', '--kind', 'cloud');
      expect([code, stderr.replaceAll(/\n +/g, '\n       ')]).to.deep.equal([1, message]);
    }
    expect(fleet.names.flatMap((name) => fleet.controller(name).requests)).to.deep.equal([]);
    const compared = await command('compare', '--kind', 'image', '-i', fleet.inventoryFile);
    expect(compared.stderr).to.not.include('uploaded');
  });

  it('reads a kind that no table has from the collection of its name, each once', async () => {
    set('gadget', () => [{ uuid: 'g-1', name: 'one', size: 1 }]);
    const { stdout } = await capture('--kind', 'gadget', '--kind', 'gadget');
    expect(stdout).to.match(/^captured 1 object of 2 controllers in out\n/);
    const asked = fleet.controller('lb1').requests.filter(({ path: one }) => one.startsWith('/api/gadget'));
    expect(asked.length).to.equal(1);
  });

  it('compares secrets without showing them', async () => {
    const keys: Readonly<Record<string, readonly string[]>> = {
      lb1: ['Blue-Whale-42', 'Red-Fox-43'],
      lb2: ['Blue-Whale-42', 'Grey-Owl-44'],
    };
    set('sslkeyandcertificate', (name) =>
      (keys[name] ?? []).map((key, at) => ({ uuid: `s-${at}`, name: `c${at}`, key })),
    );
    const compare = (...args: readonly string[]) =>
      command('compare', '-i', fleet.inventoryFile, '--kind', 'sslkeyandcertificate', ...args);
    const { code, stdout } = await compare();
    expect(code).to.equal(3);
    expect(stdout)
      .to.include('c1')
      .and.not.match(/Whale|Fox|Owl|"c0"/);
    const json = (await compare('--json')).stdout;
    expect(json)
      .to.include('"value": "‹secret changed›"')
      .and.not.match(/Whale|Fox|Owl/);
    set('sslkeyandcertificate', () => [{ uuid: 's-0', name: 'c0', key: 'Blue-Whale-42' }]);
    expect((await compare()).code).to.equal(0);
  });
});
