import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { loadTarget } from '../../../src/launch/load/target.js';
import { inventoryText, planSimulation } from '../../../src/launch/simulation/simulated_controller.js';
import { behaviourParser } from '../../../src/simulator/behaviour/parse_behaviour.js';
import { inFolder } from '../../rig/folder.js';
import { worded } from '../../rig/loaded.js';

const parse = behaviourParser();

/** The plans for the controllers of an inventory, and what is wrong with it. */
function plans(
  hosts: string,
  {
    extraVars = [],
    apiVersions,
    dialect,
  }: { extraVars?: readonly string[]; apiVersions?: readonly string[]; dialect?: string } = {},
  files: Readonly<Record<string, string>> = {},
) {
  const inventory = `all:\n  vars: { controller_api_version: 22.1.3, shared: x }\n  hosts:\n${hosts.replace(/^(?=.)/gm, '    ')}`;
  return inFolder({ 'inv/hosts.yml': inventory, ...files }, async (cwd) => {
    const diagnostics = new Diagnostics();
    const {
      inventory: read,
      extraVars: layers,
      library,
      project,
    } = await loadTarget({ inventory: ['inv'], extraVars }, { cwd, env: {} }, diagnostics);
    const input = { extraVars: layers, library, project, apiVersions, dialect };
    const found = [...read.controllers.values()].map((controller) => ({
      plan: planSimulation(controller, input, parse, diagnostics),
      text: inventoryText(controller, 'controller_username', library),
    }));
    return {
      plans: found.map(({ plan }) => plan),
      texts: found.map(({ text }) => text),
      said: diagnostics.list.map(worded),
    };
  });
}

describe('the plan of a simulated controller', () => {
  it('has what the inventory says, and defaults for credentials that are missing', async () => {
    const {
      plans: found,
      texts,
      said,
    } = await plans(`lb1: { controller_url: 'https://real', controller_username: ann, controller_password: pw1 }
lb2: { ansible_user: bob, controller_password: '{{ env "NOT_SET" }}', controller_tenant: web, controller_dialect: avi }
lb3: { controller_username: '', controller_api_version: '' }
`);
    expect(said).to.deep.equal([]);
    expect(texts).to.deep.equal(['ann', undefined, undefined]);
    const [one, two, three] = found;
    expect(one?.missing).to.deep.equal({});
    expect(one?.options)
      .to.include({ username: 'ann', password: 'pw1' })
      .and.to.deep.include({ tenants: [], apiVersions: ['22.1.3'], behaviour: {} });
    expect([one?.options.dialect?.name, two?.options.dialect?.name]).to.deep.equal(['generic', 'avi']);
    expect(Object.keys(two?.missing ?? {})).to.deep.equal(['controller_password']);
    expect(two?.options)
      .to.include({ username: 'bob' })
      .and.to.deep.include({ tenants: ['web'] });
    expect(two?.options.password).to.equal(two?.missing['controller_password']);
    expect(Object.keys(three?.missing ?? {})).to.deep.equal(['controller_username', 'controller_password']);
    expect(three?.options).to.deep.include({ apiVersions: [] });
    expect(found.map((plan) => plan?.name)).to.deep.equal(['lb1', 'lb2', 'lb3']);
  });

  it('has what options say in place of the inventory, with sessions where the dialect has them', async () => {
    const avi = await plans('lb1: { controller_api_version: 1.0.0 }\n', {
      apiVersions: ['30.2.1', '22.1.3'],
      dialect: 'avi',
    });
    expect(avi.plans[0]?.options).to.deep.include({ apiVersions: ['30.2.1', '22.1.3'] });
    expect(avi.plans[0]?.options.dialect?.name).to.equal('avi');
    expect(avi.plans[0]?.missing).to.include({ controller_dialect: 'avi', controller_auth: 'session' });
    const generic = await plans('lb1: { controller_dialect: avi }\n', { dialect: 'generic' });
    expect(generic.plans[0]?.missing)
      .to.include({ controller_dialect: 'generic' })
      .and.to.not.have.property('controller_auth');
    const given = await plans('lb1: { controller_username: ann }\n', { extraVars: ['controller_username=eve'] });
    expect([given.plans[0]?.options.username, given.texts[0]]).to.deep.equal(['eve', 'ann']);
  });

  it('is refused where host_vars would lead to the real controller', async () => {
    const hosts = 'lb1: { controller_url: https://real }\nlb2:\n';
    const { plans: found, said } = await plans(
      hosts,
      {},
      { 'inv/host_vars/lb2.yml': 'a: 1\ncontroller_proxy: http://p:1\n', 'inv/host_vars/lb1.yml': 'a: 1\n' },
    );
    expect(found.map((plan) => plan?.name)).to.deep.equal(['lb1', undefined]);
    expect(said).to.deep.equal([
      'inv/host_vars/lb2.yml:2:19 controller_proxy of lb2 is set in inv/host_vars/lb2.yml, which overrides the inventory that this command prints: a run could not use the simulated controller — use "run --simulate", which replaces every connection, or move it into the inventory',
    ]);
  });

  it('is refused for each variable that would win over what the command prints', async () => {
    const names = ['url', 'ca_file', 'verify_tls', 'proxy', 'route'].map((name) => `controller_${name}`);
    const files = names.map((name) => [`inv/host_vars/${name}.yml`, `${name}: x\n`] as const);
    const hosts = names.map((name) => `${name}:\n`).join('');
    const { plans: found, said } = await plans(hosts, {}, Object.fromEntries(files));
    expect(found).to.deep.equal(names.map(() => undefined));
    expect(said.map((text) => text.split(', which')[0])).to.deep.equal(
      names.map(
        (name) =>
          `inv/host_vars/${name}.yml:1:${name.length + 3} ${name} of ${name} is set in inv/host_vars/${name}.yml`,
      ),
    );
  });

  it('is refused where host_vars would override the account and the dialect that the command prints', async () => {
    const { plans: found, said } = await plans(
      'lb1:\nlb2:\nlb3:\n',
      { dialect: 'avi' },
      {
        'inv/host_vars/lb1.yml': "controller_password: '{{ gone }}'\n",
        'inv/host_vars/lb2.yml': 'controller_auth: basic\n',
        'inv/host_vars/lb3.yml': 'controller_dialect: avi\ncontroller_password: pw\n',
      },
    );
    expect(found.map((plan) => plan?.name)).to.deep.equal([undefined, undefined, 'lb3']);
    expect(said.map((text) => text.split(', which')[0])).to.deep.equal([
      'inv/host_vars/lb1.yml:1:22 controller_password of lb1 is set in inv/host_vars/lb1.yml',
      'inv/host_vars/lb2.yml:1:18 controller_auth of lb2 is set in inv/host_vars/lb2.yml',
    ]);
  });

  it('does not need what leads to the real controller', async () => {
    const { plans: found, said } = await plans(`lb1:
  controller_url: nowhere
  controller_simulated_url: none
  controller_api_version: latest
  controller_ca_file: gone.pem
  controller_proxy: '::'
  controller_route: unknown
`);
    expect(said).to.deep.equal([]);
    const { dialect, ...options } = found[0]?.options ?? {};
    expect(dialect?.name).to.equal('generic');
    expect(options).to.deep.equal({
      username: 'admin',
      password: 'simulated',
      versionHeader: 'X-Vendor-Version',
      tenants: [],
      apiVersions: ['latest'],
      behaviour: {},
    });
  });

  it('is refused with each mistake in its variables', async () => {
    const { plans: found, said } = await plans(`lb1: { controller_simulation: { faultz: [] } }
lb2: { controller_dialect: nope }
lb3: { controller_timeout: '{{ gone }}' }
lb4: { controller_simulation: { faults: [] } }
`);
    expect(found.map((plan) => plan?.name)).to.deep.equal([undefined, undefined, undefined, 'lb4']);
    expect(said).to.have.length(3);
    expect(said[0]).to.match(/^inv\/hosts\.yml:4:\d+ controller_simulation of lb1: /);
    expect(said[1]).to.match(/^inv\/hosts\.yml:5:\d+ .*nope/);
    expect(said[2]).to.match(/^inv\/hosts\.yml:6:\d+ lb3: variable "gone" is not defined/);
  });
});
