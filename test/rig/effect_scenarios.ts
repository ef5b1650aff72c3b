import type { Scenario } from './dispatch_scenarios.js';

const linear = (tasks: string): string => `
- hosts: all
  strategy: linear
  tasks:${tasks}`;

const pinned = (tasks: string): string => `
- hosts: all
  strategy: host_pinned
  tasks:${tasks}`;

const LOOK = `
- hosts: all
  tasks: [{ debug: { msg: '{{ inventory_hostname }} {{ y | default("none") }} {{ ansible_facts }}' } }]
`;

/** Playbooks in which a step does something beyond the variables of its own controller. */
export const EFFECTS: Readonly<Record<string, Scenario>> = {
  'a variable from another controller, then set_fact': {
    playbook: `${linear(`
    - { set_fact: { y: given }, delegate_to: lb2, delegate_facts: true, when: inventory_hostname == 'lb1' }
    - { set_fact: { y: own }, when: inventory_hostname == 'lb2' }
    - { debug: { msg: '{{ y | default(0) }}' } }
    - { debug: { msg: '{{ y | default(0) }} {{ y is defined }}' } }`)}${LOOK}`,
  },
  'set_fact, then a variable from another controller': {
    playbook: `${linear(`
    - { set_fact: { y: own }, when: inventory_hostname == 'lb2' }
    - { set_fact: { y: given }, delegate_to: lb2, delegate_facts: true, when: inventory_hostname == 'lb1' }
    - { debug: { msg: '{{ y | default(0) }}' } }
    - { debug: { msg: '{{ y | default(0) }} {{ y is defined }}' } }`)}${LOOK}`,
  },
  'variables from several controllers, then register': {
    playbook: `${linear(`
    - { set_fact: { y: 1 }, delegate_to: lb2, delegate_facts: true, when: inventory_hostname == 'lb3' }
    - { set_fact: { y: 2 }, delegate_to: lb2, delegate_facts: true, when: inventory_hostname == 'lb1' }
    - { debug: { msg: '{{ y | default(0) }}' } }
    - { set_fact: { y: 3 }, delegate_to: lb2, delegate_facts: true, when: inventory_hostname == 'lb3' }
    - { debug: { msg: '{{ y | default(0) }} or 3' }, register: y, when: inventory_hostname == 'lb2' }
    - { debug: { msg: '{{ y is mapping }}' } }`)}${LOOK}`,
  },
  'what a loop gave': {
    playbook: `${linear(`
    - set_fact: { y: '{{ item }}' }
      delegate_to: lb4
      delegate_facts: true
      loop: [1, 2]
      when: inventory_hostname == 'lb1'
    - { set_fact: { y: own }, when: inventory_hostname == 'lb4' }
    - { debug: { msg: '{{ y | default(0) }}' } }`)}${LOOK}`,
  },
  'variables of a file that were given': {
    playbook: `${linear(`
    - { include_vars: file.yml, delegate_to: lb2, delegate_facts: true, when: inventory_hostname == 'lb1' }
    - { debug: { msg: '{{ y | default(0) }}' } }
    - { debug: { msg: last } }`)}${LOOK}`,
    files: { 'file.yml': 'y: "{{ site }} of a file"' },
  },
  'what decides about an include after a step that the controller left out': {
    playbook: `${linear(`
    - { set_fact: { y: first }, run_once: true }
    - { include_tasks: '{{ y }}.yml' }
    - { set_fact: { y: second }, delegate_to: lb3, delegate_facts: true, when: inventory_hostname == 'lb1' }
    - { include_tasks: '{{ y }}.yml' }
    - { debug: { msg: '{{ y }}' } }`)}${LOOK}`,
    files: { 'first.yml': '- debug: { msg: one }', 'second.yml': '- debug: { msg: two }' },
  },
  'what one gave for all, each at its own pace': {
    playbook: `${linear(`
    - { set_fact: { y: own } }`)}${pinned(`
    - { set_fact: { y: given }, delegate_to: lb3, delegate_facts: true, run_once: true }
    - { debug: { msg: '{{ y }}' } }
    - { set_fact: { y: '{{ y }}, then own' } }
    - { debug: { msg: '{{ y }}' } }`)}${LOOK}`,
  },
  'what one registered for all, and each then set': {
    playbook: `${pinned(`
    - { debug: { msg: once }, run_once: true, register: y }
    - { set_fact: { y: '{{ inventory_hostname }}' } }
    - { debug: { msg: '{{ y }}' } }`)}${LOOK}`,
  },
  'variables of a file that one controller reads for all': {
    playbook: `${linear(`
    - { include_vars: file.yml, run_once: true }
    - { debug: { msg: '{{ y }}' } }
    - { set_fact: { y: '{{ y }} and {{ inventory_hostname }}' } }`)}${LOOK}`,
    files: { 'file.yml': 'y: "{{ site }} of a file"' },
  },
  'cleared facts, under linear': {
    playbook: `${linear(`
    - { set_fact: { x: '{{ inventory_hostname }}', y: 1, cacheable: true } }
    - { set_fact: { y: 2 } }
    - { meta: clear_facts }
    - { debug: { msg: '{{ ansible_facts }} {{ y }}' } }
    - { set_fact: { z: later, cacheable: true }, when: site == 'b' }
    - { debug: { msg: '{{ ansible_facts }} {{ y }}' } }`)}${LOOK}`,
  },
  'facts that are cleared, each at its own pace': {
    playbook: `${linear(`
    - { set_fact: { x: '{{ inventory_hostname }}', cacheable: true } }`)}${pinned(`
    - { meta: clear_facts, when: inventory_hostname == 'lb1' }
    - { debug: , run_once: true }
    - { set_fact: { z: later, cacheable: true }, when: site == 'b' }
    - { debug: { msg: '{{ ansible_facts }}' } }`)}${LOOK}`,
  },
  'failures that are cleared before another one fails': {
    playbook: `${pinned(`
    - { meta: clear_host_errors, when: inventory_hostname == 'lb1' }
    - { debug: , run_once: true }
    - { fail: , when: inventory_hostname == 'lb4' }
    - { debug: , throttle: 1 }`)}
- hosts: all
  tasks: [{ debug: { msg: '{{ ansible_play_hosts }}' } }]
`,
  },
  'variables of a delegate': {
    playbook: `${linear(`
    - { set_fact: { y: '{{ inventory_hostname }}' } }
    - { debug: { msg: '{{ ansible_delegated_vars.lb3.y }}' }, delegate_to: lb3, when: inventory_hostname != 'lb3' }`)}${LOOK}`,
  },
  'variables of others, at once': {
    playbook: `${linear(`
    - { set_fact: { y: '{{ inventory_hostname }}' } }
    - { debug: { msg: '{{ groups.all | map("extract", hostvars, "y") | list }}' } }
    - { include_vars: file.yml }
    - { debug: { msg: '{{ groups.all | map("extract", hostvars, "z") | list }}' } }`)}${LOOK}`,
    files: { 'file.yml': 'z: "{{ site }} of a file"' },
  },
  'a controller that is added, and changed': {
    playbook: `${linear(`
    - { add_host: { name: new, groups: [added], site: red } }
    - block: [{ fail: , when: inventory_hostname == 'lb2' }]
      rescue: [{ add_host: { name: new, site: blue } }]
    - { group_by: { key: 'site_{{ site }}' } }
    - { debug: { msg: '{{ groups.added }} {{ groups.site_b | sort }}' } }`)}
- hosts: site_a:added
  tasks: [{ debug: { msg: '{{ inventory_hostname }} {{ site }}' } }]
`,
  },
  'one controller ends the batch, another one fails': {
    playbook: `
- hosts: all
  strategy: linear
  serial: 2
  tasks:
    - { meta: end_host, when: inventory_hostname == 'lb1' }
    - { debug: { msg: '{{ inventory_hostname }}' }, run_once: true }
    - { meta: end_batch, when: site == 'a' }
    - { debug: { msg: '{{ inventory_hostname }}' } }
    - { meta: end_play }
    - { debug: { msg: never } }
${LOOK}`,
  },
};
