import { WriteStream } from 'node:tty';
import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { controllerNames, EventMaker } from '../../rig/events.js';
import { reported } from '../../rig/report.js';

describe('a log of many controllers', () => {
  it('names five of them in the annotation of a failure', async () => {
    const make = new EventMaker();
    const names = controllerNames(7);
    const { stdout } = await reported(
      [make.playStarted(names), ...names.map((name) => make.taskFinished(name, 'failed')), make.runFinished()],
      { github: { workspace: '/nowhere' } },
    );
    expect(stdout.split('\n').filter((line) => line.startsWith('::error'))).to.deep.equal([
      '::error file=playbooks/rollout.yml,line=4,col=7,title=Create the cloud::failed without a message (lb01, lb02, lb03, lb04, lb05 and 2 more)',
    ]);
  });

  it('names no controller in the message of an annotation of several, and the items of loops', async () => {
    const make = new EventMaker();
    const fail = (name: string, item: string): readonly Event[] => [
      make.taskFinished(name, 'failed', { item, message: `${name} is full` }),
      make.taskFinished(name, 'failed', { message: '1 of 1 items failed' }),
    ];
    const { stdout } = await reported(
      [make.playStarted(['lb1', 'lb2']), ...fail('lb1', 'a'), ...fail('lb2', 'b'), make.runFinished()],
      { github: { workspace: '/nowhere' } },
    );
    expect(stdout).to.include('title=Create the cloud (items a%2C b)::<controller> is full (lb1, lb2)\n');
    expect(stdout).to.include('Create the cloud (cloud_present, items a, b)\n');
  });

  it('shows five unfinished routes in a line of progress', async () => {
    const make = new EventMaker();
    const names = controllerNames(14);
    const routes = Object.fromEntries(names.map((name, at) => [`r${name.slice(2)}`, [at]]));
    const { stderr } = await reported([
      make.playStarted(names, { routes, tasks: 1 }),
      ...names.slice(0, 7).flatMap((name) => [make.pass(5).taskFinished(name, 'ok'), make.controllerFinished(name)]),
    ]);
    const rest = 'r08 0 of 1; r09 0 of 1; r10 0 of 1; r11 0 of 1; r12 0 of 1; 2 more routes';
    expect(stderr.trimEnd().split('\n').at(-1)).to.equal(`progress 50 % · 7 of 14 controllers · 35 s · ${rest}`);
  });

  it('has one line for changes that a template explains, if it is grouped', async () => {
    const make = new EventMaker();
    const create = (controller: string, name: string): Event =>
      make.taskFinished(controller, 'changed', {
        change: { kind: 'create', object: `cloud "${name}"`, before: null, after: { name } },
      });
    const events = [
      make.playStarted(['lb1', 'lb2', 'lb3']),
      make.batchStarted(['lb1', 'lb2', 'lb3']),
      create('lb1', 'edge-a'),
      create('lb2', 'edge-b'),
      create('lb3', 'core'),
      make.batchFinished(),
    ];
    const shown = async (writtenArguments?: () => { readonly name: string }): Promise<readonly string[]> =>
      (await reported(events, { output: 'grouped', writtenArguments })).stdout.trimEnd().split('\n').slice(1);
    expect(await shown(() => ({ name: 'edge-{{ site }}' }))).to.deep.equal([
      '    changed      2× Create the cloud: created cloud "edge-{{ site }}" (lb1, lb2)',
      '    changed      Create the cloud: created cloud "core" (lb3)',
    ]);
    expect(await shown()).to.have.length(3);
  });
});

describe('what an output shows later', () => {
  const secret = 'learned-late';
  const names = controllerNames(12);

  /** @param events in the middle of a batch, before the secret becomes known */
  async function later(
    events: (make: EventMaker) => readonly Event[],
    options: object,
    known = secret,
  ): Promise<string> {
    const [make, secrets] = [new EventMaker(), new Secrets()];
    const all = function* (): Iterable<Event> {
      yield* [make.runStarted(), make.playStarted(names), make.batchStarted(names), ...events(make)];
      secrets.add(known);
      yield* [make.batchFinished(), make.playFinished(), make.runFinished()];
    };
    const { stdout, stderr } = await reported(all(), { output: 'grouped', secrets, ...options });
    return stdout + stderr;
  }

  it('has no secret that became known since: results of a batch, cut after they are masked', async () => {
    for (let length = 0; length < 100; length++) {
      const message = `${'x'.repeat(length)}${secret}`;
      const shown = await later(
        (make) =>
          names.map((name) => make.taskFinished(name, 'failed', { message, ignored: true, task: `Use ${secret}` })),
        {},
      );
      expect(shown).to.include('12× Use ********: ').and.not.to.include('lear');
    }
  });

  it('has no secret that became known since: diffs of a fleet', async () => {
    const change = { kind: 'create', object: `cloud "${secret}"`, before: null, after: { name: secret } } as const;
    const shown = await later(
      (make) => names.map((name) => make.taskFinished(name, 'changed', { change, diff: true })),
      { diff: 'fleet', colour: true },
    );
    expect(shown).to.include('cloud "********" (new) on 12 controllers').and.to.include('name: ********');
    expect(shown).not.to.include('lear');
  });

  it('has no secret that became known since: further messages and results', async () => {
    const message = `says ${secret}`;
    const values = { said: secret };
    const events = (make: EventMaker): readonly Event[] => [
      ...names.slice(1).map((name) => make.taskFinished(name, 'ok', { values, task: 'Two' })),
      ...names.map((name) => make.taskFinished(name, 'ok', { message, spoken: true })),
    ];
    const shown = (await later(events, { results: true })).split('\n');
    const first = shown.findIndex((line) => line.includes(message));
    expect(shown[first]).to.match(/^ok/);
    const rest = shown.slice(first + 1).join('\n');
    expect(rest).to.include('and 11 other controllers  Create the cloud: says ********');
    expect(rest).to.include('said: ********').and.not.to.include('lear');
  });

  it('has no secret that became known since: equal results, also without their addresses', async () => {
    const secret = 'learned-10.0.0.1-late';
    const shown = await later(
      (make) =>
        names.map((name) => make.taskFinished(name, 'ok', { values: { said: `${secret} on ${name} at 10.0.0.2` } })),
      { results: true },
      secret,
    );
    expect(shown).to.include('said: ******** on <controller> at <address>').and.not.to.include('lear');
  });

  it('has no secret that became known since: names of plays, tasks and files', async () => {
    const source = { file: `${secret}.yml`, line: 4, column: 7 };
    const shown = await later(
      (make) => [
        make.playStarted(names, { play: `Rotate ${secret}` }),
        make.batchStarted(names),
        make.taskFinished('lb01', 'failed', { source, task: `Use ${secret}` }),
      ],
      { github: { workspace: '/nowhere' } },
    );
    const late = shown.slice(shown.indexOf('✖'));
    expect(late).to.include('✖ Rotate ********').and.to.include('::error file=********.yml');
    expect(late).not.to.include('lear');
  });

  it('has no secret that became known since: warnings that were only counted', async () => {
    const shown = await later((make) => names.map((name) => make.warning(`of ${secret}`, { controller: name })), {});
    expect(shown).to.include('9 more warnings like: of ********');
  });
});

describe('the width of an output in lines', () => {
  const make = new EventMaker();
  const message = 'word '.repeat(40).trim();
  const events = [
    make.playStarted(['lb1', 'lb2']),
    make.batchStarted(['lb1', 'lb2']),
    make.taskFinished('lb1', 'failed', { message }),
    make.taskFinished('lb2', 'ok'),
    make.batchFinished(),
    make.runFinished(),
  ];

  /** The lengths of the line in the block, of the longest one, and of the row in the recap. */
  const widths = (out: string): readonly number[] => {
    const lines = out.split('\n').map((line) => line.trimEnd());
    const lengths = (of: RegExp): number =>
      Math.max(...lines.filter((line) => of.test(line)).map(({ length }) => length));
    return [lengths(/^ *failed {2}/), lengths(/^/), lengths(/^lb1 /)];
  };

  const onTerminal = async (output: 'lines' | 'grouped', columns: number): Promise<readonly number[]> => {
    let out = '';
    const terminal = Object.assign(Object.create(WriteStream.prototype) as WriteStream, {
      columns,
      on: () => terminal,
      off: () => terminal,
      write: (text: string, then?: () => void) => {
        out += text;
        then?.();
        return true;
      },
    });
    await reported(events, { output, stdout: terminal });
    return widths(out);
  };

  it('is that of the terminal, else of a log; only grouped lines are wrapped', async () => {
    const inLog = async (output: 'lines' | 'grouped') => widths((await reported(events, { output })).stdout);
    const [block, recap] = [`failed       lb1  Create the cloud: ${message}`.length, 84];
    expect(await onTerminal('grouped', 50)).to.deep.equal([50, 50, 20]);
    expect(await onTerminal('grouped', 200)).to.deep.equal([200, 200, recap]);
    expect(await inLog('grouped')).to.deep.equal([160, 160, recap]);
    expect(await onTerminal('lines', 50)).to.deep.equal([block, block, 20]);
    expect(await inLog('lines')).to.deep.equal([block, block, recap]);
  });
});
