import { expect } from 'chai';
import { goOn, keptRun, type Moment } from '../../rig/cut_run.js';
import type { Files } from '../../rig/folder.js';
import type { Entry } from '../../rig/recorder.js';
import { runText, type Ran, type TextOptions } from '../../rig/run_text.js';
import { startFleet, type Fleet } from '../../rig/simulated.js';
import { TenantController } from '../../rig/tenants.js';

describe('connection variables', () => {
  let fleet: Fleet;
  let tenants: TenantController;
  beforeEach(async () => {
    fleet = await startFleet({ controllers: ['admin', 'blue', 'green', 'red'] });
    tenants = await TenantController.start(fleet);
  });
  afterEach(async () => {
    await tenants.close();
    await fleet.dispose();
  });

  /** The clouds of each tenant that has some. */
  function clouds(): Readonly<Record<string, string>> {
    const held = fleet.names.map((name) => {
      const all = fleet.controller(name).objects('/api/cloud/');
      return [name, all.map(({ name: cloud = '' }) => (typeof cloud === 'string' ? cloud : '')).join(' ')] as const;
    });
    return Object.fromEntries(held.filter(([, names]) => names !== ''));
  }

  const variables = (hosts: string, more: string): string => `
all:
  hosts: ${hosts}
  vars:
    controller_url: '${tenants.url}'
    controller_username: admin
    controller_password: simulated
    controller_api_version: 22.1.3
    controller_ca_file: tenants.pem
    ${more}
`;

  interface Options extends TextOptions {
    readonly hosts?: string;
    /** Of the inventory. */
    readonly more?: string;
    readonly files?: Files;
  }

  function run(plays: string, { hosts = '{ lb1: }', more = '', files = {}, ...options }: Options = {}): Promise<Ran> {
    const inventory = variables(hosts, more);
    return runText(plays, { ...options, inventory, files: { 'tenants.pem': tenants.ca, ...files } });
  }

  /** Each name is a cloud's, and the tenant that it must be in. */
  async function expectTenants(plays: string, options: Options = {}): Promise<Ran> {
    const ran = await run(plays, options);
    expect(ran.tasks.filter(({ status }) => status === 'failed' || status === 'unreachable')).to.deep.equal([]);
    expect(ran.finished.exitCode).to.equal(0);
    for (const [tenant, names] of Object.entries(clouds()))
      for (const name of names.split(' ')) expect(name.split('-')[0]).to.equal(tenant);
    return ran;
  }

  it('of a task, a block, an import, an include and a role apply there and nowhere else', async () => {
    const files = {
      'more.yml': "- cloud_present: { name: '{{ wanted }}' }\n",
      'roles/r/tasks/main.yml': '- cloud_present: { name: blue-role }\n',
      'roles/r/vars/main.yml': 'controller_headers: { X-Tenant: blue }\n',
      'roles/p/tasks/main.yml': '- cloud_present: { name: red-parameter }\n',
    };
    const playbook = `
- hosts: lb1
  roles: [{ role: p, controller_headers: { X-Tenant: red } }]
- hosts: lb1
  tasks:
    - cloud_present: { name: admin-first }
    - cloud_present: { name: blue-task }
      vars: { controller_headers: { X-Tenant: blue } }
    - vars: { controller_headers: { X-Tenant: green } }
      block:
        - cloud_present: { name: green-block }
        - block: [cloud_present: { name: red-inner }]
          vars: { controller_headers: { X-Tenant: red } }
      always:
        - cloud_present: { name: green-always }
    - import_tasks: more.yml
      vars: { wanted: green-import, controller_headers: { X-Tenant: green } }
    - include_tasks: more.yml
      vars: { wanted: red-include, controller_headers: { X-Tenant: red } }
    - include_role: { name: r }
    - include_role: { name: p }
      vars: { controller_headers: { X-Tenant: red } }
    - cloud_present: { name: admin-last }
`;
    await expectTenants(playbook, { files });
    expect(clouds()).to.deep.equal({
      admin: 'admin-first admin-last',
      blue: 'blue-task blue-role',
      green: 'green-block green-always green-import',
      red: 'red-parameter red-inner red-include',
    });
  });

  it('of a loop and of a handler apply to each item and to the handler', async () => {
    await expectTenants(`
- hosts: lb1
  handlers:
    - name: tell
      cloud_present: { name: red-handler }
      vars: { controller_headers: { X-Tenant: red } }
  tasks:
    - cloud_present: { name: '{{ item }}-item' }
      loop: [blue, green, red]
      loop_control: { parallel: 3 }
      vars: { controller_headers: { X-Tenant: '{{ item }}' } }
      notify: tell
    - loop: [blue, green]
      block: [cloud_present: { name: '{{ item }}-block' }]
      vars: { controller_headers: { X-Tenant: '{{ item }}' } }
`);
    expect(clouds()).to.deep.equal({
      blue: 'blue-item blue-block',
      green: 'green-item green-block',
      red: 'red-item red-handler',
    });
  });

  it('that a task sets apply from then on, even after the first contact', async () => {
    await expectTenants(
      `
- hosts: lb1
  tasks:
    - cloud_present: { name: admin-before }
    - set_fact: { controller_headers: { X-Tenant: blue } }
    - cloud_present: { name: blue-fact }
    - include_vars: file.yml
    - cloud_present: { name: blue-stronger }
- hosts: lb1
  tasks:
    - cloud_present: { name: blue-next }
- hosts: lb2
  tasks:
    - cloud_present: { name: admin-other }
    - include_vars: file.yml
    - cloud_present: { name: green-file }
`,
      { hosts: '{ lb1: , lb2: }', files: { 'file.yml': 'controller_headers: { X-Tenant: green }\n' } },
    );
  });

  it('of the inventory may refer to variables that a task sets, and to facts', async () => {
    const more = "controller_headers: { X-Tenant: '{{ tenant }}' }\n    tenant: admin";
    await expectTenants(
      `
- hosts: lb1
  tasks:
    - cloud_present: { name: blue-first }
      vars: { tenant: blue }
    - cloud_present: { name: admin-second }
    - set_fact: { tenant: green }
    - cloud_present: { name: green-third }
`,
      { more },
    );
  });

  it('of the inventory that only tasks can render are used for those tasks', async () => {
    const { tasks } = await run(
      `
- hosts: lb1
  tasks:
    - cloud_present: { name: blue-first }
      vars: { tenant: blue }
    - cloud_present: { name: nowhere }
`,
      { more: "controller_headers: { X-Tenant: '{{ tenant }}' }" },
    );
    expect(tasks.map(({ status, message }) => [status, message])).to.deep.equal([
      ['changed', undefined],
      ['failed', 'variable "tenant" is not defined (from "controller_headers")'],
    ]);
    expect(clouds()).to.deep.equal({ blue: 'blue-first' });
  });

  it('of a play apply to that play', async () => {
    await expectTenants(`
- hosts: lb1
  vars: { controller_headers: { X-Tenant: blue } }
  tasks: [cloud_present: { name: blue-one }]
- hosts: lb1
  vars: { controller_headers: { X-Tenant: green } }
  tasks: [cloud_present: { name: green-two }]
- hosts: lb1
  tasks: [cloud_present: { name: admin-three }]
`);
    expect(Object.keys(clouds())).to.deep.equal(['admin', 'blue', 'green']);
  });

  it('of a delegated task apply to the delegate, but facts of the original controller do not', async () => {
    await expectTenants(
      `
- hosts: lb1
  tasks:
    - set_fact: { controller_headers: { X-Tenant: red } }
    - cloud_present: { name: red-own }
    - cloud_present: { name: admin-delegated }
      delegate_to: lb2
    - cloud_present: { name: '{{ item }}-delegated' }
      delegate_to: lb2
      vars: { tenant: '{{ item }}' }
      loop: [blue, green]
`,
      { hosts: '{ lb1: , lb2: { controller_headers: { X-Tenant: \'{{ tenant | default("admin") }}\' } } }' },
    );
    expect(clouds()).to.have.all.keys('admin', 'blue', 'green', 'red');
  });

  it('yield to extra variables', async () => {
    await expectTenants(
      `
- hosts: lb1
  tasks:
    - cloud_present: { name: green-task }
      vars: { controller_headers: { X-Tenant: blue } }
`,
      { extraVars: { controller_headers: { 'X-Tenant': 'green' } } },
    );
    expect(Object.keys(clouds())).to.deep.equal(['green']);
  });

  it('of a task sign in as their user, and a refusal concerns only that user', async () => {
    const { tasks } = await run(`
- hosts: lb1
  tasks:
    - cloud_present: { name: admin-before }
    - cloud_present: { name: nowhere }
      vars: { controller_username: nobody }
      ignore_unreachable: true
    - cloud_present: { name: again }
      vars: { controller_username: nobody }
      ignore_unreachable: true
    - cloud_present: { name: admin-after }
`);
    expect(tasks.map(({ status }) => status)).to.deep.equal(['changed', 'unreachable', 'unreachable', 'changed']);
    expect(tasks[2]?.message).to.include('this controller has refused these credentials before');
    expect(clouds()).to.deep.equal({ admin: 'admin-before admin-after' });
  });

  it('that are invalid fail the task before anything is sent', async () => {
    const { tasks } = await run(`
- hosts: lb1
  tasks:
    - cloud_present: { name: nowhere }
      vars: { controller_headers: { Authorization: mine } }
      ignore_errors: true
    - cloud_present: { name: nowhere }
      vars: { controller_api_version: newest }
`);
    expect(tasks.map(({ message }) => message)).to.deep.equal([
      'controller_headers cannot set "Authorization"',
      'controller_api_version must be three numbers, such as "22.1.3", not "newest"',
    ]);
    expect(tenants.requests).to.deep.equal([]);
  });

  it('are used for reads in check mode', async () => {
    const playbook = `
- hosts: lb1
  tasks:
    - cloud_present: { name: blue-task }
      vars: { controller_headers: { X-Tenant: blue } }
`;
    const { lines } = await run(playbook, { check: true });
    expect(lines).to.deep.equal(['lb1 cloud_present: changed']);
    expect(tenants.requests).to.deep.equal(['GET blue']);
  });

  describe('after an interrupted run', () => {
    const playbook = `
- hosts: lb1
  tasks:
    - cloud_present: { name: blue-task }
      vars: { controller_headers: { X-Tenant: '{{ tenant }}' } }
    - api_request: { path: /api/cloud/, method: POST, body: { name: blue-raw } }
      vars: { controller_headers: { X-Tenant: '{{ tenant }}' } }
`;
    const options = (tenant: string): TextOptions => ({
      inventory: variables('{ lb1: }', `tenant: ${tenant}`),
      files: { 'tenants.pem': tenants.ca },
    });
    const at = (moments: readonly Moment[], isIt: (entry: Entry | undefined) => boolean): Moment => {
      const found = moments.find(({ entries }) => isIt(entries.at(-1)));
      if (found === undefined) throw new Error('the run has no such moment');
      return found;
    };
    const isWritten = (entry?: Entry): boolean => entry?.type === 'write-finished';
    const isIntended = (method: string) => (entry?: Entry) =>
      entry?.type === 'write-intended' && entry.method === method && entry.module !== 'api_request';

    it('are used again: an object that was created with them is not created twice', async () => {
      const { moments } = await keptRun(playbook, options('blue'), fleet);
      const { ran } = await goOn(playbook, at(moments, isWritten), options('blue'), fleet);
      expect(ran.lines).to.deep.equal(['lb1 cloud_present: changed', 'lb1 api_request: changed']);
      expect(clouds()).to.deep.equal({ blue: 'blue-task blue-raw' });
    });

    it('must lead to the same controller if something was written there', async () => {
      const { moments } = await keptRun(playbook, options('blue'), fleet);
      for (const moment of [at(moments, isIntended('POST')), at(moments, isWritten)]) {
        tenants.requests.splice(0);
        const { ran } = await goOn(playbook, moment, options('green'), fleet);
        expect(ran.tasks[0]?.message).to.equal(
          `POST /api/cloud/ was sent to ${tenants.url} before the run was cut off, but this task now connects to ${tenants.url} as another user or with other headers`,
        );
        expect(tenants.requests).to.deep.equal([]);
      }
    });

    it('must lead to the same controller if a raw request was sent there', async () => {
      const { moments } = await keptRun(playbook, options('blue'), fleet);
      const moment = at(moments, (entry) => entry?.type === 'write-intended' && entry.module === 'api_request');
      const { ran } = await goOn(playbook, moment, options('green'), fleet);
      expect(ran.tasks.at(-1)?.message).to.match(/^POST \/api\/cloud\/ was sent to .* as another user/);
      expect(tenants.requests.filter((request) => request.startsWith('POST green'))).to.deep.equal([]);
    });
  });

  describe('cost', () => {
    const TASKS = Array.from(
      { length: 5 },
      (_, index) => `    - cloud_present: { name: 'admin-{{ item }}${index}' }
      loop: [a, b]
      vars: { size: ${index} }
      register: result`,
    ).join('\n');

    it('no connection if a task sets none of them', async () => {
      await expectTenants(`- hosts: all\n  tasks:\n${TASKS}\n- hosts: all\n  tasks:\n${TASKS}\n`, {
        hosts: '{ lb1: , lb2: { controller_requests_per_second: 1000 } }',
      });
      expect(tenants.connections).to.equal(2);
    });

    it('one connection for all tasks with equal settings', async () => {
      await expectTenants(`
- hosts: lb1
  tasks:
    - cloud_present: { name: 'admin-{{ item }}' }
      vars: { controller_timeout: '{{ 29 + 1 }}', controller_headers: {} }
      loop: [a, b, c]
    - cloud_present: { name: 'blue-{{ item }}' }
      vars: { controller_headers: { X-Tenant: blue } }
      loop: [a, b, c]
    - cloud_present: { name: blue-more }
      vars: { controller_headers: { X-Tenant: '{{ "blue" }}' } }
`);
      expect(tenants.connections).to.equal(2);
    });

    it('at most a few open connections, however many different settings there are', async () => {
      let most = 0;
      const watch = (): void => {
        most = Math.max(most, tenants.open);
      };
      const playbook = `
- hosts: lb1
  tasks:
    - cloud_present: { name: admin-x }
      vars: { controller_headers: { X-Number: '{{ item }}' } }
      loop: '{{ range(12) | list }}'
- hosts: lb2
  tasks: [cloud_present: { name: admin-x }]
`;
      await expectTenants(playbook, { hosts: '{ lb1: , lb2: }', watch });
      expect(tenants.connections).to.equal(13);
      expect(most).to.be.at.most(7);
    });
  });
});
