import { IS_WHOLE } from './random_seed.js';
import type { Ran, TextOptions } from './run_text.js';

/** Two controllers at each of two sites. */
export const FOUR = 'all: { hosts: { lb1: {site: a}, lb2: {site: a}, lb3: {site: b}, lb4: {site: b} } }';

export interface Scenario extends TextOptions {
  readonly playbook: string;
  /** Which controller is halted, or changes the inventory first, depends on timing. */
  readonly isRace?: boolean;
}

/** Playbooks in which controllers of one batch affect each other, or the run. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'variables of tasks, facts and includes, over plays': {
    playbook: `
- hosts: all
  tasks:
    - set_fact: { a: '{{ inventory_hostname }} {{ site }}', cacheable: true }
    - debug: { msg: hello }
      register: said
    - include_vars: more.yml
- hosts: all
  tasks: [{ debug: { msg: '{{ a }} {{ ansible_facts.a }} {{ said.msg }} {{ more }}' } }]
`,
    files: { 'more.yml': 'more: "{{ site }} more"' },
  },
  'handlers, blocks, loops and retries': {
    playbook: `
- hosts: all
  tasks:
    - block:
        - { name: change, debug: , changed_when: true, notify: [h, topic] }
        - { name: loop, debug: { msg: '{{ item }}' }, loop: [1, 2], when: item > 1 or site == 'a', register: looped }
        - { name: break, fail: { msg: no }, when: site == 'b' }
      rescue: [{ name: rescued, debug: { msg: '{{ ansible_failed_task.name }}' } }]
      always: [{ name: always, debug: { msg: '{{ looped.results | length }}' } }]
    - { name: until, debug: { msg: x }, register: tried, until: tried.attempts | default(1) > 0, retries: 2, delay: 0 }
  handlers:
    - { name: h, debug: { msg: handled } }
    - { name: other, listen: topic, debug: { msg: heard } }
`,
  },
  'run_once under linear': {
    playbook: `
- hosts: all
  strategy: linear
  tasks:
    - { set_fact: { token: '{{ inventory_hostname }}' }, run_once: true }
    - { debug: { msg: '{{ token }}' } }
    - { debug: { msg: once }, run_once: true, register: once, delegate_to: lb4 }
    - { debug: { msg: '{{ once.msg }}' } }
`,
  },
  'run_once under host_pinned': {
    playbook: `
- hosts: all
  strategy: host_pinned
  tasks:
    - { debug: { msg: '{{ inventory_hostname }}' }, run_once: true, register: once }
    - { debug: { msg: '{{ once.msg }}' } }
`,
  },
  'a rescue on one controller that sets variables for all': {
    playbook: `
- hosts: all
  strategy: linear
  tasks:
    - block: [{ name: break, fail: , when: inventory_hostname == 'lb1' }]
      rescue: [{ name: once, set_fact: { token: x }, run_once: true }]
    - { name: between, debug: { msg: between } }
    - { debug: { msg: '{{ token }}' } }
`,
  },
  'variables of other controllers, under linear': {
    playbook: `
- hosts: all
  strategy: linear
  tasks:
    - { set_fact: { own: '{{ inventory_hostname }}' } }
    - { debug: { msg: '{{ groups.all | map("extract", hostvars, "own") | list }}' } }
    - { set_fact: { given: '{{ inventory_hostname }}' }, delegate_to: lb1, delegate_facts: true, run_once: true }
    - { debug: { msg: '{{ hostvars.lb1.given }}' } }
`,
  },
  'an inventory that changes': {
    isRace: true,
    playbook: `
- hosts: all
  tasks:
    - { group_by: { key: 'site_{{ site }}' } }
    - { add_host: { name: new, groups: [added], site: c } }
- hosts: site_b:added
  tasks: [{ debug: { msg: '{{ group_names }} {{ site }}' } }]
`,
  },
  'an inventory that one changes': {
    playbook: `
- hosts: lb1
  tasks:
    - { name: add, add_host: { name: new, groups: [added], site: c }, register: added, notify: changed }
    - { name: add again, add_host: { name: new }, notify: other }
    - { name: sort, group_by: { key: 'site_{{ site }}', parents: sites }, notify: changed }
    - { name: each, group_by: { key: '{{ item }}' }, loop: [one, two, one], register: each, notify: changed }
    - debug: { msg: '{{ added.changed }} {{ each.results | map(attribute="changed") }}' }
  handlers:
    - { name: changed, debug: { msg: changed } }
    - { name: other, debug: { msg: other } }
- hosts: sites:added
  tasks: [{ debug: { msg: '{{ group_names }} {{ site }}' } }]
`,
  },
  'a failure that is fatal for all': {
    isRace: true,
    playbook: `
- hosts: all
  strategy: linear
  any_errors_fatal: true
  tasks: [{ name: one, fail: , when: inventory_hostname == 'lb2' }, { name: two, debug: }]
`,
  },
  'batches and thresholds': {
    isRace: true,
    playbook: `
- hosts: all
  strategy: linear
  serial: 2
  max_fail_percentage: 40
  tasks: [{ name: one, fail: , when: inventory_hostname == 'lb3' }, { name: two, debug: }]
`,
  },
  'a failure that is cleared': {
    playbook: `
- hosts: all
  strategy: linear
  tasks:
    - { fail: , when: site == 'b' }
    - { meta: clear_host_errors }
- hosts: all
  tasks: [{ debug: { msg: '{{ ansible_play_hosts }}' } }]
`,
  },
  'a controller that has failed, as the others see it': {
    playbook: `
- hosts: all
  strategy: linear
  tasks:
    - { register: seen, debug: { msg: '{{ inventory_hostname }}' } }
    - { fail: , when: inventory_hostname == 'lb4' }
    - { debug: { msg: '{{ ansible_play_hosts }} {{ hostvars.lb4.seen.msg }}' } }
- hosts: all
  tasks: [{ debug: { msg: '{{ ansible_play_hosts }} {{ hostvars.lb4.seen.msg }}' } }]
`,
  },
  'files that are included in step': {
    playbook: `
- hosts: all
  strategy: linear
  tasks: [{ include_tasks: '{{ site }}.yml' }, { debug: { msg: end } }]
`,
    files: { 'a.yml': '- debug: { msg: "a {{ site }}" }', 'b.yml': '- debug: { msg: "b {{ site }}" }' },
  },
  'a user who says of each task whether it runs': {
    playbook: `
- hosts: all
  serial: 2
  tasks:
    - { name: wanted, debug: { msg: one }, changed_when: true, notify: handled }
    - { name: unwanted, debug: { msg: two } }
    - { name: once, debug: { msg: '{{ inventory_hostname }}' }, run_once: true }
    - include_tasks: '{{ site }}.yml'
  handlers: [{ name: handled, debug: { msg: handled } }]
`,
    files: { 'a.yml': '- { name: wanted, debug: { msg: a } }', 'b.yml': '- { name: unwanted, debug: { msg: b } }' },
    confirmTask: (title) => Promise.resolve(title === 'unwanted' ? 'skip' : 'run'),
  },
  'what must not be shown': {
    playbook: `
- hosts: all
  tasks:
    - { debug: { msg: production }, no_log: true, register: hidden }
    - { debug: { msg: 'at {{ hidden.msg }}' } }
- hosts: all
  tasks: [{ debug: { msg: 'later {{ hidden.msg }}' } }]
`,
  },
  'the checks of a gate': {
    playbook: `
- hosts: all
  serial: 2
  gate: { interval: 0, passes: 2, checks: [{ name: sound, assert: { that: site != 'c' } }] }
  tasks: [{ debug: { msg: work } }]
`,
  },
  'throttled tasks and few forks': {
    playbook: `
- hosts: all
  tasks: [{ debug: { msg: one }, throttle: 1 }, { pause: { seconds: 0 } }, { debug: { msg: two }, throttle: 2 }]
`,
    forks: 2,
  },
};

/** Controllers finish in any order; each runs its tasks in order. */
export function outcomeOf({ finished, lines, said }: Ran): object {
  const { status, exitCode, stats, unstarted, cutOff } = finished;
  return { status, exitCode, stats, unstarted, cutOff, lines: lines.toSorted(), said: said.toSorted() };
}

/**
 * Runs once for each place at which the first worker of a controller can be lost, until none is lost any more.
 * @param each a share of these places for every change: this one and each so many after it
 */
export async function atEachLoss(
  run: (loseAfter: number, onText: NonNullable<TextOptions['onText']>) => Promise<unknown>,
  { each, from }: { readonly each: number; readonly from: number } = { each: 1, from: 0 },
): Promise<void> {
  const [first, step] = IS_WHOLE ? [0, 1] : [from % each, each];
  for (let loseAfter = first, areLost = true; areLost; loseAfter += step) {
    areLost = false;
    await run(loseAfter, (_, isLost) => {
      areLost ||= isLost;
    });
  }
}
