import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { command, exampleProject, ROOT, type Project } from '../rig/command.js';
import { filesOnPage } from '../rig/page.js';

/** What the programs of docs/library.md print, in the order of the page. */
const PRINTED: Readonly<Record<string, string>> = {
  'rollout.mjs': 'ok 4 controllers 0 warnings\n',
  'follow.mjs': ['lb01', 'lb02', 'lb03']
    .map((name) => `${name}.dev.example.com`)
    .map((name) => `${name} Cloud exists\n${name} DNS, NTP and portal are as agreed\n`)
    .join(''),
  'ping.mjs': 'lb1.example.com ok hello lb1.example.com\nlb2.example.com ok hello lb2.example.com\n',
  'list.mjs': 'lb01.emea.stage.example.com 22.1.3\nlb02.emea.stage.example.com 22.1.3\nall ungrouped emea amer\n',
  'repair.mjs': [
    'interrupted\nok\n',
    ...[1, 2, 3, 4, 5, 6].map(
      (number) => `lb0${number}.amer.example.com cloud "prod-amer" was created: a rollback deletes nothing\n`,
    ),
    'run RUN, "run playbooks/rollout.yml (simulated)", is finished: there is nothing to resume\n',
  ].join(''),
  'check.mjs': '6 tasks would change something\n',
};

describe('the programs of docs/library.md', () => {
  let project: Project;
  let programs: ReadonlyMap<string, string>;
  before(async () => {
    project = await exampleProject();
    programs = await filesOnPage('docs/library.md');
    for (const [file, code] of programs) await project.write(file, code);
    await mkdir(path.join(project.directory, 'node_modules'));
    await symlink(ROOT, path.join(project.directory, 'node_modules/evenkeel'), 'junction');
  });
  after(() => project.remove());

  it('are all run here', () => {
    expect([...programs.keys()]).to.deep.equal(Object.keys(PRINTED));
  });

  for (const [file, printed] of Object.entries(PRINTED))
    it(`${file} works`, async () => {
      const options = { cwd: project.directory, env: project.env };
      const { code, stdout, stderr } = await command(process.execPath, [file], options);
      expect(stderr).to.equal('');
      expect(code).to.equal(0);
      expect(stdout.replace(/\d{8}T\d{6}Z-[\da-f]{6}/, 'RUN')).to.equal(printed);
    });
});
