import { readdirSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import type { CommandContext } from '../../src/cli/context.js';
import { edit } from '../../src/vault/edit.js';
import { inFolder } from '../rig/folder.js';

describe('a text in an editor', () => {
  const before = process.env['TMPDIR'];
  afterEach(() => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  });

  it('is on disk only while signals are watched', async () => {
    await inFolder({}, async (folder) => {
      process.env['TMPDIR'] = folder;
      const stages: string[] = [];
      const files = (): string => readdirSync(folder, { recursive: true, encoding: 'utf8' }).join(' ');
      const context = {
        env: { PATH: process.env['PATH'], EDITOR: 'true' },
        cwd: folder,
        stdin: new PassThrough(),
        signals: {
          onTermination: () => {
            stages.push(files());
            return () => stages.push(files());
          },
        },
      };
      const edited = await edit(Buffer.from('token: s3cr3t\n'), 'a.yml', context as unknown as CommandContext);
      expect(edited).to.deep.equal({ status: 'ok', content: Buffer.from('token: s3cr3t\n') });
      expect(stages[0]).to.match(/^evenkeel-vault-\w+$/);
      expect(stages[1]).to.equal('');
    });
  });
});
