import { execFile } from 'node:child_process';
import { chmod, chown, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { command, emptyProject, evenkeel, type Ended, type Project, STARTED } from '../rig/command.js';
import { mounted, SMALL } from '../rig/mounted.js';
import { ENCRYPTED_FILE, PASSWORD } from '../rig/vault.js';

describe('what was edited, if it cannot be written', () => {
  let project: Project;
  beforeEach(async () => {
    project = await emptyProject({ pw: PASSWORD, 'a.yml': ENCRYPTED_FILE, 'tmp/keep': '' });
  });
  afterEach(() => project.remove());

  const vault = (args: readonly string[], EDITOR = '', TMPDIR = path.join(project.directory, 'tmp')): Promise<Ended> =>
    evenkeel(['vault', ...args, '--vault-password-file', 'pw'], {
      cwd: project.directory,
      env: { TMPDIR, EDITOR },
    });

  const saves = (more: string): string => `f() { echo edited: 1 > "$1"; ${more}; }; f`;

  /** The text that a message says is kept. */
  async function kept(
    { code, stderr }: Ended,
    message: string,
  ): Promise<{ readonly file: string; readonly text: string }> {
    const [, said, file = '', hinted] =
      /^error: (.*)\n\nwarning: what you edited is in (\S+), encrypted\n {2}= hint: to see it: evenkeel vault view (\S+)\n/.exec(
        stderr,
      ) ?? [];
    expect({ code, said, hinted }, stderr).to.deep.equal({ code: 1, said: message, hinted: file });
    expect((await stat(path.resolve(project.directory, file))).mode & 0o777).to.equal(0o600);
    return { file, text: (await vault(['view', file])).stdout };
  }

  it('is kept beside the file, which somebody changed, removed or created meanwhile', async () => {
    for (const [args, meanwhile, what, left] of [
      [['edit', 'a.yml'], 'echo theirs > a.yml', 'changed', 'theirs\n'],
      [['create', 'b.yml'], 'echo theirs > b.yml', 'created', 'theirs\n'],
      [['edit', 'c.yml'], 'rm c.yml', 'changed', undefined],
    ] as const) {
      const [, name] = args;
      if (name === 'c.yml') await project.write(name, ENCRYPTED_FILE);
      const message = `cannot write ${name}: it was ${what} meanwhile`;
      const { file, text } = await kept(await vault(args, saves(meanwhile)), message);
      expect(file).to.match(new RegExp(`^${name}\\.[0-9a-f]+\\.edited$`));
      expect(text).to.equal('edited: 1\n');
      expect(await readFile(path.join(project.directory, name), 'utf8').catch(() => undefined)).to.equal(left);
    }
  });

  it('is kept in the temporary folder, if the disk is full', function () {
    return mounted(this, ['-t', 'tmpfs', '-o', 'size=64k,nr_inodes=4', 'tmpfs'], async (disk) => {
      const file = path.join(disk, 'a.yml');
      await writeFile(file, ENCRYPTED_FILE);
      const fill = `cat /dev/zero > ${disk}/full 2>/dev/null; touch ${disk}/1 ${disk}/2 ${disk}/3 2>/dev/null || :`;
      for (const [name, args] of [
        [file, ['edit', file]],
        [`${disk}/new/b.yml`, ['create', `${disk}/new/b.yml`]],
      ] as const) {
        const found = await kept(await vault(args, saves(fill)), `cannot write ${name}: no space left on device`);
        expect(found.file).to.match(/^tmp\/evenkeel-vault-[0-9a-f]+\.edited$/);
        expect(found.text).to.equal('edited: 1\n');
      }
      expect(await readFile(file, 'utf8')).to.equal(ENCRYPTED_FILE);
    });
  });

  it('is printed if no file can be written', function () {
    return mounted(this, SMALL, async (disk) => {
      await project.write('fill.sh', 'head -c 20000 /dev/zero | tr "\\0" 2 > "$1"\n');
      const file = path.join(disk, 'a.yml');
      await writeFile(file, ENCRYPTED_FILE);
      const { code, stdout, stderr } = await vault(['edit', file], 'sh fill.sh', disk);
      expect({ code, stderr }).to.deep.equal({
        code: 1,
        stderr: `error: cannot write ${file}: no space left on device

warning: what you edited is in no file, because none can be written
  = hint: it is printed on stdout, encrypted: save it, then see it with evenkeel vault view FILE

1 error, 1 warning
`,
      });
      expect([await readFile(file, 'utf8'), await readdir(disk)]).to.deep.equal([ENCRYPTED_FILE, ['a.yml']]);
      await project.write('saved.yml', stdout);
      expect((await vault(['view', 'saved.yml'])).stdout).to.equal('2'.repeat(20_000));
    });
  });

  it('is written without what another group could read, for a user who cannot keep owner and group', async function () {
    if (process.getuid?.() !== 0) this.skip();
    const file = path.join(project.directory, 'a.yml');
    await promisify(execFile)('chown', ['-R', '65534:65534', project.directory]);
    const edit = async (groups: string): Promise<readonly [number, number, string]> => {
      await chown(file, 4001, 4002);
      await chmod(file, 0o664);
      const user = ['--reuid', '4003', '--regid', '4003', groups];
      const line = [process.execPath, ...STARTED, 'vault', 'edit', 'a.yml', '--vault-password-file', 'pw'];
      const env = { EDITOR: saves(':'), TMPDIR: path.join(project.directory, 'tmp') };
      const { stderr } = await command('setpriv', [...user, ...line], { cwd: project.directory, env });
      expect(stderr).to.equal('');
      const { uid, gid, mode } = await stat(file);
      await writeFile(file, ENCRYPTED_FILE);
      return [uid, gid, (mode & 0o7777).toString(8)];
    };
    await chmod(project.directory, 0o777);
    await chmod(path.join(project.directory, 'tmp'), 0o777);
    await chmod(path.join(project.directory, 'pw'), 0o644);
    expect(await edit('--groups=4002')).to.deep.equal([4003, 4002, '664']);
    expect(await edit('--clear-groups')).to.deep.equal([4003, 4003, '604']);
    expect(await readdir(path.join(project.directory, 'tmp'))).to.deep.equal(['keep']);
  });
});
