import { PassThrough } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import type { Picture } from '../../../src/reporting/output/options.js';
import { LiveOutput } from '../../../src/reporting/reporters/live.js';
import { LiveArea } from '../../../src/reporting/reporters/live_area.js';
import { createPalette } from '../../../src/reporting/text/palette.js';
import { EventMaker, masked } from '../../rig/events.js';
import { Screen } from '../../rig/screen.js';

const [BEGIN, END] = ['\u001b[?2026h', '\u001b[?2026l'];

interface Shown {
  readonly stream: WriteStream;
  readonly screen: Screen;
  readonly written: () => string;
}

/** A stream with the size of a terminal, and the screen that it makes. */
function terminal(): Shown {
  const screen = new Screen();
  let written = '';
  const stream = Object.assign(new PassThrough(), {
    columns: 100,
    rows: 30,
    isTTY: true,
    getWindowSize: () => [stream.columns, stream.rows],
  });
  stream.on('data', (chunk: Buffer) => {
    written += chunk.toString();
    // As the line discipline of a terminal does.
    screen.write(chunk.toString().replaceAll('\n', '\r\n'));
  });
  return {
    stream: stream as unknown as WriteStream,
    screen,
    written: () => written,
  };
}

/** What is on the screen after some turns of the event loop, in which streams write. */
async function settled(shown: Shown): Promise<string> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  return steady(shown.screen.text);
}

function steady(text: string): string {
  return text.replaceAll(/[\d.]+ s\b/g, 'N s');
}

describe('the part of a terminal that is repainted', () => {
  it('is painted in one piece, also if that fails', async () => {
    const shown = terminal();
    const live = new LiveArea(shown.stream, shown.stream, createPalette(false));
    await live.atOnce(async () => {
      shown.stream.write('inside');
      await Promise.resolve();
    });
    const error: unknown = await live
      .atOnce(() => Promise.reject(new Error('painting failed')))
      .catch((thrown: unknown) => thrown);
    expect(error).to.have.property('message', 'painting failed');
    await settled(shown);
    expect(shown.written()).to.equal(`${BEGIN}inside${END}${BEGIN}${END}`);
  });
});

describe('the live output', () => {
  interface Reported {
    readonly output: LiveOutput;
    readonly shown: Shown;
    readonly take: (...events: readonly Event[]) => void;
  }

  function output(given: object = {}): Reported {
    const shown = terminal();
    const options = {
      output: 'live' as const,
      stdout: shown.stream,
      stderr: shown.stream,
      colour: false,
      verbosity: 0,
      secrets: new Secrets(),
      cwd: '/nowhere',
      ...given,
    } as const;
    const made = new LiveOutput(options, { stdout: shown.stream, stderr: shown.stream });
    return {
      output: made,
      shown,
      take: (...events) => {
        for (const event of events) made.handle(masked(event));
      },
    };
  }

  it('leaves what is permanent, in its order, and no paint', async () => {
    const make = new EventMaker();
    const { output: live, shown, take } = output();
    take(
      make.runStarted(),
      make.playStarted(['lb1', 'lb2', 'lb3']),
      make.warning('the inventory is odd'),
      make.batchStarted(['lb1', 'lb2'], 1, 2),
      make.taskFinished('lb1', 'changed'),
      make.taskFinished('lb2', 'failed', { message: 'no such zone' }),
      make.controllerFinished('lb1'),
      make.controllerFinished('lb2'),
      make.batchFinished(1, { failed: ['lb2'] }),
      make.batchStarted(['lb3'], 2, 2),
      ...Array.from({ length: 5 }, () => make.warning('again', { controller: 'lb3' })),
      make.controllerFinished('lb3'),
      make.batchFinished(2),
      make.playFinished(),
      make.playStarted(['lb1'], { play: 'Second' }),
      make.batchStarted(['lb1']),
      make.controllerFinished('lb1'),
      make.batchFinished(),
      make.playFinished(),
      make.runFinished({ status: 'failed', exitCode: 2 }),
    );
    await live.close();
    const lines = (await settled(shown)).split('\n');
    expect(lines.filter((line) => /^(?:evenkeel|warning|✖|✔)/.test(line))).to.deep.equal([
      'evenkeel 0.1.0 · playbooks/rollout.yml',
      'warning: the inventory is odd',
      '✖ Roll out · batch 1 of 2 · 2 controllers, 1 changed, 1 failed · N s',
      ...Array.from({ length: 3 }, () => 'warning: lb3: again'),
      '✔ Roll out · batch 2 of 2 · 1 controller, nothing changed · N s',
      '✔ Second · 1 controller, nothing changed · N s',
      'warning: 2 more warnings like: again',
    ]);
    expect(lines.at(-1)).to.match(/^2 controllers · 1 changed · 1 failed · N s$/);
    expect(shown.written()).to.not.include('●');
  });

  it('has a line alone, each line once, and an empty line before the end', async () => {
    const make = new EventMaker();
    const { output: live, shown, take } = output();
    take(make.runStarted());
    await live.close();
    await live.close();
    expect(await settled(shown)).to.equal('evenkeel 0.1.0 · playbooks/rollout.yml');
    const ended = output();
    ended.take(make.runFinished());
    await ended.output.close();
    expect(await settled(ended.shown)).to.equal('\nrecap\n0 controllers · N s');
  });

  it('shows of a plan only what would change', async () => {
    const make = new EventMaker();
    const { output: live, shown, take } = output({ plan: true });
    take(
      make.playStarted(['lb1', 'lb2']),
      make.batchStarted(['lb1', 'lb2']),
      make.taskFinished('lb1', 'changed', { message: 'sent' }),
      make.taskFinished('lb2', 'failed', { message: 'no such zone' }),
      make.batchFinished(),
    );
    await live.close();
    expect(await settled(shown)).to.equal(
      '✖ Roll out · 2 controllers, 1 changed, 1 failed · N s\n    changed      Create the cloud: sent (lb1)',
    );
  });

  it('leaves its picture above a question, and shows what happens meanwhile after the answer', async () => {
    const make = new EventMaker();
    const picture: Picture = {};
    const { output: live, shown, take } = output({ picture });
    take(make.runStarted(), make.playStarted(['lb1', 'lb2']), make.batchStarted(['lb1', 'lb2']));
    const paintAgain = await picture.giveWay?.();
    const above = await settled(shown);
    expect(above).to.match(/^evenkeel .*\nRoll out · .*\n· lb1 {2}waiting\n· lb2 {2}waiting$/);
    take(make.warning('meanwhile'), make.playFinished());
    await painted(make);
    expect(await settled(shown)).to.equal(above);
    paintAgain?.();
    await painted(make);
    expect(await settled(shown)).to.equal(`${above}\nwarning: meanwhile`);
    await live.close();
  });

  /** Resolves when another one has painted, whose timer began later. */
  async function painted(make: EventMaker): Promise<void> {
    const { output: other, shown, take } = output();
    take(make.runStarted());
    while (!shown.written().includes('evenkeel')) await new Promise(setImmediate);
    await other.close();
  }

  it('fails if it could not be written', async () => {
    const { output: live, shown, take } = output();
    take(new EventMaker().runStarted());
    shown.stream.destroy(new Error('the disk is full'));
    const error: unknown = await live.close().catch((thrown: unknown) => thrown);
    expect(error).to.have.property('message', 'the disk is full');
  });

  it('says what was given up, with the warning that says so', async () => {
    const make = new EventMaker();
    const { output: live, shown, take } = output();
    const warning = { ...make.warning('interrupted again'), givesUp: true } as Event;
    take(make.runStarted(), make.playStarted(['lb1', 'lb2']), make.batchStarted(['lb1', 'lb2']));
    take(make.taskStarted('lb1'), make.taskStarted('lb2'), warning, make.warning('more'));
    take(make.playFinished(), { ...warning, message: 'and again' } as Event);
    await live.close();
    const warnings = (await settled(shown)).split('\n').filter((line) => line.startsWith('warning:'));
    expect(warnings[0]).to.equal('warning: interrupted again');
    expect(warnings[1]).to.match(/^warning: .*Create the cloud.*lb1, lb2/);
    expect(warnings.slice(2)).to.deep.equal(['warning: more', 'warning: and again']);
  });
});
