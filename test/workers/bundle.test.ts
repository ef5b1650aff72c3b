import {
  chmod,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { Header, Pack, ReadEntry, type HeaderData } from 'tar';
import { digestOf } from '../../src/workers/bundle/archive.js';
import { BundleError } from '../../src/workers/bundle/entries.js';
import { makeBundle, type Bundle } from '../../src/workers/bundle/make_bundle.js';
import { relocation } from '../../src/workers/bundle/relocation.js';
import { unpackBundle, unpackedBundle } from '../../src/workers/bundle/unpack_bundle.js';
import { inFolder, type Files } from '../rig/folder.js';
import { makePipe } from '../rig/pipe.js';

interface Wanted {
  readonly files?: readonly string[];
  readonly secret?: readonly string[];
  readonly state?: string;
  readonly limit?: number;
}

/** Of the folder `lb`; the names are relative to the folder around it. */
function bundleOf(
  folder: string,
  { files = [], secret = [], state = 'lb/.evenkeel', ...rest }: Wanted = {},
): Promise<Bundle> {
  const at = (name: string): string => path.join(folder, name);
  return makeBundle({ root: at('lb'), files: files.map(at), secret: secret.map(at), state: at(state), ...rest });
}

const namesIn = ({ entries }: Bundle): readonly string[] =>
  entries.flatMap(({ type, name }) => (type === 'folder' ? [] : [name]));

async function problem(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => 'it worked',
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof BundleError)) throw error as Error;
  return [error.message, ...(error.hint === undefined ? [] : [`hint: ${error.hint}`])].join('\n');
}

const PROJECT: Files = {
  'lb/evenkeel.yml': 'forks: 5\n',
  'lb/playbooks/site.yml': '- hosts: all\n',
  'lb/roles/pool/tasks/main.yml': '[]\n',
};

describe('the bundle of a project', () => {
  it('holds what runs may read, but no state, key, password, repository or package', () =>
    inFolder(
      {
        ...PROJECT,
        'lb/.evenkeel/key': 'k',
        'lb/.git/config': 'g',
        'lb/roles/pool/.git': 'gitdir: elsewhere',
        'lb/.vault_pass': 'v',
        'lb/secrets/more/pass': 'v',
        'lb/node_modules/typescript/index.js': '',
        'lb/venv/bin/python': '',
        'lb/.hidden': 'h',
      },
      async (folder) => {
        const bundle = await bundleOf(folder, { secret: ['lb/.vault_pass', 'lb/secrets'], files: ['lb/.vault_pass'] });
        expect(namesIn(bundle)).to.deep.equal([
          'project/.hidden',
          'project/evenkeel.yml',
          'project/playbooks/site.yml',
          'project/roles/pool/tasks/main.yml',
        ]);
      },
    ));

  it('holds the files and folders outside of the project that the run reads, but no password file', () =>
    inFolder(
      {
        ...PROJECT,
        'ca/ca.pem': 'c',
        'ca/ca.key': 'k',
        'roles/web/tasks/main.yml': '[]\n',
        'roles/web/files/index.html': 'i',
        vault_pass: 'v',
      },
      async (folder) => {
        const bundle = await bundleOf(folder, {
          files: ['lb/evenkeel.yml', 'roles/web/tasks/main.yml', 'roles/web', 'ca/ca.pem', 'vault_pass'],
          secret: ['vault_pass'],
        });
        expect(namesIn(bundle).slice(0, 3)).to.deep.equal([
          `outside${folder}/ca/ca.pem`,
          `outside${folder}/roles/web/files/index.html`,
          `outside${folder}/roles/web/tasks/main.yml`,
        ]);
        expect(bundle.others).to.deep.equal([`${folder}/ca/ca.pem`, `${folder}/roles/web`]);
      },
    ));

  it('holds a file of the state folder if the run reads it, such as the CA of simulated controllers', () =>
    inFolder({ ...PROJECT, 'lb/state/simulator/ca.pem': 'c', 'lb/state/key': 'k' }, async (folder) => {
      const wanted = {
        files: ['lb/state/simulator/ca.pem', 'lb/state/key'],
        secret: ['lb/state/key'],
        state: 'lb/state',
      };
      const names = namesIn(await bundleOf(folder, wanted));
      expect(names.filter((name) => name.includes('state'))).to.deep.equal(['project/state/simulator/ca.pem']);
    }));

  it('holds the packages that package.json depends on, and theirs, but no others', () =>
    inFolder(
      {
        'lb/package.json': JSON.stringify({
          dependencies: { evenkeel: '1', netmask: '2', '@acme/lb': '1', gone: '1' },
          devDependencies: { eslint: '9' },
        }),
        'lb/node_modules/evenkeel/index.js': '',
        'lb/node_modules/eslint/index.js': '',
        'lb/node_modules/.bin/eslint': '',
        'lb/node_modules/netmask/package.json': JSON.stringify({ dependencies: { hoisted: '1', nested: '1' } }),
        'lb/node_modules/netmask/node_modules/nested/index.js': '',
        'lb/node_modules/netmask/node_modules/other/index.js': '',
        'lb/node_modules/hoisted/lib/index.js': '',
        'lb/node_modules/@acme/lb/index.js': '',
        'lb/node_modules/@acme/other/index.js': '',
      },
      async (folder) => {
        expect(namesIn(await bundleOf(folder))).to.deep.equal([
          'project/node_modules/@acme/lb/index.js',
          'project/node_modules/hoisted/lib/index.js',
          'project/node_modules/netmask/node_modules/nested/index.js',
          'project/node_modules/netmask/package.json',
          'project/package.json',
        ]);
      },
    ));

  it('holds the packages that pnpm links', () =>
    inFolder(
      {
        'lb/package.json': JSON.stringify({ dependencies: { a: '1' } }),
        'lb/node_modules/.pnpm/a@1/node_modules/a/package.json': JSON.stringify({ dependencies: { b: '1' } }),
        'lb/node_modules/.pnpm/b@1/node_modules/b/index.js': '',
        'lb/node_modules/.pnpm/c@1/node_modules/c/index.js': '',
      },
      async (folder) => {
        await symlink('.pnpm/a@1/node_modules/a', path.join(folder, 'lb/node_modules/a'));
        await symlink('../../b@1/node_modules/b', path.join(folder, 'lb/node_modules/.pnpm/a@1/node_modules/b'));
        expect(namesIn(await bundleOf(folder))).to.deep.equal([
          'project/node_modules/.pnpm/a@1/node_modules/a/package.json',
          'project/node_modules/.pnpm/a@1/node_modules/b',
          'project/node_modules/.pnpm/b@1/node_modules/b/index.js',
          'project/node_modules/a',
          'project/package.json',
        ]);
      },
    ));

  it('keeps links inside the project, and omits sockets, pipes and broken links', () =>
    inFolder({ ...PROJECT, 'lb/.vault_pass': 'v' }, async (folder) => {
      const at = (name: string): string => path.join(folder, 'lb', name);
      await symlink('playbooks/site.yml', at('relative'));
      await symlink(at('roles'), at('playbooks/roles'));
      await symlink('gone', at('broken'));
      await symlink('round', at('round'));
      await symlink('.vault_pass', at('password'));
      makePipe(at('pipe'));
      const bundle = await bundleOf(folder, { secret: ['lb/.vault_pass'] });
      expect(bundle.entries.filter(({ type }) => type === 'link')).to.deep.equal([
        { type: 'link', name: 'project/playbooks/roles', target: '../roles' },
        { type: 'link', name: 'project/relative', target: 'playbooks/site.yml' },
      ]);
      expect(namesIn(bundle)).to.have.length(5);
    }));

  it('follows a named link outside, and a project folder that is a link', () =>
    inFolder({ 'real/evenkeel.yml': '', 'ca-2026.pem': 'c' }, async (folder) => {
      await symlink('real', path.join(folder, 'lb'));
      await symlink('ca-2026.pem', path.join(folder, 'ca.pem'));
      expect(namesIn(await bundleOf(folder, { files: ['ca.pem'] }))).to.deep.equal([
        `outside${folder}/ca.pem`,
        'project/evenkeel.yml',
      ]);
    }));

  it('has a digest that depends only on content', () =>
    inFolder({ ...PROJECT, 'lb/copy.yml': 'x' }, (first) =>
      inFolder(Object.fromEntries(Object.entries(PROJECT).reverse()), async (second) => {
        const at = (name: string): string => path.join(second, 'lb', name);
        await writeFile(at('original'), 'x');
        await link(at('original'), at('copy.yml'));
        await rm(at('original'));
        await utimes(at('evenkeel.yml'), 1, 1);
        await chmod(at('playbooks/site.yml'), 0o600);
        const [one, other] = [await bundleOf(first), await bundleOf(second)];
        expect(other.digest)
          .to.equal(one.digest)
          .and.match(/^[0-9a-f]{64}$/);
        expect(other.bytes.equals(one.bytes)).to.equal(true);
        await chmod(at('playbooks/site.yml'), 0o700);
        expect((await bundleOf(second)).digest).to.not.equal(one.digest);
      }),
    ));

  it('is refused if a link leads outside', () =>
    inFolder({ ...PROJECT, 'shared/hosts.yml': '' }, async (folder) => {
      await symlink('../shared', path.join(folder, 'lb/inventory'));
      expect(await problem(bundleOf(folder))).to.equal(
        `the link ${folder}/lb/inventory leads out of the project, to ${folder}/shared: workers at sites cannot follow it\n` +
          'hint: copy what it leads to into the project, or remove the link',
      );
      const named = await bundleOf(folder, { files: ['shared'] });
      expect(named.entries).to.deep.include({
        type: 'link',
        name: 'project/inventory',
        target: `../outside${folder}/shared`,
      });
    }));

  it('is refused if it is too large, with the names of the largest files', () =>
    inFolder(
      { ...PROJECT, 'lb/images/se.ova': 'x'.repeat(3 << 20), 'lb/images/b.ova': 'x'.repeat(2 << 20) },
      async (folder) => {
        const message = await problem(bundleOf(folder, { limit: 4 << 20 }));
        expect(message).to.contain(
          `the files of the project are too large for workers at sites: 5.0 MiB, at most 4.0 MiB; the largest: ${folder}/lb/images/se.ova (3.0 MiB), ${folder}/lb/images/b.ova (2.0 MiB)`,
        );
        expect(message).to.not.contain('(0.0 MiB)');
        expect(message).to.contain('hint: move what runs do not read out of the folder of the project');
      },
    ));

  it('is refused if a file is gone or cannot be understood', () =>
    inFolder({ ...PROJECT, 'lb/package.json': '{' }, async (folder) => {
      expect(await problem(bundleOf(folder))).to.match(
        /^cannot read \S+\/lb\/package\.json, which says what packages of node_modules workers need: \S/,
      );
      await rm(path.join(folder, 'lb/package.json'));
      expect(await problem(bundleOf(folder, { files: ['gone.yml'] }))).to.equal(
        `cannot send ${folder}/gone.yml to workers at sites: there is no such file`,
      );
    }));
});

describe('unpacking a bundle', () => {
  it('creates the same files, privately, and reuses them', () =>
    inFolder({ ...PROJECT, 'outer/script': '#!/bin/sh\n' }, async (folder) => {
      const cache = path.join(folder, 'cache/bundles');
      await chmod(path.join(folder, 'outer/script'), 0o755);
      await mkdir(path.join(folder, 'lb/empty'));
      await symlink('playbooks/site.yml', path.join(folder, 'lb/link'));
      const { bytes, digest, entries } = await bundleOf(folder, { files: ['outer/script'] });
      expect(await unpackedBundle(digest, cache)).to.equal(undefined);
      const unpacked = await unpackBundle(bytes, digest, cache);
      expect(unpacked.startsWith(`${cache}/${digest}.`)).to.equal(true);
      expect(((await lstat(unpacked)).mode & 0o777).toString(8)).to.equal('700');
      const found = await readdir(unpacked, { recursive: true });
      expect(found.sort()).to.deep.equal(entries.map(({ name }) => name).sort());
      expect(await readFile(path.join(unpacked, 'project/evenkeel.yml'), 'utf8')).to.equal('forks: 5\n');
      expect(await readlink(path.join(unpacked, 'project/link'))).to.equal('playbooks/site.yml');
      expect((await lstat(path.join(unpacked, `outside${folder}/outer/script`))).mode & 0o100).to.equal(0o100);
      expect(await unpackBundle(bytes, digest, cache)).to.equal(unpacked);
      expect(await unpackedBundle(digest, cache)).to.equal(unpacked);
    }));

  it('does not reuse files that were changed, added or deleted', () =>
    inFolder(PROJECT, async (folder) => {
      const cache = path.join(folder, 'cache');
      const { bytes, digest } = await bundleOf(folder);
      const damages: readonly ((at: string) => Promise<unknown>)[] = [
        (at) => writeFile(path.join(at, 'project/evenkeel.yml'), 'forks: 6\n'),
        (at) => writeFile(path.join(at, 'project/evenkeel.yaml'), ''),
        (at) => rm(path.join(at, 'project/playbooks/site.yml')),
        (at) => symlink('/etc/passwd', path.join(at, 'project/passwd')),
      ];
      for (const damage of damages) {
        const unpacked = await unpackBundle(bytes, digest, cache);
        await damage(unpacked);
        expect(await unpackedBundle(digest, cache)).to.equal(undefined);
        expect(await unpackBundle(bytes, digest, cache)).to.not.equal(unpacked);
      }
    }));

  it('keeps the newest ten, and those of today', () =>
    inFolder(PROJECT, async (folder) => {
      const cache = path.join(folder, 'cache');
      const names = Array.from({ length: 14 }, (_, index) => `${index.toString(16).repeat(64)}.aaaaaa`);
      for (const [index, name] of names.entries()) {
        await mkdir(path.join(cache, name), { recursive: true });
        const age = index < 3 ? 60 : 100_000 + index;
        await utimes(path.join(cache, name), Date.now() / 1000 - age, Date.now() / 1000 - age);
      }
      await mkdir(path.join(cache, 'of another program'));
      const { bytes, digest } = await bundleOf(folder);
      const unpacked = path.basename(await unpackBundle(bytes, digest, cache));
      expect((await readdir(cache)).sort()).to.deep.equal(
        [...names.slice(0, 9), unpacked, 'of another program'].sort(),
      );
    }));

  it('writes nothing if the bytes do not match the digest', () =>
    inFolder(PROJECT, async (folder) => {
      const cache = path.join(folder, 'cache');
      const { bytes, digest } = await bundleOf(folder);
      const other = '0'.repeat(64);
      expect(await problem(unpackBundle(bytes, other, cache))).to.equal(
        `the bundle of the run is not what the coordinator made: its digest is ${digest}, expected ${other}\n` +
          'hint: another program has changed it on the broker: check who may write to its object store',
      );
      expect(await problem(unpackBundle(bytes.subarray(0, -20), digest, cache))).to.equal(
        'the bundle of the run is truncated or damaged: unexpected end of file',
      );
      expect(await problem(unpackBundle(Buffer.from('no bundle'), digest, cache))).to.match(
        /^the bundle of the run is truncated or damaged: /,
      );
      expect(await problem(unpackBundle(bytes, '../../elsewhere', cache))).to.equal(
        'the coordinator named a bundle without a digest',
      );
      const bomb = deflateSync(Buffer.alloc(66 << 20));
      expect(await problem(unpackBundle(bomb, digest, cache, 1 << 20))).to.equal(
        'the bundle of the run has more than 1.0 MiB of files, which is the limit',
      );
      expect(await readdir(folder)).to.not.include('cache');
    }));

  const UNSAFE: readonly (HeaderData & { readonly shown: string })[] = [
    { path: '../evil', type: 'File', shown: 'File ../evil' },
    { path: 'project/../../evil', type: 'File', shown: 'File project/../../evil' },
    { path: '/tmp/evil', type: 'File', shown: 'File /tmp/evil' },
    { path: 'project/l', type: 'SymbolicLink', linkpath: '../../evil', shown: 'SymbolicLink project/l → ../../evil' },
    { path: 'project/l', type: 'SymbolicLink', linkpath: '/etc/passwd', shown: 'SymbolicLink project/l → /etc/passwd' },
    { path: 'project/l', type: 'Link', linkpath: '/etc/passwd', shown: 'Link project/l → /etc/passwd' },
    { path: 'project/l', type: 'FIFO', shown: 'FIFO project/l' },
  ];

  for (const { shown, ...header } of UNSAFE)
    it(`writes nothing if an entry leads outside or is no file: ${shown}`, () =>
      inFolder({}, async (folder) => {
        const cache = path.join(folder, 'cache');
        const archive = await archived([{ path: 'project/good', type: 'File' }, header]);
        expect(await problem(unpackBundle(deflateSync(archive), digestOf(archive), cache))).to.equal(
          `the bundle of the run has an entry that a worker must not unpack: ${shown}`,
        );
        expect(await readdir(cache)).to.deep.equal([]);
      }));

  it('does not write through a link', () =>
    inFolder({}, async (folder) => {
      const archive = await archived([
        { path: 'project/a', type: 'SymbolicLink', linkpath: '.' },
        { path: 'project/a/evil', type: 'File' },
      ]);
      const unpacking = unpackBundle(deflateSync(archive), digestOf(archive), path.join(folder, 'cache'));
      expect(await problem(unpacking)).to.match(/^cannot unpack the bundle of the run into .*cache: /);
    }));

  it('says why it cannot write', () =>
    inFolder({ ...PROJECT, cache: 'a file' }, async (folder) => {
      const { bytes, digest } = await bundleOf(folder);
      expect(await problem(unpackBundle(bytes, digest, path.join(folder, 'cache')))).to.match(
        /^cannot unpack the bundle of the run into \S+\/cache: not a directory$/,
      );
    }));

  it('unpacks what was packed', async () => {
    await inFolder(PROJECT, async (folder) => {
      const { bytes, digest } = await bundleOf(folder);
      expect(digestOf(inflateSync(bytes))).to.equal(digest);
    });
  });
});

/** An archive that `makeBundle` would not make. */
async function archived(headers: readonly HeaderData[]): Promise<Buffer> {
  const pack = new Pack({ portable: true, preservePaths: true });
  const written = pack.concat();
  for (const header of headers) {
    const entry = new ReadEntry(new Header({ size: 0, mode: 0o644, ...header }));
    pack.add(entry);
    entry.end();
  }
  pack.end();
  return written;
}

describe('relocation', () => {
  const OF_BOB = { cwd: '/home/bob', home: '/home/bob' };
  const FROM = {
    ...OF_BOB,
    cwd: '/home/ann/lb/playbooks',
    root: '/home/ann/lb',
    others: ['/srv/roles/web', '/home/ann/ca.pem'],
  };
  const { at, inCommand, inOutput } = relocation(FROM, '/var/cache/3f.a1');

  it('maps the project and the named files, and nothing else', () => {
    const pairs: Readonly<Record<string, string>> = {
      '/home/ann/lb': '/var/cache/3f.a1/project',
      '/home/ann/lb/playbooks/site.yml': '/var/cache/3f.a1/project/playbooks/site.yml',
      '/srv/roles/web/tasks/main.yml': '/var/cache/3f.a1/outside/srv/roles/web/tasks/main.yml',
      '/home/ann/ca.pem': '/var/cache/3f.a1/outside/home/ann/ca.pem',
    };
    for (const [here, mapped] of Object.entries(pairs))
      expect([at(here), inOutput(mapped)]).to.deep.equal([mapped, here]);
    const unmapped = ['/home/ann/lb2/site.yml', '/home/ann', '/srv/roles/webs', '/etc/hosts'];
    for (const file of unmapped) expect([at(file), inOutput(file)]).to.deep.equal([file, file]);
    expect(at('/home/ann/lb/../lb2/x')).to.equal('/home/ann/lb2/x');
  });

  it('maps relative paths as those in the working directory of the coordinator', () => {
    expect(at('site.yml')).to.equal('/var/cache/3f.a1/project/playbooks/site.yml');
    expect(at('')).to.equal('/var/cache/3f.a1/project/playbooks');
    expect(at('../../ca.pem')).to.equal('/var/cache/3f.a1/outside/home/ann/ca.pem');
  });

  it('maps files outside the bundle from the home folder to that of the worker', () => {
    expect(at('/home/bob/ca.pem')).to.equal(path.join(homedir(), 'ca.pem'));
    expect(relocation({ ...FROM, home: '/' }, '/var/cache/3f.a1').at('/nowhere/ca.pem')).to.equal('/nowhere/ca.pem');
  });

  it('keeps the path of a file outside the bundle', () => {
    const root = path.dirname(import.meta.filename);
    const { at: placeOf } = relocation({ ...OF_BOB, root, others: [] }, '/var/cache/3f.a1');
    expect(placeOf(import.meta.filename)).to.equal(import.meta.filename);
    expect(placeOf(path.join(root, 'new.txt'))).to.equal('/var/cache/3f.a1/project/new.txt');
  });

  it('maps the paths in commands, and back in what they print', () => {
    expect(inCommand('cat /home/ann/lb/x "/srv/roles/web" /home/ann/lb2 /mnt/home/ann/lb >/home/ann/lb')).to.equal(
      'cat /var/cache/3f.a1/project/x "/var/cache/3f.a1/outside/srv/roles/web" /home/ann/lb2 /mnt/home/ann/lb >/var/cache/3f.a1/project',
    );
    expect(inOutput('in /var/cache/3f.a1/project, by "/var/cache/3f.a1/outside/srv/roles/web/y.yml".')).to.equal(
      'in /home/ann/lb, by "/srv/roles/web/y.yml".',
    );
  });

  const name = fc.constantFrom('a', 'b', 'project', 'outside', '...', ' ', 'ä', '$&', '"', '\\');
  const absolute = fc.array(name, { maxLength: 5 }).map((parts) => ['/nowhere', ...parts].join('/'));

  it('is reversible for every path outside the unpacked bundle', () => {
    fc.assert(
      fc.property(absolute, fc.array(absolute, { maxLength: 3 }), absolute, (root, others, file) => {
        const to = '/cache/3f.a1';
        const mapped = relocation({ ...OF_BOB, root, others }, to);
        const moved = mapped.at(file);
        expect(mapped.inOutput(moved)).to.equal(file);
        if ([root, ...others].some((top) => file === top || file.startsWith(`${top}/`)))
          expect(moved.startsWith(`${to}/`), moved).to.equal(true);
        else expect(moved).to.equal(file);
      }),
    );
  });

  it('maps different files to different names', () => {
    fc.assert(
      fc.property(absolute, fc.array(absolute), absolute, absolute, (root, others, one, other) => {
        fc.pre(one !== other);
        const mapped = relocation({ ...OF_BOB, root, others }, '/cache/3f.a1');
        expect(mapped.at(one)).to.not.equal(mapped.at(other));
      }),
    );
  });
});
