import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { CommandContext } from '../../src/cli/context.js';
import { MaskedStream } from '../../src/cli/masked_stream.js';
import type { RunFinished, TaskFinished } from '../../src/core/model/run/event.js';
import { emptyStats } from '../../src/core/model/run/result.js';
import { Secrets } from '../../src/core/secrets/secrets.js';
import { reportCommand, type ReportCommandOptions } from '../../src/report/command.js';
import { readPage } from '../../src/reporting/page/format/page.js';
import { EventMaker, masked } from '../rig/events.js';
import { inFolder, type Files } from '../rig/folder.js';
import { anIntent, beginRun } from '../rig/kept.js';

const START = Date.parse('2025-03-01T12:00:00.000Z');

interface Part {
  /** Of a fleet; absent: the whole. */
  readonly shard?: string;
  readonly names: readonly string[];
  readonly status?: TaskFinished['status'];
  readonly end?: Partial<RunFinished>;
  /** The controllers of a gate. Absent: there is none. */
  readonly gate?: readonly string[];
  /** Seconds after the first. */
  readonly after?: number;
}

/** The file of `--report json`. */
function part(id: string, { shard, names, status = 'ok', end = {}, gate, after = 0 }: Part): string {
  const make = new EventMaker(START + after * 1000);
  const events = [
    make.runStarted(shard === undefined ? {} : { shard }),
    make.playStarted(names),
    ...names.map((name) => make.pass(1).taskFinished(name, status)),
    ...names.map((name) => make.controllerFinished(name)),
    ...(gate === undefined ? [] : [make.gateStarted(gate)]),
    make.playFinished(),
    make.runFinished(end),
  ];
  return events.map((event) => `${JSON.stringify({ ...masked(event), run: id })}\n`).join('');
}

const refusal = (message: string): string =>
  `${JSON.stringify({
    type: 'run-refused',
    time: '2025-03-01T12:00:00.000Z',
    diagnostics: [
      { severity: 'warning', message: 'odd' },
      { severity: 'error', message },
    ],
  })}\n`;

interface Reported {
  readonly code: number;
  readonly title: string | undefined;
  readonly stderr: string;
  readonly stdout: string;
}

async function report(cwd: string, options: ReportCommandOptions, isTTY = false, env = {}): Promise<Reported> {
  const [stdout, stderr, secrets] = [new PassThrough({ highWaterMark: 1e8 }), new PassThrough(), new Secrets()];
  secrets.add('<!doctype');
  const masking = (one: PassThrough): MaskedStream =>
    new MaskedStream(Object.assign(one, { isTTY }) as unknown as NodeJS.WriteStream, secrets);
  const context = { cwd, env, secrets, stdout: masking(stdout), stderr: masking(stderr), signals: {} };
  const code = await reportCommand({ color: false, ...options }, context as unknown as CommandContext);
  const html = String(stdout.read() ?? '');
  return { code, title: titleIn(html), stderr: String(stderr.read() ?? ''), stdout: html };
}

function titleIn(html: string): string | undefined {
  return /<title>(.*?)<\/title>/.exec(html)?.[1];
}

function commandsIn(html: string): readonly string[] {
  const [, data = ''] = /<script type="text\/plain" id="data">(.*?)<\/script>/s.exec(html) ?? [];
  const { facts } = readPage(new Uint8Array(gunzipSync(Buffer.from(data, 'base64'))));
  return (facts.commands ?? []).map(({ purpose, command }) => `${purpose}: ${command}`);
}

const [FAILED, CHANGED] = [
  { status: 'failed', end: { status: 'failed', exitCode: 2 } } as const,
  { status: 'changed' } as const,
];

describe('the report of several files of events', () => {
  const FILES: Files = {
    one: part('run-1', { shard: '1/2', names: ['lb1', 'lb2'] }),
    two: part('run-2', { shard: '2/2', names: ['lb3'], ...CHANGED, after: 5 }),
    failed: part('run-3', { shard: '2/2', names: ['lb3'], ...FAILED, after: 5 }),
    third: part('run-4', { shard: '3/3', names: ['lb3'] }),
    whole: part('run-5', { names: ['lb1'] }),
    again: part('run-6', { names: ['lb1', 'lb2'], after: 9 }),
    changed: part('run-7', { names: ['lb1'], ...CHANGED, after: 9 }),
    refused: refusal('there is no site.yml'),
    other: refusal('the inventory is empty'),
  };
  const reported = (runs: readonly string[], options: Partial<ReportCommandOptions> = {}): Promise<Reported> =>
    inFolder(FILES, (cwd) => report(cwd, { runs, ...options }));

  it('is one run, which ends as the worst of them, in whatever order they are named', async () => {
    for (const runs of [
      ['one', 'two'],
      ['two', 'one'],
    ]) {
      const { code, title, stderr } = await reported(runs);
      expect({ code, title, stderr }).to.deep.equal({
        code: 0,
        title: 'run playbooks/rollout.yml (2 shards): ok',
        stderr: '3 controllers · 2 ok · 1 changed · 6.0 s\n',
      });
    }
    const failed = await reported(['one', 'failed']);
    expect([failed.code, failed.title]).to.deep.equal([2, 'run playbooks/rollout.yml (2 shards): failed']);
    const runs = await reported(['whole', 'again']);
    expect(runs.title).to.equal('run playbooks/rollout.yml (2 runs): ok');
    expect((await reported(['whole'])).title).to.equal('run playbooks/rollout.yml: ok');
  });

  it('exits with 3 only if it is asked to, something changed and nothing failed', async () => {
    const codes = async (...runs: readonly string[]): Promise<readonly number[]> => [
      (await reported(runs)).code,
      (await reported(runs, { detailedExitcode: true })).code,
    ];
    expect(await codes('one', 'two')).to.deep.equal([0, 3]);
    expect(await codes('whole')).to.deep.equal([0, 0]);
    expect(await codes('one', 'failed')).to.deep.equal([2, 2]);
  });

  it('says which shards are missing, and which did not run', async () => {
    const { code, stderr } = await reported(['third', 'refused']);
    expect(code).to.equal(1);
    expect(stderr).to.equal(`1 controller · 1 ok · 1.0 s
error: refused: nothing ran: there is no site.yml

error: shard 1/3 is missing

error: shard 2/3 is missing

3 errors
`);
    const none = await reported(['refused', 'other']);
    expect(none).to.include({ code: 1, stdout: '' });
    expect(none.stderr).to.equal(
      'error: refused: nothing ran: there is no site.yml\nother: nothing ran: the inventory is empty\n\n1 error\n',
    );
  });

  it('says which controllers several of them have', async () => {
    const { code, stderr } = await reported(['whole', 'again']);
    expect(code).to.equal(0);
    expect(stderr).to.include('warning: several of these runs have lb1: the newest run of a controller counts\n');
    expect((await reported(['one', 'two'])).stderr).to.not.include('several');
    for (const runs of [
      ['whole', 'changed'],
      ['changed', 'whole'],
    ])
      expect((await reported(runs)).stderr.split('\n')[0]).to.equal('1 controller · 1 changed · 10 s');
  });

  it('is refused for parts of different fleets', async () => {
    for (const [runs, shown] of [
      [['one', 'third'], '1/2, 3/3'],
      [['one', 'whole'], '1/2, a whole fleet'],
    ] as const) {
      const { code, stdout, stderr } = await reported(runs);
      expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
      expect(stderr).to.equal(`error: these runs are not the shards of one fleet: ${shown}\n\n1 error\n`);
    }
  });

  it('suggests what each of the runs has printed at its end', () => {
    const gated = { status: 'stale', exitCode: 6 } as const;
    const files = {
      'other.yml': '',
      open: part('run-1', { shard: '1/2', names: ['lb1'], end: gated, gate: ['lb1'] }),
      stale: part('run-2', { shard: '2/2', names: ['lb2'], end: gated, gate: [] }),
    };
    return inFolder(files, async (cwd) => {
      const commands = async (...runs: readonly string[]) => commandsIn((await report(cwd, { runs })).stdout);
      expect(await commands('open', 'stale')).to.deep.equal(['continue shard 1/2 with: evenkeel resume run-1']);
      const start = { command: 'apply', argv: ['apply', 'site.plan'] } as const;
      const make = new EventMaker();
      const end = { status: 'failed', exitCode: 2, stats: { lb1: { ...emptyStats(), failed: 1 } } } as const;
      for (const [folder, started] of [
        ['applied', start],
        ['ran', {}],
      ] as const) {
        const journal = await beginRun(path.join(cwd, folder), { start: started });
        for (const event of [make.runStarted(), make.playStarted(['lb1']), make.runFinished(end)])
          journal.keep(masked(event));
        await journal.intend(anIntent());
        await journal.close();
      }
      expect(await commands('applied')).to.deep.equal([]);
      expect((await commands('ran')).join()).to.match(/^continue ran with: evenkeel run --rerun \S+$/);
      const { stdout } = await report(cwd, { runs: ['open', 'stale'] }, false, { EVENKEEL_CONFIG: 'other.yml' });
      expect(commandsIn(stdout)).to.deep.equal(['continue shard 1/2 with: evenkeel resume run-1 --config other.yml']);
    });
  });

  it('is made with the warnings of the project', () =>
    inFolder(FILES, async (cwd) => {
      const { code, stderr } = await report(cwd, { runs: ['whole'] }, false, { EVENKEEL_FORK: '3' });
      expect(code).to.equal(0);
      expect(stderr).to.match(
        /^warning: unknown environment variable EVENKEEL_FORK\n[^]*\n1 controller · 1 ok · 1\.0 s\n$/,
      );
    }));

  it('is written to a file, or to what is no terminal', () =>
    inFolder(FILES, async (cwd) => {
      const written = await report(cwd, { runs: ['whole'], out: 'run.html' }, true);
      expect(written).to.include({ code: 0, stdout: '' });
      expect(written.stderr).to.equal('the report is in run.html\n1 controller · 1 ok · 1.0 s\n');
      const html = await readFile(path.join(cwd, 'run.html'), 'utf8');
      expect(titleIn(html)).to.equal('run playbooks/rollout.yml: ok');
      expect(await report(cwd, { runs: ['whole'], out: '-' })).to.include({
        title: 'run playbooks/rollout.yml: ok',
        stdout: html,
      });
      for (const out of [undefined, '-'])
        expect(await report(cwd, { runs: ['whole'], out }, true)).to.deep.include({
          code: 1,
          stdout: '',
          stderr:
            'error: a report is an HTML file: pass its name with --out\n  = hint: such as: evenkeel report last --out run.html\n\n1 error\n',
        });
      expect((await report(cwd, { runs: ['whole'], out: 'one' })).stderr).to.match(
        /one exists and is not a report of Evenkeel, so it is not overwritten\n {2}= hint: name another file\n/,
      );
    }));

  it('of a run of this project is that run, however it ended', () =>
    inFolder({}, async (cwd) => {
      for (const name of ['lb1', 'lb2']) {
        const journal = await beginRun(path.join(cwd, '.evenkeel'));
        const make = new EventMaker();
        for (const event of [make.runStarted(), make.playStarted([name]), make.taskFinished(name, 'failed')])
          journal.keep(masked(event));
        journal.keep(masked(make.runFinished({ status: 'failed', exitCode: 2 })));
        await journal.close();
      }
      const { code, title, stderr } = await report(cwd, { runs: ['last'], detailedExitcode: true });
      expect({ code, title, stderr }).to.deep.equal({ code: 0, title: 'run site.yml: failed', stderr: '' });
      const folder = await report(cwd, { runs: ['.evenkeel'] });
      expect([folder.code, folder.stderr]).to.deep.equal([2, '1 controller · 1 failed · 0.0 s\n']);
    }));
});
