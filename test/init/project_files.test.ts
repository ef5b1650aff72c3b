import { expect } from 'chai';
import { parse } from 'yaml';
import {
  defaultEnvironment,
  NEW_PLAYBOOK,
  passwordVariable,
  PROJECT_FILE,
  projectFiles,
  type NewEnvironment,
} from '../../src/init/project_files.js';

const lab: NewEnvironment = { name: 'lab', confirm: false, controllers: ['lb[01:03]', '10.0.0.1'] };
const live: NewEnvironment = { name: 'live', confirm: true, controllers: ['prod1'] };

const read = (name: string, environments: readonly NewEnvironment[], dialect: 'generic' | 'avi' = 'generic'): string =>
  projectFiles({ environments, dialect }).get(name) ?? '';

describe('the files of a new project', () => {
  it('are those of each environment, the playbook, and last what makes it a project', () => {
    expect([...projectFiles({ environments: [lab, live], dialect: 'generic' }).keys()]).to.deep.equal([
      'inventory/lab/controllers.yml',
      'inventory/lab/group_vars/all.yml',
      'inventory/live/controllers.yml',
      'inventory/live/group_vars/all.yml',
      NEW_PLAYBOOK,
      PROJECT_FILE,
    ]);
  });

  it('name the default inventory: of the first environment that does not ask', () => {
    expect(defaultEnvironment({ environments: [live, lab, { ...lab, name: 'dev' }] })).to.equal(lab);
    expect(defaultEnvironment({ environments: [live] })).to.equal(undefined);
    const environments = {
      live: { inventory: 'inventory/live', confirm: true },
      lab: { inventory: 'inventory/lab' },
    };
    expect(parse(read(PROJECT_FILE, [live, lab]))).to.deep.equal({ inventory: 'inventory/lab', environments });
    expect(read(PROJECT_FILE, [live, lab])).to.include('asks you to type "live" (or pass --yes)');
    const only = read(PROJECT_FILE, [live]);
    expect(parse(only)).to.deep.equal({ environments: { live: environments.live } });
    expect(only).to.include('# There is no default inventory, because without --env a run would not ask');
  });

  it('have the controllers of each environment, and how they are reached', () => {
    expect(parse(read('inventory/lab/controllers.yml', [lab, live]))).to.deep.equal({
      all: { hosts: { 'lb[01:03]': null, '10.0.0.1': null } },
    });
    expect(parse(read('inventory/live/group_vars/all.yml', [lab, live]))).to.deep.equal({
      controller_url: 'https://{{inventory_hostname}}',
      controller_username: 'admin',
      controller_password: '{{env "LIVE_CONTROLLER_PASSWORD"}}',
      controller_api_version: '22.1.3',
      stage: 'live',
    });
    const avi = parse(read('inventory/lab/group_vars/all.yml', [lab], 'avi')) as Record<string, unknown>;
    expect(avi).to.include({ controller_dialect: 'avi' }).and.not.have.property('controller_api_version');
  });

  it('quote names that YAML reads as something else', () => {
    for (const name of ['no', 'Yes', 'on', 'null', 'y', 'true']) {
      const environment = { name, confirm: false, controllers: ['1e3', 'off', 'lb1'] };
      expect(
        Object.keys((parse(read(PROJECT_FILE, [environment])) as { environments: object }).environments),
      ).to.deep.equal([name]);
      const { stage } = parse(read(`inventory/${name}/group_vars/all.yml`, [environment])) as { stage: unknown };
      expect(stage).to.equal(name);
      expect(read(`inventory/${name}/controllers.yml`, [environment])).to.match(/ {4}'1e3':\n {4}'off':\n {4}lb1:\n$/);
    }
  });

  it('read each password from a variable of its environment', () => {
    expect(['lab', 'eu-Prod2', 'a_b'].map(passwordVariable)).to.deep.equal([
      'LAB_CONTROLLER_PASSWORD',
      'EU_PROD2_CONTROLLER_PASSWORD',
      'A_B_CONTROLLER_PASSWORD',
    ]);
  });
});
