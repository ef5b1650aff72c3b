import { expect } from 'chai';
import { command, exampleProject, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/gate_command.js';
import { wordsOf } from '../rig/shell_line.js';

/** Runs until Ctrl-C, so its examples have a separate test (`test/simulate/command.test.ts`). */
const STANDING = 'simulate';
/** Needs a run that failed (`test/run/rerun.test.ts`). */
const AFTER_FAILURE = ' --rerun ';
/** Exit with 3 if they find a difference. */
const COMPARING: ReadonlySet<string> = new Set(['render', 'drift', 'compare']);

describe('help', () => {
  let project: Project;
  before(async () => {
    project = await exampleProject();
    // For those that show or undo the last run.
    await evenkeel(['run', 'playbooks/rollout.yml', '--simulate', '-o', 'quiet'], { cwd: project.directory });
  });
  after(() => project.remove());

  for (const name of [
    undefined,
    'run',
    'task',
    'inventory',
    'doc',
    'render',
    'drift',
    'rollback',
    'report',
    'capture',
    'compare',
    'init',
    'completion',
    'config',
    STANDING,
  ]) {
    it(`of ${name ?? 'the program'} has examples, and they work`, async () => {
      const args = name === undefined ? ['--help-all'] : [name, '--help-all'];
      const { code, stdout, stderr } = await evenkeel(args, { cwd: project.directory });
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
      const examples = [...stdout.matchAll(/^ {2}\$ (.*)$/gm)].map(([, line]) => line ?? '');
      expect(examples).to.not.be.empty;
      if (name === STANDING) return;
      const codes = name !== undefined && COMPARING.has(name) ? [0, 3] : [0];
      for (const line of examples.filter((one) => !one.includes(AFTER_FAILURE))) {
        const words = wordsOf(line);
        const { directory: cwd, env } = project;
        const ended =
          words === undefined ? await command('bash', ['-c', line], { cwd, env }) : await evenkeel(words, { cwd });
        expect(codes, `${line}\n${ended.stdout}${ended.stderr}`).to.include(ended.code);
      }
    });
  }

  it('prints the version', async () => {
    for (const option of ['--version', '-V']) {
      const { stdout, code } = await evenkeel([option], { cwd: project.directory });
      expect(code).to.equal(0);
      expect(stdout).to.match(/^\d+\.\d+\.\d+\n$/);
    }
  });
});
