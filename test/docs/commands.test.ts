import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { command, exampleProject, ROOT, type Ended, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';
import { filesOnPage } from '../rig/page.js';
import { IS_WHOLE, shareOf } from '../rig/random_seed.js';
import { wordsOf } from '../rig/shell_line.js';
import { blocksOf } from './blocks.js';

const pages = ['README.md', ...readdirSync(path.join(ROOT, 'docs')).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith('.md'),
);

/** Every `sh` block of a page runs, in order, and every playbook loads without errors. */
describe('documentation', () => {
  for (const page of shareOf(pages, { change: 12, gate: 12 })) {
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
          for (const { code, stdout, stderr } of await run(text, page, project))
            expect(code, `${text}\n${stdout}${stderr}`).to.equal(0);
        });
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

/**
 * The commands of a block. What needs a shell runs in one, and in `.ci/nightly` the README's as well; starting a process for
 * each of the others would take ten times as long as they do.
 */
async function run(text: string, page: string, { directory, env }: Project): Promise<readonly Ended[]> {
  const made = path.join(directory, 'lab');
  // The first block of this page creates the project that the others are for.
  const cwd = page === 'docs/getting-started.md' && existsSync(made) ? made : directory;
  const lines = text.split('\n').flatMap((line) => line.replace(/(^|\s)#.*$/, '').trim() || []);
  const commands = lines.map(wordsOf);
  if ((page === 'README.md' && IS_WHOLE) || commands.includes(undefined))
    return [await command('bash', ['-euo', 'pipefail', '-c', text], { cwd, env })];
  const ended: Ended[] = [];
  for (const args of commands) ended.push(await evenkeel(args ?? [], { cwd, env }));
  return ended;
}

function isPlaybook(text: string): boolean {
  const value: unknown = parse(text, { logLevel: 'silent' });
  return Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null && 'hosts' in item);
}
