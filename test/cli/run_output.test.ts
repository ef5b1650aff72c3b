import { mkdir } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { type CommandContext, annotate, refuse, show, writeDiagnostics } from '../../src/cli/context.js';
import { guardWorkflow, MaskedStream } from '../../src/cli/masked_stream.js';
import { extraOutputs, openRunReporter, reportOptions } from '../../src/cli/run_reporter.js';
import type { OutputName } from '../../src/core/model/run/choices.js';
import type { RunFinished } from '../../src/core/model/run/event.js';
import { emptyStats } from '../../src/core/model/run/result.js';
import type { Diagnostic } from '../../src/core/model/source/diagnostic.js';
import { Secrets } from '../../src/core/secrets/secrets.js';
import type { PreparedRun } from '../../src/launch/load/prepared_run.js';
import { ProjectSources } from '../../src/project/document/project_sources.js';
import { createReporter, type ReporterOptions } from '../../src/reporting/reporter.js';
import { EventMaker, masked } from '../rig/events.js';
import { inFolder } from '../rig/folder.js';

type Env = Readonly<Record<string, string>>;

interface Streams {
  readonly context: CommandContext;
  readonly stdout: () => string;
  readonly stderr: () => string;
}

function streams(env: Env = {}, isTTY = false, secrets = new Secrets()): Streams {
  const made = [new PassThrough(), new PassThrough()].map((one) => Object.assign(one, { isTTY }));
  const [stdout, stderr] = made.map((one) => new MaskedStream(one as unknown as NodeJS.WriteStream, secrets));
  const [out, err] = made.map((one) => () => String(one.read() ?? ''));
  const context = { argv: ['run'], cwd: '/project', env, secrets, stdout, stderr } as unknown as CommandContext;
  return { context, stdout: out ?? String, stderr: err ?? String };
}

interface GivenRun {
  readonly request?: Partial<PreparedRun['request']>;
  readonly project?: object;
  readonly controllers?: number;
  readonly kept?: object;
}

const names = (number: number): readonly string[] => Array.from({ length: number }, (_, at) => `lb${at + 1}`);

function preparedRun({ request = {}, project = {}, controllers = 2, kept }: GivenRun = {}): PreparedRun {
  return {
    request: { command: { type: 'run', playbooks: ['site.yml'] }, ...request },
    loaded: {
      target: { project: { stateDirectory: '/project/.evenkeel', ...project }, secrets: new Secrets() },
      playbooks: [{ plays: [] }],
      reads: new ProjectSources(),
    },
    selected: [{ controllers: names(controllers) }],
    journalOptions: { kept },
  } as unknown as PreparedRun;
}

/** A run of twelve controllers that changes the same on each. */
function events(make = new EventMaker()) {
  const change = { kind: 'update', object: 'cloud "edge"', before: { mtu: 1500 }, after: { mtu: 9000 } } as const;
  return [
    make.runStarted(),
    make.playStarted(names(12)),
    ...names(12).map((name) => make.taskFinished(name, 'changed', { change, diff: true })),
    make.taskFinished('lb1', 'ok', { task: 'Look', message: 'all is well' }),
    ...names(12).map((name) => make.controllerFinished(name)),
    make.playFinished(),
    make.runFinished(),
  ].map(masked);
}

interface GivenOutput {
  readonly output?: OutputName;
  readonly color?: boolean;
  readonly env?: Env;
}

async function printed(run: GivenRun, { env, ...given }: GivenOutput = {}): Promise<string> {
  const { context, stdout } = streams(env);
  const reporter = openRunReporter(preparedRun(run), { id: '1', extra: undefined, ...given }, context);
  for (const event of events()) reporter.handle(event);
  await reporter.close();
  return stdout();
}

/** What a reporter with these options prints. */
async function expected(options: Partial<ReporterOptions>): Promise<string> {
  const { context, stdout } = streams();
  const reporter = createReporter({
    ...reportOptions(preparedRun(), '1', '/project'),
    output: 'grouped',
    stdout: context.stdout.unmasked,
    stderr: context.stderr.unmasked,
    colour: false,
    verbosity: 0,
    results: false,
    ...options,
  });
  for (const event of events()) reporter.handle(event);
  await reporter.close();
  return stdout();
}

describe('the output of a run', () => {
  it('is that of the option, else of the project, else of what stdout is', async () => {
    const [lines, grouped, quiet] = await Promise.all(
      (['lines', 'grouped', 'quiet'] as const).map((output) => expected({ output })),
    );
    expect(new Set([lines, grouped, quiet]).size).to.equal(3);
    expect(await printed({})).to.equal(grouped);
    expect(await printed({ project: { output: 'quiet' } })).to.equal(quiet);
    expect(await printed({ project: { output: 'quiet' } }, { output: 'lines' })).to.equal(lines);
  });

  it('is lines with a question before each task', async () => {
    const [lines, grouped] = await Promise.all([expected({ output: 'lines' }), expected({ output: 'grouped' })]);
    expect(await printed({ request: { step: true } }, { output: 'grouped' })).to.equal(lines);
    expect(await printed({ request: { step: false } }, { output: 'grouped' })).to.equal(grouped);
    expect(await printed({}, { output: 'live' })).to.equal(grouped);
  });

  it('shows equal changes of more than ten controllers once, a plan only the first, unless it is told how', async () => {
    const [host, fleet, outline] = await Promise.all(
      (['host', 'fleet', 'outline'] as const).map((diff) => expected({ diff })),
    );
    expect(new Set([host, fleet, outline]).size).to.be.greaterThan(1);
    const shown = (controllers: number, request: Partial<PreparedRun['request']>): Promise<string> =>
      printed({ controllers, request });
    expect(await shown(10, { diff: 'auto' })).to.equal(host);
    expect(await shown(11, { diff: 'auto' })).to.equal(fleet);
    expect(await shown(11, { diff: 'host' })).to.equal(host);
    expect(await shown(2, { diff: 'fleet' })).to.equal(fleet);
    expect(await shown(11, { diff: 'auto', readOnly: true })).to.equal(await expected({ diff: 'outline', plan: true }));
    expect(await shown(10, { diff: 'auto', readOnly: true })).to.equal(await expected({ diff: 'host', plan: true }));
  });

  it('has the detail, the colours and the annotations that are asked for', async () => {
    expect(await printed({ request: { verbosity: 2 } })).to.equal(await expected({ verbosity: 2 }));
    const task = { command: { type: 'task', pattern: 'all', module: 'debug' } } as const;
    expect(await printed({ request: task })).to.equal(await expected({ results: true }));
    const coloured = await expected({ colour: true });
    expect(coloured).to.include('\u001b[');
    expect(await printed({}, { env: { FORCE_COLOR: '1' } })).to.equal(coloured);
    expect(await printed({}, { env: { FORCE_COLOR: '1' }, color: false })).to.equal(await expected({}));
    const github = await expected({ github: { workspace: '/project' } });
    expect(github).to.include('::group::');
    expect(await printed({}, { env: { GITHUB_ACTIONS: 'true' } })).to.equal(github);
    expect(await printed({}, { env: { GITHUB_ACTIONS: 'false' } })).to.equal(await expected({}));
  });

  it('is JSON with the events as they are', async () => {
    const lines = (await printed({}, { output: 'json' })).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).to.deep.equal(JSON.parse(JSON.stringify(events())));
  });
});

describe('what an output needs to know of a run', () => {
  it('is no rerun if only controllers failed that it has added itself, and the command of its plan', () =>
    inFolder({}, async (folder) => {
      await mkdir(`${folder}/runs/1`, { recursive: true });
      const run = preparedRun({ project: { stateDirectory: folder } });
      const { commandFor } = reportOptions(run, '1', '/');
      const ended = (...failed: readonly string[]) => {
        const stats = Object.fromEntries(failed.map((name) => [name, { ...emptyStats(), failed: 1 }]));
        return new EventMaker().runFinished({ stats, unstarted: [] }) as RunFinished;
      };
      expect(commandFor?.('rerun', ended('added'))).to.equal(undefined);
      expect(commandFor?.('rerun', ended('added', 'lb1'))).to.equal('evenkeel run --rerun 1');
      expect(commandFor?.('plan', ended('lb1'))).to.equal(undefined);
      const planned = (plan: object) => {
        const planning = { ...run, loaded: { ...run.loaded, plan } } as unknown as PreparedRun;
        const { needsPlan, commandFor: after } = reportOptions(planning, '1', '/', () => [
          'plan',
          'b.yml',
          '--out',
          'x',
        ]);
        return [needsPlan?.(ended('lb1')), needsPlan?.(ended('lb2')), after?.('plan', ended('lb1'))];
      };
      const follow = { type: 'follow', madeBy: 'evenkeel plan a.yml', hasBegun: (name: string) => name === 'lb1' };
      expect(planned(follow)).to.deep.equal([true, false, 'evenkeel plan a.yml']);
      expect(planned({ type: 'make' })).to.deep.equal([true, true, 'evenkeel plan b.yml --out x']);
      expect(reportOptions(run, '1', '/').needsPlan).to.equal(undefined);
    }));

  it('is how to go on with it, if it is kept', () =>
    inFolder({}, async (folder) => {
      await mkdir(`${folder}/runs/1`, { recursive: true });
      const commands = (id: string, project: object = {}): readonly unknown[] => {
        const { commandFor } = reportOptions(preparedRun({ project: { stateDirectory: folder, ...project } }), id, '/');
        return (['resume', 'rerun', 'rollback'] as const).map((way) => commandFor?.(way));
      };
      expect(commands('1')).to.deep.equal(['evenkeel resume 1', 'evenkeel run --rerun 1', 'evenkeel rollback 1']);
      expect(commands('2')).to.deep.equal([undefined, undefined, undefined]);
      const file = { file: '/etc/evenkeel.yml' };
      expect(commands('1', { named: 'x', file: 'my lab/evenkeel.yml' })[0]).to.equal(
        "evenkeel resume 1 --config 'my lab/evenkeel.yml'",
      );
      expect(commands('1', file)[0]).to.equal('evenkeel resume 1');
      expect(commands('1', { named: 'evenkeel.yml' })[0]).to.equal('evenkeel resume 1');
      expect(commands('1', { ...file, named: 'x' })).to.deep.equal([
        'evenkeel resume 1 --config /etc/evenkeel.yml',
        'evenkeel run --rerun 1 --config /etc/evenkeel.yml',
        'evenkeel rollback 1 --config /etc/evenkeel.yml',
      ]);
    }));

  it('is what it certainly wrote before it was resumed', () => {
    const write = { controller: 'lb1', target: 'lb2', task: 't', module: 'm', method: 'PUT' };
    const shownWrites = () => [
      { ...write, object: 'cloud "a"', outcome: 'applied' },
      { ...write, object: 'cloud "b"', outcome: 'unknown' },
      { ...write, outcome: 'applied' },
      { ...write, object: 'cloud "d"', outcome: 'applied', undone: true },
      { ...write, controller: 'lb3', object: 'cloud "c"', outcome: 'applied' },
    ];
    expect(reportOptions(preparedRun({ kept: { shownWrites } }), '1', '/').writtenBefore).to.deep.equal([
      { controller: 'lb1', object: 'cloud "a"' },
      { controller: 'lb1', object: 'an object that no_log masks' },
      { controller: 'lb3', object: 'cloud "c"' },
    ]);
    expect(reportOptions(preparedRun(), '1', '/').writtenBefore).to.equal(undefined);
  });

  it('is what is written beside it, if anything is', async () => {
    const { context } = streams();
    const asked = [{}, { profile: false }, { profile: true }, { log: 'a' }, { report: [] }];
    const outputs = await Promise.all(asked.map((options) => extraOutputs(options, context)));
    expect(outputs.map((one) => one !== undefined)).to.deep.equal([false, false, true, true, true]);
  });
});

describe('what is wrong with a command', () => {
  const source = { file: '/project/sub/a.yml', line: 3, column: 5 };
  const wrong: readonly Diagnostic[] = [
    { severity: 'error', message: 'bad: /project/b.yml', source, hint: 'see /project/c.yml', rule: 'name' },
    { severity: 'warning', message: 'odd' },
  ];

  it('is shown on stderr, in colour if wanted, without secrets, and is bad input', () => {
    const { context, stdout, stderr } = streams();
    context.secrets.add('hunter22');
    expect(refuse([{ severity: 'error', message: 'it is hunter22' }], context)).to.equal(1);
    expect([stdout(), stderr()]).to.deep.equal(['', 'error: it is ********\n\n1 error\n']);
    const forced = streams({ FORCE_COLOR: '1' });
    refuse(wrong, forced.context);
    expect(forced.stderr()).to.include('\u001b[');
    refuse(wrong, forced.context, false);
    expect(forced.stderr()).to.include('error: bad').and.not.include('\u001b[');
    show(wrong, forced.context, false);
    expect(forced.stderr()).to.not.include('\u001b[');
  });

  it('is shown with its rule where rules were asked about', () => {
    const { context, stdout, stderr } = streams();
    writeDiagnostics(wrong, context.stdout, context, { rules: true });
    expect(stdout()).to.match(/^error\[name\]: bad/m);
    writeDiagnostics(wrong, context.stderr, context, { rules: false });
    expect(stderr()).to.match(/^error: bad/m);
  });

  it('is shown in a pull request of GitHub, relative to its workspace', () => {
    const annotated = (env: Env): readonly string[] => {
      const { context, stderr } = streams(env);
      annotate(wrong, context);
      return stderr().trimEnd().split('\n');
    };
    expect(annotated({})).to.deep.equal(['']);
    const [error, warning] = annotated({ GITHUB_ACTIONS: 'true' });
    expect(error).to.equal('::error file=sub/a.yml,line=3,col=5,title=name::bad: b.yml (see c.yml)');
    expect(warning).to.equal('::warning::odd');
    const [inside] = annotated({ GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: '/' });
    expect(inside).to.match(/^::error file=project\/sub\/a\.yml,line=3,/);
  });

  it('goes with a refusal to both', () => {
    const { context, stderr } = streams({ GITHUB_ACTIONS: 'true' });
    show([{ severity: 'warning', message: 'odd' }], context);
    expect(stderr()).to.equal('warning: odd\n\n1 warning\n::warning::odd\n');
  });
});

describe('a stream of a command', () => {
  it('masks texts as lines, and JSON so that it stays JSON', () => {
    const secrets = new Secrets();
    secrets.add('4839201756');
    const { context, stdout } = streams({}, true, secrets);
    context.stdout.write('{"a": 4839201756}\n');
    expect(stdout()).to.equal('{"a": ********}\n');
    context.stdout.write('{"a": 4839201756}\n', { json: true });
    expect(stdout()).to.equal('{"a": "********"}\n');
    context.stdout.write('{"a": 4839201756}\n', { json: false });
    expect(stdout()).to.equal('{"a": ********}\n');
    context.stdout.reveal('4839201756');
    expect(stdout()).to.equal('4839201756');
    expect([context.stdout.isTTY, streams().context.stdout.isTTY]).to.deep.equal([true, false]);
  });

  it('has no command of GitHub Actions but our own, also in JSON', async () => {
    const secrets = new Secrets();
    secrets.add('hunter22');
    const through = new PassThrough();
    const said = (): string => String(through.read() ?? '');
    guardWorkflow(through as unknown as NodeJS.WriteStream);
    const stream = new MaskedStream(through as unknown as NodeJS.WriteStream, secrets);
    const z = '\u200b';
    for (const [sent, shown] of [
      ['::error::x\n', `:${z}:error::x\n`],
      [' \t\u00a0::set a=b::\n', ` \t\u00a0:${z}:set a=b::\n`],
      ['a\r\n\n\u2028::b::\r::c::', `a\r\n\n\u2028:${z}:b::\r:${z}:c::`],
      ['##[group]x ##[y', `##${z}[group]x ##${z}[y`],
      ['a ::b::\n:a::\n::1 localhost\n::/0\n# [x]', 'a ::b::\n:a::\n::1 localhost\n::/0\n# [x]'],
    ] as const) {
      stream.write(sent);
      expect(said()).to.equal(shown);
    }
    const value = { '##[a]': ['::b::', '##[c]'] };
    stream.write(JSON.stringify(value, null, 2), { json: true });
    const json = said();
    expect(json).to.not.include('##[');
    expect(JSON.parse(json)).to.deep.equal(value);
    stream.writeCommand('::error::it is hunter22');
    expect(said()).to.equal('::error::it is ********\n');
    stream.reveal('::as it is::');
    expect(said()).to.equal('::as it is::');
    // Whoever has the stream itself.
    await new Promise<void>((resolve) => stream.unmasked.write('::a::', () => resolve()));
    await new Promise<void>((resolve) => stream.unmasked.write('##[b]', 'utf8', () => resolve()));
    expect(said()).to.equal(`:${z}:a::##${z}[b]`);
  });

  it('waits for its reader, until the reader is gone', async () => {
    const through = new PassThrough({ highWaterMark: 1 });
    const stream = new MaskedStream(through as unknown as NodeJS.WriteStream, new Secrets());
    expect(await stream.keptUp()).to.equal(true);
    stream.write('more than one');
    let isDone = false;
    const kept = stream.keptUp().finally(() => (isDone = true));
    await new Promise(setImmediate);
    expect(isDone).to.equal(false);
    through.resume();
    expect(await kept).to.equal(true);
    expect(['drain', 'close', 'error'].map((name) => through.listenerCount(name))).to.deep.equal(
      ['drain', 'close', 'error'].map((name) => new PassThrough().resume().listenerCount(name)),
    );
    const gone = new PassThrough({ highWaterMark: 1 });
    const lost = new MaskedStream(gone as unknown as NodeJS.WriteStream, new Secrets());
    lost.write('more than one');
    const waiting = lost.keptUp();
    gone.destroy();
    expect([await waiting, await lost.keptUp()]).to.deep.equal([false, false]);
  });
});
