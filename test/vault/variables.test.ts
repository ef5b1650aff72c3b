import { expect } from 'chai';
import { OUTPUTS } from '../../src/core/model/run/choices.js';
import { InvalidInputError, runPlaybook, type Event } from '../../src/index.js';
import { encrypt } from '../../src/project/vault/cipher.js';
import { emptyProject, type Ended, type Project } from '../rig/command.js';
import type { Files } from '../rig/folder.js';
import { evenkeel } from '../rig/in_process.js';
import { ENCRYPTED_VALUE, password, PASSWORD, TEXT, vaulted } from '../rig/vault.js';

const PLAYBOOK = `- hosts: all
  gather_facts: false
  tasks:
    - debug: { msg: 'harmless' }
    - debug: { var: whole.deep }
    - debug: { msg: '{{ token }} for {{ where }}, {{ token | b64encode }}, {{ whole | to_json }}' }
      when: use is defined
`;
const WHOLE = 'whole: { deep: [hidden-in-a-list], text: "hidden {{ inventory_hostname }}" }\nwhere: lb2\n';

const UNOPENED = `warning: this value is encrypted, and no vault password was given; tasks that use it will fail
  --> group_vars/g.yml:1:15
    |
  1 | token: !vault |
    |               ^
  2 |   $ANSIBLE_VAULT;1.1;AES256
  3 |   35666239643666363563626335373834373932363538376139626239356531343364333465376661
  = hint: pass --vault-password-file FILE, or --ask-vault-pass (-J), or name the file in evenkeel.yml

1 warning
`;

describe('a run over something encrypted', () => {
  let project: Project;
  before(async () => {
    project = await emptyProject({
      'inv.yml': 'g: { hosts: { lb1: , lb2: } }\n',
      'site.yml': PLAYBOOK,
      'group_vars/g.yml': vaulted('token'),
      'group_vars/all.yml': await encrypt(Buffer.from(WHOLE), password('default', PASSWORD)),
      'open/inv.yml': 'g: { hosts: { lb1: } }\n',
      'open/group_vars/g.yml': vaulted('token') + vaulted('again'),
      pw: `${PASSWORD}\n`,
      wrong: 'wrong password\n',
    });
  });
  after(() => project.remove());

  function run(...args: readonly string[]): Promise<Ended> {
    return evenkeel(['run', 'site.yml', '-i', 'inv.yml', ...args], { cwd: project.directory });
  }

  for (const output of OUTPUTS.filter((one) => one !== 'live')) {
    it(`does not show it, in ${output} output at -vvvv`, async () => {
      const { code, stdout, stderr } = await run('--vault-password-file', 'pw', '-e', 'use=1', '-o', output, '-vvvv');
      expect(code, stdout + stderr).to.equal(0);
      for (const secret of [TEXT, 's3cr3t', 'hidden-in-a-list', 'hidden lb1', PASSWORD, btoa(TEXT)]) {
        expect(stdout + stderr).to.not.include(secret);
      }
    });
  }

  it('still identifies each controller', async () => {
    const { stdout } = await run('--vault-password-file', 'pw', '-e', 'use=1');
    expect(stdout)
      .to.include('********')
      .and.to.include('for lb2, ********')
      .and.to.match(/^ok +lb2 /m);
  });

  it('does not start if a file cannot be opened', async () => {
    const { code, stdout, stderr } = await run();
    expect({ code, stdout, stderr }).to.deep.equal({
      code: 1,
      stdout: '',
      stderr: `error: this file is encrypted, and no vault password was given
  --> group_vars/all.yml:1:1
  = hint: pass --vault-password-file FILE, or --ask-vault-pass (-J), or name the file in evenkeel.yml

1 error
`,
    });
  });

  it('does not ask for a password that was given and could not be read', async () => {
    const { code, stderr } = await run('--vault-password-file', 'none');
    expect({ code, stderr }).to.deep.equal({
      code: 1,
      stderr: `error: cannot read the vault password file none: there is no such file

error: this file is encrypted, and no vault password could be read
  --> group_vars/all.yml:1:1

2 errors
`,
    });
  });

  it('lists the passwords that were tried', async () => {
    const { code, stderr } = await run('--vault-id', 'dev@wrong', '--vault-password-file', 'wrong');
    expect(code).to.equal(1);
    expect(stderr).to
      .equal(`error: this file cannot be decrypted: none of the vault passwords fits (tried: dev, default)
  --> group_vars/all.yml:1:1
  = hint: the password may be wrong, or the text was changed

1 error
`);
  });

  it('needs no password for an unused value, and says so', async () => {
    const playbook = '- hosts: all\n  tasks: [ { debug: { msg: harmless } } ]\n';
    await project.write('open/harmless.yml', playbook);
    const { code, stderr } = await evenkeel(['run', 'open/harmless.yml', '-i', 'open/inv.yml'], {
      cwd: project.directory,
    });
    expect(code).to.equal(0);
    expect(stderr).to.equal(UNOPENED.replaceAll('group_vars', 'open/group_vars'));
  });

  it('fails where such a value is used, with the place of the value', async () => {
    await project.write('open/uses.yml', '- hosts: all\n  tasks: [ { debug: { msg: "{{ token }}" } } ]\n');
    const args = ['run', 'open/uses.yml', '-i', 'open/inv.yml', '--vault-password-file', 'wrong'];
    const { code, stdout } = await evenkeel(args, { cwd: project.directory });
    expect(code).to.equal(2);
    expect(stdout)
      .to.include('failed: this value cannot be decrypted: none of the vault passwords fits (tried: default)')
      .and.to.include('open/group_vars/g.yml:1:15');
  });

  it('takes passwords from evenkeel.yml, by environment, and from variables of its own and of Ansible', async () => {
    const args = ['run', 'site.yml', '-i', 'inv.yml'];
    const options = { cwd: project.directory };
    await project.write(
      'evenkeel.yml',
      'vault_password_file: pw\nenvironments: { test: { vault_ids: [dev@wrong] } }\n',
    );
    expect((await evenkeel(args, options)).code).to.equal(0);
    expect((await evenkeel([...args, '--vault-password-file', 'wrong'], options)).stderr).to.include(
      '(tried: default)',
    );
    await project.write(
      'evenkeel.yml',
      'environments: { test: { vault_ids: [dev@wrong] }, b: { vault_password_file: pw } }\n',
    );
    expect((await evenkeel([...args, '--env', 'test'], options)).stderr).to.include('(tried: dev)');
    expect((await evenkeel([...args, '--env', 'b'], options)).code).to.equal(0);
    await project.write('evenkeel.yml', '{}\n');
    for (const name of ['EVENKEEL_VAULT_PASSWORD_FILE', 'ANSIBLE_VAULT_PASSWORD_FILE'])
      expect((await evenkeel(args, { ...options, env: { [name]: 'pw' } })).code, name).to.equal(0);
  });

  it('shows encrypted values as they are in the inventory', async () => {
    const { code, stdout } = await evenkeel(['inventory', '-i', 'open/inv.yml', '--host', 'lb1'], {
      cwd: project.directory,
    });
    expect(code).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.equal({
      token: { __ansible_vault: ENCRYPTED_VALUE },
      again: { __ansible_vault: ENCRYPTED_VALUE },
    });
  });

  it('needs the password for a graph with variables, because it shows values', async () => {
    const args = ['inventory', '-i', 'open/inv.yml', '--graph', '--vars'];
    const refused = await evenkeel(args, { cwd: project.directory });
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.match(/^error: this value is encrypted, and no vault password was given$/m);
    const { stdout } = await evenkeel([...args, '--vault-password-file', 'pw'], { cwd: project.directory });
    expect(stdout).to.include(`{token = ${TEXT}}`);
  });

  it('shows no line of an encrypted file', async () => {
    await project.write('bad.yml', await encrypt(Buffer.from('a: 1\nb: "{{ open"\n'), password('default', PASSWORD)));
    const { code, stderr } = await run('-e', '@bad.yml', '--vault-password-file', 'pw');
    expect(code).to.equal(1);
    expect(stderr.split('\n').map((line) => line.trim())).to.deep.equal([
      'error: "********" is never closed',
      '--> bad.yml:2:4',
      '= hint: write }} where it ends, or {{ "{{" }} for braces that are text',
      '',
      '1 error',
      '',
    ]);
  });

  it('contacts no controller whose password cannot be decrypted', async () => {
    const inventory = `all:
  vars: { controller_url: "https://{{inventory_hostname}}", controller_username: ops, controller_api_version: 22.1.3 }
  hosts:
    lb1:
      ${vaulted('controller_password', 8)}`;
    await project.write('fleet/inv.yml', inventory);
    const args = ['task', 'all', '-m', 'cloud_present', '-a', 'name=edge', '-i', 'fleet/inv.yml', '--simulate'];
    const refused = await evenkeel(args, { cwd: project.directory });
    expect(refused.code).to.equal(2);
    expect(refused.stdout)
      .to.include('this value is encrypted, and no vault password was given')
      .and.to.include('because of fleet/inv.yml:5:35')
      .and.to.include('written before: nothing');
    const { code, stdout } = await evenkeel([...args, '--vault-password-file', 'pw', '-vvvv'], {
      cwd: project.directory,
    });
    expect(code).to.equal(0);
    expect(stdout).to.include('1 changed').and.to.not.include('s3cr3t');
  });

  it('reports once that values cannot be decrypted for the same reason', async () => {
    const envelopes = Array.from({ length: 3 }, (_, at) => encrypt(Buffer.from(`v${at}`), password('prod', 'unknown')));
    const values = (await Promise.all(envelopes)).map((envelope, at) => vaulted(`v${at}`, 2, envelope)).join('');
    await project.write('many/inv.yml', 'all: { hosts: { lb1: } }\n');
    await project.write('many/host_vars/lb1.yml', values);
    await project.write('many/site.yml', '- hosts: all\n  tasks: [ { debug: { msg: harmless } } ]\n');
    const args = ['run', 'many/site.yml', '-i', 'many/inv.yml', '--vault-password-file', 'pw'];
    const { code, stderr } = await evenkeel(args, { cwd: project.directory });
    expect(code).to.equal(0);
    expect(stderr.split('\n')[0]).to.equal(
      'warning: this value cannot be decrypted: none of the vault passwords fits (tried: default) (3 values in all); tasks that use it will fail',
    );
    expect(stderr).to.include('hint: it was encrypted with the vault id "prod": pass --vault-id prod@FILE');
  });

  it('masks secrets of an encrypted file for a controller that is not selected', async () => {
    const secret = await encrypt(Buffer.from('motto: never-to-be-seen\n'), password('default', PASSWORD));
    await project.write('apart/inv.yml', 'all: { hosts: { lb1: , lb2: } }\n');
    await project.write('apart/books/host_vars/lb2.yml', secret);
    await project.write(
      'apart/books/site.yml',
      '- hosts: lb1\n  tasks: [ { debug: { msg: "{{ hostvars.lb2.motto }}" } } ]\n',
    );
    const args = ['run', 'apart/books/site.yml', '-i', 'apart/inv.yml', '--vault-password-file', 'pw'];
    const { code, stdout } = await evenkeel(args, { cwd: project.directory });
    expect(code).to.equal(0);
    expect(stdout).to.include('debug: ********').and.to.not.include('never-to-be-seen');
  });

  it('masks secrets of a file that is included during the run', async () => {
    await project.write('later/inv.yml', 'all: { hosts: { lb1: } }\n');
    await project.write(
      'later/secrets.yml',
      await encrypt(Buffer.from('motto: never-to-be-seen\n'), password('default', PASSWORD)),
    );
    const playbook = '- hosts: all\n  tasks: [ include_vars: secrets.yml, { debug: { var: motto } } ]\n';
    await project.write('later/site.yml', playbook);
    const args = ['run', 'later/site.yml', '-i', 'later/inv.yml', '-vvvv'];
    const { code, stdout } = await evenkeel([...args, '--vault-password-file', 'pw'], { cwd: project.directory });
    expect(code, stdout).to.equal(0);
    expect(stdout).to.include('********').and.to.not.include('never-to-be-seen');
    const refused = await evenkeel(args, { cwd: project.directory });
    expect(refused.code).to.equal(2);
    expect(refused.stdout).to.include('this file is encrypted, and no vault password was given');
  });

  it('also runs from the library, without questions', async () => {
    const options = { playbooks: ['site.yml'], inventory: ['inv.yml'], cwd: project.directory, env: {} };
    const said: string[] = [];
    const onEvent = (event: Event): void => void said.push(JSON.stringify(event));
    const { exitCode } = await runPlaybook({ ...options, extraVars: { use: 1 }, vaultIds: ['pw'], onEvent });
    expect(exitCode).to.equal(0);
    expect(said.join('\n')).to.include('********').and.to.not.include('hidden-in-a-list').and.to.not.include('s3cr3t');
    const refused = await runPlaybook({ ...options, vaultIds: ['prompt'] }).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(InvalidInputError);
    expect(String(refused)).to.include('cannot ask for the vault password without a terminal');
  });
});

describe('variables beside a playbook', () => {
  const inProject = async (tasks: string, more: Files, ...args: readonly string[]): Promise<Ended> => {
    const files = {
      'evenkeel.yml': 'environments: { prod: { vault_ids: [prod@pw] } }\n',
      'site.yml': `- hosts: all\n  gather_facts: false\n  tasks: ${tasks}\n`,
      'inventory/hosts.yml': 'g: { hosts: { lb1: } }\n',
      'group_vars/g.yml': 'motto: of g\n',
      'group_vars/production.yml': await encrypt(Buffer.from('motto: of production\n'), password('prod', PASSWORD)),
      'host_vars/lb9.yml': 'motto: [\n',
      'host_vars/localhost.yml': 'local: of localhost\n',
      pw: `${PASSWORD}\n`,
      ...more,
    };
    const project = await emptyProject(files);
    try {
      return await evenkeel(args, { cwd: project.directory });
    } finally {
      await project.remove();
    }
  };
  const RUN = ['run', 'site.yml', '-i', 'inventory', '-o', 'lines'];
  const SAY = '{ debug: { msg: "{{ motto }}, {{ hostvars.localhost.local }}" } }';

  it('are not read for groups and controllers that do not exist', async () => {
    const { code, stdout, stderr } = await inProject(`[${SAY}]`, {}, ...RUN);
    expect({ code, stderr }, stdout).to.deep.equal({ code: 0, stderr: '' });
    expect(stdout).to.include('of g, of localhost');
    const local = { 'site.yml': '- hosts: localhost\n  tasks: [{ debug: { msg: "{{ local }}" } }]\n' };
    const alone = await inProject('', local, 'run', 'site.yml', '-o', 'lines');
    expect(alone, alone.stdout).to.include({ code: 0, stderr: '' });
  });

  it('are read once a task adds the group or the controller', async () => {
    const grows = (name: string, ...args: readonly string[]): Promise<Ended> => {
      const plays = `- hosts: lb1
  gather_facts: false
  tasks: [{ add_host: { name: lb2, groups: production } }, { debug: { msg: "{{ hostvars.lb2.motto }}" } }]
- { hosts: ${name}, gather_facts: false, tasks: [{ debug: { msg: "{{ motto }}" } }] }
`;
      return inProject('', { 'site.yml': plays, 'host_vars/lb2.yml': '' }, ...RUN, ...args);
    };
    const known = await grows('production', '--vault-id', 'prod@pw');
    expect(known.code, known.stdout + known.stderr).to.equal(0);
    expect(known.stdout.match(/^.*lb2 .*$/gm)?.join('\n')).to.include('********');
    expect(known.stdout).to.not.include('of production');
    const locked = await grows('production');
    expect(locked.stdout).to.include(
      'this file is encrypted with the vault id "prod", and no vault password was given',
    );
    expect(locked.code).to.equal(2);
  });
});
