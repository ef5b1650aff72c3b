import { expect } from 'chai';
import { emptyProject, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/gate_command.js';
import { runningSimulate, type RunningSimulate } from '../rig/running_simulate.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

describe('a run with the inventory that evenkeel simulate prints', () => {
  let real: Fleet;
  let project: Project;
  let simulation: RunningSimulate;

  before(async () => {
    real = await startFleet({ controllers: 2 });
    project = await emptyProject({ 'inventory.yml': real.inventory });
    simulation = await runningSimulate(project.directory, ['--limit', 'lb1']);
    await project.write('simulated.yml', simulation.printed);
  });

  after(async () => {
    await simulation[Symbol.asyncDispose]();
    await real.dispose();
    await project.remove();
  });

  const CREATE = 'tasks: [{ cloud_present: { name: edge } }]';
  const LATER = ['-i', 'inventory.yml', '-i', 'simulated.yml'];

  async function run(files: Readonly<Record<string, string>>, args: readonly string[] = LATER) {
    for (const [name, text] of Object.entries(files)) await project.write(name, text);
    const [playbook = ''] = Object.keys(files);
    const ended = await evenkeel(['run', playbook, ...args], { cwd: project.directory });
    for (const name of real.names) expect(real.controller(name).requests).to.deep.equal([]);
    return ended;
  }

  it('writes to the simulated controllers', async () => {
    const { code, stdout } = await run({ 'site.yml': `- hosts: lb1\n  ${CREATE}\n` });
    expect(stdout).to.match(/changed +lb1/);
    expect(code).to.equal(0);
  });

  const address = (more = ''): string =>
    `{ ${more}controller_url: '${real.url('lb1')}', controller_ca_file: '${real.caFile}' }`;
  const cases: readonly (readonly [
    title: string,
    files: () => Readonly<Record<string, string>>,
    args?: () => string[],
  ])[] = [
    [
      'host_vars beside the playbook',
      () => ({ 'plays/site.yml': `- hosts: lb1\n  ${CREATE}\n`, 'plays/host_vars/lb1.yml': address() }),
    ],
    ['variables of a play', () => ({ 'site.yml': `- hosts: lb1\n  vars: ${address()}\n  ${CREATE}\n` })],
    [
      'variables of a task',
      () => ({
        'site.yml': `- hosts: lb1\n  tasks: [{ cloud_present: { name: edge }, vars: ${address()} }]\n`,
      }),
    ],
    [
      'a fact',
      () => ({
        'site.yml': `- hosts: lb1\n  tasks: [{ set_fact: ${address()} }, { cloud_present: { name: edge } }]\n`,
      }),
    ],
    ['the command line', () => ({ 'site.yml': `- hosts: lb1\n  ${CREATE}\n` }), () => ['-e', address()]],
    [
      'an inventory that is passed later',
      () => ({ 'site.yml': `- hosts: lb1\n  ${CREATE}\n` }),
      () => ['-i', 'inventory.yml'],
    ],
  ];
  for (const [title, files, args] of cases)
    it(`contacts no real controller that ${title} names`, async () => {
      const { code, stdout, stderr } = await run(files(), [...LATER, ...(args?.() ?? [])]);
      expect(stdout + stderr).to.match(/https:\/\/127\.0\.0\.1:\d+ is not the simulated controller of lb1/);
      expect(code).to.be.oneOf([1, 2]);
    });

  it('contacts no controller that is not simulated', async () => {
    const { code, stderr } = await run({ 'site.yml': `- hosts: all\n  ${CREATE}\n` });
    expect(stderr).to.include(`error: ${real.url('lb2')} is not the simulated controller of lb2\n`);
    expect(code).to.equal(1);
  });

  it('contacts no controller that it adds', async () => {
    const tasks = `tasks: [{ add_host: ${address('name: lb9, ')} }, { cloud_present: { name: edge }, delegate_to: lb9 }]`;
    const { code, stdout } = await run({ 'site.yml': `- hosts: lb1\n  ${tasks}\n` });
    expect(stdout).to.include(`${real.url('lb1')} is not the simulated controller of lb9`);
    expect(code).to.equal(2);
  });

  for (const [title, message] of [
    ['avi', `{{ lookup('avi', obj_type='pool', avi_credentials=credentials, ca_path=ca) }}`],
    ['url', `{{ lookup('url', to ~ '/api/pool/', ca_path=ca, use_proxy=false) }}`],
  ] as const)
    for (const host of ['lb1', 'localhost'])
      it(`contacts no real controller with the lookup ${title} on ${host}`, async () => {
        const to = real.url('lb1');
        const credentials = `{ controller: '${to}', username: admin, password: Blue-Whale-42 }`;
        const vars = `vars: { to: '${to}', ca: '${real.caFile}', credentials: ${credentials} }`;
        const site = `- hosts: ${host}\n  ${vars}\n  tasks: [{ debug: { msg: "${message}" } }]\n`;
        const { code, stdout } = await run({ 'site.yml': site });
        expect(stdout).to.match(
          /no request to \S+\/api\/pool\/?: an inventory of simulated controllers allows no other/,
        );
        expect(code).to.equal(2);
      });

  it('asks a simulated controller with the lookup url', async () => {
    const page = `{{ lookup('url', controller_url ~ '/api/cloud/', ca_path=controller_ca_file, force_basic_auth=true) }}`;
    const { stdout } = await run({ 'site.yml': `- hosts: lb1\n  tasks: [{ debug: { msg: "${page}" } }]\n` });
    expect(stdout).to.match(/https:\/\/127\.0\.0\.1:\d+\/api\/cloud\/ answered 40\d/);
  });

  it('waits only for simulated controllers', async () => {
    const port = new URL(real.url('lb2')).port;
    const wait = (host: string, args: string) =>
      run({ 'site.yml': `- hosts: ${host}\n  tasks: [{ wait_for: { ${args}, timeout: 5 } }]\n` });
    for (const [host, args] of [
      ['lb2', `port: ${port}`],
      ['lb1', `port: ${port}`],
      ['lb1', `port: ${port}, state: stopped`],
      ['localhost', `host: 127.0.0.1, port: ${port}`],
    ] as const) {
      const { code, stdout } = await wait(host, args);
      expect(stdout).to.include(`127.0.0.1:${port} is not the simulated controller of ${host}`);
      expect(code).to.equal(2);
    }
    const { code } = await wait('lb1', `port: "{{ controller_url.split(':')[-1] }}"`);
    expect(code).to.equal(0);
  });
});
