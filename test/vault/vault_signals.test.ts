import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { emptyProject, STARTED, type Project } from '../rig/command.js';
import { Terminal } from '../rig/terminal.js';
import { ENCRYPTED_FILE, PASSWORD } from '../rig/vault.js';

const ARGS = ['vault', 'edit', 'a.yml', '--vault-password-file', 'pass'];

describe('vault edit and view, ended by a signal', () => {
  let project: Project;
  let tmp: string;
  beforeEach(async () => {
    project = await emptyProject({
      'a.yml': ENCRYPTED_FILE,
      pass: PASSWORD,
      'patient.sh': 'echo changed >> "$1"; echo ready; exec sleep 60\n',
      'pager.sh': 'cat > /dev/null; echo "shown by $$."; kill -TERM "$PPID"; exec sleep 60\n',
      'stubborn.sh': `trap '' TERM\nstty raw -echo\nkill -QUIT "$PPID"\nwhile :; do sleep 1; done\n`,
    });
    tmp = path.join(project.directory, 'tmp');
    await mkdir(tmp);
  });
  afterEach(() => project.remove());

  const untouched = async (): Promise<void> => {
    expect(await readdir(tmp)).to.deep.equal([]);
    expect(await readFile(path.join(project.directory, 'a.yml'), 'utf8')).to.equal(ENCRYPTED_FILE);
  };

  for (const [signal, exitCode] of [
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGQUIT', 131],
  ] as const) {
    it(`leaves nothing in clear text after ${signal}, and the file as it was`, async () => {
      const env = { PATH: process.env['PATH'] ?? '', TMPDIR: tmp, EDITOR: 'sh patient.sh', NO_COLOR: '1' };
      const child = spawn(process.execPath, [...STARTED, ...ARGS], { cwd: project.directory, env });
      let stderr = '';
      child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      const closed = once(child, 'close');
      await once(child.stdout, 'data');
      expect(await readdir(tmp)).to.have.length(1);
      child.kill(signal);
      expect((await closed)[0]).to.equal(exitCode);
      expect(stderr).to.equal(`error: ${signal} ended the editor (sh patient.sh): a.yml was not changed\n\n1 error\n`);
      await untouched();
    });
  }

  it('ends an editor that ignores the signal, and restores the terminal', async () => {
    const line = `"$@"; stty -a`;
    const words = [
      `TMPDIR=${tmp}`,
      'EDITOR=sh stubborn.sh',
      'sh',
      '-c',
      line,
      'sh',
      process.execPath,
      ...STARTED,
      ...ARGS,
    ];
    const terminal = new Terminal('env', words, { columns: 100, rows: 40, cwd: project.directory });
    try {
      await terminal.exited;
      expect(terminal.screen.text).to.include('SIGQUIT ended the editor (sh stubborn.sh): a.yml was not changed');
      // Restored before the message: its lines begin at the left.
      expect(terminal.screen.text).to.match(/^1 error$/m);
      expect(terminal.screen.text)
        .to.match(/ icanon /)
        .and.to.match(/ echo /);
      await untouched();
    } finally {
      await terminal.close();
    }
  });

  it('in a pager, which does not stay on the terminal', async () => {
    for (const pager of ['sh pager.sh', 'sh stubborn.sh']) {
      const line = `"$@"; echo "ended with $?"; stty -a`;
      const view = [process.execPath, ...STARTED, 'vault', 'view', 'a.yml', '--vault-password-file', 'pass'];
      const words = [`PAGER=${pager}`, 'sh', '-c', line, 'sh', ...view];
      const terminal = new Terminal('env', words, { columns: 100, rows: 40, cwd: project.directory });
      try {
        await terminal.exited;
        expect(terminal.screen.text)
          .to.include('ended with 143')
          .and.to.match(/ icanon /)
          .and.to.match(/ echo /);
        const [, id] = /shown by (\d+)\./.exec(terminal.screen.text) ?? [];
        if (id !== undefined) expect(() => process.kill(Number(id), 0)).to.throw('ESRCH');
        else expect(pager).to.equal('sh stubborn.sh');
      } finally {
        await terminal.close();
      }
    }
  });
});
