import { expect } from 'chai';
import { emptyProject, type Project } from '../rig/command.js';
import { evenkeel, type EndedInProcess } from '../rig/in_process.js';
import { startFleet, type Fleet } from '../rig/simulated.js';

describe('an address of another controller', () => {
  let fleet: Fleet;
  let project: Project;
  beforeEach(async () => {
    fleet = await startFleet({ controllers: 2 });
    project = await emptyProject({});
  });
  afterEach(async () => {
    await fleet.dispose();
    await project.remove();
  });

  /** The variables that all hosts need, and the hosts. */
  const inventory = (...hosts: readonly string[]): string => `all:
  vars:
    controller_username: ${fleet.username}
    controller_password: ${fleet.password}
    controller_api_version: 22.1.3
    controller_ca_file: ${fleet.caFile}
  hosts:
${hosts.map((host) => `    ${host}\n`).join('')}`;

  const run = async (hosts: readonly string[], ...args: readonly string[]): Promise<EndedInProcess> => {
    await project.write('inv.yml', inventory(...hosts));
    const [command = 'run', ...options] = args.length === 0 ? ['run', 'p.yml'] : args;
    return evenkeel([command, ...options, '-i', 'inv.yml'], { cwd: project.directory });
  };

  const requests = (): number => fleet.names.flatMap((name) => fleet.controller(name).requests).length;

  describe('to which a task leads', () => {
    const two = (): readonly string[] => [
      `lb1: { controller_url: "${fleet.url('lb1')}" }`,
      `lb2: { controller_url: "${fleet.url('lb2')}" }`,
    ];
    const said = async (
      tasks: string,
      hosts = two(),
      first = 'lb1',
    ): Promise<EndedInProcess & { readonly said: string }> => {
      await project.write(
        'p.yml',
        `- hosts: ${first}\n  tasks:\n${tasks}- hosts: lb2\n  tasks:\n    - cloud_present: { name: own }\n`,
      );
      const ended = await run(hosts, 'run', 'p.yml');
      return { ...ended, said: ended.stdout + ended.stderr };
    };
    const names = (name: string): readonly unknown[] =>
      fleet
        .controller(name)
        .objects('/api/cloud/')
        .map((cloud) => cloud['name']);
    const write = '    - cloud_present: { name: strayed }\n';
    const moved = '    - set_fact: { controller_url: "{{ hostvars.lb2.controller_url }}" }\n';

    it('is not contacted if it is that of another controller of the run', async () => {
      const ended = await said(`${moved}${write}`);
      expect(ended.said).to.include(`lead lb1 to ${fleet.url('lb2')}, the address of lb2: it was not contacted`);
      expect(ended.code).to.equal(2);
      expect(names('lb2')).not.to.include('strayed');
    });

    it('is contacted if both are shared, or if that controller is not part of the run', async () => {
      const shared = two().map((host) => host.replace(' }', ', controller_shared: true }'));
      expect((await said(`${moved}${write}`, shared)).code).to.equal(0);
      expect(names('lb2')).to.include('strayed');
      await project.write('p.yml', `- hosts: lb1\n  tasks:\n${moved}${write}`);
      expect((await run(two(), 'run', 'p.yml')).code).to.equal(0);
    });

    it('is found before the run if the task says it', async () => {
      const vars = (url: string): string =>
        `    - cloud_present: { name: strayed }\n      vars: { controller_url: "${url}" }\n`;
      for (const [task, first] of [
        [vars('{{ hostvars.lb2.controller_url }}'), 'lb1'],
        [vars(fleet.url('lb2')), 'all'],
        [vars('https://127.0.0.1:9'), 'all'],
        [
          `    - block:\n        - cloud_present: { name: strayed }\n      vars: { controller_url: "https://127.0.0.1:9" }\n`,
          'all',
        ],
      ] as const) {
        const ended = await said(task, two(), first);
        expect(ended.said, task).to.match(/lb1 .* and lb2 .* have the same address/);
        expect([ended.code, requests()]).to.deep.equal([1, 0]);
      }
    });

    it('is not contacted by a second name, although the inventory does not have it', async () => {
      const url = fleet.url('lb2');
      const hosts = [...two().slice(0, 1), 'lb3: { controller_url: "https://127.0.0.1:9" }'];
      await project.write('p.yml', `- hosts: all\n  tasks:\n    - set_fact: { controller_url: "${url}" }\n${write}`);
      const { code, stdout } = await run(hosts, 'run', 'p.yml', '--forks', '1');
      expect(stdout).to.include(`lead lb3 to ${url}, the address of lb1: it was not contacted`);
      expect(code).to.equal(2);
    });

    it('may be the one of several hosts if it is in the arguments of the task', async () => {
      const credentials = `{ controller: "${fleet.url('lb2')}", username: "${fleet.username}", password: "${fleet.password}" }`;
      await project.write(
        'p.yml',
        `- hosts: web1,web2\n  tasks:\n    - avi_cloud: { name: '{{ inventory_hostname }}', vtype: CLOUD_NONE, avi_credentials: ${credentials} }\n`,
      );
      const web = ['web1: { ansible_host: 127.0.0.2 }', 'web2: { ansible_host: 127.0.0.3 }'];
      const { stdout, stderr } = await run(web, 'run', 'p.yml');
      expect(stdout + stderr).not.to.include('address of');
      // This controller knows no sessions.
      expect(fleet.controller('lb2').requests.map(({ path }) => path)).to.include('/login');
    });
  });
});
