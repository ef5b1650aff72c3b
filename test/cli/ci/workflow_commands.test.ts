import { expect } from 'chai';
import { emptyProject, type Project } from '../../rig/command.js';
import { evenkeel } from '../../rig/in_process.js';
import { startFleet, type Fleet } from '../../rig/simulated.js';

/** What a controller sends: the old syntax of commands, and the new one where a line of 160 columns is broken. */
const SENT = `##[stop-commands]x ${'a'.repeat(150)} ::stop-commands::y ${'b'.repeat(150)} ::add-mask::e`;
const DRIFTED = `
- hosts: all
  tasks:
    - { name: Web, resource_present: { kind: pool, name: web, properties: { description: fine } } }
`;
const TOLD = `
- hosts: all
  tasks:
    - { name: Read, resource_facts: { kind: pool, name: web }, register: read }
    - { name: Say, debug: { msg: '{{read.objects[0].description}}' } }
    - { name: Stop, fail: { msg: "stopped\\n::error::faked\\n{{read.objects[0].description}}" } }
`;

/** The commands that the runner of GitHub Actions finds in a log. */
function foundCommands(log: string): readonly string[] {
  return log
    .split(/\r\n|\r|\n/)
    .flatMap((line) => /^\s*::([\w-]+)(?: .*)?::/.exec(line)?.[1] ?? /##\[([^\]]*)\]/.exec(line)?.[1] ?? []);
}

describe('in a job of GitHub Actions', () => {
  let fleet: Fleet;
  let project: Project;
  before(async () => {
    fleet = await startFleet({ controllers: 1 });
    project = await emptyProject({
      'evenkeel.yml': 'inventory: inventory.yml\n',
      'inventory.yml': fleet.inventory,
      'drifted.yml': DRIFTED,
      'told.yml': TOLD,
    });
  });
  after(async () => {
    await project.remove();
    await fleet.dispose();
  });

  const env = { GITHUB_ACTIONS: 'true' };
  const say = async (line: string): Promise<string> => {
    const { stdout, stderr } = await evenkeel(line.split(' '), { cwd: project.directory, env });
    return stdout + stderr;
  };

  for (const [line, commands] of [
    ['drift drifted.yml', []],
    ['drift drifted.yml --json', []],
    ['run told.yml -o quiet', []],
    ['run told.yml -o json', []],
    ['run told.yml -o lines', ['group', 'endgroup', 'error']],
    ['plan drifted.yml', ['group', 'endgroup']],
    ['run drifted.yml --diff', ['group', 'endgroup']],
    ['runs last --objects', []],
    ['runs last --objects --json', []],
  ] as const)
    it(`a controller cannot have commands in the output of ${line}`, async () => {
      fleet.controller('lb1').setObjects('/api/pool/', [{ uuid: 'pool-1', name: 'web', description: SENT }]);
      if (line.startsWith('runs')) await say('run drifted.yml');
      const said = await say(line);
      expect(said).to.include('aaaa').and.to.include('bbbb');
      expect(foundCommands(said)).to.deep.equal(commands);
    });
});
