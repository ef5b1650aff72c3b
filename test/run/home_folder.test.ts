import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { evenkeel, ownHome } from '../rig/command.js';
import { inFolder } from '../rig/folder.js';

describe('a file in the home folder', () => {
  it('is found by the name ~/file, as in Ansible, wherever a playbook names files', async () => {
    const site = `- hosts: localhost
  vars:
    below: ~/.lb
  vars_files:
    - [~/.lb/vars.yml, defaults.yml]
    - ['{{ below }}/rendered.yml', defaults.yml]
  tasks:
    - import_tasks: ~/.lb/imported.yml
    - include_tasks: ~/.lb/included.yml
    - include_tasks: '{{ below }}/included.yml'
    - include_vars: ~/.lb/later.yml
    - include_vars: { dir: ~/.lb/many }
    - debug: { msg: '{{ mine }} {{ rendered }} {{ later }} {{ many }}' }
`;
    const files = {
      'project/site.yml': site,
      'project/defaults.yml': 'mine: default\nrendered: default\n',
      'home/.lb/vars.yml': 'mine: of-home\n',
      'home/.lb/rendered.yml': 'rendered: also-of-home\n',
      'home/.lb/imported.yml': '- import_tasks: nested.yml\n',
      'home/.lb/nested.yml': '- debug: { msg: imported }\n',
      'home/.lb/included.yml': '- include_tasks: deeper.yml\n',
      'home/.lb/deeper.yml': '- debug: { msg: included }\n',
      'home/.lb/many/one.yml': 'many: many\n',
      'home/.lb/later.yml': 'later: later\n',
    };
    await inFolder(files, async (folder) => {
      const cwd = path.join(folder, 'project');
      const ended = await evenkeel(['run', 'site.yml', '-o', 'lines'], {
        cwd,
        env: ownHome(path.join(folder, 'home')),
      });
      expect(ended.code, ended.stdout + ended.stderr).to.equal(0);
      expect(ended.stdout).to.include('of-home also-of-home later many').and.to.include('imported');
      expect(ended.stdout.match(/included$/gm)).to.have.lengthOf(2);
    });
  });

  it('is where a download saves, not in a folder called ~ of the project', async () => {
    const files = {
      'project/inventory.yml':
        "all: { hosts: { lb1: { controller_url: 'https://10.1.0.1', controller_dialect: avi } } }\n",
      'project/site.yml':
        '- hosts: all\n  tasks:\n    - file_download: { path: /api/cloud, dest: ~/backup/lb1.json }\n',
      'home/.keep': '',
    };
    await inFolder(files, async (folder) => {
      const cwd = path.join(folder, 'project');
      const home = path.join(folder, 'home');
      const ended = await evenkeel(['run', 'site.yml', '-i', 'inventory.yml', '--simulate', '-o', 'lines'], {
        cwd,
        env: ownHome(home),
      });
      expect(ended.code, ended.stdout + ended.stderr).to.equal(0);
      expect(await readdir(path.join(home, 'backup'))).to.deep.equal(['lb1.json.simulated']);
      expect(await readdir(cwd)).not.to.include('~');
    });
  });
});
