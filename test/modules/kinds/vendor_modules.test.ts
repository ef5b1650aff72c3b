import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { loadKindModule, vendorModules } from '../../../modules/kinds/index.js';
import { vendorConnection } from '../../../modules/kinds/vendor_requests.js';
import type { Mapping, Value } from '../../../src/core/model/values/value.js';
import { builtInKinds } from '../../../src/kinds/kind_table.js';
import { secretArguments, validateArguments } from '../../../src/module/arguments/validation.js';
import type { ResourceModule } from '../../../src/module/contract.js';
import { emptyProject, type Project } from '../../rig/command.js';
import { evenkeel } from '../../rig/in_process.js';
import { mistakes, playOf } from '../../rig/loaded.js';

const FOLDER = path.join(import.meta.dirname, 'playbooks');

async function vendor(name: string): Promise<ResourceModule> {
  const module = await loadKindModule(name, builtInKinds());
  if (module?.type !== 'resource') throw new Error(`there is no ${name}`);
  return module;
}

/** The fields that a task of the module would write to an object. */
async function planned(name: string, args: Mapping, before: Mapping | undefined): Promise<unknown> {
  const module = await vendor(name);
  const checked = validateArguments(module, args, 'rendered');
  if ('problems' in checked) return checked.problems.map(({ message }) => message);
  const { change, refusal } = module.plan({ ...checked.args }, before);
  return refusal ?? (change.kind === 'update' || change.kind === 'create' ? change.after : change.kind);
}

const ip = (addr: string): Mapping => ({ ip: { addr, type: 'V4' } });
const POOL = { uuid: 'p-1', name: 'web', ratio: 3, servers: [{ ...ip('10.0.0.1'), enabled: true }, ip('10.0.0.2')] };
const PATCH = { name: 'web', avi_api_update_method: 'patch' };

describe("the modules of the vendor's collection", () => {
  it('exist for every kind, under every collection that had them, and load without mistakes', async () => {
    expect(vendorModules).to.include.members(['avi_pool', 'avi_cloud', 'avi_cluster', 'avi_systemconfiguration']);
    for (const name of vendorModules) {
      const module = await loadKindModule(name, builtInKinds());
      expect(module?.name).to.equal(name);
      for (const example of module?.examples ?? [])
        expect(await mistakes(playOf(example.trim())), name).to.deep.equal([]);
    }
    for (const name of ['avi_pool', 'vmware.alb.avi_pool', 'community.network.avi_pool'])
      expect(await mistakes(playOf(`- ${name}: { name: web }`))).to.deep.equal([]);
  });

  it('name replacements for modules that do not exist here', async () => {
    const message = 'site.yml:3:7 there is no module';
    expect(await mistakes(playOf('- vmware.alb.avi_house: { name: web }'))).to.deep.equal([
      `${message} "vmware.alb.avi_house" — the kind "house" is unknown: write resource_present with path: /api/house/ and properties instead`,
    ]);
    for (const [kind, hint] of [
      [
        'backup',
        'write file_download with path: /api/configuration/export instead, or api_request with path: /api/backup',
      ],
      ['image', 'write file_upload with path: /api/image instead'],
    ])
      expect(await mistakes(playOf(`- avi_${kind}: { name: web }`))).to.deep.equal([
        `${message} "avi_${kind}" — ${hint}`,
      ]);
    expect(await mistakes(playOf('- vmware.alb.verify_se: { se_name: a }'))).to.deep.equal([
      `${message} "vmware.alb.verify_se" — write wait_until with path: /api/serviceengine/ instead`,
    ]);
    expect(await mistakes(playOf('- avi_pol: { name: web }'))).to.deep.equal([
      `${message} "avi_pol" — did you mean "avi_pool"?`,
    ]);
  });

  it('are never suggested for modules that do the opposite', async () => {
    const message = 'site.yml:3:7 there is no module';
    expect(await mistakes(playOf('- image_present: { name: x }'))).to.deep.equal([
      `${message} "image_present" — did you mean "file_upload"?`,
    ]);
    expect(await mistakes(playOf('- cluster_absent: { name: x }'))).to.deep.equal([
      `${message} "cluster_absent" — "evenkeel doc -l" lists the modules`,
    ]);
  });

  it('convert connection arguments to connection variables; those of the task override avi_credentials', () => {
    const avi_credentials = {
      controller: 'lb1',
      username: 'admin',
      password: 'p',
      api_version: 20.1,
      tenant: 'a',
      port: 8443,
    };
    expect(vendorConnection({ avi_credentials, tenant: 'b', username: '' })).to.deep.equal({
      controller_url: 'https://lb1:8443',
      controller_dialect: 'avi',
      controller_auth: 'session',
      controller_username: 'admin',
      controller_password: 'p',
      // The password counts before a token of the inventory.
      controller_token: null,
      controller_api_version: '20.1.0',
      controller_tenant: 'b',
    });
    expect(vendorConnection({ tenant: 'b' })).to.deep.equal({ controller_tenant: 'b' });
    expect(vendorConnection({ name: 'web' })).to.deep.equal({});
  });

  it('mask the passwords in these arguments', async () => {
    const args = { name: 'web', password: 'one', avi_credentials: { password: 'two', username: 'me' } };
    expect(secretArguments(await vendor('avi_pool'), args)).to.have.members(['one', 'two']);
  });

  it('check fields like the modules of kinds', async () => {
    expect(await planned('avi_pool', { name: 'web', srevers: [] }, undefined)).to.deep.equal([
      '"srevers" is not a field of Pool',
    ]);
    const patch = { ...PATCH, avi_patch_path: '/servers/0/port', avi_patch_value: 'many' };
    expect(await planned('avi_pool', patch, POOL)).to.deep.equal([
      '"avi_patch_value.port" must be an integer, not "many"',
    ]);
    expect(await planned('avi_healthmonitor', { name: 'web' }, undefined)).to.equal(
      'healthmonitor "web" does not exist, and a new healthmonitor needs "type"',
    );
    expect(await planned('avi_pool', { state: 'absent' }, undefined)).to.equal(
      'avi_pool finds objects by name or uuid: give one of them',
    );
  });

  it('keep undeclared fields on update, and delete with state: absent', async () => {
    expect(await planned('avi_pool', { name: 'web', ratio: 4 }, POOL)).to.deep.equal({ ...POOL, ratio: 4 });
    expect(await planned('avi_pool', { name: 'web', ratio: 3 }, POOL)).to.equal('none');
    expect(await planned('avi_pool', { name: 'web', state: 'absent' }, POOL)).to.equal('delete');
    expect(await planned('avi_pool', { name: 'web', state: 'absent' }, undefined)).to.equal('none');
  });

  it('add to lists with PATCH, and add nothing twice', async () => {
    const added = await planned('avi_pool', { ...PATCH, servers: [ip('10.0.0.3')] }, POOL);
    expect(added).to.deep.equal({ ...POOL, servers: [...POOL.servers, ip('10.0.0.3')] });
    expect(await planned('avi_pool', { ...PATCH, servers: [ip('10.0.0.2'), ip('10.0.0.1')] }, POOL)).to.equal('none');
    expect(await planned('avi_pool', { ...PATCH, servers: [ip('10.0.0.3')] }, undefined)).to.deep.equal({
      name: 'web',
      servers: [ip('10.0.0.3')],
    });
  });

  it('remove from lists with PATCH and delete, and never create the object for this', async () => {
    const taking = { ...PATCH, avi_api_patch_op: 'delete' };
    const taken = await planned('avi_pool', { ...taking, servers: [ip('10.0.0.1')] }, POOL);
    expect(taken).to.deep.equal({ ...POOL, servers: [ip('10.0.0.2')] });
    expect(await planned('avi_pool', { ...taking, servers: [ip('10.0.0.9')] }, POOL)).to.equal('none');
    expect(await planned('avi_pool', { ...taking, servers: [ip('10.0.0.9')] }, undefined)).to.equal('none');
  });

  it('remove only elements of lists with PATCH', async () => {
    const args = { ...PATCH, avi_api_patch_op: 'delete', cloud_ref: '/api/cloud?name=a', description: 'x' };
    const message = 'avi_api_patch_op: delete takes elements from lists, and "description" is not a list';
    expect(await planned('avi_pool', args, POOL)).to.equal(message);
  });

  it('patch one place of an object, and nothing twice', async () => {
    const server = (addr: string, port: number) => ({ ip: { addr, type: 'V4' }, port });
    const pool = { ...POOL, description: 'old', servers: [server('10.0.0.1', 80), server('10.0.0.2', 80)] };
    const at = (op: string, path: string, value?: Value) => ({
      name: 'web',
      ratio: 9,
      avi_api_update_method: 'patch',
      avi_api_patch_op: op,
      avi_patch_path: path,
      ...(value !== undefined && { avi_patch_value: value }),
    });
    const text = '{ip: {addr: 10.0.0.3, type: V4}, port: 80}';
    const three = { ...pool, servers: [...pool.servers, server('10.0.0.3', 80)] };
    expect(await planned('avi_pool', at('add', '/servers/-', text), pool)).to.deep.equal(three);
    expect(await planned('avi_pool', at('add', '/servers/-', text), three)).to.equal('none');
    const other = { ...pool, servers: [server('10.0.0.1', 80), server('10.0.0.2', 8080)] };
    expect(await planned('avi_pool', at('replace', '/servers/1/port', 8080), pool)).to.deep.equal(other);
    expect(await planned('avi_pool', at('replace', '/servers/1/port', '8080'), other)).to.equal('none');
    expect(await planned('avi_pool', at('remove', '/servers/1'), pool)).to.deep.equal({
      ...pool,
      servers: [server('10.0.0.1', 80)],
    });
    expect(await planned('avi_pool', at('add', '/description', 'new'), pool)).to.deep.equal({
      ...pool,
      description: 'new',
    });
    const { description, ...bare } = pool;
    expect(description).to.equal('old');
    expect(await planned('avi_pool', at('delete', '/description'), pool)).to.deep.equal(bare);
    expect(await planned('avi_pool', at('delete', '/description'), bare)).to.equal('none');
    expect(await planned('avi_pool', at('replace', '/servers/7/port', 1), pool)).to.equal(
      'pool "web" has nothing at avi_patch_path /servers/7/port',
    );
    expect(await planned('avi_pool', at('add', '/servers/-', '{ip: '), pool)).to.match(
      /^avi_patch_value is not YAML: /,
    );
  });

  it('find an object by its uuid, and give it another name', async () => {
    expect(await planned('avi_pool', { uuid: 'pool-1', ratio: 4 }, POOL)).to.deep.equal({ ...POOL, ratio: 4 });
    expect(await planned('avi_pool', { uuid: 'pool-1', name: 'new' }, POOL)).to.deep.equal({ ...POOL, name: 'new' });
    expect(await planned('avi_pool', { uuid: 'pool-1', state: 'absent' }, POOL)).to.equal('delete');
    expect(await planned('avi_pool', { uuid: 'pool-9', ratio: 4 }, undefined)).to.equal(
      'there is no pool "pool-9": give "name" to create one',
    );
  });

  it('replace lists with PATCH and replace', async () => {
    const args = { ...PATCH, avi_api_patch_op: 'replace', servers: [ip('10.0.0.9')] };
    expect(await planned('avi_pool', args, POOL)).to.deep.equal({ ...POOL, servers: [ip('10.0.0.9')] });
  });

  it('find a user by the sign-in name', async () => {
    const args = { name: 'Alice Example', obj_username: 'alice', obj_password: 'x' };
    expect(await planned('avi_user', args, undefined)).to.deep.equal({
      full_name: 'Alice Example',
      name: 'alice',
      username: 'alice',
      password: 'x',
    });
  });

  it('refuse to switch off HTTPS', async () => {
    const found = { status: 'found', signIn: 'session', object: { portal_configuration: { enable_https: true } } };
    const args = { portal_configuration: { enable_https: false } };
    expect(await planned('avi_systemconfiguration', args, found)).to.include('would lock itself out');
  });

  describe('run the playbooks of the collection unchanged', () => {
    /** The playbook that first creates the objects that another one deletes. */
    const BEFORE: Readonly<Record<string, string>> = { 'tear_down.yml': 'virtual_service.yml' };
    const ADDRESS = 'localhost ansible_connection=local\n';

    for (const file of readdirSync(FOLDER)) {
      it(`${file}, and change nothing in a second run`, async () => {
        const project: Project = await emptyProject({ inventory: ADDRESS });
        const run = async (name: string): Promise<string> => {
          await project.write(name, readFileSync(path.join(FOLDER, name), 'utf8'));
          const args = ['run', name, '-i', 'inventory', '--simulate', '--output', 'lines'];
          const { code, stdout, stderr } = await evenkeel(args, { cwd: project.directory });
          expect(code, `${stdout}${stderr}`).to.equal(0);
          expect(`${stdout}${stderr}`).not.to.include('example-');
          return /changed=(\d+)/.exec(stdout)?.[1] ?? '';
        };
        try {
          if (BEFORE[file] !== undefined) await run(BEFORE[file]);
          expect(Number(await run(file))).to.be.above(0);
          expect(await run(file)).to.equal('0');
        } finally {
          await project.remove();
        }
      });
    }
  });
});
