import { expect } from 'chai';
import { emptyProject, type Ended, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';

describe('plays of localhost', () => {
  let project: Project;
  beforeEach(async () => {
    project = await emptyProject({});
  });
  afterEach(() => project.remove());

  const play = (hosts: string): string =>
    `- name: x\n  hosts: ${hosts}\n  tasks: [{ name: say, debug: { msg: hi } }]\n`;

  async function run(plays: readonly string[], ...words: readonly string[]): Promise<Ended> {
    await project.write('p.yml', plays.map(play).join(''));
    return evenkeel(words, { cwd: project.directory });
  }

  for (const words of ['run p.yml', 'render p.yml', 'lint p.yml', 'task localhost -m debug'])
    it(`need no inventory: ${words}`, async () => {
      const { code, stderr } = await run(['localhost', "'127.0.0.1'"], ...words.split(' '));
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    });

  it('need one beside other plays', async () => {
    const { code, stderr } = await run(['localhost', 'all'], 'run', 'p.yml');
    expect(stderr).to.include('error: no inventory was given\n');
    expect(code).to.equal(1);
  });
});
