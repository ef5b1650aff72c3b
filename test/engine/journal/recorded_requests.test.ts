import { expect } from 'chai';
import type { JournalRecord, WriteFinished } from '../../../src/core/model/run/journal.js';
import type { PastWrite } from '../../../src/core/model/run/past.js';
import { recordingRequests } from '../../../src/engine/journal/recorded_requests.js';
import { StepJournal } from '../../../src/engine/journal/step_journal.js';
import { WriteRecorder } from '../../../src/engine/journal/write_recorder.js';
import type { RawAnswer, RawRequest } from '../../../src/module/contract.js';
import { anIntent } from '../../rig/kept.js';
import { pastOf, Recorder } from '../../rig/recorder.js';

const REF = { controller: 'lb1', place: '0:1' };
const PATH = '/api/cloud/';
const ANSWER: RawAnswer = { status: 200, body: { sent: true } };

/** A write of an action from before the run was cut off. */
function before(
  write: number,
  method: string,
  path: string,
  { outcome, answer }: Partial<Pick<WriteFinished, 'outcome' | 'answer'>> = {},
): readonly JournalRecord[] {
  const change = { kind: 'invoke', object: `${method} ${path}`, before: null, after: null } as const;
  return [
    { ...anIntent({ method, path, change, body: null, object: change.object }), write },
    ...(outcome === undefined
      ? []
      : [
          {
            type: 'write-finished',
            write,
            controller: 'lb1',
            outcome,
            ...(answer !== undefined && { answer }),
          } as const,
        ]),
  ];
}

interface Sender {
  readonly send: (request: RawRequest) => Promise<RawAnswer>;
  /** What was really sent, and the past writes whose connection was compared. */
  readonly log: string[];
  readonly journal: Recorder;
}

async function sender(past: readonly JournalRecord[] = [], { keeps = true, answer = ANSWER } = {}): Promise<Sender> {
  const journal = new Recorder(past);
  const steps = new StepJournal(journal, past.length === 0 ? undefined : await pastOf(past), REF);
  const { target, reached, play, task, module, source } = anIntent();
  const recorder = new WriteRecorder(journal, REF, { target, reached, play, task, module, source }, () => undefined);
  const log: string[] = [];
  const checks = {
    openRecorder: () => Promise.resolve(keeps ? recorder : undefined),
    requireSame: ({ intent }: PastWrite) => {
      log.push(`same? ${intent.method} ${intent.path}`);
      return Promise.resolve();
    },
    onUnknownOutcome: () => void log.push('unknown'),
  };
  const send = recordingRequests(steps, checks, ({ method, path }) => {
    log.push(`${method} ${path}`);
    return Promise.resolve(answer);
  });
  return { send, log, journal };
}

const failure = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

describe('the requests of an action', () => {
  it('are recorded before they are sent, with their query, but for reads; nothing is if there is no journal', async () => {
    const { send, log, journal } = await sender();
    expect(await send({ method: 'GET', path: PATH })).to.equal(ANSWER);
    expect(journal.entries).to.deep.equal([]);
    await send({ method: 'post', path: PATH, query: { a: '1', b: 'x y' }, body: { name: 'n' } });
    await send({ method: 'DELETE', path: `${PATH}?c=1`, query: { d: '2' } });
    expect(log).to.deep.equal([`GET ${PATH}`, `post ${PATH}`, `DELETE ${PATH}?c=1`]);
    expect(
      journal.of('write-intended').map(({ method, path, object, body }) => [method, path, object, body]),
    ).to.deep.equal([
      ['POST', `${PATH}?a=1&b=x+y`, `POST ${PATH}`, { name: 'n' }],
      ['DELETE', `${PATH}?c=1&d=2`, `DELETE ${PATH}?c=1`, null],
    ]);
    expect(journal.of('write-intended').map(({ change }) => change)).to.deep.equal(
      [`POST ${PATH}`, `DELETE ${PATH}?c=1`].map((object) => ({ kind: 'invoke', object, before: null, after: null })),
    );
    expect(journal.of('write-finished').map(({ write, outcome, answer }) => [write, outcome, answer])).to.deep.equal([
      [1, 'applied', ANSWER],
      [2, 'applied', ANSWER],
    ]);
    const unkept = await sender([], { keeps: false });
    expect([await unkept.send({ method: 'POST', path: PATH }), unkept.log]).to.deep.equal([ANSWER, [`POST ${PATH}`]]);
    expect(unkept.journal.entries).to.deep.equal([]);
  });

  it('have the outcome that their status says; an error inside of an answer does not say it, nor one after an attempt without an answer', async () => {
    for (const [answer, end] of [
      [{ status: 400, body: null }, { outcome: 'refused' }],
      [{ status: 503, body: null }, { outcome: 'unknown' }],
      [{ status: 412, body: null, uncertain: true }, { outcome: 'unknown' }],
      [{ status: 200, body: null, uncertain: true }, { outcome: 'applied' }],
      [
        { status: 500, body: null },
        { outcome: 'unknown', answered: true },
      ],
      [
        { status: 200, body: null, denied: true },
        { outcome: 'unknown', answered: true },
      ],
    ] as const) {
      const { send, journal } = await sender([], { answer });
      await send({ method: 'PUT', path: PATH });
      const [{ outcome, answered } = {}] = journal.of('write-finished');
      expect({ outcome, ...(answered && { answered }) }, JSON.stringify(answer)).to.deep.equal(end);
    }
  });

  it('of before an interrupt are answered from the journal once each, and compared with the connection of then', async () => {
    const first = { status: 201, body: { first: true }, says: 'made', denied: true, uncertain: true };
    const { send, log } = await sender([
      ...before(1, 'POST', PATH, { outcome: 'applied', answer: first }),
      ...before(2, 'POST', PATH, { outcome: 'applied', answer: { status: 202, body: { second: true } } }),
      ...before(3, 'POST', '/api/pool/', { outcome: 'applied', answer: { status: 200, body: null } }),
    ]);
    const post = { method: 'post', path: PATH };
    expect(await send(post)).to.deep.equal(first);
    expect(await send(post)).to.deep.equal({ status: 202, body: { second: true } });
    expect(await send(post)).to.equal(ANSWER);
    expect(log).to.deep.equal([...Array<string>(2).fill(`same? POST ${PATH}`), `post ${PATH}`]);
  });

  it('that must not be sent again are not, by another attempt of the task either', async () => {
    const answer = { status: 503, body: null, uncertain: true, outcomeUnknown: true };
    const { send, log } = await sender(before(1, 'POST', PATH, { outcome: 'unknown', answer }));
    expect(await send({ method: 'POST', path: PATH })).to.deep.equal(answer);
    expect(log).to.deep.equal([`same? POST ${PATH}`, 'unknown']);
  });

  it('with an unknown outcome are sent again only if that is harmless', async () => {
    const request = { method: 'POST', path: PATH };
    const { send, log } = await sender(before(1, 'POST', PATH));
    for (const _ of [1, 2]) {
      const error = await failure(send(request));
      expect(error).to.deep.include({
        message: `it is unknown whether POST ${PATH} took effect when the run was cut off, so it is not sent again`,
        hint: 'look at the controller; if it did not take effect, run the playbook again for this controller',
      });
    }
    expect(log.filter((line) => !line.startsWith('same?'))).to.deep.equal(['unknown', 'unknown']);
    expect(await send({ ...request, looked: true })).to.equal(ANSWER);
    const put = await sender(before(1, 'PUT', PATH));
    expect(await put.send({ method: 'PUT', path: PATH })).to.equal(ANSWER);
    const refused = await sender(before(1, 'POST', PATH, { outcome: 'refused' }));
    expect(await refused.send(request)).to.equal(ANSWER);
  });
});
