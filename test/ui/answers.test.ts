import { once } from 'node:events';
import http from 'node:http';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { maskText } from '../../src/core/secrets/mask_text.js';
import { Secrets } from '../../src/core/secrets/secrets.js';
import { nextRunId } from '../../src/record/journal/format/run_folders.js';
import { PlanWriter } from '../../src/record/plan/plan_writer.js';
import { startUi, type GroupedTexts } from '../../src/ui/server.js';
import { EventMaker, masked } from '../rig/events.js';
import { inFolder } from '../rig/folder.js';
import { beginRun } from '../rig/kept.js';

interface Asked {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

/** A server over one finished run, and what it answers to a browser that has signed in. */
function serving(
  texts: GroupedTexts,
  use: (get: typeof asking, id: string, cookie: string, state: string) => Promise<void>,
) {
  return inFolder({}, async (state) => {
    const make = new EventMaker();
    const journal = await beginRun(state, { id: await nextRunId(state) });
    for (const event of [
      make.runStarted(),
      make.playStarted(['lb1']),
      make.taskFinished('lb1', 'ok'),
      make.runFinished(),
    ])
      journal.keep(masked(event));
    await journal.close();
    const ui = await startUi(
      { stateDirectory: state, directory: state, cwd: state, config: ['--config', 'b.yml'], texts },
      0,
    );
    try {
      const { origin } = new URL(ui.url);
      const { headers } = await asking(ui.url);
      const cookie = headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
      await use(
        (path, given, method) => asking(origin + path, { cookie, ...given }, method),
        journal.id,
        cookie,
        state,
      );
    } finally {
      await ui.close();
    }
  });
}

async function asking(url: string, headers: http.OutgoingHttpHeaders = {}, method = 'GET'): Promise<Asked> {
  const request = http.request(url, { headers, method, agent: false }).end();
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const body = Buffer.concat(await response.toArray());
  const text = (response.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

const OTHER = '20260101T000000Z-000000';

const TEXTS: GroupedTexts = {
  plan: () => Promise.resolve({ status: 'refused', diagnostics: [] }),
  drift: (run) => Promise.resolve([maskText(`drift of ${run}`, new Secrets())]),
};

describe('what the server of the pages answers', () => {
  it('has a type, and headers against other pages of the browser', () =>
    serving(TEXTS, async (get, id) => {
      const safe = {
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      };
      const json = { 'content-type': 'application/json; charset=utf-8', 'content-encoding': 'gzip' };
      for (const [path, own] of [
        ['/', { 'content-type': 'text/html; charset=utf-8' }],
        ['/runs/x', { 'content-type': 'text/html; charset=utf-8' }],
        ['/compare', { 'content-type': 'text/html; charset=utf-8' }],
        ['/plans/1', { 'content-type': 'text/html; charset=utf-8' }],
        ['/controllers/lb1', { 'content-type': 'text/html; charset=utf-8' }],
        ['/api/runs', json],
        ['/api/controllers/lb1', json],
        ['/api/plans', json],
        [`/api/runs/${id}/drift`, json],
        [
          `/api/runs/${id}`,
          { 'content-type': 'application/octet-stream', 'content-encoding': 'gzip', 'x-over': 'true' },
        ],
      ] as const) {
        const { status, headers } = await get(path);
        expect(status, path).to.equal(200);
        expect(headers, path).to.include({ ...safe, ...own });
      }
    }));

  it('says why it is refused', () =>
    serving(TEXTS, async (get) => {
      const said = async (...asked: Parameters<typeof get>) => {
        const { status, headers, text } = await get(...asked);
        expect(headers['content-type']).to.equal('text/plain; charset=utf-8');
        return [status, text];
      };
      const nothing = [404, 'there is nothing here\n'];
      for (const path of ['/favicon.ico', '/api', '/api/keys', '/api/controllers', '/api/runs/x', '/api/runs/x/drift'])
        expect(await said(path), path).to.deep.equal(nothing);
      expect(await said('/', {}, 'PUT')).to.deep.equal([405, 'this server is read-only\n']);
      expect((await get('/', {}, 'PUT')).headers.allow).to.equal('GET');
      expect(await said('/%ff')).to.deep.equal([400, 'this is not a valid address\n']);
      const refused = [403, 'open the address that "evenkeel ui" printed\n'];
      expect(await said('/', { cookie: '' })).to.deep.equal(refused);
      expect(await said('/api/plans/1')).to.deep.equal([404, 'there is no such plan, or its file no longer exists\n']);
      expect(await said(`/api/runs/${OTHER}`)).to.deep.equal([404, `run ${OTHER} is no longer kept\n`]);
    }));

  it('is the drift of a run, if it found any, and 500 without details if something is wrong', async () => {
    await serving(TEXTS, async (get, id) => {
      expect(JSON.parse((await get(`/api/runs/${id}/drift`)).text)).to.deep.equal({ lines: [`drift of ${id}`] });
    });
    const broken: GroupedTexts = { ...TEXTS, drift: () => Promise.reject(new Error('of the inside')) };
    await serving(broken, async (get, id) => {
      const { status, text } = await get(`/api/runs/${id}/drift`);
      expect([status, text]).to.deep.equal([500, 'this failed\n']);
    });
    await serving({ ...TEXTS, drift: () => Promise.resolve(undefined) }, async (get, id) => {
      expect(JSON.parse((await get(`/api/runs/${id}/drift`)).text)).to.deep.equal({ lines: [] });
    });
  });

  it('has the command that carries out a plan, with the project file that was named', async () => {
    const texts: GroupedTexts = {
      ...TEXTS,
      plan: () => Promise.resolve({ status: 'ok', value: { lines: [], isEmpty: false } }),
    };
    await serving(texts, async (get, _id, _cookie, state) => {
      const about = { id: OTHER, created: '2026-01-01T00:00:00.000Z', version: '1.0.0' };
      const plan = await PlanWriter.create(path.join(state, 'a b.plan'), Buffer.alloc(32), about);
      const inputs = { invocation: {}, playbooks: [], answers: {}, written: {}, secrets: [], code: {} };
      await plan.finish(inputs, { controllers: [], unplanned: {}, connections: {} });
      expect(JSON.parse((await get(`/api/plans/${OTHER}`)).text)).to.include({
        file: 'a b.plan',
        apply: "evenkeel apply 'a b.plan' --config b.yml",
      });
    });
  });

  it('goes to the cookie of its own port among others', () =>
    serving(TEXTS, async (get, _id, cookie) => {
      const [name = '', value = ''] = cookie.split('=');
      const statusOf = async (given: string) => (await get('/', { cookie: given })).status;
      expect(await statusOf(`a=b; evenkeel-1=${value};${cookie}; c=d`)).to.equal(200);
      expect([
        await statusOf(`evenkeel-1=${value}`),
        await statusOf(`${name}=`),
        await statusOf(`x${cookie}`),
      ]).to.deep.equal([403, 403, 403]);
    }));
});
