import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { placeText } from '../../src/core/model/source/diagnostic.js';
import { Secrets } from '../../src/core/secrets/secrets.js';
import { keepTaskTexts } from '../../src/launch/history/task_texts.js';
import { nextRunId, runFolder } from '../../src/record/journal/format/run_folders.js';
import type { RunJournal } from '../../src/record/journal/write/run_journal.js';
import { withDelta, type PageDelta } from '../../src/reporting/page/format/delta.js';
import { readPage } from '../../src/reporting/page/format/page.js';
import { startUi, type Ui } from '../../src/ui/server.js';
import { EventMaker, masked } from '../rig/events.js';
import { beginRun } from '../rig/kept.js';
import { NO_TEXTS } from '../rig/ui_texts.js';

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

async function ask(url: string, headers: http.OutgoingHttpHeaders = {}, method = 'GET'): Promise<Answer> {
  const request = http.request(url, { headers, method, agent: false }).end();
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) };
}

/** The events of a stream as they arrive. */
async function* streamed(
  url: string,
  headers: http.OutgoingHttpHeaders,
): AsyncGenerator<Readonly<Record<string, string>>, undefined> {
  const request = http.get(url, { headers, agent: false });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  let text = '';
  for await (const part of response.setEncoding('utf8')) {
    text += String(part);
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      yield Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      );
    }
  }
  return undefined;
}

describe('the server of the pages', () => {
  let state: string;
  let ui: Ui;
  let origin: string;
  let cookie: string;
  let journal: RunJournal;
  const make = new EventMaker();

  beforeEach(async () => {
    state = await mkdtemp(path.join(tmpdir(), 'evenkeel-'));
    journal = await beginRun(state, { id: await nextRunId(state) });
    journal.keep(masked(make.runStarted()));
    journal.keep(masked(make.playStarted(['lb1', 'lb2'])));
    journal.keep(masked(make.taskFinished('lb1', 'changed')));
    journal.flush();
    ui = await startUi({ stateDirectory: state, directory: state, cwd: state, texts: NO_TEXTS }, 0);
    ({ origin } = new URL(ui.url));
    const { headers } = await ask(ui.url);
    cookie = headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
  });
  afterEach(async () => {
    await ui.close();
    await journal.close();
    await rm(state, { recursive: true });
  });

  it('exchanges the token for a cookie that no script and no other site can use', async () => {
    const { status, headers } = await ask(ui.url);
    expect({ status, location: headers.location }).to.deep.equal({ status: 303, location: '/' });
    expect(headers['set-cookie']?.[0]).to.match(/^evenkeel-\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/);
    expect(headers['set-cookie']?.[0]).to.not.include(new URL(ui.url).searchParams.get('token'));
  });

  it('sends the cookie to a browser that comes from another site with the next request, not with a redirect', async () => {
    const { status, headers } = await ask(ui.url, { 'sec-fetch-site': 'cross-site' });
    expect([status, headers.location, headers['refresh']]).to.deep.equal([200, undefined, '0; url=/']);
    expect(headers['set-cookie']?.[0]).to.match(/^evenkeel-/);
  });

  it('answers only reads with the cookie, its own host name and its own origin', async () => {
    const { host, port } = new URL(origin);
    const statuses = async (pathname: string): Promise<readonly number[]> => [
      (await ask(origin + pathname)).status,
      (await ask(origin + pathname, { cookie: `${cookie}x` })).status,
      (await ask(`${origin}/?token=${'x'.repeat(43)}`)).status,
      (await ask(origin + pathname, { cookie, host: `evil.example:${port}` })).status,
      (await ask(origin + pathname, { cookie, origin: 'http://evil.example' })).status,
      (await ask(origin + pathname, { cookie }, 'POST')).status,
      (await ask(origin + pathname, { cookie, host: `localhost:${port}`, origin: `http://localhost:${port}` })).status,
      (await ask(origin + pathname, { cookie, host })).status,
    ];
    for (const pathname of ['/', '/api/runs', `/api/runs/${journal.id}`])
      expect(await statuses(pathname), pathname).to.deep.equal([403, 403, 403, 403, 403, 405, 200, 200]);
  });

  it('listens only on the loopback, and forbids frames, other scripts and referrers', async () => {
    expect(new URL(ui.url).hostname).to.equal('127.0.0.1');
    const { headers, body } = await ask(origin, { cookie });
    expect(headers['content-security-policy']).to.match(
      /^default-src 'none'; script-src 'sha256-\S+'; style-src 'sha256-\S+';.* connect-src 'self'; frame-ancestors 'none'$/,
    );
    expect(headers).to.include({
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(body.toString()).to.match(/^<!doctype html>/);
  });

  it('serves only runs', async () => {
    for (const pathname of ['/api/runs/..%2f..%2fkey', '/api/runs/20260101T000000Z-000000', '/api/key', '/favicon.ico'])
      expect((await ask(origin + pathname, { cookie })).status, pathname).to.equal(404);
  });

  for (const escape of ['%ff', '%', '%e2%28', '%zz', '%ed%a0%80'])
    it(`answers 400 or 404, never 500, to ${escape} anywhere in an address`, async () => {
      for (const pathname of ['/', '/runs/', '/plans/', '/controllers/', '/api/', '/api/runs/', '/api/plans/'])
        expect((await ask(origin + pathname + escape, { cookie })).status, pathname).to.equal(400);
      for (const pathname of [
        `/api/controllers/${escape}`,
        `/api/runs/${journal.id}/${escape}`,
        `/api/runs/${escape}/events`,
        `/api/runs/${escape}/drift`,
      ])
        expect((await ask(origin + pathname, { cookie })).status, pathname).to.equal(400);
      for (const pathname of [`/api/runs?version=${escape}`, `/?token=${escape}`])
        expect((await ask(origin + pathname, { cookie })).status, pathname).to.be.below(500);
    });

  it('answers 404 to a controller that it does not know, whatever its name', async () => {
    for (const name of ['%00', 'lb1%2f..', 'a%0d%0ab', '%f0%9f%98%80'])
      expect((await ask(`${origin}/api/controllers/${name}`, { cookie })).status, name).to.be.oneOf([200, 404]);
    expect((await ask(`${origin}//`, { cookie })).status).to.be.below(500);
  });

  it('lists the runs, and what a run did on a controller', async () => {
    const runs: unknown = JSON.parse(gunzipSync((await ask(`${origin}/api/runs`, { cookie })).body).toString());
    expect(runs).to.have.length(1);
    expect(runs).to.have.nested.property('[0].status', 'running');
    const controller = await ask(`${origin}/api/controllers/lb1`, { cookie });
    const found: unknown = JSON.parse(gunzipSync(controller.body).toString());
    expect(found).to.have.property('read', 1);
    expect(found).to.have.nested.property('runs[0].counts').that.deep.equals({ changed: 1 });
  });

  it('sends the changes since the version that the browser has', async () => {
    const first = await ask(`${origin}/api/runs/${journal.id}`, { cookie });
    let page = readPage(new Uint8Array(gunzipSync(first.body)));
    expect([...page.state]).to.deep.equal([2, 0]);
    const version = String(first.headers['x-version']);
    const url = `${origin}/api/runs/${journal.id}/events`;
    const events = streamed(`${url}?since=${version}`, { cookie });
    const next = async (): Promise<Readonly<Record<string, string>>> => {
      const { value } = await events.next();
      if (value === undefined) throw new Error('the stream has ended');
      return value;
    };
    const coming = next();
    journal.keep(masked(make.taskFinished('lb2', 'failed', { message: 'it broke' })));
    journal.flush();
    const delta = await coming;
    expect(delta).to.include({ event: 'delta', id: String(Number(version) + 1) });
    page = withDelta(page, JSON.parse(delta['data'] ?? '') as PageDelta);
    expect([...page.state]).to.deep.equal([2, 4]);
    expect(page.details.at(-1)).to.deep.equal({ message: 'it broke', group: 1 });

    const source = { file: 'site.yml', line: 90, column: 3 };
    const growing = next();
    journal.keep(masked(make.taskFinished('lb1', 'ok', { task: 'Second', source })));
    journal.flush();
    const growth = await growing;
    expect(growth).to.include({ event: 'delta' });
    page = withDelta(page, JSON.parse(growth['data'] ?? '') as PageDelta);
    expect(page.columns.map(({ task }) => task)).to.deep.equal(['Create the cloud', 'Second']);
    expect([...page.state]).to.deep.equal([2, 4, 1, 0]);
    const again = streamed(url, { cookie, 'last-event-id': version });
    expect((await again.next()).value).to.include({ event: 'delta' });
    expect((await again.next()).value).to.include({ event: 'delta' });
    const old = streamed(url, { cookie, 'last-event-id': '0' });
    expect((await old.next()).value).to.include({ event: 'reload' });

    // The run keeps the texts of its tasks a little later than their results.
    expect(page.yaml).to.deep.equal([null, null]);
    const texts = next();
    await writeFile(path.join(state, 'site.yml'), '- hosts: all\n  tasks:\n    - ping: {data: "as written"}\n');
    const task = { task: 'Second', module: 'ping', source: { file: path.join(state, 'site.yml'), line: 3, column: 7 } };
    const kept = { cwd: state, secrets: new Secrets() };
    await keepTaskTexts(runFolder(state, journal.id), new Map([[placeText(source), task]]), kept);
    page = withDelta(page, JSON.parse((await texts)['data'] ?? '') as PageDelta);
    expect(page.yaml).to.deep.equal([null, { first: 3, lines: ['    - ping: {data: "as written"}'] }]);

    journal.keep(masked(make.runFinished({ status: 'failed', exitCode: 2 })));
    await journal.close();
    while ((await next())['event'] !== 'over');
  });
});
