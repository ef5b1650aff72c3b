import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { judgeLife, ownIdentity } from '../../../src/record/locks/process_identity.js';

describe('whether a process is running', () => {
  const own = ownIdentity();

  it('is known for this one and for others', async () => {
    expect(judgeLife(own, own)).to.equal('alive');
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
    const pid = child.pid ?? 0;
    expect(judgeLife({ ...own, pid, started: undefined }, own)).to.equal('alive');
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
    expect(judgeLife({ ...own, pid, started: undefined }, own)).to.equal('gone');
  });

  it('distinguishes processes that reuse the same id', () => {
    expect(judgeLife({ ...own, started: 'long ago' }, own)).to.equal('gone');
  });

  it('treats one of an earlier boot of this machine as gone', () => {
    expect(judgeLife({ ...own, boot: 'the last one' }, own)).to.equal('gone');
  });

  it('is unknown on another machine, or in another container', () => {
    expect(judgeLife({ ...own, host: 'elsewhere', boot: 'the last one' }, own)).to.equal('elsewhere');
    expect(judgeLife({ ...own, space: 'pid:[1]', started: 'long ago' }, own)).to.equal('elsewhere');
  });

  it('has ended if it is a zombie', async () => {
    // The program that replaces the shell never waits for the shell's child.
    const shell = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      const [line] = (await once(shell.stdout, 'data')) as [Buffer];
      const pid = Number(line.toString());
      const orphan = { ...own, pid, started: undefined };
      expect(judgeLife(orphan, own)).to.equal('alive');
      process.kill(pid, 'SIGKILL');
      const until = performance.now() + 10_000;
      while (judgeLife(orphan, own) !== 'gone' && performance.now() < until) await new Promise(setImmediate);
      expect(judgeLife(orphan, own)).to.equal('gone');
    } finally {
      shell.kill('SIGKILL');
    }
  });
});
