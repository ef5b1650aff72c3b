import { createHash } from 'node:crypto';
import { appendFile, mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { openDraft, removeDraft } from '../../../modules/file_transfer/draft_file.js';
import { LocalFile, toForm } from '../../../modules/file_transfer/local_file.js';
import { inFolder } from '../../rig/folder.js';

const found = async (name: string, ...folders: readonly string[]): Promise<LocalFile> => {
  const file = await LocalFile.find(name, { searchPath: () => folders });
  if (typeof file === 'string') throw new Error(file);
  return file;
};
const refusal = (name: string, ...folders: readonly string[]) => LocalFile.find(name, { searchPath: () => folders });

async function text(parts: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(part);
  return Buffer.concat(all).toString();
}

describe('a file to upload', () => {
  it('is looked for in `files` of each folder, then in the folder', () =>
    inFolder({ 'a/x': '1', 'b/files/x': '2', 'b/x': '3', 'b/y': '4', 'c/z': '5' }, async (folder) => {
      const [a, b] = ['a', 'b'].map((one) => path.join(folder, one));
      const at = async (name: string, ...folders: readonly string[]) => {
        const file = await found(name, ...folders);
        await file.close();
        return path.relative(folder, file.file);
      };
      expect([
        await at('x', a ?? '', b ?? ''),
        await at('x', b ?? '', a ?? ''),
        await at('y', a ?? '', b ?? ''),
      ]).to.deep.equal(['a/x', 'b/files/x', 'b/y']);
      expect(await at(path.join(folder, 'c/z'), a ?? '')).to.equal('c/z');
      expect(await refusal('xx', a ?? '', a ?? '')).to.equal(
        `there is no file xx; looked in ${a}/files/xx, ${a}/xx; did you mean "x"?`,
      );
      expect(await refusal('unlike', a ?? '')).to.equal(
        `there is no file unlike; looked in ${a}/files/unlike, ${a}/unlike`,
      );
      expect(await refusal('x/y', a ?? '')).to.equal(`there is no file x/y; looked in ${a}/files/x/y, ${a}/x/y`);
      expect(await refusal('.', a ?? '')).to.equal(`cannot read ${a}: it is not a regular file`);
    }));

  it('has a size and digests, and is sent in pieces', () =>
    inFolder({ long: 'x'.repeat(150_000), odd: 'x'.repeat(65_537), empty: '' }, async (folder) => {
      const sizes = async (pieces: AsyncIterable<Uint8Array>): Promise<readonly number[]> => {
        const all: number[] = [];
        for await (const piece of pieces) all.push(piece.length);
        return all;
      };
      const file = await found('long', folder);
      expect([file.size, await sizes(file.pieces())]).to.deep.equal([150_000, [65_536, 65_536, 18_928]]);
      const odd = await found('odd', folder);
      expect(await sizes(odd.pieces())).to.deep.equal([65_536, 1]);
      await odd.close();
      const digests = [await file.digest('md5'), await file.digest('sha256'), await file.digest('md5')];
      const expected = ['md5', 'sha256', 'md5'].map((one) => createHash(one).update('x'.repeat(150_000)).digest('hex'));
      expect(digests).to.deep.equal(expected);
      await file.close();
      expect(await file.digest('md5')).to.equal(expected[0]);
      const empty = await found('empty', folder);
      expect([empty.size, await text(empty.pieces())]).to.deep.equal([0, '']);
      await empty.close();
    }));

  it('must not change meanwhile', () =>
    inFolder({ grows: 'abc', touched: 'abc' }, async (folder) => {
      for (const [name, change] of [
        ['grows', (file: string) => appendFile(file, 'd')],
        ['touched', (file: string) => utimes(file, 1, 1)],
      ] as const) {
        const file = await found(name, folder);
        await change(path.join(folder, name));
        const said = await text(file.pieces()).catch((error: unknown) => String(error));
        const problem = `${path.join(folder, name)} changed during the upload`;
        expect([said, file.problem]).to.deep.equal([`Error: ${problem}`, problem]);
        await file.close();
      }
    }));

  it('is part of a form, after its fields', () =>
    inFolder({ file: 'x'.repeat(70_000) }, async (folder) => {
      const file = await found('file', folder);
      const sent: number[] = [];
      const form = toForm(file, {
        field: 'fi"le',
        filename: 'a\r\nb',
        fields: { one: '1', 't"wo': '2' },
        onSent: (bytes) => sent.push(bytes),
      });
      const [, boundary = ''] =
        /^multipart\/form-data; boundary=(evenkeel-[0-9a-f-]{36})$/.exec(form.contentType) ?? [];
      const part = (headers: string) => `--${boundary}\r\ncontent-disposition: form-data; ${headers}\r\n\r\n`;
      const whole = await text(form.parts());
      expect(whole).to.equal(
        [
          part('name="one"'),
          '1\r\n',
          part('name="t%22wo"'),
          '2\r\n',
          part('name="fi%22le"; filename="a%0D%0Ab"\r\ncontent-type: application/octet-stream'),
          'x'.repeat(70_000),
          `\r\n--${boundary}--\r\n`,
        ].join(''),
      );
      expect([form.length, sent]).to.deep.equal([Buffer.byteLength(whole), [65_536, 70_000]]);
      await file.close();
    }));
});

describe('the draft of a download', () => {
  const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

  it('has a folder of its own, which goes with the last draft', () =>
    inFolder({}, async (folder) => {
      const dest = path.join(folder, `${'n'.repeat(120)}.txt`);
      const [one, two] = [await openDraft(dest, 0o700), await openDraft(dest, 0o600)];
      const part = path.join(folder, `.${'n'.repeat(100)}.part`);
      expect([path.dirname(one.file), path.dirname(two.file)]).to.deep.equal([part, part]);
      expect(path.basename(one.file)).to.match(new RegExp(`^${machine}-${process.pid}-[0-9a-f-]{36}$`));
      expect([(await stat(one.file)).mode & 0o777, (await stat(part)).mode & 0o777]).to.deep.equal([0o700, 0o700]);
      await one.handle.close();
      await two.handle.close();
      await removeDraft(one.file);
      expect(await readdir(part)).to.deep.equal([path.basename(two.file)]);
      await removeDraft(two.file);
      await removeDraft(two.file);
      expect(await readdir(folder)).to.deep.equal([]);
    }));

  it('removes what killed runs left, and what did not grow for an hour', () =>
    inFolder({}, async (folder) => {
      const dest = path.join(folder, 'x');
      const part = path.join(folder, '.x.part');
      await mkdir(part);
      // The process with the greatest number that Linux allows has ended.
      const ended = 4_194_304;
      const left = { ended: `${machine}-${ended}-a`, running: `${machine}-1-a`, elsewhere: `00000000-${ended}-a` };
      for (const name of [...Object.values(left), 'other', 'old']) await writeFile(path.join(part, name), '');
      const [nearly, hour] = [3590, 3610].map((seconds) => Date.now() / 1000 - seconds);
      await utimes(path.join(part, 'other'), nearly ?? 0, nearly ?? 0);
      await utimes(path.join(part, 'old'), hour ?? 0, hour ?? 0);
      const draft = await openDraft(dest, 0o600);
      await draft.handle.close();
      const names = (await readdir(part)).filter((name) => name !== path.basename(draft.file));
      expect(names).to.have.members([left.running, left.elsewhere, 'other']);
    }));
});
