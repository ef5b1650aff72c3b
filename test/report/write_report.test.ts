import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { RunStatus } from '../../src/launch/history/listed_run.js';
import { runFacts, writeReport } from '../../src/report/write_report.js';
import { BEGINNING } from '../../src/reporting/page/html.js';
import { inFolder } from '../rig/folder.js';
import { makePipe } from '../rig/pipe.js';

async function problem(file: string): Promise<string> {
  const error: unknown = await writeReport(file, `${BEGINNING} new`).catch((reason: unknown) => reason);
  return error instanceof Error ? error.message : 'written';
}

describe('the file of a report', () => {
  it('replaces an earlier report, which only the owner can read', async () => {
    await inFolder({}, async (folder) => {
      const file = path.join(folder, 'r.html');
      expect(await problem(file)).to.equal('written');
      for (const old of ['', `${BEGINNING} old`]) {
        await writeFile(file, old);
        expect(await problem(file)).to.equal('written');
      }
      expect(await readFile(file, 'utf8')).to.equal(`${BEGINNING} new`);
      expect((await stat(file)).mode & 0o777).to.equal(0o600);
    });
  });

  it('refuses to replace anything else: a playbook, a folder, a pipe', async () => {
    await inFolder({ 'site.yml': '- hosts: all\n' }, async (folder) => {
      const pipe = path.join(folder, 'pipe');
      makePipe(pipe);
      expect(await problem(path.join(folder, 'site.yml'))).to.include('is not a report of Evenkeel');
      expect(await problem(folder)).to.equal(`cannot write ${folder}: it is a folder`);
      expect(await problem(pipe)).to.equal(`cannot write ${pipe}: it is not a regular file`);
    });
  });
});

describe('the facts on the page of a run', () => {
  it('are whether its process ended before it, and what continues it', () => {
    const run = { run: 'r1', time: '2026-01-01T00:00:00.000Z', argv: ['run', 'site.yml'], command: 'run' } as const;
    const rest = { playbooks: ['site.yml'], environment: null, check: false, simulated: false };
    const facts = (status: RunStatus, isOpen: boolean) => {
      const { cutOff, commands } = runFacts({ ...run, ...rest, status }, isOpen, ['--config', 'x.yml']);
      return [cutOff, commands];
    };
    const commands = [{ purpose: 'continue with', command: 'evenkeel resume r1 --config x.yml' }];
    expect([facts('cut off', true), facts('interrupted', false), facts('finished', false)]).to.deep.equal([
      [true, commands],
      [false, commands],
      [false, []],
    ]);
    // The end of its journal is lost.
    expect([facts('finished', true), facts('running', true)]).to.deep.equal([
      [true, []],
      [false, []],
    ]);
  });
});
