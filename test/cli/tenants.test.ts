import { spawn } from 'node:child_process';
import { expect } from 'chai';
import { emptyProject, STARTED, type Ended, type Project, ownHome } from '../rig/command.js';
import { eventsOf, tasksOf } from '../rig/events_of.js';
import { evenkeel } from '../rig/in_process.js';
import { shareOf } from '../rig/random_seed.js';
import { SessionController } from '../rig/session_controller.js';

const edges = (tenant: string): string => `- name: Site
  hosts: all
  tasks:
    - { name: usual, cloud_present: { name: edge, mtu: "{{ mtu | default(1500) }}" } }
    - { name: blue, cloud_present: { name: edge, mtu: "{{ mtu | default(9000) }}", ${tenant} } }
`;
const EDGES = edges('tenant: blue');

describe('tenants', () => {
  let controller: SessionController;
  let project: Project;
  beforeEach(async () => {
    controller = await SessionController.start();
    project = await emptyProject({ 'site.yml': EDGES, 'inventory.yml': inventory() });
  });
  afterEach(async () => {
    await controller.close();
    await project.remove();
  });

  function inventory(more: Record<string, unknown> = {}): string {
    return JSON.stringify({ all: { hosts: controller.variables(), vars: more } });
  }

  const command = (...args: string[]): Promise<Ended> => evenkeel(args, { cwd: project.directory });
  const run = (...args: string[]): Promise<Ended> => command('run', 'site.yml', '-i', 'inventory.yml', ...args);
  const site = (...tasks: object[]): Promise<void> =>
    project.write('site.yml', JSON.stringify([{ name: 'Site', hosts: 'all', tasks }]));
  const writes = (): readonly string[] =>
    controller.log
      .filter((line) => !/^GET|log(?:in|out)/.test(line))
      .map((line) => line.replace(/[0-9a-f-]{36}/, 'UUID'));
  const mtu = (tenant: string): unknown => controller.objects('cloud', tenant)[0]?.['mtu'];

  for (const named of shareOf(['tenant: blue', 'tenant_ref: blue', 'tenant_ref: /api/tenant?name=blue'], 3))
    describe(`that a task names with ${named}`, () => {
      beforeEach(() => project.write('site.yml', edges(named)));
      describeTenantOfTask(named);
    });

  function describeTenantOfTask(named: string): void {
    it('have their own objects of one name, and the messages name them', async () => {
      const first = await run('--diff', '-v');
      expect(first.code, first.stderr + first.stdout).to.equal(0);
      expect(first.stdout).to.include('cloud "edge"').and.include('cloud "edge" in tenant "blue"');
      expect(writes()).to.deep.equal(['POST /api/cloud @admin', 'POST /api/cloud @blue']);
      expect([mtu('admin'), mtu('blue')]).to.deep.equal([1500, 9000]);
      const second = await run('-o', 'json');
      expect(tasksOf(second.stdout).map(({ tenant, status }) => [tenant, status])).to.deep.equal([
        ['admin', 'ok'],
        ['blue', 'ok'],
      ]);
      expect(controller.sessions).to.deep.equal([]);
    });

    it('are searched separately when the reply to a create is lost', async () => {
      controller.add('cloud', 'admin', { name: 'edge' });
      await project.write('site.yml', edges(named).replace(/ {4}- \{ name: usual.*\n/, ''));
      let lost = 0;
      controller.losesReply = ({ method }) => method === 'POST' && controller.sessions.length > 0 && lost++ === 1;
      const { code, stdout } = await run();
      expect(code, stdout).to.equal(0);
      expect(writes()).to.deep.equal(['POST /api/cloud @blue']);
      expect(controller.objects('cloud', 'blue')).to.have.length(1);
    });

    describe('of a rollback', () => {
      beforeEach(async () => {
        for (const tenant of ['admin', 'blue'])
          controller.add('cloud', tenant, { name: 'edge', mtu: tenant === 'blue' ? 2 : 1 });
        expect((await run('-e', 'mtu=7')).code).to.equal(0);
        expect([mtu('admin'), mtu('blue')]).to.deep.equal([7, 7]);
      });

      it('are those of the run', async () => {
        const { code, stdout, stderr } = await command('rollback', 'last', '--yes', '--diff');
        expect(code, stderr).to.equal(0);
        expect(stdout).to.include('cloud "edge" in tenant "blue"').and.not.include('in tenant "blue" in tenant');
        expect([mtu('admin'), mtu('blue')]).to.deep.equal([1, 2]);
      });

      it('are those of the run by another inventory, which a check only reads', async () => {
        await project.write('inventory.yml', inventory({ controller_tenant: 'green' }));
        const before = writes().length;
        const check = await command('rollback', 'last', '--check', '-o', 'json');
        const tasks = eventsOf(check.stdout).filter((event) => event.type === 'task-finished');
        expect(tasks.map(({ tenant, status }) => [tenant, status])).to.have.deep.members([
          ['blue', 'changed'],
          ['admin', 'changed'],
          [undefined, 'changed'],
        ]);
        expect(writes()).to.have.length(before);
        expect((await command('rollback', 'last', '--yes', '-e', 'controller_tenant=green')).code).to.equal(0);
        expect([mtu('admin'), mtu('blue')]).to.deep.equal([1, 2]);
      });

      it('do not hide an object that has been replaced', async () => {
        controller.objects('cloud', 'blue').splice(0);
        controller.add('cloud', 'blue', { name: 'edge', mtu: 7 });
        const { code, stdout } = await command('rollback', 'last', '--yes');
        expect(code).not.to.equal(0);
        expect(stdout).to.include('cloud "edge" in tenant "blue" has been replaced');
        expect([mtu('admin'), mtu('blue')]).to.deep.equal([1, 7]);
      });
    });

    describe('of a resume', () => {
      /** Kills the run while the controller carries out the create in blue. */
      beforeEach(async () => {
        const child = spawn(process.execPath, [...STARTED, 'run', 'site.yml', '-i', 'inventory.yml'], {
          cwd: project.directory,
          env: { ...ownHome(project.directory) },
          stdio: 'ignore',
        });
        const ended = new Promise((resolve) => child.on('close', resolve));
        controller.losesReply = ({ method, headers }) => {
          if (method !== 'POST' || headers['x-avi-tenant'] !== 'blue') return false;
          child.kill('SIGKILL');
          return true;
        };
        await ended;
        controller.losesReply = () => false;
      });

      it('are those of the run', async () => {
        const { code, stderr } = await command('resume', 'last');
        expect(code, stderr).to.equal(0);
        expect(writes()).to.deep.equal(['POST /api/cloud @admin', 'POST /api/cloud @blue']);
      });

      it('must be those of the run', async () => {
        await project.write('site.yml', edges(named.replace('blue', 'green')));
        const { code, stdout } = await command('resume', 'last');
        expect(code).not.to.equal(0);
        expect(stdout).not.to.include('changed=2');
        expect(controller.objects('cloud', 'green')).to.deep.equal([]);
      });
    });
  }

  it('come from controller_tenant, and from the argument before all others', async () => {
    await project.write('inventory.yml', inventory({ controller_tenant: 'green' }));
    await site(
      { cloud_present: { name: 'a' } },
      { cloud_present: { name: 'a' }, vars: { controller_tenant: 'blue' } },
      {
        cloud_present: { name: 'b', tenant: '{{ item }}' },
        loop: ['blue', 'admin'],
        vars: { controller_tenant: 'green' },
      },
      { cloud_present: '{{ given }}', vars: { given: { name: 'c', tenant: 'blue' } } },
      { api_request: { path: '/api/cloud', method: 'POST', body: { name: 'd' }, tenant: 'blue' } },
    );
    expect((await run()).code).to.equal(0);
    const expected = ['@green', '@blue', '@blue', '@admin', '@blue', '@blue'];
    expect(writes()).to.deep.equal(expected.map((tenant) => `POST /api/cloud ${tenant}`));
    expect(writes().length).to.equal(6);
    await site({ cloud_present: { name: 'e', tenant: 'blue' } }, { cloud_present: { name: 'f' } });
    expect((await run('-e', 'controller_tenant=admin')).code).to.equal(0);
    expect(writes().slice(6)).to.deep.equal(['POST /api/cloud @blue', 'POST /api/cloud @admin']);
  });

  it('do not mix what was written to objects that cannot be read', async () => {
    controller.before = ({ method, path }) =>
      method === 'GET' && path === '/api/systemconfiguration' ? { status: 405, body: {} } : undefined;
    const put = (tenant: string, properties: object) => ({
      resource_present: { path: '/api/systemconfiguration', properties, tenant },
    });
    await site(put('blue', { a: 1 }), put('green', { b: 2 }), put('blue', { c: 3 }));
    await project.write('evenkeel.yml', 'dialects: { old: { extends: avi, singles_readable: false } }\n');
    expect((await run('-e', 'controller_dialect=old')).code).to.equal(0);
    const bodies = controller.asked
      .filter(({ method }) => method === 'PUT')
      .map(({ body }) => JSON.parse(body) as object);
    expect(bodies).to.deep.equal([{ a: 1 }, { b: 2 }, { a: 1, c: 3 }]);
  });

  it('that do not exist are reported with the nearest name, and nothing is written', async () => {
    await site(
      { cloud_present: { name: 'edge', tenant: 'bleu' }, ignore_errors: true },
      {
        resource_present: { path: '/api/systemconfiguration', properties: { a: 1 }, tenant: 'nowhere' },
        ignore_errors: true,
      },
      { api_request: { path: '/api/cloud', tenant: 'greeen' }, ignore_errors: true },
      { api_request: { path: '/api/cloud/none', status_code: 404, tenant: 'blue' } },
    );
    const { stdout } = await run('-o', 'json');
    const failures = tasksOf(stdout).map(({ message, hint }) => `${message ?? ''} (${hint ?? ''})`);
    expect(failures).to.deep.equal([
      'GET /api/cloud?name=edge&include_name: the controller has no tenant "bleu", or hides it from this user (did you mean "blue"?)',
      'GET /api/systemconfiguration: the controller has no tenant "nowhere", or hides it from this user (tenants of this user: admin, blue, green)',
      'GET /api/cloud: the controller has no tenant "greeen", or hides it from this user (did you mean "green"?)',
      'GET /api/cloud/none answered 404 ()',
    ]);
    expect(writes()).to.deep.equal([]);
  });

  it('cannot be all of them for a write, but for a read', async () => {
    controller.tenants.add('*');
    await site({ api_request: { path: '/api/cloud', tenant: '*' } }, { cloud_present: { name: 'edge', tenant: '*' } });
    const { stdout } = await run('-o', 'json');
    const [read, write] = tasksOf(stdout);
    expect(read?.status).to.equal('ok');
    expect([write?.message, write?.hint]).to.deep.equal([
      'POST /api/cloud: not sent: a write needs one tenant, and "*" means all of them',
      'set controller_tenant, or tenant of the task, to a name',
    ]);
    expect(writes()).to.deep.equal([]);
  });

  it('are refused before the run where the dialect has none', async () => {
    const { code, stderr } = await run('-e', '{"controller_dialect": "generic", "controller_auth": "basic"}');
    expect(code, stderr).to.equal(1);
    expect(stderr).to.include('controller_tenant is not possible with the dialect "generic", which has no tenants');
    expect(controller.log).to.deep.equal([]);
  });

  it('are part of events', async () => {
    const { stdout } = await run('-o', 'json', '--check');
    const tasks = eventsOf(stdout).filter((event) => event.type === 'task-finished');
    expect(tasks.map(({ tenant, change }) => [tenant, change?.kind === 'create' ? change.object : ''])).to.deep.equal([
      ['admin', 'cloud "edge"'],
      ['blue', 'cloud "edge" in tenant "blue"'],
    ]);
  });
});
