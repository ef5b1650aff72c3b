import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { COLUMN, hasAnsible } from '../../rig/ansible.js';
import { columnFile } from '../../rig/columns.js';
import { inFolder } from '../../rig/folder.js';
import { evenkeel } from '../../rig/in_process.js';
import { WarmAnsible } from '../../rig/warm_ansible.js';
import { SAMPLES, VIEWS, type Sample, type View } from './samples.js';

const FOLDER = path.join(import.meta.dirname, 'expected');

function fileOf({ name }: Sample, view: View): string {
  return path.join(FOLDER, `${name}.${view}.txt`);
}

function argumentsOf({ playbooks, tags = [], skipTags = [] }: Sample, view: View): readonly string[] {
  const chosen = [...tags.flatMap((tag) => ['--tags', tag]), ...skipTags.flatMap((tag) => ['--skip-tags', tag])];
  return ['-i', 'inventory.yml', ...playbooks, ...VIEWS[view], ...chosen];
}

/** Ansible prints controllers in the order of a Python set, so the names are sorted. */
function ordered(text: string): string {
  return text.replaceAll(/(?:^ {6}lb\d\n)+/gm, (names) => `${names.trimEnd().split('\n').sort().join('\n')}\n`);
}

describe('listings as ansible-playbook 2.14 prints them', () => {
  for (const sample of SAMPLES) {
    for (const view of Object.keys(VIEWS) as View[]) {
      it(`${sample.name}: ${view}`, async () => {
        const { code, stdout, stderr } = await inFolder(sample.files, (cwd) =>
          evenkeel(['run', ...argumentsOf(sample, view)], { cwd }),
        );
        expect(code, stderr).to.equal(0);
        expect(ordered(stdout)).to.equal(await readFile(fileOf(sample, view), 'utf8'));
      });
    }
  }
});

describe('the recorded listings are what ansible-playbook prints here', () => {
  const installed = hasAnsible();
  const ansible = new WarmAnsible();
  after(() => ansible.close());

  for (const sample of SAMPLES) {
    it(`${sample.name}${installed ? '' : ' (ansible-core 2.14 is not installed)'}`, async function () {
      if (!installed) this.skip();
      this.timeout(120_000);
      await inFolder(sample.files, async (cwd) => {
        for (const view of Object.keys(VIEWS) as View[]) {
          const printed = ordered(await ansible.run('ansible-playbook', argumentsOf(sample, view), cwd));
          // A new sample's expectation is written down once, to be read by a person before it is committed.
          if (!existsSync(fileOf(sample, view))) await writeFile(fileOf(sample, view), printed);
          expect(printed).to.equal(await readFile(columnFile(fileOf(sample, view), COLUMN), 'utf8'));
        }
      });
    });
  }
});
