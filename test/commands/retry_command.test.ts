import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { retryCommand } from '../../src/commands/retry_command.js';
import { retryList } from '../../src/commands/retry_list.js';
import { readLimit } from '../../src/load/limit.js';
import { Diagnostics } from '../../src/model/diagnostic.js';
import { inFolder } from '../rig/folder.js';

const nowhere = (): undefined => undefined;

describe('the command to go on with', () => {
  const argv = ['run', 'site.yml', '-l', 'emea', '--limit=x', '-lall', '-e', "who=it's me", '--check'];

  it('is the same with a limit in place of every other', () => {
    expect(retryCommand(argv, nowhere)(['lb1', 'lb2'])).to.equal(
      String.raw`evenkeel run site.yml -e 'who=it'\''s me' --check --limit lb1,lb2`,
    );
  });

  it('is the very same when everything is left to be looked at again', () => {
    expect(retryCommand(['run', 'site.yml', '-l', 'emea:!lb07'], nowhere)('all')).to.equal(
      "evenkeel run site.yml -l 'emea:!lb07'",
    );
  });

  const many = Array.from({ length: 21 }, (_, index) => `lb${index}`);

  it('names a file when the controllers are too many for a line', () => {
    const kept: string[] = [];
    const keep = (controllers: readonly string[]): string => {
      kept.push(...controllers);
      return 'my state/retry/1';
    };
    expect(retryCommand(['run', 'site.yml'], keep)(many)).to.equal("evenkeel run site.yml --limit '@my state/retry/1'");
    expect(kept).to.deep.equal(many);
  });

  it('is none when that file cannot be written', () => {
    expect(retryCommand(argv, nowhere)(many)).to.be.undefined;
  });
});

describe('the list of controllers to go on with', () => {
  it('is read again by --limit, for its owner only, and old ones go', async () => {
    await inFolder({}, async (cwd) => {
      const keep = retryList(path.join(cwd, '.evenkeel'), cwd);
      const files = Array.from({ length: 52 }, () => keep(['lb1', 'lb2']) ?? '');
      expect(await readdir(path.join(cwd, '.evenkeel/retry'))).to.have.lengthOf(50);
      const file = files.find((one) => existsSync(path.join(cwd, one))) ?? '';
      expect(file).to.match(/^\.evenkeel\/retry\/\d{8}T\d{6}Z-[0-9a-f]{6}$/);
      expect((await stat(path.join(cwd, file))).mode & 0o777).to.equal(0o600);
      const diagnostics = new Diagnostics();
      expect(await readLimit(`@${file}`, cwd, diagnostics)).to.equal('lb1\nlb2');
      expect(diagnostics.list).to.deep.equal([]);
    });
  });

  it('is not there when the folder is not to be had', async () => {
    await inFolder({ '.evenkeel': 'a file' }, (cwd) => {
      expect(retryList(path.join(cwd, '.evenkeel'), cwd)(['lb1'])).to.be.undefined;
      return Promise.resolve();
    });
  });
});
