import { WriteStream } from 'node:tty';
import { expect } from 'chai';
import type { Event } from '../../../src/core/model/run/event.js';
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
