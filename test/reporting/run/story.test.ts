import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { Story, type StoryOptions } from '../../../src/reporting/run/story.js';
import { EventMaker } from '../../rig/events.js';
import { marks } from '../../rig/marks.js';

const change = { kind: 'update', object: 'pool "a"', before: { n: 1 }, after: { n: 2 } } as const;

function unanswered(request: Event): Event {
  const without = JSON.stringify(request, (key, value: unknown) => (key === 'status' ? undefined : value));
  return JSON.parse(without) as Event;
}

/** One of each event that is told, of two controllers whose names have different lengths. */
function events(make = new EventMaker()): readonly Event[] {
  const notified = {
    ...make.controllerFinished('lb1'),
    type: 'handler-notified',
    handler: 'Two',
  } as Event;
  return [
    make.playStarted(['lb1', 'lb2-long']),
    make.taskFinished('lb1', 'ok', { message: 'fine' }),
    make.taskFinished('lb1', 'skipped', { message: 'when: no' }),
    make.taskFinished('lb2-long', 'changed', { change }),
    make.taskFinished('lb1', 'failed', { message: 'broken' }),
    make.taskFinished('lb1', 'ok', { message: 'hello', spoken: true }),
    make.retried('lb1', 2, 5),
    { ...make.retried('lb2-long', 3, 5), message: 'not yet\nthere' } as Event,
    make.requestRetried('lb1', 4, 'ECONNREFUSED'),
    make.taskProgressed('lb1', 'half done', 90),
    make.taskProgressed('lb2-long', 'begun'),
    notified,
    make.request('lb1', { seconds: 0.25, requestBody: 'a\nb', responseBody: 'x'.repeat(10_000) }),
    unanswered(
      make.request('lb2-long', { method: 'PUT', error: 'cut', requestBody: '', responseBody: 'y'.repeat(10_001) }),
    ),
    unanswered(make.request('lb1')),
  ];
}

function told(verbosity: number, given: Partial<StoryOptions> = {}): readonly string[] {
  const story = new Story({ mask: (text) => text, palette: marks, verbosity, brief: false, ...given });
  return events().flatMap((event) => story.lines(event));
}

describe('the story of a run', () => {
  it('has more with each -v', () => {
    const end = (verbosity: number): string => (verbosity > 1 ? '.  0.2 s.' : '');
    const task = (verbosity: number): Readonly<Record<string, string>> => ({
      ok: `+ok         +  lb1       *Create the cloud*: fine${end(verbosity)}`,
      skipped: `@skipped    @  lb1       *Create the cloud*: when: no${end(verbosity)}`,
      changed: `~changed    ~  lb2-long  *Create the cloud*: updated pool "a": n${end(verbosity)}`,
      failed: `!failed     !  lb1       *Create the cloud*: broken${end(verbosity)}`,
      spoken: `+ok         +  lb1       *Create the cloud*: hello${end(verbosity)}`,
    });
    const { ok, skipped, changed, failed, spoken } = task(2);
    const waits = [
      '.retry        lb1  Create the cloud: attempt 2 of 5.',
      '.waiting      lb2-long  Create the cloud: attempt 3 of 5: not yet there.',
      '.retry        lb1  attempt 3 in 4.0 s, waiting for lb1, 12 s left: ECONNREFUSED.',
      '.progress     lb1  Create the cloud: half done, 1 min 30 s left.',
      '.progress     lb2-long  Create the cloud: begun.',
    ];
    const one = task(1);
    const first = [one['ok'], one['changed'], one['failed'], one['spoken'], ...waits];
    const second = [ok, skipped, changed, failed, spoken, ...waits, '.notified     lb1  Two.'];
    const requests = [
      '.    lb1  GET https://lb1/api/cloud/ → 200  0.3 s.',
      '.    lb2-long  PUT https://lb2-long/api/cloud/ → cut  0.1 s.',
      '.    lb1  GET https://lb1/api/cloud/ → no answer  0.1 s.',
    ];
    expect(told(0)).to.deep.equal([one['changed'], one['failed'], one['spoken']]);
    expect(told(0, { brief: true })).to.deep.equal([one['spoken']]);
    expect(told(0, { plan: true })).to.deep.equal([one['changed'], one['failed']]);
    for (const brief of [true, false]) {
      expect(told(1, { brief })).to.deep.equal(first);
      expect(told(2, { brief })).to.deep.equal(second);
      expect(told(3, { brief })).to.deep.equal([...second, ...requests]);
    }
    expect(told(4)).to.deep.equal([
      ...second,
      requests[0],
      '.      > a.',
      '.      > b.',
      `.      < ${'x'.repeat(10_000)}.`,
      requests[1],
      `.      < ${'y'.repeat(10_000)}… (10001 characters).`,
      requests[2],
    ]);
  });

  it('counts the items of each loop, and says once that one failed', () => {
    const make = new EventMaker();
    const story = new Story({ mask: (text) => text, palette: marks, verbosity: 0, brief: false });
    const item = (controller: string, name: string, status: 'ok' | 'changed' | 'failed'): Event =>
      make.taskFinished(controller, status, { item: name, message: name });
    const lines = [
      make.playStarted(['lb1', 'lb2']),
      ...['a', 'b\nc', 'd', 'e', 'f', 'g'].map((name) => item('lb1', name, 'changed')),
      item('lb1', 'h', 'ok'),
      item('lb2', 'x', 'failed'),
      make.taskFinished('lb1', 'changed'),
      make.taskFinished('lb2', 'failed', { message: 'an item failed' }),
      make.taskFinished('lb1', 'changed'),
      item('lb2', 'long '.repeat(30), 'changed'),
      make.taskFinished('lb2', 'changed'),
      item('lb1', 'a', 'failed'),
      make.taskFinished('lb1', 'interrupted', { message: 'stopped' }),
      item('lb2', 'a', 'changed'),
      make.taskFinished('lb2', 'interrupted', { message: 'stopped' }),
      ...(['changed', 'failed'] as const).map((status) => item('lb1', status, status)),
      make.taskFinished('lb1', 'failed', { message: 'an item failed', ignored: true }),
    ].flatMap((event) => story.lines(event));
    expect(lines).to.deep.equal([
      '!failed     !  lb2  *Create the cloud* (x): x',
      '~changed    ~  lb1  *Create the cloud*: 6 of 7 items changed: a, b c, d, …',
      '~changed    ~  lb1  *Create the cloud*',
      `~changed    ~  lb2  *Create the cloud*: 1 of 1 item changed: ${'long '.repeat(7)}long…`,
      '!failed     !  lb1  *Create the cloud* (a): a',
      '?interrupted?  lb1  *Create the cloud*: stopped',
      '?interrupted?  lb2  *Create the cloud*: stopped; 1 of 1 item changed: a',
      '!failed     !  lb1  *Create the cloud* (failed): failed',
      '~changed    ~  lb1  *Create the cloud*: 1 of 2 items changed: changed',
    ]);
  });

  it('names no item in the line of a loop that is secret by then, also in part', () => {
    const make = new EventMaker();
    const secrets = new Set<string>();
    const mask = (text: string): string => [...secrets].reduce((shown, one) => shown.replaceAll(one, '********'), text);
    const story = new Story({ mask, palette: marks, verbosity: 0, brief: false });
    const items = ['horse-battery', 'x', `${'y'.repeat(30)}horse-battery`];
    for (const item of items) story.lines(make.taskFinished('lb1', 'changed', { item }));
    secrets.add('horse-battery');
    expect(story.lines(make.taskFinished('lb1', 'changed'))).to.deep.equal([
      `~changed    ~  lb1  *Create the cloud*: 3 of 3 items changed: ********, x, ${'y'.repeat(30)}********`,
    ]);
  });
});
