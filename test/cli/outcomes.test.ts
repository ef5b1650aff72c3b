import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import type { CommandContext } from '../../src/cli/context.js';
import { MaskedStream } from '../../src/cli/masked_stream.js';
import { reportOutcome, runPorts } from '../../src/cli/run_ports.js';
import type { OutputOptions } from '../../src/cli/run_reporter.js';
import { emptyStats } from '../../src/core/model/run/result.js';
import { Secrets } from '../../src/core/secrets/secrets.js';
import type { RunOutcome } from '../../src/launch/start/start_run.js';
import type { Idempotence } from '../../src/launch/start/verify_idempotent.js';

interface Called {
  readonly context: CommandContext;
  readonly texts: () => { readonly stdout: string; readonly stderr: string };
  readonly steps: string[];
}

function called(env: Readonly<Record<string, string>> = {}, isTTY = false): Called {
  const [stdout, stderr, secrets] = [new PassThrough(), new PassThrough(), new Secrets()];
  const steps: string[] = [];
  const stream = (through: PassThrough): MaskedStream =>
    new MaskedStream(through as unknown as NodeJS.WriteStream, secrets);
  return {
    context: {
      argv: ['run', '-e', 'db_pw=1'],
      cwd: '/project',
      env,
      secrets,
      version: '1.0.0',
      stdout: stream(stdout),
      stderr: stream(stderr),
      stdin: { isTTY },
      signals: { workDone: () => steps.push('work done') },
    } as unknown as CommandContext,
    texts: () => ({ stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') }),
    steps,
  };
}

function finished(exitCode: number, changed: readonly number[] = []): Extract<RunOutcome, { status: 'finished' }> {
  const stats = Object.fromEntries(changed.map((number, at) => [`lb${at + 1}`, { ...emptyStats(), changed: number }]));
  return { status: 'finished', finished: { exitCode, stats, status: 'ok' } as never };
}

async function shown(outcome: RunOutcome, options: OutputOptions = {}, cwd?: string) {
  const { context, texts, steps } = called();
  const code = await reportOutcome(outcome, options, context, cwd);
  return { code, ...texts(), steps };
}

const QUIET = { stdout: '', stderr: '', steps: ['work done'] };

describe('the exit code of a run', () => {
  for (const [exitCode, changed, detailedExitcode, code] of [
    [0, [0, 2], true, 3],
    [0, [2, 0], true, 3],
    [0, [0, 0], true, 0],
    [0, [0, 2], false, 0],
    [2, [0, 2], true, 2],
  ] as const)
    it(`is ${code} after ${exitCode} with ${changed.join(' and ')} changes${detailedExitcode ? ', in detail' : ''}`, async () => {
      expect(await shown(finished(exitCode, changed), { detailedExitcode })).to.deep.equal({ code, ...QUIET });
    });
});

describe('the result of --verify-idempotent', () => {
  const names = ['lb1', 'lb2', 'lb3', 'lb4', 'lb5', 'lb6'];
  const tasks = [
    { task: 'Create it', controllers: names },
    { task: 'Configure', controllers: ['lb2'] },
  ];
  const unknown = 'whether a second run would change something is unknown: its check did not complete\n';
  for (const [what, idempotence, code, stdout] of [
    ['verified', { status: 'verified' }, 3, 'idempotent: a second run would change nothing\n'],
    [
      'changes',
      { status: 'changes', tasks },
      2,
      'not idempotent: a second run would change something again\n  Create it: lb1, lb2, lb3, lb4, lb5 and 1 more\n  Configure: lb2\n',
    ],
    ['a check that did not start', { status: 'unknown', finished: undefined }, 2, unknown],
    ['a check that changed nothing', { status: 'unknown', finished: finished(0).finished }, 2, unknown],
    ['a check that was interrupted', { status: 'unknown', finished: finished(130).finished }, 130, unknown],
  ] satisfies readonly (readonly [string, Idempotence, number, string])[])
    it(`is said, and decides about the exit code: ${what}`, async () => {
      const outcome = { ...finished(0, [1]), idempotence };
      expect(await shown(outcome, { detailedExitcode: true })).to.deep.equal({ code, ...QUIET, stdout });
      expect(await shown(outcome, { detailedExitcode: true, output: 'json' })).to.deep.equal({
        code,
        ...QUIET,
        stderr: stdout,
      });
    });
});

describe('a run that does not start', () => {
  const diagnostics = [
    { severity: 'warning', message: 'old' },
    { severity: 'error', message: 'wrong', source: { file: '/other/a.yml', line: 1, column: 1 } },
  ] as const;

  it('shows what is wrong, relative to its folder', async () => {
    const { code, stdout, stderr, steps } = await shown({ status: 'refused', diagnostics }, {}, '/other');
    expect({ code, stdout, steps }).to.deep.equal({ code: 1, stdout: '', steps: [] });
    expect(stderr)
      .to.include('warning: old')
      .and.to.include('error: wrong')
      .and.to.match(/ a\.yml:1\b/);
  });

  it('gives the advice of its preflight, if there is some', async () => {
    for (const [advice, said] of [
      ['omit lb2', 'evenkeel: omit lb2\n'],
      [undefined, ''],
    ] as const) {
      const { code, stderr } = await shown({
        status: 'preflight-failed',
        diagnostics: diagnostics.slice(0, 1),
        advice,
      });
      expect(code).to.equal(1);
      expect(stderr).to.equal(`warning: old\n\n1 warning\nevenkeel: no controller was contacted\n${said}`);
    }
  });

  for (const [status, code] of [
    ['declined', 1],
    ['interrupted', 130],
  ] as const)
    it(`says why it was ${status}, also to GitHub`, async () => {
      const { context, texts } = called({ GITHUB_ACTIONS: 'true' });
      expect(await reportOutcome({ status, message: 'not\nnow' }, {}, context)).to.equal(code);
      const { stdout, stderr } = texts();
      expect(stdout).to.equal('');
      expect(stderr).to.match(/^evenkeel: not\s?.*now\n::error.*::not.*now\n$/s);
    });
});

describe('the ports of a command', () => {
  const ports = async (isTTY: boolean, output?: OutputOptions['output'], verbosity?: number) => {
    const { context, texts } = called({}, isTTY);
    return { ports: await runPorts(context, { output }, verbosity), texts };
  };

  it('name the command, and mask what was typed', async () => {
    const { caller } = (await ports(false)).ports;
    expect([caller.name, caller.command, caller.argv(new Secrets())]).to.deep.equal([
      'evenkeel run',
      'run',
      ['run', '-e', 'db_pw=********'],
    ]);
  });

  it('say why --step cannot ask', async () => {
    const terminal = 'error: --step asks before each task, but stdin is not a terminal (run it in a terminal)';
    const output = (name: string): string =>
      `error: --step shows what each task did: it cannot be used with --output ${name} (none)`;
    for (const [isTTY, name, problems] of [
      [true, undefined, []],
      [true, 'lines', []],
      [false, 'lines', [terminal]],
      [true, 'json', [output('json')]],
      [false, 'quiet', [terminal, output('quiet')]],
    ] as const) {
      const { user } = (await ports(isTTY, name)).ports;
      expect(
        user.stepProblems.map(({ severity, message, hint }) => `${severity}: ${message} (${hint ?? 'none'})`),
      ).to.deep.equal(problems);
    }
  });

  it('show details only with -v', async () => {
    for (const [verbosity, stderr] of [
      [0, 'evenkeel: always\n'],
      [1, 'evenkeel: always\nevenkeel: detail\n'],
    ] as const) {
      const { ports: given, texts } = await ports(false, undefined, verbosity);
      for (const importance of ['always', 'detail'] as const) given.report.notice(importance, importance);
      expect(texts()).to.deep.equal({ stdout: '', stderr });
    }
  });

  it('measure nothing and prepare nothing unless asked', async () => {
    const { meter, report } = (await ports(false)).ports;
    expect([meter, await report.prepare?.()]).to.deep.equal([undefined, []]);
    const { context } = called();
    const profiled = await runPorts(context, { profile: true });
    expect(profiled.meter).to.not.equal(undefined);
  });
});
