import { expect } from 'chai';
import { found } from '../../rig/rule.js';

const PLAYBOOK = '- name: Edge\n  hosts: all\n  roles: [edge]\n';

describe('Rules look into roles', () => {
  it('for secrets in defaults and vars', async () => {
    const files = {
      'roles/edge/tasks/main.yml': '- debug:\n',
      'roles/edge/defaults/main.yml': 'edge_password: abc\n',
      'roles/edge/vars/main.yml': 'edge_token: abc\n',
    };
    const places = (await found('secret-in-clear-text', PLAYBOOK, files)).map((one) => one.split(' contains')[0]);
    expect(places).to.have.members([
      'roles/edge/defaults/main.yml:1:16 "edge_password"',
      'roles/edge/vars/main.yml:1:13 "edge_token"',
    ]);
  });

  it('for tasks, with those of dependencies', async () => {
    const files = {
      'roles/edge/tasks/main.yml': '- fail:\n',
      'roles/edge/meta/main.yml': 'dependencies: [base]\n',
      'roles/base/tasks/main.yml': '- fail:\n  ignore_errors: true\n',
    };
    expect((await found('name', PLAYBOOK, files)).map((one) => one.split(' ')[0])).to.have.members([
      'roles/edge/tasks/main.yml:1:3',
      'roles/base/tasks/main.yml:1:3',
    ]);
    expect(await found('ignore-errors', PLAYBOOK, files)).to.have.length(1);
  });

  it('for handlers, of which others may notify those that nothing here notifies', async () => {
    const files = {
      'roles/edge/tasks/main.yml': '- {fail: , notify: "edge : Reload"}\n',
      'roles/edge/handlers/main.yml': '- {name: Reload, debug: }\n- {name: Restart, debug: }\n',
    };
    expect(await found('unused-handler', PLAYBOOK, files)).to.deep.equal([
      'warning: roles/edge/handlers/main.yml:2:10 nothing notifies the handler "Restart" — name it in the "notify" of a task, or remove it',
    ]);
  });

  it('and know the variables that they bring', async () => {
    const files = {
      'roles/edge/tasks/main.yml': "- debug: {msg: '{{ edge_mtu }} {{ role_name }} {{ size }} {{ edge_mut }}'}\n",
      'roles/edge/defaults/main.yml': 'edge_mtu: 1500\n',
    };
    const playbook = '- name: Edge\n  hosts: all\n  roles: [{role: edge, size: 1}]\n';
    expect(await found('undefined-variable', playbook, files)).to.deep.equal([
      'roles/edge/tasks/main.yml:1:16 nothing defines the variable "edge_mut" — did you mean "edge_mtu"?',
    ]);
  });
});
