import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect } from 'chai';
import { whyUnreadable } from '../../../src/core/files/paths.js';
import { readBytes, readBytesSync } from '../../../src/core/files/read_bytes.js';
import { inFolder } from '../../rig/folder.js';
import { makePipe } from '../../rig/pipe.js';

/** What both ways to read say. */
async function failures(file: string): Promise<readonly string[]> {
  const later = await readBytes(file).then(() => 'fine', whyUnreadable);
  try {
    readBytesSync(file);
    return [later, 'fine'];
  } catch (error) {
    return [later, whyUnreadable(error)];
  }
}

const twice = (text: string): readonly string[] => [text, text];

describe('what cannot be read', () => {
  it('is reported as what it is, and delays nothing', () =>
    inFolder({ 'folder/x': '' }, async (folder) => {
      const at = (name: string): string => path.join(folder, name);
      await symlink('round', at('round'));
      await writeFile(at('large'), '');
      await truncate(at('large'), (64 << 20) + 1);
      const server = createServer().listen(at('socket'));
      await once(server, 'listening');
      expect(await failures(at('folder'))).to.deep.equal(twice('it is a folder'));
      expect(await failures(at('folder/x/y'))).to.deep.equal(twice('there is no such file'));
      expect(await failures(at('round'))).to.deep.equal(twice('its links form a loop'));
      expect(await failures(at('x'.repeat(300)))).to.deep.equal(twice('the name is too long'));
      expect(await failures(at('a\0b'))).to.deep.equal(twice('the name contains a zero byte'));
      expect(await failures(at('large'))).to.deep.equal(twice('it is larger than 64 MiB'));
      expect(await failures(at('socket'))).to.deep.equal(twice('it is a socket'));
      expect(await failures('/dev/zero')).to.deep.equal(twice('it is a device'));
      server.close();
    }));

  it('may be a file only in name', async function () {
    if (process.platform !== 'linux') this.skip();
    expect(await failures('/proc/self/mem')).to.deep.equal(twice('reading it failed'));
  });

  it('may be a pipe without a writer', () =>
    inFolder({}, async (folder) => {
      makePipe(path.join(folder, 'pipe'));
      expect(await failures(path.join(folder, 'pipe'))).to.deep.equal([
        'it is a pipe without a writer',
        'it is a pipe',
      ]);
    }));
});

describe('what can be read', () => {
  it('may be empty, or report no size', async () => {
    expect((await readBytes('/dev/null')).length).to.equal(0);
    expect(readBytesSync('/dev/null').length).to.equal(0);
    await inFolder({ empty: '', some: 'some' }, async (folder) => {
      for (const name of ['empty', 'some']) {
        const text = name === 'some' ? name : '';
        expect((await readBytes(path.join(folder, name))).toString()).to.equal(text);
        expect(readBytesSync(path.join(folder, name)).toString()).to.equal(text);
      }
    });
  });

  it('may be a file of the system, which has no size', async function () {
    if (process.platform !== 'linux') this.skip();
    expect((await readBytes('/proc/version')).toString()).to.match(/^Linux/);
    expect(readBytesSync('/proc/version').toString()).to.match(/^Linux/);
  });

  it('may be a slow pipe', () =>
    inFolder({}, async (folder) => {
      const pipe = path.join(folder, 'pipe');
      makePipe(pipe);
      // Opened for both, so that it does not wait for the reader.
      const writer = spawn(
        'sh',
        ['-c', 'exec 3<>"$0"; echo opened; read -r _; head -c 300000 /dev/zero >&3; exec 3>&-', pipe],
        {
          stdio: ['pipe', 'pipe', 'inherit'],
        },
      );
      await once(writer.stdout, 'data');
      const read = readBytes(pipe);
      writer.stdin.end('\n');
      expect((await read).length).to.equal(300_000);
    }));
});
