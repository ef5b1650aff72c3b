import type { Files } from '../../rig/folder.js';
import type { Case } from '../rig/cases.js';
import { loopVariable, PAIRS, SPOTS, valuesAt, type Spot } from './spots.js';

/** Where what a controller sees is shown; each a task of that name. */
export const VIEWS = {
  roles: { task: 'web : shown', host: 'h1' },
  include_role: { task: 'web : shown', host: 'h2' },
  import_role: { task: 'web : shown', host: 'h3' },
  'a handler of the role': { task: 'web : told', host: 'h1' },
  'a handler of an included role': { task: 'web : told', host: 'h2' },
  'a handler of an imported role': { task: 'web : told', host: 'h3' },
  'behind roles': { task: 'behind', host: 'h1' },
  'behind include_role': { task: 'behind', host: 'h2' },
  'behind import_role': { task: 'behind', host: 'h3' },
  'hostvars, from another controller': { task: 'seen from outside', host: 'h4' },
  'a later play': { task: 'afterwards', host: 'h1' },
} as const;

export type View = keyof typeof VIEWS;

const CALLED = ['h1', 'h2', 'h3'];

/** A project that sets its variables at every place, for both tools. */
export function project(): Case {
  return {
    title: 'every two spots',
    playbook: json([{ import_playbook: 'playbooks/main.yml' }]),
    files: { ...inventory(), ...besidePlaybook(), ...roles(), 'playbooks/main.yml': json(plays()) },
    arguments: [
      ...Object.entries(valuesAt('-e NAME=VALUE')).flatMap(([name, value]) => ['-e', `${name}='${value}'`]),
      '-e',
      '@extra.yml',
    ],
  };
}

function json(value: unknown): string {
  return JSON.stringify(value, undefined, 1);
}

function at(spot: Spot): string {
  return json(valuesAt(spot));
}

/** Three alike controllers, one for each way to call a role, and one that looks at them. */
function inventory(): Files {
  const hosts = Object.fromEntries(CALLED.map((name) => [name, valuesAt('inventory host vars')]));
  const members = { h1: {}, h2: {}, h3: {} };
  const first = { ansible_group_priority: 10, ...valuesAt('inventory vars of a sibling with priority') };
  const all = {
    vars: {
      ansible_connection: 'local',
      ansible_python_interpreter: '/usr/bin/python3',
      ...valuesAt('inventory vars of all'),
    },
    hosts: { h4: {} },
    children: {
      parent: {
        vars: valuesAt('inventory vars of the parent'),
        children: {
          child: { vars: valuesAt('inventory vars of the child'), hosts },
          beside: { vars: valuesAt('inventory vars of a sibling'), hosts: members },
          ahead: { vars: first, hosts: members },
        },
      },
    },
  };
  return {
    'inventory.yml': json({ all }),
    'group_vars/all.yml': at('inventory group_vars/all'),
    'group_vars/parent.json': at('inventory group_vars/parent'),
    'group_vars/beside': at('inventory group_vars/sibling'),
    'group_vars/child/some.yml': at('inventory group_vars/child'),
    ...Object.fromEntries(CALLED.map((name) => [`host_vars/${name}.yml`, at('inventory host_vars')])),
    'extra.yml': at('-e @FILE'),
  };
}

function besidePlaybook(): Files {
  return {
    'playbooks/group_vars/all.yml': at('playbook group_vars/all'),
    'playbooks/group_vars/parent.yml': at('playbook group_vars/parent'),
    'playbooks/group_vars/child.yml': at('playbook group_vars/child'),
    ...Object.fromEntries(CALLED.map((name) => [`playbooks/host_vars/${name}.yml`, at('playbook host_vars')])),
    'playbooks/first.yml': at('vars_files'),
    'playbooks/later.yml': at('later vars_files'),
  };
}

function roles(): Files {
  const tasks = 'playbooks/roles/web/tasks';
  return {
    'playbooks/roles/base/defaults/main.yml': at('dependency defaults'),
    'playbooks/roles/base/vars/main.yml': at('dependency vars'),
    'playbooks/roles/web/defaults/main.yml': at('role defaults'),
    'playbooks/roles/web/vars/main.yml': at('role vars'),
    'playbooks/roles/web/vars/included.yml': at('include_vars'),
    'playbooks/roles/web/meta/main.yml': json({ dependencies: ['base'] }),
    'playbooks/roles/web/handlers/main.yml': json([show('told')]),
    [`${tasks}/main.yml`]: json([{ include_tasks: 'inner.yml', vars: valuesAt('include_tasks vars') }]),
    [`${tasks}/inner.yml`]: json([{ include_tasks: 'innermost.yml', vars: valuesAt('inner include_tasks vars') }]),
    [`${tasks}/innermost.yml`]: json(findings()),
    [`${tasks}/show.yml`]: json([shown()]),
  };
}

/** What is only known once a task has run. */
function findings(): readonly unknown[] {
  return [
    { set_fact: { ...valuesAt('cacheable set_fact'), cacheable: true } },
    { set_fact: valuesAt('set_fact') },
    ...Object.keys(valuesAt('registered')).map((register) => ({ debug: { msg: 'registered' }, register })),
    { include_vars: 'included.yml' },
    { import_tasks: 'show.yml', vars: valuesAt('import_tasks vars') },
  ];
}

function shown(): unknown {
  const looped = SPOTS.map((spot) => ({
    name: `looped ${spot}`,
    debug: { msg: `{{ ${loopVariable(spot)} }}` },
    loop: ['the item'],
    loop_control: { loop_var: loopVariable(spot) },
    vars: spot === 'task vars' ? valuesAt(spot) : {},
  }));
  const all = {
    ...show('shown'),
    vars: valuesAt('task vars'),
    changed_when: true,
    notify: 'told',
  };
  const inner = { block: [all, ...looped], vars: valuesAt('inner block vars') };
  return { block: [inner], vars: valuesAt('block vars') };
}

/** A task that prints every variable. */
function show(name: string, prefix = ''): Readonly<Record<string, unknown>> {
  const msg: Record<string, string> = {};
  for (const { variable } of PAIRS) msg[variable] = `{{ ${prefix}${variable} | default('nothing') }}`;
  return { name, debug: { msg } };
}

function plays(): readonly unknown[] {
  const vars = valuesAt('vars of the call');
  const apply = { vars: valuesAt('apply vars of the call') };
  const behind = show('behind');
  return [
    { ...play('h1'), roles: [{ role: 'web', vars, ...valuesAt('params of the call') }], tasks: [behind] },
    { ...play('h2'), tasks: [around({ include_role: { name: 'web', apply }, vars }), behind] },
    { ...play('h3'), tasks: [around({ import_role: { name: 'web' }, vars }), behind] },
    { hosts: 'h4', tasks: [show('seen from outside', 'hostvars.h1.')] },
    { hosts: 'h1', tasks: [show('afterwards')] },
  ];
}

function play(hosts: string): Readonly<Record<string, unknown>> {
  const prompts = Object.entries(valuesAt('vars_prompt'));
  return {
    hosts,
    vars: valuesAt('play vars'),
    vars_prompt: prompts.map(([name, value]) => ({ name, prompt: name, default: value, private: false })),
    vars_files: ['first.yml', 'later.yml'],
  };
}

function around(call: unknown): unknown {
  return { block: [call], vars: valuesAt('block vars around the call') };
}
