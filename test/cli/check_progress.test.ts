import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { checkPorts } from '../../src/cli/check_progress.js';
import type { CommandContext } from '../../src/cli/context.js';
import { MaskedStream } from '../../src/cli/masked_stream.js';
import type { ExecutionOptions } from '../../src/cli/run_reporter.js';
import { Secrets } from '../../src/core/secrets/secrets.js';
import { EventMaker, masked } from '../rig/events.js';
import { inFolder } from '../rig/folder.js';

const CLEAR = '\r\u001b[K';

interface Shown {
  readonly take: (...events: readonly ReturnType<EventMaker['warning']>[]) => void;
  readonly close: () => Promise<void>;
  /** What was written since the last call. */
  readonly text: () => string;
  readonly secrets: Secrets;
}

const RUN = {
  loaded: {
    target: { project: { stateDirectory: '/none' }, secrets: new Secrets() },
    playbooks: [],
    reads: { hasChanged: () => false },
  },
  journalOptions: {},
};

/** The progress of a check on stderr. */
async function progress(
  isTTY: boolean,
  env: Readonly<Record<string, string>> = {},
  { cwd = '/project', ...options }: ExecutionOptions & { readonly cwd?: string } = {},
): Promise<Shown> {
  let written = '';
  const stream = { isTTY, write: (text: string) => (written += text) } as unknown as NodeJS.WriteStream;
  const secrets = new Secrets();
  const streams = { stdout: new MaskedStream(stream, secrets), stderr: new MaskedStream(stream, secrets) };
  const context = { argv: ['drift'], env, cwd, secrets, signals: {}, stdin: { isTTY: false }, ...streams };
  const { report } = await checkPorts(context as unknown as CommandContext, options);
  expect(await report.prepare?.()).to.deep.equal([]);
  const reporter = report.open(RUN as never, '1', cwd);
  return {
    secrets,
    take: (...events) => {
      for (const event of events) reporter.handle(masked(event));
    },
    close: () => reporter.close(),
    text: () => {
      const text = written;
      written = '';
      return text;
    },
  };
}

describe('the progress of a check', () => {
  const run = new EventMaker();

  it('shows general warnings at once, and those of controllers at the end, equal ones together', async () => {
    const { take, close, text } = await progress(false);
    take(
      run.playStarted(['lb1', 'lb10', 'lb2']),
      run.warning('lb10 is old', { controller: 'lb10' }),
      run.warning('the inventory is empty'),
      run.warning('no clock', { controller: 'lb2' }),
      run.warning('lb2 is old', { controller: 'lb2' }),
      run.warning('no clock', { controller: 'lb1' }),
    );
    expect(text()).to.equal('warning: the inventory is empty\n');
    await close();
    expect(text()).to.equal(
      'warning: 2 controllers: lb2, lb10: <controller> is old\nwarning: 2 controllers: lb1, lb2: no clock\n',
    );
  });

  it('keeps the name in the warning of one controller', async () => {
    const { take, close, text } = await progress(false);
    take(run.warning('lb1 is old', { controller: 'lb1' }));
    await close();
    expect(text()).to.equal('warning: lb1: lb1 is old\n');
  });

  it('masks what became known after a warning before it cuts the warning', async () => {
    const { take, close, text, secrets } = await progress(false);
    take(run.warning(`${'x'.repeat(1985)}learned-late-in-the-run`, { controller: 'lb1' }));
    secrets.add('learned-late-in-the-run');
    await close();
    expect(text()).to.match(/x\*{8}\n$/);
  });

  it('masks so, too, what several controllers say with their names', async () => {
    const { take, close, text, secrets } = await progress(false);
    const late = 'learned-late-in-the-run';
    for (const name of ['lb1', 'lb2']) take(run.warning(`${name} ${'x'.repeat(1973)}${late}`, { controller: name }));
    take(run.warning(`lb3 ${'y'.repeat(3000)}`, { controller: 'lb3' }));
    take(run.warning(`lb4 ${'y'.repeat(3000)}`, { controller: 'lb4' }));
    secrets.add(late);
    await close();
    const [masked = '', cut = ''] = text().split('\n');
    expect(masked).to.match(/: <controller> x+\*{8}$/);
    expect(cut).to.match(/: <controller> y+… \(cut here: -o json shows all\)$/);
  });

  it('counts the warnings that it leaves out', async () => {
    const { take, close, text } = await progress(false);
    take(...Array.from({ length: 5 }, () => run.warning('again')));
    expect(text()).to.equal('warning: again\n'.repeat(3));
    await close();
    expect(text()).to.equal('warning: 2 more warnings like: again\n');
  });

  it('paints how many controllers were read, on a terminal', async () => {
    const { take, close, text } = await progress(true);
    take(run.runStarted());
    expect(text()).to.equal('');
    take(run.playStarted(['lb1', 'lb2']));
    expect(text()).to.equal(`${CLEAR}0 of 2 controllers read`);
    take(run.controllerFinished('lb1'), run.warning('general'));
    expect(text()).to.equal(`${CLEAR}warning: general\n`);
    await close();
    expect(text()).to.equal(CLEAR);
  });

  for (const env of [{ CI: 'true' }, { TERM: 'dumb' }])
    it(`paints nothing with ${JSON.stringify(env)}`, async () => {
      const { take, close, text } = await progress(true, env);
      take(run.playStarted(['lb1', 'lb2']), run.warning('general'));
      await close();
      expect(text()).to.equal('warning: general\n');
    });

  it('goes on beside a report, in which what would change is a failure', () =>
    inFolder({}, async (cwd) => {
      const { take, close, text } = await progress(false, {}, { cwd, report: [{ kind: 'markdown', file: 'a.md' }] });
      const change = { kind: 'update', object: 'cloud', before: { mtu: 1 }, after: { mtu: 2 } } as const;
      const make = new EventMaker();
      take(
        make.runStarted({ check: true }),
        make.playStarted(['lb1', 'lb2']),
        make.warning('general'),
        ...['lb1', 'lb2'].map((name) => make.taskFinished(name, 'changed', { change, diff: true })),
        make.playFinished(),
        make.runFinished(),
      );
      await close();
      expect(text()).to.equal('warning: general\n');
      expect(await readFile(`${cwd}/a.md`, 'utf8')).to.include('### ⚠️ 2 of 2 controllers differ\n');
    }));
});
