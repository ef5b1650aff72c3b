import { expect } from 'chai';
import { emptyProject, type Project } from '../../rig/command.js';
import { evenkeel } from '../../rig/in_process.js';

const ROLE = `- include_role: { name: web }
  vars:
    web_pin: hidden-in-include
    web_x: '{{ a | no_filter }}'
- debug: { msg: '{{ a | no_filter }}' }
- import_role: { name: web }
  vars:
    web_box: { pin: hidden-in-import, size: shown-in-import }
    web_x: '{{ a | no_filter }}'
`;

const FILES = {
  'evenkeel.yml': 'inventory: hosts.yml\n',
  'hosts.yml': 'all: { hosts: { lb1: } }\n',
  'group_vars/all.yml': 'web_code: hidden-in-group\nother: "{{ a | no_filter }}"\n',
  'roles/web/meta/argument_specs.yml': `argument_specs:
  main:
    options:
      web_pin: { no_log: true, aliases: [web_code] }
      web_box: { type: dict, options: { pin: { no_log: true }, size: {} } }
      web_x: {}
      web_port: { type: int }
`,
  'roles/web/tasks/main.yml': '[]\n',
  'site.yml': `- hosts: all
  vars:
    web_pin: hidden-in-play
    other: '{{ a | no_filter }}'
  tasks:
${ROLE.replaceAll(/^/gm, '    ')}
  roles:
    - role: web
      web_pin: hidden-in-roles
      web_port: many
`,
};

describe('what the specification of a role marks no_log', () => {
  let project: Project;
  before(async () => {
    project = await emptyProject(FILES);
  });
  after(() => project.remove());

  for (const command of ['run', 'lint', 'render'])
    it(`is in no line that ${command} shows around a mistake`, async () => {
      const { code, stdout, stderr } = await evenkeel([command, 'site.yml'], { cwd: project.directory });
      expect(code).to.equal(1);
      const said = stdout + stderr;
      for (const place of [
        'group_vars/all.yml:2:8',
        'site.yml:4:12',
        'site.yml:9:16',
        'site.yml:14:16',
        'site.yml:19:17',
      ])
        expect(said).to.include(place);
      expect(said)
        .to.include('web_pin: ********')
        .and.to.include('web_code: ********')
        .and.to.include('shown-in-import');
      expect(said).not.to.include('hidden-in');
    });
});
