import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { emptyProject, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/gate_command.js';
import { makePipe } from '../rig/pipe.js';

const PLAYBOOK = '- hosts: all\n  tasks: [{ debug: { msg: hello } }]\n';
const LATIN_1 = Buffer.from('a: \u00e4\n', 'latin1');

/** Other things in place of a file: nothing is contacted, nothing hangs, and the message names the problem. */
const OBSTACLES = [
  ['a folder', (file: string) => mkdir(file), 'it is a folder'],
  ['a link to itself', (file: string) => symlink(path.basename(file), file), 'its links form a loop'],
  ['a pipe', makePipe, 'it is a pipe without a writer'],
  ['another encoding', (file: string) => writeFile(file, LATIN_1), 'it is not UTF-8 text (byte 0xE4)'],
] as const;

describe('something other than a regular file', () => {
  let project: Project;
  beforeEach(async () => {
    project = await emptyProject({ 'p.yml': PLAYBOOK, 'group_vars/x': '' });
  });
  afterEach(() => project.remove());

  for (const [title, make, reason] of OBSTACLES) {
    it(`is reported as what it is: ${title}`, async () => {
      await make(path.join(project.directory, 'x.yml'));
      await make(path.join(project.directory, 'group_vars/all.yml'));
      const run = async (...args: readonly string[]): Promise<string> => {
        const { code, stdout, stderr } = await evenkeel(['run', ...args], { cwd: project.directory });
        expect(stdout).to.equal('');
        expect(code).to.equal(1);
        return stderr;
      };
      const [first, ...others] = await Promise.all([
        run('x.yml', '-i', './p.yml'),
        run('p.yml', '-i', 'lb1,', '-e', '@x.yml'),
        run('p.yml', '-i', 'lb1,', '-l', '@x.yml'),
      ]);
      expect(first).to.include(`error: cannot read x.yml: ${reason}\n`);
      // Text in another encoding has a place of its own to name.
      const option = title === 'another encoding' ? '' : '--extra-vars: ';
      expect(others[0]).to.include(`error: ${option}cannot read x.yml: ${reason}\n`);
      expect(others[1]).to.include(`error: cannot read the limit file x.yml: ${reason}\n`);
      // A folder of that name would be read.
      if (title !== 'a folder') expect(others[0]).to.include(`error: cannot read group_vars/all.yml: ${reason}\n`);
    });
  }

  it('names the project file, whose protection would be missing', async () => {
    await symlink('evenkeel.yml', path.join(project.directory, 'evenkeel.yml'));
    const { code, stderr } = await evenkeel(['run', 'p.yml', '-i', 'lb1,'], { cwd: project.directory });
    expect([code, stderr]).to.deep.equal([1, 'error: cannot read evenkeel.yml: its links form a loop\n\n1 error\n']);
  });

  it('shows the invalid byte with its position', async () => {
    await writeFile(path.join(project.directory, 'x.yml'), LATIN_1);
    const { stderr } = await evenkeel(['run', 'p.yml', '-i', 'lb1,', '-l', '@x.yml'], { cwd: project.directory });
    expect(stderr).to.include('  --> x.yml:1:4\n');
  });

  it('may be unreadable helpers and modules', async () => {
    for (const folder of ['helpers', 'modules']) {
      await mkdir(path.join(project.directory, folder));
      makePipe(path.join(project.directory, folder, 'pipe.ts'));
      await symlink('round.ts', path.join(project.directory, folder, 'round.ts'));
      await mkdir(path.join(project.directory, folder, 'folder.ts'));
    }
    const { code, stderr } = await evenkeel(['run', 'p.yml', '-i', 'lb1,'], { cwd: project.directory });
    expect([code, stderr]).to.deep.equal([0, '']);
  });
});

describe('an inventory executable', () => {
  for (const [title, script, said] of [
    ['that prints without end', 'yes "{"', 'printed more than 64 MiB, and was ended'],
    ['that is killed', 'kill -9 $$', 'was ended by signal SIGKILL'],
    [
      'that does not print text',
      String.raw`printf '"\377"'`,
      'did not print UTF-8 text: line 1, column 2 has the byte 0xFF',
    ],
    [
      'that prints too deeply nested data',
      `printf '[%.0s' $(seq 3000)`,
      'printed unusable JSON: this is nested more than 300 levels deep',
    ],
  ] as const)
    it(`${title} is reported`, async () => {
      const project = await emptyProject({ 'p.yml': PLAYBOOK });
      try {
        await writeFile(path.join(project.directory, 'inv.sh'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
        const { code, stderr } = await evenkeel(['run', 'p.yml', '-i', 'inv.sh'], { cwd: project.directory });
        expect([code, stderr]).to.deep.equal([1, `error: inventory: inv.sh --list ${said}\n\n1 error\n`]);
      } finally {
        await project.remove();
      }
    });
});
