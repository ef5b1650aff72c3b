import { expect } from 'chai';
import { emptyProject, type Project } from '../rig/command.js';
import { tasksOf } from '../rig/events_of.js';
import { inFolder } from '../rig/folder.js';
import { evenkeel } from '../rig/in_process.js';

const SITE = `
- hosts: lb1
  tasks:
    - { name: First, debug: { msg: 1 } }
    - name: Block
      block:
        - { name: In a block, debug: { msg: 2 } }
        - { name: Tell, debug: { msg: 3 }, tags: tell }
- hosts: lb1
  tasks:
    - { name: Last, debug: { msg: 4 } }
`;

describe('--start-at-task', () => {
  let project: Project;
  before(async () => {
    project = await emptyProject({
      'site.yml': SITE,
      'more.yml': '- { hosts: lb1, tasks: [{ name: More, debug: { msg: 5 } }] }\n',
    });
  });
  after(() => project.remove());

  const run = (...args: readonly string[]) =>
    evenkeel(['run', 'site.yml', 'more.yml', '-i', 'lb1,', ...args], { cwd: project.directory });

  const names = (stdout: string): readonly string[] => tasksOf(stdout).map(({ task }) => task);

  it('skips earlier tasks, in blocks and in earlier plays', async () => {
    const tell = await run('--start-at-task', 'Tell', '-o', 'json');
    expect(tell.code, tell.stderr).to.equal(0);
    expect(names(tell.stdout)).to.deep.equal(['Tell', 'Last', 'More']);
    const more = await run('--start-at-task', 'More', '-o', 'json');
    expect(names(more.stdout)).to.deep.equal(['More']);
  });

  it('takes a glob', async () => {
    const { stdout } = await run('--start-at-task', 'L*t', '-o', 'json');
    expect(names(stdout)).to.deep.equal(['Last', 'More']);
    await project.write('wave.yml', "- { hosts: lb1, tasks: [debug: , { name: '~Wave', debug: }] }\n");
    const wave = await evenkeel(['run', 'wave.yml', '-i', 'lb1,', '--start-at-task', '~W*', '-o', 'json'], {
      cwd: project.directory,
    });
    expect(names(wave.stdout)).to.deep.equal(['~Wave']);
  });

  it('refuses a name that no task has, before anything is done', async () => {
    const { code, stdout, stderr } = await run('--start-at-task', 'In a blok');
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    expect(stderr).to.equal(`error: --start-at-task: no task of this run is called "In a blok"
  = hint: did you mean "In a block"?

1 error
`);
  });

  it('finds only tasks that the tags select', async () => {
    const { code, stderr } = await run('--start-at-task', 'Tell', '--skip-tags', 'tell');
    expect(code).to.equal(1);
    expect(stderr).to.equal(`error: --start-at-task: no task of this run is called "Tell"
  = hint: --list-tasks shows the names; files that are included during the run cannot be searched

1 error
`);
  });

  it('does not shorten listings, as in Ansible', async () => {
    const { stdout } = await run('--start-at-task', 'More', '--list-tasks');
    expect(stdout).to.include('First').and.to.include('Tell');
    const { code, stderr } = await run('--start-at-task', 'Mroe', '--list-tasks');
    expect(code).to.equal(1);
    expect(stderr).to.include('did you mean "More"?');
  });

  it('lists names without what a terminal would interpret', async () => {
    await inFolder(
      { 'p.yml': '- { name: "a\\e[2Jb", hosts: lb1, tasks: [{ name: "c\\e]0;d\\ae", debug: }] }\n' },
      async (cwd) => {
        const { stdout } = await evenkeel(['run', 'p.yml', '-i', 'lb1,', '--list-tasks'], { cwd });
        expect(stdout).to.include(': ab\t').and.to.include(' ce\t');
      },
    );
  });
});
