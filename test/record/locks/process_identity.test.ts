import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { lifeOf, ownIdentity } from '../../../src/record/locks/process_identity.js';

describe('whether a process is running', () => {
  const own = ownIdentity();

  it('is known for this one and for others', async () => {
    expect(lifeOf(own, own)).to.equal('alive');
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
    const pid = child.pid ?? 0;
    expect(lifeOf({ ...own, pid, started: undefined }, own)).to.equal('alive');
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
    expect(lifeOf({ ...own, pid, started: undefined }, own)).to.equal('gone');
  });

  it('distinguishes processes that reuse the same id', () => {
    expect(lifeOf({ ...own, started: 'long ago' }, own)).to.equal('gone');
  });

  it('treats one of an earlier boot of this machine as gone', () => {
    expect(lifeOf({ ...own, boot: 'the last one' }, own)).to.equal('gone');
  });

  it('is unknown on another machine, or in another container', () => {
    expect(lifeOf({ ...own, host: 'elsewhere', boot: 'the last one' }, own)).to.equal('elsewhere');
    expect(lifeOf({ ...own, space: 'pid:[1]', started: 'long ago' }, own)).to.equal('elsewhere');
  });

  it('has ended if it is a zombie', async () => {
    // The program that replaces the shell never waits for the shell's child.
    const shell = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      const [line] = (await once(shell.stdout, 'data')) as [Buffer];
      const pid = Number(line.toString());
      const orphan = { ...own, pid, started: undefined };
      expect(lifeOf(orphan, own)).to.equal('alive');
      process.kill(pid, 'SIGKILL');
      const until = performance.now() + 10_000;
      while (lifeOf(orphan, own) !== 'gone' && performance.now() < until) await new Promise(setImmediate);
      expect(lifeOf(orphan, own)).to.equal('gone');
    } finally {
      shell.kill('SIGKILL');
    }
  });
});
