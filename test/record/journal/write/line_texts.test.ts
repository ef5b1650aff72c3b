import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Event } from '../../../../src/core/model/run/event.js';
import type { WriteFinished } from '../../../../src/core/model/run/journal.js';
import { Secrets } from '../../../../src/core/secrets/secrets.js';
import { journalFile, listRuns, runFolder } from '../../../../src/record/journal/format/run_folders.js';
import { EntryReader } from '../../../../src/record/journal/read/entry.js';
import { continueRun } from '../../../../src/record/journal/write/continue_run.js';
import { ownIdentity } from '../../../../src/record/locks/process_identity.js';
import { emptyProject } from '../../../rig/command.js';
import { EventMaker, masked } from '../../../rig/events.js';
import { inFolder } from '../../../rig/folder.js';
import { evenkeel } from '../../../rig/in_process.js';
import { anIntent, aStep, beginRun, journalOf, readKept } from '../../../rig/kept.js';

const finished = (write: number): WriteFinished => ({
  type: 'write-finished',
  write,
  controller: 'lb1',
  outcome: 'applied',
});

function linesIn(text: string): readonly Record<string, unknown>[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** The events and records of a text, without their sealed parts. */
function entriesIn(text: string): readonly object[] {
  const reader = new EntryReader();
  return linesIn(text).map((line) => {
    const entry = reader.parse(JSON.stringify(line));
    return entry.type === 'event' ? entry.event : entry.type === 'record' ? entry.record.shown : entry;
  });
}

describe('what the lines of a journal share', () => {
  it('is written once, and takes at most 300 bytes for each task of a controller', async () => {
    const tasks = Array.from({ length: 20 }, (_, number) =>
      number % 2 === 0
        ? `    - name: Say something about number ${number}\n      debug: { msg: "{{ inventory_hostname }} {{ ${number} }}" }`
        : `    - name: Remember something about ${number}\n      set_fact: { fact_${number}: "{{ inventory_hostname }}" }`,
    );
    const project = await emptyProject({
      'hosts.yml': 'all: { hosts: { "lb-madrid-[001:100]": } }\n',
      'site.yml': `- hosts: all\n  gather_facts: false\n  tasks:\n${tasks.join('\n')}\n`,
    });
    try {
      const { code, stderr } = await evenkeel(['run', 'site.yml', '-i', 'hosts.yml'], { cwd: project.directory });
      expect(code, stderr).to.equal(0);
      const state = path.join(project.directory, '.evenkeel');
      const [id = ''] = await listRuns(state);
      const { length } = await readFile(journalFile(runFolder(state, id)));
      expect(length / (100 * tasks.length)).to.be.below(300);
    } finally {
      await project.remove();
    }
  });

  it('is read back as it was', () =>
    inFolder({}, async (state) => {
      const journal = await beginRun(state);
      const events: Event[] = [];
      // More tasks than are remembered, twice; their lines differ in all possible ways.
      for (let number = 0; number < 2600; number += 1) {
        const task = `Task ${number % 1300}`;
        const made = new EventMaker(Date.parse('2025-03-01T12:00:00.000Z') - number * 7);
        const optional = number % 3 === 0 ? { message: `said ${number}`, check: true } : {};
        events.push(made.taskFinished(`lb${number}`, number % 2 === 0 ? 'ok' : 'failed', { task, ...optional }));
      }
      for (const event of events) journal.keep(masked(event));
      await journal.close();
      const read: Event[] = [];
      await readKept(state, journal.id, () => undefined, { onEvent: (event) => read.push(event) });
      expect(read).to.deep.equal(events);
    }));

  it('is never taken from a line that is damaged', () =>
    inFolder({}, async (state) => {
      const journal = await beginRun(state);
      for (const write of [1, 2, 3, 4]) journal.record(finished(write));
      await journal.close();
      const file = journalFile(runFolder(state, journal.id));
      const [, ...rest] = (await journalOf(state, journal.id)).toString().split('\n');
      await writeFile(file, ['damaged', ...rest].join('\n'));
      const problems: string[] = [];
      await readKept(state, journal.id, () => undefined, { onBroken: (problem) => problems.push(problem) });
      expect(problems.slice(0, -1)).to.deep.equal([
        `${file}:1: it is not JSON: it was left out`,
        `${file}:2: an earlier line that it refers to is damaged or missing: it was left out, and 2 more for the same reason`,
      ]);
    }));

  it('is not confused by a resume, also of a journal that shares nothing', () =>
    inFolder({}, async (state) => {
      const first = await beginRun(state);
      for (const place of ['0:1', '0:2']) await first.intend(anIntent({ place }));
      first.record(aStep());
      await first.close();
      const file = journalFile(runFolder(state, first.id));
      await writeFile(
        file,
        `${entriesIn(await readFile(file, 'utf8'))
          .map((line) => JSON.stringify(line))
          .join('\n')}\n`,
      );
      await writeFile(path.join(runFolder(state, first.id), 'confirmed'), '');
      for (let turn = 0; turn < 2; turn += 1) {
        const run = await readKept(state, first.id, (kept) => kept);
        const journal = await continueRun(state, run, ownIdentity(), new Secrets());
        for (const place of ['0:3', '0:4']) await journal.intend(anIntent({ place }));
        await journal.close();
      }
      const written = await readKept(state, first.id, ({ writes }) => writes().map(({ intent }) => intent));
      expect(written.map(({ place, write }) => [place, write])).to.deep.equal([
        ['0:1', 1],
        ['0:2', 2],
        ['0:3', 3],
        ['0:4', 4],
        ['0:3', 5],
        ['0:4', 6],
      ]);
      const ids = linesIn(await readFile(file, 'utf8')).flatMap(({ id }) => (id === undefined ? [] : [id]));
      expect(new Set(ids).size).to.equal(ids.length).and.to.be.greaterThan(1);
    }));
});
