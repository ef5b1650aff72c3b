import { expect } from 'chai';
import { pageDelta } from '../../../src/reporting/page/format/delta.js';
import type { Page } from '../../../src/reporting/page/format/page.js';
import { useFetched, useLivePage, type Fetched } from '../../../src/web/ui/fetched.js';
import { EventMaker } from '../../rig/events.js';
import { packed, pageOf } from '../../rig/page_run.js';
import { Browser } from './browser.js';
import { endShown, renderAgain, rendered } from './rendered.js';

/** What the server sends while a run is running. */
class Events {
  static readonly all: Events[] = [];
  static readonly CLOSED = 2;
  readyState = 0;
  readonly #listeners = new Map<string, (event: object) => void>();
  isClosed = false;

  constructor(readonly path: string) {
    Events.all.push(this);
  }

  addEventListener(name: string, listener: (event: object) => void): void {
    this.#listeners.set(name, listener);
  }

  send(name: string, data?: unknown): void {
    this.#listeners.get(name)?.({ data: JSON.stringify(data) });
  }

  close(): void {
    this.isClosed = true;
  }
}

function events(done: readonly string[]) {
  const make = new EventMaker();
  const names = ['lb1', 'lb2'];
  const started = [make.runStarted(), make.playStarted(names), make.batchStarted(names)];
  return [...started, ...done.map((name) => make.taskFinished(name, 'changed'))];
}

describe('what the pages of evenkeel ui read', () => {
  let browser: Browser;
  beforeEach(() => (browser = new Browser()));
  afterEach(() => browser.close());

  describe('of a run', () => {
    let answers: Response[] = [];
    let asked: string[] = [];
    let shown: Fetched<Page>[] = [];
    const Live = ({ id }: { id: string }) => {
      const fetched = useLivePage(id);
      if (shown.at(-1) !== fetched) shown.push(fetched);
      return null;
    };
    beforeEach(() => {
      [answers, asked, shown, Events.all.length] = [[], [], [], 0];
      Object.assign(globalThis, {
        EventSource: Events,
        fetch: (path: string) => {
          asked.push(path);
          const answer = answers.shift();
          return answer === undefined ? Promise.reject(new Error('not there')) : Promise.resolve(answer);
        },
      });
    });
    afterEach(() => Reflect.deleteProperty(globalThis, 'EventSource'));
    const answer = (done: readonly string[], headers: Readonly<Record<string, string>>) =>
      new Response(Uint8Array.from(packed(events(done))), { headers });
    const changed = () =>
      shown.map((one) =>
        one.status === 'ready' ? [...one.value.outcome].filter((code) => code === 1).length : one.status,
      );

    it('is followed from its version until it is over, a change in each frame', async () => {
      answers.push(answer(['lb1'], { 'X-Over': 'false', 'X-Version': '7' }));
      rendered(Live, { id: 'r1' });
      expect(shown).to.deep.equal([{ status: 'loading' }]);
      await browser.settled();
      expect(asked).to.deep.equal(['/api/runs/r1']);
      expect(Events.all.map(({ path }) => path)).to.deep.equal(['/api/runs/r1/events?since=7']);
      const states = () => shown.flatMap((one) => (one.status === 'ready' ? [[...one.value.state]] : []));
      expect(states()).to.deep.equal([[2, 0]]);
      const [source] = Events.all;
      const [first, second] = [pageOf(events(['lb1'])), pageOf(events(['lb1', 'lb2']))];
      source?.send('delta', pageDelta(first, second));
      source?.send('delta', { ...pageDelta(second, second), cells: [0, 4, 0, 0, 0] });
      expect(states().length).to.equal(1);
      await browser.settled();
      expect(states().slice(1)).to.deep.equal([[4, 2]]);
      source?.send('over');
      expect(source?.isClosed).to.equal(true);
      expect(changed().length).to.equal(3);
    });

    it('may be out of date as long as the server does not answer', async () => {
      answers.push(answer(['lb1'], { 'X-Over': 'false', 'X-Version': '7' }));
      rendered(Live, { id: 'r1' });
      await browser.settled();
      const lost = async (name: string): Promise<unknown> => {
        Events.all[0]?.send(name);
        await browser.settled();
        const last = shown.at(-1);
        return last?.status === 'ready' && last.lost;
      };
      expect(await lost('open')).to.equal(undefined);
      expect(await lost('error')).to.match(
        /^"evenkeel ui" does not answer, so this page may be out of date: reload it, /,
      );
      expect(await lost('open')).to.equal(undefined);
    });

    it('stays with the words of the server if that no longer has it', async () => {
      answers.push(answer(['lb1'], { 'X-Version': '7' }), new Response('run r1 is no longer kept', { status: 404 }));
      rendered(Live, { id: 'r1' });
      await browser.settled();
      const [source] = Events.all;
      if (source !== undefined) source.readyState = Events.CLOSED;
      source?.send('error');
      await browser.settled();
      expect(asked.length).to.equal(2);
      expect(shown.at(-1)).to.include({ status: 'ready', lost: 'run r1 is no longer kept' });
      expect(shown.length).to.equal(3);
    });

    it('is read again if the server says so', async () => {
      answers.push(answer([], { 'X-Version': '1' }), answer(['lb1'], { 'X-Over': 'true', 'X-Version': '2' }));
      rendered(Live, { id: 'r1' });
      await browser.settled();
      const [source] = Events.all;
      source?.send('reload');
      expect(source?.isClosed).to.equal(true);
      await browser.settled();
      expect(asked.length).to.equal(2);
      expect(Events.all.length).to.equal(1);
      expect(shown.map(({ status }) => status)).to.deep.equal(['loading', 'ready', 'ready']);
    });

    it('is loaded with its script if the server has another one', async () => {
      let reloads = 0;
      Object.assign(browser.location, { reload: () => reloads++ });
      const by = (policy: string) => ({ 'X-Version': '1', 'Content-Security-Policy': policy });
      answers.push(answer([], by('a')), answer([], by('a')), answer([], by('b')));
      rendered(Live, { id: 'r1' });
      await browser.settled();
      for (const [index, expected] of [0, 1].entries()) {
        Events.all[index]?.send('reload');
        await browser.settled();
        expect(reloads).to.equal(expected);
      }
    });

    it('is not there, with the words of the server', async () => {
      answers.push(new Response('no run r1', { status: 404 }));
      rendered(Live, { id: 'r1' });
      await browser.settled();
      rendered(Live, { id: 'r1' });
      await browser.settled();
      expect(shown.filter(({ status }) => status !== 'loading')).to.deep.equal([
        { status: 'failed', message: 'no run r1' },
        {
          status: 'failed',
          message: '"evenkeel ui" does not answer: start it again, and open the address that it prints',
        },
      ]);
    });

    it('is left alone once another one is shown, or none', async () => {
      answers.push(answer([], { 'X-Version': '1' }), answer(['lb1'], {}), answer(['lb1'], {}));
      const root = rendered(Live, { id: 'r1' });
      await browser.settled();
      renderAgain(root, Live, { id: 'r2' });
      await browser.settled();
      expect(Events.all.map(({ path, isClosed }) => [path, isClosed])).to.deep.equal([
        ['/api/runs/r1/events?since=1', true],
        ['/api/runs/r2/events?since=', false],
      ]);
      renderAgain(root, Live, { id: 'r3' });
      await new Promise<void>((resolve) => {
        queueMicrotask(resolve);
      });
      expect(asked.length).to.equal(3);
      endShown();
      await browser.settled();
      expect(Events.all.map(({ isClosed }) => isClosed)).to.deep.equal([true, true]);
      expect(shown.length).to.equal(3);
    });
  });

  describe('as JSON', () => {
    const { setTimeout: start, clearTimeout: clear } = globalThis;
    let waiting: { readonly call: () => void; readonly milliseconds: number }[] = [];
    beforeEach(() => {
      waiting = [];
      Object.assign(globalThis, {
        setTimeout: (call: () => void, milliseconds: number) => {
          const timer = { call, milliseconds };
          waiting.push(timer);
          return timer;
        },
        clearTimeout: (timer: object) => (waiting = waiting.filter((one) => one !== timer)),
      });
    });
    afterEach(() => Object.assign(globalThis, { setTimeout: start, clearTimeout: clear }));
    let shown: unknown;
    const Read = ({ path, seconds }: { path: string; seconds?: number }) => {
      shown = useFetched(path, seconds);
      return null;
    };

    it('is read again after some seconds, even if it is not there, until another one is shown', async () => {
      await browser.close();
      const answers: Record<string, unknown> = { '/api/runs': [1] };
      browser = new Browser(answers);
      const root = rendered(Read, { path: '/api/runs', seconds: 5 });
      expect(shown).to.deep.equal({ status: 'loading' });
      await browser.settled();
      expect(shown).to.deep.equal({ status: 'ready', value: [1] });
      expect(waiting.map(({ milliseconds }) => milliseconds)).to.deep.equal([5000]);
      const next = async () => {
        waiting.splice(0).map(({ call }) => {
          call();
        });
        await browser.settled();
        return shown;
      };
      delete answers['/api/runs'];
      expect(await next()).to.deep.equal({ status: 'failed', message: 'not kept' });
      answers['/api/runs'] = [2];
      expect(await next()).to.deep.equal({ status: 'ready', value: [2] });
      expect(waiting.length).to.equal(1);
      answers['/api/plans'] = [3];
      renderAgain(root, Read, { path: '/api/plans' });
      await browser.settled();
      expect(shown).to.deep.equal({ status: 'ready', value: [3] });
      expect(waiting).to.deep.equal([]);
      expect(browser.asked).to.deep.equal([...Array<string>(3).fill('/api/runs'), '/api/plans']);
    });

    it('is not shown if it comes when another one is wanted', async () => {
      await browser.close();
      browser = new Browser({ '/slow': 1, '/next': 2 });
      const quick = globalThis.fetch;
      let answer: (response: Response) => void = () => undefined;
      Object.assign(globalThis, {
        fetch: (path: string) => (path === '/slow' ? new Promise((resolve) => (answer = resolve)) : quick(path)),
      });
      const root = rendered(Read, { path: '/slow', seconds: 5 });
      await browser.settled();
      renderAgain(root, Read, { path: '/next' });
      await browser.settled();
      answer(Response.json(1));
      await browser.settled();
      expect(shown).to.deep.equal({ status: 'ready', value: 2 });
      expect(waiting).to.deep.equal([]);
    });
  });
});
