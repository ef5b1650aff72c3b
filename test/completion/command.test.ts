import path from 'node:path';
import { expect } from 'chai';
import { emptyProject, type Project } from '../rig/command.js';
import { atHome } from '../rig/folder.js';
import { evenkeel } from '../rig/in_process.js';

const FILES = {
  'evenkeel.yml': 'environments:\n  dev: { inventory: [inventory/dev, "inventory/a\\tb"] }\n  none: {}\n',
  'below/evenkeel.yml': 'environments:\n  lab: { inventory: inventory/lab }\n',
  'my play.yml': '[]\n',
  'mine.yml': '[]\n',
  'other.yml': '[]\n',
};
const BREAKS = ' \t\n"\'@><=;|&(:';

describe('what completion prints', () => {
  let project: Project;
  before(async () => {
    project = await emptyProject(FILES);
  });
  after(() => project.remove());

  async function printed(...argv: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await evenkeel(['__complete', ...argv], { cwd: project.directory });
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    return stdout;
  }

  it('is each word with what it is, for shells that show that', async () => {
    for (const shell of ['zsh', 'fish'])
      expect(await printed(shell, 'run', '-E', ''), shell).to.equal('dev\tinventory/dev, inventory/a b\nnone\n');
    expect((await printed('fish', 'run', 'm')).split('\n').toSorted()).to.deep.equal(['', 'mine.yml', 'my play.yml']);
  });

  it('is the rest of the word as bash inserts it, for the command behind variables and paths', async () => {
    for (const line of [
      'evenkeel run my',
      'A=1 ./bin/evenkeel run my',
      'ek run my',
      'A=1 ek run my',
      'sudo evenkeel run my',
      'ek run -i inventories/evenkeel my',
      'evenkeel  run\tmy',
    ])
      expect(await printed('bash', line, BREAKS), line).to.equal('my\\ play.yml\n');
    expect(await printed('bash', 'evenkeel run "my', BREAKS)).to.equal('my play.yml\n');
    expect(await printed('bash', 'evenkeel run --env=d', BREAKS)).to.equal('dev\n');
    expect(await printed('bash', 'evenkeel run --env=d', ' ')).to.equal('--env=dev\n');
  });

  it('is of the project that --config names, in whatever folder it is', async () => {
    const home = path.join(project.directory, 'below');
    for (const option of [
      ['--config', 'below/evenkeel.yml'],
      ['--config=below/evenkeel.yml'],
      ['--config=~/evenkeel.yml'],
    ])
      expect(await atHome(home, () => printed('zsh', 'run', ...option, '-E', ''))).to.equal(
        'lab\tbelow/inventory/lab\n',
      );
    expect(await printed('zsh', 'run', '--config', 'missing.yml', '-E', '')).to.equal('');
  });
});
