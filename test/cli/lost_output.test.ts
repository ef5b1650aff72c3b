import { expect } from 'chai';
import { command, exampleProject, type Ended, type Project } from '../rig/command.js';

const LOST = 'evenkeel: cannot write to stdout: no space left on device\n';
const RUN = 'evenkeel run playbooks/rollout.yml --simulate';

describe('a command whose output cannot be written', () => {
  let project: Project;
  before(async () => {
    project = await exampleProject();
  });
  after(() => project.remove());

  /** In bash: `PIPESTATUS` has the exit code of the first program of a pipe. */
  const bash = (line: string): Promise<Ended> =>
    command('bash', ['-c', line], { cwd: project.directory, env: project.env });

  /** The outcome of the newest run, from its journal. */
  const newest = async (): Promise<unknown> => {
    const { stdout } = await bash('evenkeel runs --json -n 1');
    const [{ status, exitCode }] = JSON.parse(stdout) as [Record<string, unknown>];
    return { status, exitCode };
  };

  for (const [output, how, redirection, stderr] of [
    ['lines', 'a full disk', '> /dev/full', LOST],
    ['json', 'a full disk', '> /dev/full', LOST],
    ['quiet', 'a full disk', '> /dev/full', LOST],
    ['live', 'a full disk', '> /dev/full', LOST],
    ['lines', 'no space for stderr either', '> /dev/full 2>&1', ''],
    ['lines', 'no stdout and no stderr at all', '>&- 2>&-', ''],
  ] as const) {
    it(`finishes a run (${output}) with ${how}, and says so with exit code 1`, async () => {
      const ended = await bash(`${RUN} -o ${output} -vv ${redirection}`);
      expect(ended).to.deep.equal({ code: how.startsWith('no stdout') ? 0 : 1, stdout: '', stderr: ended.stderr });
      expect(ended.stderr.endsWith(stderr)).to.equal(true);
      expect(ended.stderr.split(LOST).length - 1).to.equal(stderr === '' ? 0 : 1);
      expect(await newest()).to.deep.equal({ status: 'finished', exitCode: 0 });
    });
  }

  for (const output of ['lines', 'json']) {
    it(`finishes a run (${output}) whose reader has gone`, async () => {
      const { stdout } = await bash(`${RUN} -o ${output} -vvv 2> /dev/null | true; echo "\${PIPESTATUS[0]}"`);
      expect(stdout).to.equal('0\n');
      expect(await newest()).to.deep.equal({ status: 'finished', exitCode: 0 });
    });
  }

  it('keeps the exit code of a run that failed', async () => {
    const task = "evenkeel task all -m fail -a 'msg=broken' --simulate";
    expect(await bash(`${task} > /dev/full`)).to.deep.equal({ code: 2, stdout: '', stderr: LOST });
    expect((await bash(`${task} > /dev/full 2>&1`)).code).to.equal(2);
    expect((await bash(`evenkeel task all -m debug --detailed-exitcode --simulate 2> /dev/full`)).code).to.equal(0);
  });

  for (const line of [
    'inventory --list',
    'doc -l',
    'schema playbook',
    'runs',
    'runs last',
    'run --help',
    'run playbooks/rollout.yml --list-tasks',
    'lint --list',
    '--version',
  ]) {
    it(`fails evenkeel ${line}, which does nothing else, in words, unless its reader has gone`, async () => {
      if (line === 'runs last') await bash(`${RUN} -o quiet`);
      const stderr = line === '--version' ? '' : LOST;
      expect(await bash(`evenkeel ${line} > /dev/full`)).to.deep.equal({ code: 1, stdout: '', stderr });
      const gone = await bash(`evenkeel ${line} | true; echo "\${PIPESTATUS[0]}"`);
      expect(gone).to.deep.equal({ code: 0, stdout: '0\n', stderr: '' });
    });
  }
});
