import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { emptyProject, type Ended, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';

const VARS = 'controller_username: a, controller_password: b, controller_api_version: 22.1.3';
const URL = "controller_url: 'https://{{ inventory_hostname }}.example'";

describe('what a capture cannot write or read', () => {
  let project: Project;
  beforeEach(async () => {
    project = await emptyProject({
      'avi.yml': `all: { hosts: { lb1: , lb2: }, vars: { ${URL}, controller_dialect: avi, controller_auth: session, ${VARS} } }\n`,
      'generic.yml': 'all: { hosts: { lb3: { controller_dialect: generic, controller_auth: basic } } }\n',
      'odd.yml': `all: { hosts: { 'lb\\1': { controller_url: 'https://lb.example' } }, vars: { ${VARS} } }\n`,
      'tenants.yml': `- hosts: all
  tasks:
    - tenant_present: { name: '{{ item }}' }
      loop: [host_vars, a/b, .., !unsafe 'x{{y}}']
    - healthmonitor_present: { name: "two\\nlines", type: HEALTH_MONITOR_TCP, tenant: !unsafe 'x{{y}}' }
    - pool_present: { name: web, health_monitor_refs: ["two\\nlines"], tenant: !unsafe 'x{{y}}' }
`,
    });
  });
  afterEach(() => project.remove());

  const simulated = (command: string, ...args: readonly string[]): Promise<Ended> =>
    evenkeel([command, '--simulate', ...args], { cwd: project.directory });
  const capture = (out: string, ...args: readonly string[]): Promise<Ended> =>
    simulated('capture', '--kind', 'cloud', '--out', out, ...args);

  it('is refused with its reason, and nothing is written', async () => {
    const refusals: readonly (readonly [message: string, out: string, args: readonly string[]])[] = [
      [String.raw`host_vars cannot have a file for the controller "lb\1"`, 'odd', ['-i', 'odd.yml']],
      ['cannot write /proc/none/out: no such file or directory', '/proc/none/out', ['-i', 'avi.yml']],
    ];
    for (const [message, out, args] of refusals)
      expect(await capture(out, ...args)).to.deep.equal({
        code: 1,
        stdout: '',
        stderr: `error: ${message}\n\n1 error\n`,
      });
    expect(await readdir(project.directory)).to.not.include('odd');
  });

  it('does not depend on the names of tenants and objects', async () => {
    const odd = await simulated('run', 'tenants.yml', '-i', 'avi.yml');
    expect(odd.code, odd.stdout).to.equal(0);
    const kinds = ['--kind', 'pool', '--kind', 'healthmonitor'];
    expect((await capture('odd', '-i', 'avi.yml', '--tenant', 'all', ...kinds)).code).to.equal(0);
    const folders = await readdir(path.join(project.directory, 'odd'));
    expect(folders.sort()).to.deep.equal(['%2E.', '%68ost_vars', 'a%2Fb', 'admin', 'capture.yml', 'x%7B%7By%7D%7D']);
    const { stdout, stderr } = await simulated('drift', 'odd/capture.yml', '-i', 'avi.yml');
    expect(stdout + stderr).to.equal('no drift: 2 controllers as odd/capture.yml declares\n');
    await rm(path.join(project.directory, '.evenkeel'), { recursive: true });
    const elsewhere = await simulated('run', 'odd/capture.yml', '-i', 'avi.yml');
    expect(elsewhere.code, elsewhere.stdout + elsewhere.stderr).to.equal(0);
  });

  it('is named: all tenants as one, and controllers without tenants', async () => {
    expect(await capture('all', '-i', 'avi.yml', '-e', 'controller_tenant=*')).to.deep.equal({
      code: 4,
      stdout:
        'not read: 2 controllers: lb1, lb2: controller_tenant is "*", and only the objects of one tenant can be read: name the tenant\nnothing was written\n',
      stderr: '',
    });
    const args = ['--kind', 'cloud', '--tenant', 'all', '-i', 'avi.yml', '-i', 'generic.yml'];
    const { code: compared, stdout } = await simulated('compare', ...args);
    const reason = 'not read: lb3: --tenant all is not possible with the dialect "generic", which has no tenants';
    expect([compared, stdout.split('\n').slice(2)]).to.deep.equal([4, [reason, '']]);
  });

  it('is a tenant that a controller lacks: what others have there is not missing', async () => {
    await project.write(
      'blue.yml',
      `- hosts: lb1
  tasks:
    - tenant_present: { name: blue }
    - pool_present: { name: web, tenant: blue }
`,
    );
    expect((await simulated('run', 'blue.yml', '-i', 'avi.yml')).code).to.equal(0);
    const args = ['--kind', 'pool', '--tenant', 'admin', '--tenant', 'blue', '-i', 'avi.yml'];
    const { code, stdout } = await simulated('compare', ...args);
    expect(code, stdout).to.equal(4);
    expect(stdout).to.match(
      /^compared 2 controllers\n1 object equal on all controllers that show them\nnot read: lb2: tenant "blue": .*\n$/,
    );
    expect(JSON.parse((await simulated('compare', '--json', ...args)).stdout)).to.have.nested.property(
      'unread[0].tenant',
      'blue',
    );
  });

  it('is counted over all tenants, with the secrets of each, and --all keeps what the controller set', async () => {
    await project.write(
      'keys.yml',
      `- hosts: all
  tasks:
    - tenant_present: { name: a/b }
    - resource_present: { kind: sslkeyandcertificate, name: '{{ item[0] }}', tenant: '{{ item[1] }}', properties: { key: Blue-Whale-42, certificate: { certificate: x } } }
      loop: [[a, admin], [b, a/b], [c, a/b]]
`,
    );
    const inventory = ['-i', 'avi.yml'];
    expect((await simulated('run', 'keys.yml', ...inventory)).code).to.equal(0);
    const kinds = ['--kind', 'sslkeyandcertificate'];
    const secret = (name: string, tenant: string): string =>
      `  captured_sslkeyandcertificate_${name}_key_secret: sslkeyandcertificate "${name}" in tenant "${tenant}": key, on 2 controllers`;
    expect(await capture('keys/all', ...inventory, ...kinds, '--tenant', 'all')).to.deep.equal({
      code: 0,
      stdout: `captured 4 objects of 2 controllers in 2 tenants in keys/all
left out: 5 objects that came with the controllers, equal on all of them (--all captures them)
1 secret to fill in, in keys/all/admin/group_vars/all/secrets.yml:
${secret('a', 'admin')}
2 secrets to fill in, in keys/all/a%2Fb/group_vars/all/secrets.yml:
${secret('b', 'a/b')}
${secret('c', 'a/b')}
check it with: evenkeel run keys/all/capture.yml -i avi.yml --simulate --check
`,
      stderr: '',
    });
    const whole = await capture('keys/whole', ...inventory, ...kinds, '--tenant', 'a/b', '--all');
    expect(whole.stdout).to.match(
      /^captured 2 objects of 2 controllers in 1 tenant in keys\/whole\n2 secrets to fill in, /,
    );
    const file = path.join(project.directory, 'keys/whole/a%2Fb/group_vars/all/captured.yml');
    expect(await readFile(file, 'utf8')).to.include("    uuid: '{{ captured_sslkeyandcertificate_b_uuid }}'\n");
  });
});
