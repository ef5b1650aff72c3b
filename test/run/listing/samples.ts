import type { Files } from '../../rig/folder.js';

export interface Sample {
  readonly name: string;
  readonly files: Files;
  readonly playbooks: readonly string[];
  readonly tags?: readonly string[];
  readonly skipTags?: readonly string[];
}

const INVENTORY = 'all: { children: { lab: { hosts: { lb1: , lb2: } } } }\n';

const BLOCKS = `
- hosts: all
  gather_facts: false
  tags: play
  pre_tasks:
    - debug: { msg: unnamed }
      tags: [pre, early]
  tasks:
    - name: Outer
      tags: outer
      block:
        - name: Keep {{ what }} as it is
          debug:
        - tags: inner
          block:
            - debug:
      rescue:
        - name: Not listed, only for failures
          debug:
          tags: rescue
      always:
        - name: Not listed either
          debug:
          tags: late
    - name: Never unless asked for
      debug:
      tags: [never, rare]
    - name: Always
      debug:
      tags: always
    - meta: end_play
    - name: Now
      meta: flush_handlers
    - name: Tell
      debug:
      notify: Told
  post_tasks:
    - name: At the end
      debug:
  handlers:
    - name: Told
      debug:
      tags: handler
- name: Second
  hosts: lb1
  gather_facts: false
  tasks:
    - name: Only
      debug:
`;

const FILES = `
- hosts: lab
  gather_facts: false
  tasks:
    - name: The import itself is not listed
      import_tasks: tasks/more.yml
      tags: imported
    - include_tasks: tasks/more.yml
    - name: Included by this name
      include_tasks: tasks/more.yml
      tags: included
- import_playbook: other.yml
  tags: whole
`;

const ROLES = `
- hosts: lab
  gather_facts: false
  roles:
    - role: web
      tags: [edge]
  tasks:
    - name: Import
      import_role: { name: base }
      tags: again
    - include_role: { name: base }
    - name: Later
      include_role: { name: base }
`;

const ROLE_FILES: Files = {
  'site.yml': ROLES,
  'roles/web/meta/main.yml': 'dependencies: [{ role: base, tags: dependency }]\n',
  'roles/web/meta/argument_specs.yml':
    'argument_specs: { main: { short_description: Serves, options: { port: { type: int, default: 1 } } } }\n',
  'roles/web/tasks/main.yml': `
- name: Serve
  debug:
- debug:
- import_tasks: sub.yml
- include_tasks: sub.yml
`,
  'roles/web/tasks/sub.yml': '- { name: Sub, debug: , tags: sub }\n',
  'roles/web/handlers/main.yml': '- { name: Not listed, debug: }\n',
  'roles/base/tasks/main.yml': '- { name: Base, debug: }\n',
};

const FILE_FILES: Files = {
  'site.yml': FILES,
  'other.yml': '- { name: Other, hosts: lb1, gather_facts: false, tasks: [{ name: Third, debug: }] }\n',
  'tasks/more.yml': '- { name: More, debug: }\n- { debug: , tags: quiet }\n',
};

const PATTERNS = `
- hosts: [lab, '!lb2', lb1:lb9]
  gather_facts: false
  tasks: [{ name: One, debug: }]
- name: Named
  hosts: lb1, lb2
  gather_facts: false
  tasks: [{ name: Two, debug: }]
`;

/** One playbook for each kind of task. Ansible prints hosts in no particular order, because it keeps them in a set. */
export const SAMPLES: readonly Sample[] = [
  { name: 'blocks', files: { 'site.yml': BLOCKS }, playbooks: ['site.yml'] },
  { name: 'blocks_with_tags', files: { 'site.yml': BLOCKS }, playbooks: ['site.yml'], tags: ['inner', 'late', 'rare'] },
  {
    name: 'blocks_without_tags',
    files: { 'site.yml': BLOCKS },
    playbooks: ['site.yml'],
    skipTags: ['outer', 'always'],
  },
  { name: 'files', files: FILE_FILES, playbooks: ['site.yml', 'other.yml'] },
  { name: 'files_with_tags', files: FILE_FILES, playbooks: ['site.yml'], tags: ['imported', 'included'] },
  { name: 'patterns', files: { 'site.yml': PATTERNS }, playbooks: ['site.yml'] },
  { name: 'roles', files: ROLE_FILES, playbooks: ['site.yml'] },
  { name: 'roles_with_tags', files: ROLE_FILES, playbooks: ['site.yml'], tags: ['sub', 'again'] },
].map((sample) => ({ ...sample, files: { 'inventory.yml': INVENTORY, ...sample.files } }));

export const VIEWS = {
  tasks: ['--list-tasks'],
  tags: ['--list-tags'],
  all: ['--list-hosts', '--list-tasks', '--list-tags'],
  syntax: ['--syntax-check'],
} as const;

export type View = keyof typeof VIEWS;
