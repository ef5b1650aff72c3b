import {
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { expect } from 'chai';
import { emptyProject, evenkeel, type Project } from '../rig/command.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

/** Loaded into the command: says of each script whether V8 took the code that was kept. */
const WITNESS = `
const vm = require('node:vm');
const taken = [];
vm.Script = class extends vm.Script {
  constructor(text, options) {
    super(text, options);
    taken.push(options.cachedData === undefined ? 'new' : this.cachedDataRejected ? 'refused' : 'kept');
  }
};
process.on('exit', () => require('node:fs').writeFileSync(process.env.WITNESS_FILE, JSON.stringify(taken)));
`;

/** Bytes; more than any command adds. V8 does not look at them. */
const LONGER = 200_000;

interface Kept {
  readonly header: { readonly stamp: string; readonly lengths: readonly (readonly [name: string, length: number])[] };
  readonly code: readonly Buffer[];
}

function unpacked(bytes: Buffer): Kept {
  let at = bytes.indexOf('\n', 4) + 1;
  const header = JSON.parse(bytes.toString('utf8', 4, at)) as Kept['header'];
  const code = header.lengths.map(([, length]) => bytes.subarray(at, (at += length)));
  return { header, code };
}

describe('compiled code', () => {
  let fleet: Fleet;
  let project: Project;
  let caches: string;

  beforeEach(async () => {
    [fleet, project] = await Promise.all([startFleet(), emptyProject({ 'witness.cjs': WITNESS })]);
    caches = path.join(project.directory, 'caches');
  });
  afterEach(() => Promise.all([fleet.dispose(), project.remove()]));

  /** What became of each chunk. */
  async function taken(
    args: readonly string[],
    more: Readonly<Record<string, string>> = {},
  ): Promise<readonly string[]> {
    const file = path.join(project.directory, 'witness.json');
    const env = {
      NODE_OPTIONS: `--require=${path.join(project.directory, 'witness.cjs')}`,
      WITNESS_FILE: file,
      XDG_CACHE_HOME: caches,
      ...more,
    };
    const { code, stdout, stderr } = await evenkeel(args, { cwd: project.directory, env });
    expect(code, stdout + stderr).to.equal(0);
    return JSON.parse(await readFile(file, 'utf8')) as readonly string[];
  }

  const task = (): Promise<readonly string[]> =>
    taken(['task', 'lb1', '-i', fleet.inventoryFile, '-m', 'cloud_present', '-a', 'name=edge']);
  const keptFiles = async (): Promise<readonly string[]> => {
    const folder = path.join(caches, 'evenkeel');
    return (await readdir(folder)).map((name) => path.join(folder, name));
  };

  it('is kept for the next start, for commands that contact controllers and for others', async () => {
    for (const start of [task, () => taken(['inventory', '-i', fleet.inventoryFile, '--list'])]) {
      expect(new Set(await start())).to.deep.equal(new Set(['new']));
      expect(new Set(await start())).to.deep.equal(new Set(['kept']));
    }
    const files = await keptFiles();
    expect(files).to.have.lengthOf(2);
    for (const file of files) expect((await stat(file)).mode & 0o777).to.equal(0o600);
  });

  it('is added to by commands that load more, and written by no others', async () => {
    await taken(['inventory', '-i', fleet.inventoryFile, '--list']);
    const [file = ''] = await keptFiles();
    const before = await stat(file, { bigint: true });
    await taken(['inventory', '-i', fleet.inventoryFile, '--list']);
    expect((await stat(file, { bigint: true })).ino).to.equal(before.ino);
    expect(new Set(await taken(['doc', 'cloud_present']))).to.deep.equal(new Set(['kept', 'new']));
    expect(new Set(await taken(['inventory', '-i', fleet.inventoryFile, '--list']))).to.deep.equal(new Set(['kept']));
    expect(new Set(await taken(['doc', 'cloud_present']))).to.deep.equal(new Set(['kept']));
  });

  it('is not replaced by less, as V8 has it for what began a long run', async () => {
    const args = ['inventory', '-i', fleet.inventoryFile, '--list'];
    await taken(args);
    const [file = ''] = await keptFiles();
    const { header, code } = unpacked(await readFile(file));
    const more = header.lengths.map(([name, length]) => [name, length + LONGER] as const);
    const bytes = code.flatMap((one) => [one, Buffer.alloc(LONGER)]);
    const rest = Buffer.concat([Buffer.from(`${JSON.stringify({ ...header, lengths: more })}\n`), ...bytes]);
    const head = Buffer.alloc(4);
    head.writeUInt32LE(crc32(rest));
    await writeFile(file, Buffer.concat([head, rest]));
    expect(new Set(await taken(['doc', 'cloud_present']))).to.deep.equal(new Set(['kept', 'new']));
    const after = new Map(unpacked(await readFile(file)).header.lengths);
    for (const [name, length] of more) expect(after.get(name), name).to.be.at.least(length);
  });

  for (const [damage, change] of [
    ['one bit', (bytes: Buffer) => bytes.fill((bytes.at(-9) ?? 0) ^ 1, bytes.length - 9, bytes.length - 8)],
    ['half of it', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['all of it', () => Buffer.alloc(0)],
    ['the build', (bytes: Buffer) => bytes.fill('x', 6, 20)],
  ] as const) {
    it(`is made again after damage: ${damage}`, async () => {
      await taken(['doc', '-l']);
      const [file = ''] = await keptFiles();
      await writeFile(file, change(await readFile(file)));
      expect(new Set(await taken(['doc', '-l']))).to.deep.equal(new Set(['new']));
      expect(new Set(await taken(['doc', '-l']))).to.deep.equal(new Set(['kept']));
    });
  }

  it('is made again if others could have written it', async () => {
    await taken(['doc', '-l']);
    const [file = ''] = await keptFiles();
    const others = [() => chmod(file, 0o620), () => chmod(file, 0o602)];
    if (process.getuid?.() === 0) others.push(() => chown(file, 1, 1));
    for (const change of others) {
      await change();
      expect(new Set(await taken(['doc', '-l']))).to.deep.equal(new Set(['new']));
      expect(new Set(await taken(['doc', '-l']))).to.deep.equal(new Set(['kept']));
    }
  });

  it('is neither read nor written where others can write, nor through a link', async () => {
    await taken(['doc', '-l']);
    const [file = ''] = await keptFiles();
    await rename(file, `${file}.moved`);
    await symlink(`${file}.moved`, file);
    expect(new Set(await taken(['doc', '-l']))).to.deep.equal(new Set(['new']));
    expect((await lstat(file)).isSymbolicLink()).to.equal(false);
    await chmod(path.dirname(file), 0o777);
    expect(new Set(await taken(['doc', '-l']))).to.deep.equal(new Set(['new']));
    await chmod(path.dirname(file), 0o700);
    await rm(path.dirname(file), { recursive: true });
    const elsewhere = path.join(project.directory, 'elsewhere');
    await mkdir(elsewhere);
    await symlink(elsewhere, path.dirname(file));
    await taken(['doc', '-l']);
    expect(await readdir(elsewhere)).to.deep.equal([]);
  });

  it('that nobody has renewed for a month is removed, and drafts of writers that were killed', async () => {
    await taken(['inventory', '-i', fleet.inventoryFile, '--list']);
    const [file = ''] = await keptFiles();
    for (const name of [`${file}.1`, `${file}.2`]) await writeFile(name, '');
    const old = new Date(Date.now() - 31 * 24 * 3600 * 1000);
    await utimes(`${file}.1`, old, old);
    await taken(['doc', 'cloud_present']);
    expect(new Set(await keptFiles())).to.deep.equal(new Set([file, `${file}.2`]));
  });

  it('of other flags of V8 is made again', async () => {
    await taken(['doc', '-l']);
    const options = `--require=${path.join(project.directory, 'witness.cjs')} --stack-trace-limit=20`;
    expect((await taken(['doc', 'cloud_present'], { NODE_OPTIONS: options }))[0]).to.equal('refused');
    await taken(['doc', '-l'], { NODE_OPTIONS: options });
    expect(new Set(await taken(['doc', '-l'], { NODE_OPTIONS: options }))).to.deep.equal(new Set(['kept']));
  });

  it('is not kept where Node keeps none, and without a place for it', async () => {
    await taken(['doc', '-l'], { NODE_DISABLE_COMPILE_CACHE: '1' });
    expect(await stat(caches).catch(() => undefined)).to.equal(undefined);
    await taken(['doc', '-l'], { XDG_CACHE_HOME: 'caches', HOME: '' });
    expect(await stat(caches).catch(() => undefined)).to.equal(undefined);
    await writeFile(caches, 'a file');
    await taken(['doc', '-l']);
    expect(await readFile(caches, 'utf8')).to.equal('a file');
  });
});
