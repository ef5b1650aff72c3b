import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { writeReport } from '../../src/report/write_report.js';
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
      for (const file of [folder, pipe])
        expect(await problem(file)).to.equal(`cannot write ${file}: it is not a regular file`);
    });
  });
});
