import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { orElse } from '../../../src/core/model/source/diagnostic.js';
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

  const here = { ...own, machine: 'this one' };

  it('treats one of an earlier boot of this machine as gone', () => {
    expect(judgeLife({ ...here, boot: 'the last one' }, here)).to.equal('gone');
  });

  it('is known for one of this boot, whatever the name of the machine was then', function () {
    if (own.boot === undefined) this.skip();
    expect(judgeLife({ ...own, host: 'before', machine: undefined }, own)).to.equal('alive');
    expect(judgeLife({ ...own, host: 'before', started: 'long ago' }, own)).to.equal('gone');
  });

  it('is unknown on another machine, also one of the same name or image, or in another container', () => {
    const booted = { ...here, boot: 'another' };
    expect(judgeLife({ ...booted, host: 'elsewhere' }, here)).to.equal('elsewhere');
    expect(judgeLife({ ...booted, machine: 'that one' }, here)).to.equal('elsewhere');
    expect(judgeLife({ ...booted, machine: undefined }, here)).to.equal('elsewhere');
    expect(judgeLife({ ...booted, machine: undefined }, { ...here, machine: undefined })).to.equal('elsewhere');
    expect(judgeLife({ ...own, space: 'pid:[1]', started: 'long ago' }, own)).to.equal('elsewhere');
  });

  it('is unknown under another name where the system has no id of its boot', () => {
    const bootless = { ...own, boot: undefined };
    expect(judgeLife(bootless, bootless)).to.equal('alive');
    expect(judgeLife({ ...bootless, host: 'elsewhere' }, bootless)).to.equal('elsewhere');
  });

  it('depends on an id of the machine that is not its confidential one', function () {
    const id = orElse('', () => readFileSync('/etc/machine-id', 'latin1')).trim();
    if (id === '') this.skip();
    expect(own.machine).to.have.length.above(20).and.not.include(id);
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
