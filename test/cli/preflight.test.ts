import { readdir } from 'node:fs/promises';
import { expect } from 'chai';
import { InvalidInputError, runPlaybook } from '../../src/index.js';
import { Simulator } from '../../src/simulator/simulator.js';
import { emptyProject, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';

const PLAYBOOK = `- hosts: all
  serial: 1
  tasks:
    - cloud_present: { name: edge, vtype: CLOUD_NONE }
    - cloud_present: { name: "{{second}}", vtype: CLOUD_NONE }
`;

const NAMES = ['lb1', 'lb2', 'lb3', 'lb4', 'lb5'];

describe('a run that is certain to fail', () => {
  let simulator: Simulator;
  let project: Project;
  before(async () => {
    simulator = await Simulator.start();
    const urls = await Promise.all(
      NAMES.map(async (name) => (await simulator.startController(name, { username: 'admin', password: 'secret' })).url),
    );
    project = await emptyProject({
      'p.yml': PLAYBOOK,
      'ca.pem': simulator.ca,
      'inv.yml': `all:
  vars: { controller_username: admin, controller_api_version: 22.1.3, controller_ca_file: ca.pem, first: 1 }
  hosts:
${urls.map((url, index) => `    lb${index + 1}: { controller_url: "${url}", controller_password: secret }\n`).join('')}
    lb6: { controller_url: "https://127.0.0.1:1", second: edge }
`,
    });
  });
  after(async () => {
    await simulator.close();
    await project.remove();
  });

  const requests = () => NAMES.flatMap((name) => simulator.controller(name).requests);

  it('is refused with all errors before anything is contacted or written', async () => {
    const { code, stdout, stderr } = await evenkeel(['run', 'p.yml', '-i', 'inv.yml'], { cwd: project.directory });
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    expect(stderr).to.equal(`error: lb6 has no controller_password
  = hint: set it in the inventory, or pass -k

error: variable "second" is not defined (on 5 controllers: lb1, lb2, lb3 and 2 more)
  --> p.yml:5:30
    |
  3 |   tasks:
  4 |     - cloud_present: { name: edge, vtype: CLOUD_NONE }
  5 |     - cloud_present: { name: "{{second}}", vtype: CLOUD_NONE }
    |                              ^^^^^^^^^^^^

2 errors
evenkeel: no controller was contacted
`);
    expect(requests()).to.deep.equal([]);
    expect(await readdir(project.directory)).to.not.include('.evenkeel');
  });

  it('is refused in a check, for one task and by the library, too', async () => {
    const { directory: cwd } = project;
    const check = await evenkeel(['run', 'p.yml', '-i', 'inv.yml', '--check', '-l', 'lb1'], { cwd });
    expect(check.stderr).to.include('variable "second" is not defined (on lb1)');
    const task = await evenkeel(['task', 'all', '-i', 'inv.yml', '-m', 'debug', '-a', 'msg={{second}}'], { cwd });
    expect(task).to.include({ code: 1 });
    expect(task.stderr).to.include('variable "second" is not defined (on 5 controllers: ');
    const [result] = await Promise.allSettled([
      runPlaybook({ playbooks: ['p.yml'], inventory: ['inv.yml'], cwd, env: {} }),
    ]);
    expect(result.status === 'rejected' && result.reason).to.be.instanceOf(InvalidInputError);
    expect(requests()).to.deep.equal([]);
  });

  it('suggests how to leave out the controllers with errors, even with max_fail_percentage', async () => {
    const cwd = project.directory;
    await project.write(
      'most.yml',
      PLAYBOOK.replace('serial: 1', 'max_fail_percentage: 50').replace('second', 'first'),
    );
    const refused = (...args: readonly string[]) =>
      evenkeel(['run', 'most.yml', '-i', 'inv.yml', ...args], { cwd }).then(({ stderr }) =>
        stderr.split('\n').slice(-3),
      );
    expect(await refused()).to.deep.equal([
      'evenkeel: no controller was contacted',
      "evenkeel: to run the other 5 controllers: --limit '!lb6'",
      '',
    ]);
    expect((await refused('-l', 'lb1:lb6'))[1]).to.equal(
      "evenkeel: to run the other controller: --limit 'lb1,lb6,!lb6'",
    );
    expect((await refused('-l', 'lb6'))[1]).to.equal('evenkeel: no controller was contacted');
    const many = `all:\n  hosts:\n    web: { first: 1 }\n${NAMES.map((_, index) => `    x[${index}0:${index}9]:\n`).join('')}`;
    await project.write('many.yml', many);
    await project.write('debug.yml', '- hosts: all\n  tasks: [{ debug: { msg: "{{first}}" } }]\n');
    const { stderr } = await evenkeel(['run', 'debug.yml', '-i', 'many.yml'], { cwd });
    expect(stderr).to.match(/\nevenkeel: leave these controllers out with --limit to run the other controller\n$/);
  });

  it('does not suggest leaving out the controller if that does not help', async () => {
    const { directory: cwd } = project;
    await project.write('to.yml', '- hosts: lb1,lb2\n  tasks: [{ api_request: { path: /api/x }, delegate_to: lb6 }]\n');
    const { stderr } = await evenkeel(['run', 'to.yml', '-i', 'inv.yml'], { cwd });
    expect(stderr).to.match(/lb6 has no controller_password[^]*\nevenkeel: no controller was contacted\n$/);
  });

  it('may have a password that is asked for later', async () => {
    const args = ['run', 'p.yml', '-i', 'inv.yml', '-k', '-l', 'lb6'];
    const { stderr } = await evenkeel(args, { cwd: project.directory });
    expect(stderr).to.equal(
      'evenkeel: -k needs a password from the terminal, and none was entered; nothing was contacted\n',
    );
  });
});
