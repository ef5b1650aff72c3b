import { createHash } from 'node:crypto';
import { chmod, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { downloadFile, type Download } from '../../../modules/file_transfer/download.js';
import { uploadFile, type FileUpload } from '../../../modules/file_transfer/upload.js';
import type { ActionContext, RawAnswer, RawRequest } from '../../../src/module/contract.js';
import { withClock } from '../../rig/clock.js';
import { inFolder } from '../../rig/folder.js';
import { makePipe } from '../../rig/pipe.js';

/** What a transfer asked of its run. */
class Run {
  readonly requests: RawRequest[] = [];
  readonly slept: number[] = [];
  readonly warned: string[] = [];
  readonly abort = new AbortController();

  constructor(
    private readonly folder: string,
    private readonly answers: (request: RawRequest, at: number) => RawAnswer | Promise<RawAnswer>,
    private readonly more: Partial<ActionContext> = {},
  ) {}

  get context(): ActionContext {
    return {
      checkMode: false,
      simulated: false,
      signal: this.abort.signal,
      searchPath: () => [this.folder],
      variable: (name: string) => (name === 'playbook_dir' ? this.folder : undefined),
      savesAs: () => undefined,
      progress: () => undefined,
      warn: (message: string) => this.warned.push(message),
      sleep: (seconds: number) => Promise.resolve(this.slept.push(seconds)),
      request: async (request: RawRequest) => {
        this.requests.push(request);
        return this.answers(request, this.requests.length);
      },
      ...this.more,
    } as unknown as ActionContext;
  }
}

const listing = (...names: readonly object[]): RawAnswer => ({ status: 200, body: { results: names as never } });

describe('an upload', () => {
  const upload = { path: '/api/files', src: 'x.pkg', field: 'file', compare: true };
  const sent = (folder: string) => ({ src: path.join(folder, 'x.pkg'), filename: 'x.pkg', size: 3, version: null });

  /** With these answers in turn; the last one again. */
  const uploaded = (
    answers: readonly (RawAnswer | Error)[],
    given: Partial<FileUpload> = {},
    more: Partial<ActionContext> = {},
  ) =>
    inFolder({ 'x.pkg': 'abc' }, async (folder) => {
      const run = new Run(
        folder,
        (_, at) => {
          const answer = answers[Math.min(at, answers.length) - 1];
          return answer instanceof Error || answer === undefined ? Promise.reject(answer ?? new Error()) : answer;
        },
        more,
      );
      const result = await uploadFile({ ...upload, ...given }, run.context).catch((error: unknown) => String(error));
      return { result, run, folder, methods: run.requests.map(({ method }) => method).join(' ') };
    });
  const OK: RawAnswer = { status: 201, body: null };
  const there = listing({ name: 'x.pkg', size: 3 });

  it('looks until the list shows the file, each time longer', async () => {
    const { result, run, methods, folder } = await uploaded([listing(), OK, listing(), listing(), there]);
    expect(result).to.deep.equal({
      status: 'changed',
      message: 'uploaded x.pkg (3 bytes)',
      values: sent(folder),
      change: { kind: 'invoke', object: 'file "x.pkg"', before: null, after: null },
    });
    expect([methods, run.slept]).to.deep.equal(['GET POST GET GET GET', [0.5, 1]]);
    expect(run.requests[1]).to.deep.include({ path: '/api/files', query: {}, looked: true });
  });

  it('fails if the list never shows the file, or another one', async () => {
    const never = await uploaded([listing(), OK, listing()]);
    expect([never.result, never.run.slept]).to.deep.equal([
      {
        status: 'failed',
        message: 'the controller accepted x.pkg (3 bytes), but does not show it',
        values: sent(never.folder),
      },
      [0.5, 1, 2],
    ]);
    const other = await uploaded([listing(), OK, listing({ name: 'x.pkg', size: 4 })]);
    expect(other.result).to.have.property(
      'message',
      'the controller accepted x.pkg (3 bytes), but shows a file of another size or digest',
    );
    const renamed = await uploaded([listing(), OK, listing({ name: 'y' })]);
    expect([renamed.result, renamed.run.slept, renamed.run.warned]).to.deep.equal([
      {
        status: 'changed',
        message: 'uploaded x.pkg (3 bytes)',
        values: sent(renamed.folder),
        change: { kind: 'invoke', object: 'file "x.pkg"', before: null, after: null },
      },
      [],
      ['the controller shows the uploaded file only by another name, without size or digest'],
    ]);
    expect([never.run.warned, other.run.warned]).to.deep.equal([[], []]);
  });

  it('is not needed if the file is there, and sends nothing in check mode', async () => {
    const { result, methods } = await uploaded([there]);
    expect([result, methods]).to.deep.include.members(['GET']);
    expect(result).to.deep.include({ status: 'ok', message: 'the controller has x.pkg' });
    const checked = await uploaded([listing()], {}, { checkMode: true });
    expect([checked.methods, checked.result]).to.deep.equal([
      'GET',
      {
        status: 'changed',
        message: 'would upload x.pkg (3 bytes)',
        values: sent(checked.folder),
        change: { kind: 'invoke', object: 'file "x.pkg"', before: null, after: null },
      },
    ]);
    expect((await uploaded([OK], { src: 'none' })).methods).to.equal('');
  });

  it('without a comparison sends its fields and query, and looks for nothing', async () => {
    const { run, methods } = await uploaded([OK], {
      compare: false,
      filename: 'y',
      query: { n: 5, b: true },
      fields: { f: 1 },
    });
    expect([methods, run.requests[0]?.query, run.requests[0]?.looked]).to.deep.equal([
      'POST',
      { n: '5', b: 'true' },
      false,
    ]);
    const parts: Uint8Array[] = [];
    for await (const part of run.requests[0]?.form?.parts() ?? []) {
      parts.push(part);
      break;
    }
    expect(Buffer.concat(parts).toString()).to.match(/name="f"\r\n\r\n1\r\n[^]*name="file"; filename="y"/);
    expect((await uploaded([{ status: 409, body: null }], { compare: false })).result).to.deep.include({
      status: 'failed',
      message: 'POST /api/files answered 409',
    });
  });

  for (const [what, answer, mayHaveArrived] of [
    ['refused', { status: 400, body: null, says: 'no' }, false],
    ['an error with 200', { status: 200, body: null, denied: true }, true],
    ...[408, 502, 503, 504].map((status) => [`${status}`, { status, body: null }, true] as const),
    ['500', { status: 500, body: null }, false],
    ['redirected', { status: 300, body: null }, false],
  ] as readonly (readonly [string, RawAnswer, boolean])[])
    it(`that is answered as ${what} ${mayHaveArrived ? 'may have arrived' : 'has failed'}`, async () => {
      const failed = await uploaded([listing(), answer, listing()]);
      const says = answer.says === undefined ? '' : `: ${answer.says}`;
      expect(failed.result).to.deep.include({
        status: 'failed',
        message: `POST /api/files answered ${answer.status}${says}`,
      });
      const arrived = await uploaded([listing(), answer, there]);
      expect(arrived.result).to.have.property('status', mayHaveArrived ? 'changed' : 'failed');
    });

  it('that is lost has arrived if the list shows it', async () => {
    const lost = new Error('lost');
    expect((await uploaded([listing(), lost, there])).result).to.have.property('status', 'changed');
    expect((await uploaded([listing(), lost, listing()])).result).to.equal('Error: lost');
    expect((await uploaded([listing(), lost, lost])).result).to.equal('Error: lost');
  });

  it('reports every two seconds how much was sent', () =>
    inFolder({ 'x.pkg': 'x'.repeat(2.5 * 2 ** 20) }, async (folder) => {
      const said: string[] = [];
      await withClock((move) => {
        const answer = async ({ form }: RawRequest): Promise<RawAnswer> => {
          for await (const _ of form?.parts() ?? []) move(50);
          return OK;
        };
        const run = new Run(folder, answer, { progress: (message) => said.push(message) });
        return uploadFile({ ...upload, compare: false }, run.context);
      });
      expect(said).to.deep.equal(['x.pkg: sent 2 of 3 MiB']);
    }));

  it('in conflict with a package of another name is one that the controller has', async () => {
    const conflict = { status: 409, body: null, says: 'exists as other' };
    const { result } = await uploaded([listing({ name: 'other' }), conflict, listing({ name: 'other' })], {
      path: '/api/image',
    });
    expect(result).to.deep.include({ status: 'ok', message: 'the controller has x.pkg, as other' });
  });
});

describe('a download', () => {
  const MIB = 2 ** 20;
  interface Downloaded {
    readonly result: unknown;
    readonly file: string | undefined;
    readonly names: readonly string[];
    readonly run: Run;
  }

  const downloaded = (
    parts: readonly string[],
    { contentType, status = 200, ...given }: Partial<Download> & { contentType?: string; status?: number } = {},
    more: Partial<ActionContext> = {},
    before: Readonly<Record<string, string>> = {},
  ): Promise<Downloaded> =>
    inFolder(before, async (folder) => {
      const run = new Run(
        folder,
        async ({ into }) => {
          for (const _ of [1, 2]) {
            await into?.start(contentType);
            for (const part of parts) await into?.take(Buffer.from(part));
          }
          return { status, body: null, says: status === 200 ? '' : 'no' };
        },
        more,
      );
      const download = { path: '/api/x', dest: 'saved', max_size: 1, ...given };
      const result: unknown = await downloadFile(download, run.context).catch((error: unknown) => String(error));
      const said: unknown = JSON.parse(JSON.stringify(result).replaceAll(folder, 'HERE'));
      const file = await readFile(path.join(folder, download.dest), 'utf8').catch(() => undefined);
      return { result: said, file, names: await readdir(folder), run };
    });
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

  it('saves the parts of the last answer, with the query', async () => {
    const { result, file, names, run } = await downloaded(['ab', 'c'], { query: { n: 5, b: false } });
    expect(result).to.deep.equal({
      status: 'changed',
      message: 'saved 3 bytes as HERE/saved',
      values: { dest: 'HERE/saved', size: 3, sha256: hash('abc'), version: null },
    });
    expect([file, names, run.requests[0]?.query, run.requests[0]?.path]).to.deep.equal([
      'abc',
      ['saved'],
      { n: '5', b: 'false' },
      '/api/x',
    ]);
  });

  it('keeps a file of the same content that only the user can read', () =>
    inFolder({ saved: 'abc' }, async (folder) => {
      const file = path.join(folder, 'saved');
      const again = async (parts: string) => {
        const run = new Run(folder, async ({ into }) => {
          await into?.start(undefined);
          await into?.take(Buffer.from(parts));
          return { status: 200, body: null };
        });
        return (await downloadFile({ path: '/x', dest: 'saved', max_size: 1 }, run.context)).status;
      };
      await chmod(file, 0o644);
      expect([await again('abc'), (await stat(file)).mode & 0o777]).to.deep.equal(['changed', 0o600]);
      expect([await again('abc'), await again('abd'), await again('abcd')]).to.deep.equal(['ok', 'changed', 'changed']);
      expect(await readFile(file, 'utf8')).to.equal('abcd');
    }));

  it('finds the version of a configuration, also between two parts', async () => {
    const of = async (...parts: readonly string[]) => {
      const { result } = await downloaded(parts, { contentType: 'application/json; charset=utf-8' });
      return (result as { readonly values?: { readonly version: unknown } }).values?.version;
    };
    expect(await of('{"META": {"Ver', 'sion" : "22.1.4-9196"}, "Version": "1.2.3"}')).to.equal('22.1.4-9196');
    expect(await of('{"a": {"Version": "22.1"}, "b": "Version": "22.1.4(7)"}')).to.equal('22.1.4(7)');
    expect(await of('{"a": "Version"}')).to.equal(null);
    const plain = await downloaded(['{"Version": "22.1.4"}'], { contentType: 'text/plain' });
    expect(plain.result).to.have.nested.property('values.version', null);
    const { result } = await downloaded(['{"Version": "22.1.4"}'], { contentType: 'application/json' });
    expect(result).to.have.property('message', 'saved 21 bytes as HERE/saved, of version 22.1.4');
  });

  for (const [text, isCutOff] of [
    ['{"a": 1}', false],
    [' [1]\n', false],
    ['"text', false],
    ['{"a": 1', true],
    ['[1}', true],
    ['{1]', true],
    ['', true],
    [' \n', true],
  ] as const)
    it(`of JSON ${JSON.stringify(text)} is ${isCutOff ? 'cut off' : 'whole'}`, async () => {
      for (const parts of [[text], text.split(''), [text, ' ', '\n']]) {
        const { result, file } = await downloaded(parts, { contentType: 'application/json' }, {}, { saved: 'old' });
        if (isCutOff) {
          expect(result).to.deep.equal({ status: 'failed', message: 'GET /api/x answered with JSON that is cut off' });
          expect(file).to.equal('old');
        } else expect(result).to.have.property('status', 'changed');
      }
      expect((await downloaded([text])).result).to.have.property('status', 'changed');
    });

  it('is refused as it should be', async () => {
    const refusals: readonly (readonly [string, Promise<Downloaded>])[] = [
      ['GET /api/x answered 404: no', downloaded(['x'], { status: 404 })],
      [
        'HERE/saved is the file of lb2 in this run: use {{ inventory_hostname }} in its name',
        downloaded([], {}, { savesAs: () => 'lb2' }),
      ],
      ['cannot write saved/: HERE/saved/ is a folder; name a file', downloaded([], { dest: 'saved/' })],
      [
        'cannot write folder: HERE/folder is a folder; name a file',
        downloaded([], { dest: 'folder' }, {}, { 'folder/x': '' }),
      ],
      [
        "cannot write file/x: EEXIST: file already exists, mkdir 'HERE/file'",
        downloaded([], { dest: 'file/x' }, {}, { file: '' }),
      ],
    ];
    for (const [message, of] of refusals)
      expect((await of).result, message).to.deep.equal({ status: 'failed', message });
    const { result } = await downloaded(['<html>'], { contentType: 'text/html; charset=utf-8' });
    expect(result).to.equal('Error: the controller answered with a web page, not with a file');
  });

  it('leaves what is not a regular file as it is', () =>
    inFolder({}, async (folder) => {
      const pipe = path.join(folder, 'pipe');
      makePipe(pipe);
      const run = new Run(folder, () => expect.fail('sent'));
      expect(await downloadFile({ path: '/x', dest: 'pipe', max_size: 1 }, run.context)).to.deep.equal({
        status: 'failed',
        message: `cannot write pipe: ${pipe} is not a regular file`,
      });
      expect((await stat(pipe)).isFIFO()).to.equal(true);
    }));

  it('reports every two seconds how much has arrived', async () => {
    const said: string[] = [];
    const parts = [1024, MIB - 1025, 1, 0].map((size) => 'x'.repeat(size));
    const progress = (message: string): unknown => said.push(message);
    // Two answers of four parts each.
    const times = [1999, 1, 1, 1999, 1999, 2, 1999, 2];
    await withClock((move) => {
      const take = (): void => {
        move(times.shift() ?? 0);
      };
      return downloaded(parts, {}, { progress, signal: { throwIfAborted: take } as AbortSignal });
    });
    expect(said).to.deep.equal([
      '/api/x: received 1023 KiB',
      '/api/x: received 1 MiB',
      '/api/x: received 1023 KiB',
      '/api/x: received 1 MiB',
    ]);
  });

  it('has at most the size that is allowed', async () => {
    const most = 'x'.repeat(MIB / 2);
    expect((await downloaded([most, most])).result).to.have.nested.property('values.size', MIB);
    const { result, names } = await downloaded([most, most, 'x']);
    expect([result, names]).to.deep.equal(['Error: the answer is larger than 1 MiB; max_size is the limit', []]);
  });

  it('ends without a file if the run is interrupted, and saves those of simulated controllers apart', async () => {
    const abort = new AbortController();
    abort.abort();
    const { result, names } = await downloaded(['x'], {}, { signal: abort.signal });
    expect([result, names]).to.deep.equal([
      { status: 'interrupted', message: 'interrupted before HERE/saved was complete' },
      [],
    ]);
    const simulated = await downloaded(['x'], { dest: 'a/saved' }, { simulated: true });
    expect(simulated.result).to.have.nested.property('values.dest', 'HERE/a/saved.simulated');
  });
});
