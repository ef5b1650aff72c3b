import { chmod, mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { ExtraOutputs } from '../../src/cli/extra_outputs.js';
import { prepareReport, ReportFile, tryToWrite, writeReportFile } from '../../src/cli/report_file.js';
import type { Event } from '../../src/core/model/run/event.js';
import { Secrets } from '../../src/core/secrets/secrets.js';
import type { Report, ReportOptions } from '../../src/reporting/reports/report.js';
import { EventMaker, masked } from '../rig/events.js';
import { inFolder } from '../rig/folder.js';
import { mounted, SMALL } from '../rig/mounted.js';

const OPTIONS = { secrets: new Secrets(), cwd: '/', commandFor: () => undefined } as unknown as ReportOptions;

const read = (...names: readonly string[]): Promise<string> => readFile(path.join(...names), 'utf8');

/** Two events of a run; the second is its end. */
function events(): readonly [Event, Event] {
  const run = new EventMaker();
  run.playStarted(['lb1']);
  run.taskFinished('lb1', 'ok');
  return [masked(run.runStarted()), masked(run.runFinished())];
}

interface Written {
  readonly lost: readonly string[];
  /** The files of the folder in the end. */
  readonly files: readonly string[];
  readonly left: number;
  /** The files while it was written, and those after the process left early. */
  readonly during: readonly string[];
}

/** Writes a JSON report `a.json` of these events. */
async function written(
  folder: string,
  taken: readonly Event[],
  { make, leave = false }: { make?: () => Report; leave?: boolean } = {},
): Promise<Written> {
  const lost: string[] = [];
  const acts = new Set<() => void>();
  const prepared = await prepareReport({ kind: 'json', file: 'a.json' }, folder);
  const report = new ReportFile({ ...prepared, ...(make && { make }) }, OPTIONS, {
    lostFile: (option, error) => lost.push(`${option}: ${(error as Error).message}`),
    signals: {
      drain: new AbortController().signal,
      abort: new AbortController().signal,
      atExit: (act) => {
        acts.add(act);
        return () => acts.delete(act);
      },
    },
  });
  for (const event of taken) report.handle(event);
  if (leave) {
    for (let names: readonly string[] = []; names.length === 0;) names = await readdir(folder);
    for (const act of acts) act();
  }
  const during = await readdir(folder);
  await report.close();
  return { lost, files: await readdir(folder), left: acts.size, during };
}

describe('the file of a report', () => {
  it('gets its name when the run has finished', () =>
    inFolder({}, async (folder) => {
      const { lost, files, left } = await written(folder, events());
      expect({ lost, files, left }).to.deep.equal({ lost: [], files: ['a.json'], left: 0 });
      const types = (await read(folder, 'a.json')).trimEnd().split('\n');
      expect(types.map((line) => (JSON.parse(line) as Event).type)).to.deep.equal(['run-started', 'run-finished']);
      const mode = async (): Promise<number> => (await stat(path.join(folder, 'a.json'))).mode & 0o777;
      expect(await mode()).to.equal(0o600);
      await chmod(path.join(folder, 'a.json'), 0o664);
      const before = process.umask(0o077);
      try {
        await written(folder, events());
      } finally {
        process.umask(before);
      }
      expect(await mode()).to.equal(0o664);
    }));

  it('is not made, nor mentioned, if no run started', () =>
    inFolder({}, async (folder) => {
      const { lost, files, left } = await written(folder, []);
      expect({ lost, files, left }).to.deep.equal({ lost: [], files: [], left: 0 });
    }));

  it('is lost if the run did not finish, and the report before it stays', () =>
    inFolder({ 'a.json': '' }, async (folder) => {
      const { lost, files, left } = await written(folder, events().slice(0, 1));
      expect(lost).to.deep.equal(['--report json=a.json: the run did not finish']);
      expect({ files, left, text: await read(folder, 'a.json') }).to.deep.equal({
        files: ['a.json'],
        left: 0,
        text: '',
      });
    }));

  it('is lost with its first error, and takes no more events', () =>
    inFolder({}, async (folder) => {
      let number = 0;
      const take = (): never => {
        throw new Error(`mistake ${(number += 1)}`);
      };
      const { lost, files } = await written(folder, events(), { make: () => ({ take }) });
      expect({ lost, files, number }).to.deep.equal({
        lost: ['--report json=a.json: mistake 1'],
        files: [],
        number: 1,
      });
    }));

  it('leaves no draft if the process leaves early', () =>
    inFolder({}, async (folder) => {
      const { during, files, lost } = await written(folder, events(), { leave: true });
      expect({ during, files, lost: lost.length }).to.deep.equal({ during: [], files: [], lost: 1 });
    }));

  it('replaces what is empty or a report, where a link leads and with its mode', () =>
    inFolder({ 'ci/a.json': '{"schemaVersion":1,"type":"run-refused"}' }, async (folder) => {
      await chmod(path.join(folder, 'ci/a.json'), 0o640);
      await symlink('ci/a.json', path.join(folder, 'link.json'));
      const prepared = await prepareReport({ kind: 'json', file: 'link.json' }, folder);
      expect(prepared.label).to.equal('json=link.json');
      expect(prepared.destination).to.deep.include({ file: path.join(folder, 'ci/a.json'), mode: 0o640 });
      await writeReportFile(prepared, 'new');
      expect(await read(folder, 'link.json')).to.equal('new');
      expect(await readdir(path.join(folder, 'ci'))).to.deep.equal(['a.json']);
      expect((await stat(path.join(folder, 'ci/a.json'))).mode & 0o777).to.equal(0o640);
    }));

  it('leaves no draft if a refusal fills the disk', function () {
    return mounted(this, SMALL, async (disk) => {
      const prepared = await prepareReport({ kind: 'junit', file: 'a.xml' }, disk);
      const error: unknown = await writeReportFile(prepared, 'x'.repeat(100_000)).catch((thrown: unknown) => thrown);
      expect(error).to.include({ code: 'ENOSPC' });
      expect(await readdir(disk)).to.deep.equal([]);
    });
  });

  it('is not another file, a folder, or in a folder that is missing', () =>
    inFolder({ 'site.yml': '- hosts: all\n', 'below/a': '' }, async (folder) => {
      const refused = async (file: string): Promise<string> =>
        prepareReport({ kind: 'html', file }, folder).then(
          () => 'prepared',
          (error: unknown) => (error as Error).message,
        );
      expect(await refused('site.yml')).to.equal(
        'the file exists and is not an Evenkeel html report, so it is not replaced: name another file',
      );
      expect(await refused('below')).to.equal('it is a folder');
      expect(await refused('missing/a.html')).to.match(/^ENOENT/);
      expect(await refused('site.yml/a.html')).to.match(/^ENOTDIR/);
      expect(await refused('below/b.html')).to.equal('prepared');
      expect(await readdir(path.join(folder, 'below'))).to.deep.equal(['a']);
    }));

  it('is written directly if it is no regular file', async () => {
    const { destination } = await prepareReport({ kind: 'html', file: '/dev/null' }, '/');
    expect(destination).to.include({ file: '/dev/null', draft: undefined });
  });

  it('is tried under a name that no other file has', () =>
    inFolder({ 'a.draft': 'mine' }, async (folder) => {
      await tryToWrite(path.join(folder, 'b.draft'));
      expect(await readdir(folder)).to.deep.equal(['a.draft']);
    }));
});

describe('the files beside an output', () => {
  const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /;

  interface Beside {
    readonly problems: readonly string[];
    readonly lost: readonly string[];
  }

  /** Refuses a run, with two reports and a log. */
  async function refused(folder: string, files: readonly string[], log?: string): Promise<Beside> {
    const lost: string[] = [];
    const report = files.map((file) => ({ kind: 'markdown', file }) as const);
    const outputs = new ExtraOutputs({ report, log }, {
      cwd: folder,
      lostFile: (option: string, error: unknown) => lost.push(`${option}: ${String(error)}`),
      signals: {},
    } as never);
    const problems = (await outputs.prepare()).map(({ severity, message }) => `${severity}: ${message}`);
    const diagnostics = [{ severity: 'error', message: 'there is no site.yml' }] as const;
    const refusal = {
      time: '2026-11-28T12:00:00.000Z',
      version: '1.0.0',
      playbooks: ['site.yml'],
      exitCode: 1,
      diagnostics,
    };
    await outputs.refuse(refusal, { ...OPTIONS, cwd: folder });
    return { problems, lost };
  }

  it('all say why nothing ran, also beside one that cannot be written', () =>
    inFolder({ 'run.log': 'before\n' }, async (folder) => {
      await mkdir(path.join(folder, 'b.md'));
      expect(await refused(folder, ['a.md', 'b.md', 'c.md', './a.md'], 'run.log')).to.deep.equal({
        problems: [
          'error: cannot write --report markdown=b.md: it is a folder',
          'error: cannot write --report markdown=./a.md: two reports name this file',
        ],
        lost: [],
      });
      for (const name of ['a.md', 'c.md']) expect(await read(folder, name), name).to.include('there is no site.yml');
      const [before, ...log] = (await read(folder, 'run.log')).trimEnd().split('\n');
      for (const line of log) expect(line).to.match(TIME);
      expect([before, ...log.map((line) => line.replace(TIME, ''))]).to.deep.equal([
        'before',
        'error: there is no site.yml',
        '1 error',
      ]);
    }));

  it('are no log in the place of a report, nor a log that cannot be written', () =>
    inFolder({}, async (folder) => {
      expect((await refused(folder, ['a.md'], './a.md')).problems).to.deep.equal([
        'error: cannot write --log ./a.md: a report names this file',
      ]);
      expect(await read(folder, 'a.md')).to.match(/^<!-- evenkeel -->\n/);
      await symlink('c.md', path.join(folder, 'c.log'));
      expect((await refused(folder, ['c.md'], 'c.log')).problems).to.deep.equal([
        'error: cannot write --log c.log: a report names this file',
      ]);
      await mkdir(path.join(folder, 'log'));
      expect((await refused(folder, ['b.md'], 'log')).problems).to.deep.equal([
        'error: cannot write --log log: it is a folder',
      ]);
      expect((await readdir(folder)).toSorted()).to.deep.equal(['a.md', 'b.md', 'c.log', 'c.md', 'log']);
    }));

  it('measure times only for --profile', () => {
    const made = (profile?: boolean): ExtraOutputs => new ExtraOutputs({ profile }, {} as never);
    expect([made(true), made(false), made()].map((one) => one.profile === undefined)).to.deep.equal([
      false,
      true,
      true,
    ]);
  });
});
