import { expect } from 'chai';
import { Link } from '../../../../src/run/remote/worker/link.js';
import { fromText, toText, type ToWorker } from '../../../../src/run/remote/messages.js';
import type { News } from '../../../../src/run/remote/walk_order.js';

const LOCK = { type: 'lock controller', url: 'https://lb1' } as const;

interface Line {
  readonly link: Link;
  readonly posted: string[];
  readonly revoked: AbortController;
  readonly answer: (message: ToWorker) => void;
}

function lineTo(news: (news: News) => Promise<void> = () => Promise.resolve()): Line {
  const posted: string[] = [];
  const revoked = new AbortController();
  let hear: (text: string) => void = () => undefined;
  const link = new Link(
    {
      text: '',
      post: (text) => posted.push(text),
      postDurably: (text) => Promise.resolve(void posted.push(text)),
      stillHeld: () => Promise.resolve(),
      onMessage: (listen) => {
        hear = listen;
      },
      revoked: revoked.signal,
    },
    () => [],
  );
  link.listen({ news, message: () => undefined });
  return {
    link,
    posted,
    revoked,
    answer: (message) => {
      hear(toText(message));
    },
  };
}

async function refusalOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'none',
    (error: unknown) => (error instanceof Error ? error.message : 'another'),
  );
}

const OVER = 'another worker has this controller now, or its walk is over';

describe('the link of a worker to its coordinator', () => {
  it('sends all messages of one turn as one text', async () => {
    const { link, posted, answer } = lineTo();
    link.tell({ type: 'finish step' });
    const called = link.call(LOCK);
    await Promise.resolve();
    expect(posted.map((text) => fromText.worker(text).map(({ type }) => type))).to.deep.equal([
      ['finish step', 'call'],
    ]);
    answer({ type: 'answer', id: 1, value: null, news: { number: 0 } });
    expect(await called).to.equal(null);
  });

  it('rejects waiting and later calls when another worker has the walk', async () => {
    const { link, revoked, posted } = lineTo();
    const called = link.call(LOCK);
    revoked.abort();
    expect(await refusalOf(called)).to.equal(OVER);
    expect(await refusalOf(link.call(LOCK))).to.equal(OVER);
    const intent = { type: 'intend', intent: {} as never } as const;
    expect(await refusalOf(link.callDurably(intent))).to.equal(OVER);
    expect(posted).to.deep.equal([]);
  });

  it('rejects a call if the news in its answer cannot be applied', async () => {
    const { link, answer } = lineTo(() => Promise.reject(new Error('cannot read group_vars')));
    const called = link.call(LOCK);
    answer({ type: 'answer', id: 1, value: null, news: { number: 0 } });
    expect(await refusalOf(called)).to.equal('cannot read group_vars');
  });
});
