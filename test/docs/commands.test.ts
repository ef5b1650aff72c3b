import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { command, evenkeel, exampleProject, ROOT, type Project } from '../rig/command.js';
import { filesOnPage } from '../rig/page.js';
import { blocksOf } from './blocks.js';

const pages = ['README.md', ...readdirSync(path.join(ROOT, 'docs')).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith('.md'),
);

/** Every `sh` block of a page runs, in order, and every playbook loads without errors. */
describe('documentation', () => {
  for (const page of pages) {
    const blocks = blocksOf(readFileSync(path.join(ROOT, page), 'utf8'));
    const shell = blocks.filter(({ language, text }) => language === 'sh' && !/^npm (start|test)/m.test(text));
    const playbooks = blocks.filter(({ language, text }) => language === 'yaml' && isPlaybook(text));
    if (shell.length + playbooks.length === 0) continue;

    describe(page, () => {
      let project: Project;
      before(async () => {
        project = await exampleProject();
        for (const [file, text] of await filesOnPage(page)) await project.write(file, text);
      });
      after(() => project.remove());

      for (const { text, line } of shell) {
        it(`runs the commands at line ${line}`, async () => {
          const { code, stdout, stderr } = await command('bash', ['-euo', 'pipefail', '-c', text], {
            cwd: project.directory,
            env: project.env,
          });
          expect(code, `${text}\n${stdout}${stderr}`).to.equal(0);
        }).timeout(60_000);
      }

      for (const { text, line } of playbooks) {
        it(`loads the playbook at line ${line}`, async () => {
          const file = `playbooks/line-${line}.yml`;
          await project.write(file, text);
          const { code, stderr } = await evenkeel(['run', file, '--syntax-check'], { cwd: project.directory });
          expect(code, stderr).to.equal(0);
        });
      }
    });
  }
});

function isPlaybook(text: string): boolean {
  const value: unknown = parse(text, { logLevel: 'silent' });
  return Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null && 'hosts' in item);
}
