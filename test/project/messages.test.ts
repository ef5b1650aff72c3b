import { expect } from 'chai';
import { mistakes } from '../rig/loaded.js';

type Wrong = readonly (readonly [written: string, ...messages: string[]])[];

/** Alone in the file, in a play for all controllers, beside the module of a task, or as a task: and what is said about it, with its place in `site.yml`. */
const WRONG = {
  'as a playbook': [
    ['---\n', '1:4 a playbook is a list of plays; this file is empty — a play begins with "- hosts: all"'],
    ['[]', '1:1 a playbook is a list of plays; this file holds an empty list — a play begins with "- hosts: all"'],
    ['{}', '1:1 a playbook is a list of plays; this file holds a mapping — begin each play with "- "'],
    ['text', '1:1 a playbook is a list of plays; this file holds text — a play begins with "- hosts: all"'],
    ['- 5', '1:3 a play must be a mapping, not 5'],
    ['- tasks: []', '1:3 a play needs "hosts": the controllers it is for'],
    ['- hosts: all\n  hosts: b', '2:3 duplicate key "hosts": first defined on line 1 — keep one of them'],
    ['- import_playbook: gone.yml', '1:20 there is no playbook "gone.yml" (looked in .)'],
    ['- import_playbook: 5', '1:3 "import_playbook" needs the name of a playbook, not 5'],
    ['- hosts: ""', '1:10 "hosts" is empty — for every controller, write "all"'],
    ['- hosts: [a, 5]'],
    ['- hosts: {a: 1}', '1:10 "hosts" must be text, not a mapping'],
    ['- hosts: all\n  tasks:\n  - 5', '3:5 a task must be a mapping, not 5'],
    ['- hosts: all\n  tasks:\n  - {}', '3:5 a task needs a module, such as "debug"'],
    ['- hosts: all\n  tasks:\n  - text', '3:5 a task must be a mapping, not text'],
    [
      '- hosts: all\n   tasks: []',
      '2:4 the indentation of this line does not match the lines around it — all entries of a mapping or list start in the same column',
    ],
    ['- hosts: all\n  tasks:\n\t- debug:', '3:1 YAML does not allow tabs for indentation — use spaces'],
  ],
  'in a play': [
    ['name: [a]', '2:9 "name" must be text, not a list'],
    ['vars: [1]', '2:9 "vars" must be a mapping of names to values, not a list'],
    ['vars_files: {a: 1}', '2:15 "vars_files" must be text, not a mapping'],
    ['vars_prompt: 5', '2:16 "vars_prompt" must be a mapping, not 5 — write "- name: VARIABLE"'],
    ['pre_tasks: {debug: }', '2:14 "pre_tasks" must be a list, not a mapping — begin each with "- "'],
    ['roles: 5', '2:10 "roles" must be a list, not 5 — begin each with "- "'],
    ['tasks: text', '2:10 "tasks" must be a list, not text — begin each with "- "'],
    ['post_tasks: 5', '2:15 "post_tasks" must be a list, not 5 — begin each with "- "'],
    ['handlers: 7', '2:13 "handlers" must be a list, not 7 — begin each with "- "'],
    [
      'gather_facts: maybe',
      'warning: 2:3 "gather_facts" has no effect: a controller has no facts to gather — ask it with api_request and "register"',
    ],
    ['strategy: fast', '2:13 there is no strategy "fast" — it is "host_pinned" (or "free") or "linear"'],
    [
      'order: random',
      '2:10 there is no order "random" — use one of inventory, reverse_inventory, sorted, reverse_sorted, shuffle',
    ],
    ['serial: x', '2:11 "serial" takes a count, a percentage such as "25%", or a list of them'],
    ['forks: 0', '2:10 "forks" must be a whole number from 1, not 0'],
    ['max_fail_percentage: many', '2:24 "max_fail_percentage" must be a percentage, such as 30 or "30%"'],
    ['any_errors_fatal: maybe', '2:21 "any_errors_fatal" must be true or false, not "maybe"'],
    ['force_handlers: maybe', '2:19 "force_handlers" must be true or false, not "maybe"'],
    ['ignore_errors: maybe', '2:18 "ignore_errors" must be true or false, not "maybe"'],
    ['ignore_unreachable: maybe', '2:23 "ignore_unreachable" must be true or false, not "maybe"'],
    ['run_once: [1]', '2:13 "run_once" must be true or false, not a list'],
    ['no_log: perhaps', '2:11 "no_log" must be true or false, not "perhaps"'],
    ['check_mode: perhaps', '2:15 "check_mode" must be true or false, not "perhaps"'],
    ['diff: perhaps', '2:9 "diff" must be true or false, not "perhaps"'],
    ['tags: {a: 1}', '2:9 "tags" must be text, not a mapping'],
    [
      'environment: 5',
      'warning: 2:3 "environment" has no effect: no program runs on a controller — for a proxy, set controller_proxy in the inventory',
    ],
    [
      'become: maybe',
      'warning: 2:3 "become" has no effect: the account that signs in decides what a task may do — controller_username in the inventory names the account',
    ],
    ['module_defaults: 5', '2:20 "module_defaults" must be a mapping of modules to arguments, not 5'],
    ['gate: 5', '2:9 "gate" must be a mapping, not 5 — write "checks:" below it'],
    [
      'connection: 5',
      'warning: 2:3 "connection" has no effect: every connection uses HTTPS — controller_url in the inventory sets the address',
    ],
    [
      'remote_user: [1]',
      'warning: 2:3 "remote_user" has no effect: the account that signs in decides what a task may do — controller_username in the inventory names the account',
    ],
    [
      'port: x',
      '2:3 "port" has no meaning for a REST controller — set ansible_port or controller_url in the inventory',
    ],
    ['throttle: x', '2:13 "throttle" must be a whole number from 0, not "x"'],
    ['timeout: x', '2:12 "timeout" must be a number from 0, not "x"'],
    ['debugger: x', 'warning: 2:3 "debugger" has no effect: there is no debugger — --step asks before each task'],
    [
      'fact_path: [1]',
      'warning: 2:3 "fact_path" has no effect: a controller has no facts to gather — ask it with api_request and "register"',
    ],
    ['hots: all', '2:3 "hots" is not a keyword of a play — did you mean "hosts"?'],
    ['serial: 120%'],
    ['max_fail_percentage: -1', '2:24 "max_fail_percentage" must be a percentage, such as 30 or "30%"'],
    ['max_fail_percentage: 200%'],
    ['forks: 1001'],
    ['forks: x', '2:10 "forks" must be a whole number from 1, not "x"'],
    ['vars_prompt: [{name: x, what: 1}]', '2:27 "what" is not a keyword of an entry of vars_prompt'],
    ['vars_prompt: [{prompt: x}]', '2:17 an entry of "vars_prompt" needs "name": the variable that is asked for'],
    [
      'vars_prompt: [{name: 1x}]',
      '2:24 "1x" is not a valid variable name: use letters, digits and "_", and do not start with a digit',
    ],
    ['vars_prompt: [{name: x, private: maybe}]', '2:36 "private" must be true or false, not "maybe"'],
    [
      'vars_prompt: [{name: x, encrypt: rot13}]',
      '2:27 "encrypt" is not supported: answers are not hashed — give the hash itself, as the answer or with -e',
    ],
    ['vars_prompt: [{name: x, confirm: 5}]', '2:36 "confirm" must be true or false, not 5'],
    ['vars_prompt: [5]', '2:17 an entry of "vars_prompt" must be a mapping, not 5 — write "- name: VARIABLE"'],
    ['gate: {}', '2:3 "gate" needs "checks": the tasks that check the health of a batch'],
    ['gate: {checks: 5}', '2:18 "checks" must be a list, not 5 — begin each with "- "'],
    ['gate: {checks: []}', '2:18 "checks" is empty: the gate would pass every batch'],
    ['gate: {checks: [{debug: }], passes: 0}', '2:39 "passes" must be a whole number from 1, not 0'],
    ['gate: {checks: [{debug: }], passes: 2}'],
    ['gate: {checks: [{debug: }], failures: -1}', '2:41 "failures" must be a whole number from 1, not -1'],
    ['gate: {checks: [{debug: }], interval: -1}', '2:41 "interval" must be a number from 0, not -1'],
    [
      'gate: {checks: [{debug: }], on_failure: explode}',
      '2:31 "on_failure" is not a keyword of a gate — did you mean "on_fail"?',
    ],
    ['gate: {checks: [{debug: }], timeout: -1}', '2:31 "timeout" is not a keyword of a gate — it belongs to a play'],
    ['gate: {checks: [{debug: }], what: 5}', '2:31 "what" is not a keyword of a gate'],
    ['module_defaults: [5]', '2:21 an entry of "module_defaults" must be a mapping of modules to arguments, not 5'],
    ['module_defaults: {gone: {a: 1}}', '2:21 there is no module "gone" — "evenkeel doc -l" lists the modules'],
    ['module_defaults: {debug: 5}', '2:28 the defaults of debug must be a mapping of arguments to values, not 5'],
    ['module_defaults: {debug: {mgs: 5}}'],
    [
      'module_defaults: {group/aws: {a: 1}}',
      'warning: 2:21 defaults of group/aws have no effect: no task here can use it — remove them',
    ],
    ['vars_files: gone.yml', '2:15 there is no variables file "gone.yml" — looked in vars and .'],
    [
      'vars_files: [[gone.yml, gone2.yml]]',
      '2:16 none of the variables files "gone.yml", "gone2.yml" exists — looked in vars and .',
    ],
    [
      'vars: {1a: 5}',
      '2:10 "1a" is not a valid variable name: use letters, digits and "_", and do not start with a digit',
    ],
    [
      'vars: {a-b: 5}',
      '2:10 "a-b" is not a valid variable name: use letters, digits and "_", and do not start with a digit',
    ],
    [
      'roles: [gone]',
      '2:11 there is no role "gone" (looked in roles, .) — "roles_path" in evenkeel.yml names more folders',
    ],
    ['roles: [5]', '2:11 there is no role "5" (looked in roles, .) — "roles_path" in evenkeel.yml names more folders'],
    ['roles: [{}]', '2:11 a role needs "role": its name'],
    [
      'roles: [{role: gone, what: 5}]',
      '2:18 there is no role "gone" (looked in roles, .) — "roles_path" in evenkeel.yml names more folders',
    ],
    [
      'roles: [{role: "{{ x }}"}]',
      '2:18 variable "x" is not defined; before the run only the variables of the play and of -e are known — include_role in "tasks" can choose a role during the run',
    ],
    [
      'roles: [{name: 5}]',
      '2:18 there is no role "5" (looked in roles, .) — "roles_path" in evenkeel.yml names more folders',
    ],
    ['handlers: [{debug: }]'],
    ['handlers: [{name: a, debug: , listen: {a: 1}}]', '2:41 "listen" must be text, not a mapping'],
    ['handlers: [{name: a, debug: }, {name: a, debug: }]'],
    ['tasks: [{debug: , notify: gone}]', '2:29 no handler of this play is named "gone" or listens to it'],
    ['handlers: [{block: [{debug: }]}]'],
    ['handlers: [{meta: noop}]'],
  ],
  'in a task': [
    ['name: [a]', '4:13 "name" must be text, not a list'],
    ['when: {a: 1}', '4:13 "when" must be an expression, not a mapping — an expression with ": " in it must be quoted'],
    ['loop: {a: 1}', '4:13 "loop" must be a list, not a mapping'],
    ['loop: 5', '4:13 "loop" must be a list, not 5'],
    [
      'loop_control: 5',
      '4:7 "loop_control" without a loop does nothing',
      '4:21 "loop_control" must be a mapping, not 5',
    ],
    [
      'loop_control: {loop_var: "1a"}',
      '4:7 "loop_control" without a loop does nothing',
      '4:32 "1a" is not a valid variable name: use letters, digits and "_", and do not start with a digit',
    ],
    [
      'loop_control: {label: [1], pause: x}',
      '4:7 "loop_control" without a loop does nothing',
      '4:41 "pause" must be a number from 0, not "x"',
    ],
    [
      'loop_control: {what: 1}',
      '4:7 "loop_control" without a loop does nothing',
      '4:22 "what" is not a keyword of loop_control',
    ],
    ['with_sequence: 5', '4:22 "with_sequence" must be a text, a mapping or a list, not 5'],
    [
      'with_nothing: 5',
      '4:7 "with_nothing" is not a loop: there is no lookup "nothing" — use one of avi, cartesian, csvfile, dict, env, file, fileglob, first_found, flattened, indexed_items, ini, inventory_hostnames, items, lines, list, nested, password, pipe, random_choice, sequence, subelements, template, together, unvault, url, varnames, vars',
    ],
    [
      'register: 1a',
      '4:17 "1a" is not a valid variable name: use letters, digits and "_", and do not start with a digit',
    ],
    ['register: [a]', '4:17 "register" must be text, not a list'],
    [
      'until: {a: 1}',
      '4:14 "until" must be an expression, not a mapping — an expression with ": " in it must be quoted',
    ],
    ['retries: many', '4:16 "retries" must be a whole number from 0, not "many"'],
    [
      'delay: long',
      'warning: 4:7 "delay" does nothing without "until" or "retries"',
      '4:14 "delay" must be a number from 0, not "long"',
    ],
    ['retries: -2', '4:16 "retries" must be a whole number from 0, not -2'],
    [
      'delay: -1',
      'warning: 4:7 "delay" does nothing without "until" or "retries"',
      '4:14 "delay" must be a number from 0, not -1',
    ],
    [
      'changed_when: {a: 1}',
      '4:21 "changed_when" must be an expression, not a mapping — an expression with ": " in it must be quoted',
    ],
    [
      'failed_when: {a: 1}',
      '4:20 "failed_when" must be an expression, not a mapping — an expression with ": " in it must be quoted',
    ],
    ['ignore_errors: maybe', '4:22 "ignore_errors" must be true or false, not "maybe"'],
    ['ignore_unreachable: maybe', '4:27 "ignore_unreachable" must be true or false, not "maybe"'],
    ['delegate_to: {a: 1}', '4:20 "delegate_to" must be text, not a mapping'],
    ['delegate_facts: maybe', '4:23 "delegate_facts" must be true or false, not "maybe"'],
    ['run_once: maybe', '4:17 "run_once" must be true or false, not "maybe"'],
    ['no_log: maybe', '4:15 "no_log" must be true or false, not "maybe"'],
    ['check_mode: maybe', '4:19 "check_mode" must be true or false, not "maybe"'],
    ['diff: maybe', '4:13 "diff" must be true or false, not "maybe"'],
    ['vars: [1]', '4:13 "vars" must be a mapping of names to values, not a list'],
    ['tags: [a, {b: 1}]', '4:17 an entry of "tags" must be text, not a mapping'],
    ['notify: {a: 1}', '4:15 "notify" must be text, not a mapping'],
    ['listen: x', '4:7 "listen" is not a keyword of a task — it belongs to a handler'],
    ['throttle: -1', '4:17 "throttle" must be a whole number from 0, not -1'],
    ['throttle: x', '4:17 "throttle" must be a whole number from 0, not "x"'],
    ['timeout: -1', '4:16 "timeout" must be a number from 0, not -1'],
    ['timeout: x', '4:16 "timeout" must be a number from 0, not "x"'],
    [
      'async: 5',
      '4:7 "async" has no meaning for a REST controller — use "timeout" to limit the time; a controller that is slow does not hold up the others',
    ],
    ['poll: 1', '4:7 "poll" has no meaning for a REST controller — use "until", "retries" and "delay" to ask again'],
    [
      'become: yes',
      'warning: 4:7 "become" has no effect: the account that signs in decides what a task may do — controller_username in the inventory names the account',
    ],
    [
      'become_user: root',
      'warning: 4:7 "become_user" has no effect: the account that signs in decides what a task may do — controller_username in the inventory names the account',
    ],
    [
      'environment: {a: 1}',
      'warning: 4:7 "environment" has no effect: no program runs on a controller — for a proxy, set controller_proxy in the inventory',
    ],
    ['args: 5', '4:13 "args" must be a mapping of names to values, not 5'],
    ['module_defaults: 5', '4:24 "module_defaults" must be a mapping of modules to arguments, not 5'],
    ['whem: true', '4:7 "whem" is not a keyword of a task — did you mean "when"?'],
    ['local_action: debug', '3:7 a task has one module; this one has "local_action" already'],
    [
      'action: 5',
      '3:7 a task has one module; this one has "action" already',
      '4:15 "action" must name a module and its arguments, not 5',
    ],
    ['action: debug msg=hello', '3:7 a task has one module; this one has "action" already'],
    ['connection: local'],
    ['any_errors_fatal: maybe', '4:25 "any_errors_fatal" must be true or false, not "maybe"'],
  ],
  'as a task': [
    ['block: 5', '3:14 "block" must be a list, not 5 — begin each with "- "'],
    ['block: []'],
    ['block: [{debug: }]\nrescue: 5', '4:15 "rescue" must be a list, not 5 — begin each with "- "'],
    ['rescue: [{debug: }]', '3:7 "rescue" needs steps under "block"'],
    [
      'always: [{debug: }]\ndebug:',
      '3:7 "always" needs steps under "block"',
      '4:7 a block holds steps and calls no module itself — put "debug" into the list under "block"',
    ],
    ['block: [{debug: }]\nregister: x', '4:7 "register" is not a keyword of a block — it belongs to a task'],
    ['block: [{debug: }]\nloop: [1]'],
    [
      'block: [{debug: }]\nloop: [1]\nloop_control: {break_when: x, pause: 1, parallel: 2, label: x}',
      '5:47 "parallel" does nothing in the loop of a block',
      '5:60 "label" does nothing in the loop of a block',
    ],
    ['block: [{debug: }]\nnotify: x', '4:15 no handler of this play is named "x" or listens to it'],
    ['block: [{debug: }]\nuntil: true', '4:7 "until" is not a keyword of a block — it belongs to a task'],
    [
      'meta: explode',
      '3:13 there is no meta action "explode" — use one of flush_handlers, end_host, end_role, end_batch, end_play, clear_host_errors, clear_facts, reset_connection, noop',
    ],
    [
      'meta: 5',
      '3:7 "meta" takes the name of an action, not 5 — use one of flush_handlers, end_host, end_role, end_batch, end_play, clear_host_errors, clear_facts, reset_connection, noop',
    ],
    [
      'meta: [noop]',
      '3:7 "meta" takes the name of an action, not a list — use one of flush_handlers, end_host, end_role, end_batch, end_play, clear_host_errors, clear_facts, reset_connection, noop',
    ],
    ['meta: noop\nregister: x', '4:7 "register" is not a keyword of meta — it belongs to a task'],
    ['meta: noop\nwhen: "1 +"', '4:13 cannot read the expression "1 +": it ends where a value is expected'],
    [
      'meta: refresh_inventory',
      '3:13 "refresh_inventory" is not possible: a run reads its inventory once, because preflight, confirmation and resume need its first state — add new controllers with add_host, or move the plays after it to another playbook and start that with a second "evenkeel run"',
    ],
    [
      'debug:\nmsg: hi\nwhn: x',
      '4:7 "msg" is not a keyword of a task — it is an argument of "debug": indent it further, below the module',
      '5:7 "whn" is not a keyword of a task — did you mean "when"?',
    ],
    [
      'debug:\nvar: x',
      '4:7 "var" is not a keyword of a task — it is an argument of "debug": indent it further, below the module',
    ],
    [
      'cloud_present: {name: x}\nmtu: 1500',
      '4:7 "mtu" is not a keyword of a task — it is an argument of "cloud_present": indent it further, below the module',
    ],
    ['debug:\nloop: 1, 2', '4:13 "loop" must be a list, not text — write [1, 2]'],
    ['debug:\nloop: range(1, 5)', '4:13 "loop" must be a list, not text — for a variable, write "{{range(1, 5)}}"'],
    ["debug:\nloop: ''", '4:13 "loop" must be a list, not text'],
    ['debug', '3:7 a task must be a mapping, not text — write "debug:"'],
    ['debug:\nvras: x', '4:7 "vras" is not a keyword of a task — did you mean "vars"?'],
    ['meta: end_play\nloop: [1]', '4:7 "loop" is not a keyword of meta — it belongs to a task'],
    ['meta: flush_handlers\nwhen: true'],
    [
      'meta: end_role',
      '3:13 "end_role" belongs among the tasks of a role — to end the play for a controller, write end_host',
    ],
    ['meta: clear_facts'],
    ['meta: reset_connection'],
    ['include_tasks: gone.yml', '3:22 there is no file "gone.yml" (looked in .)'],
    ['include_tasks: {}', '3:7 include_tasks needs "file" — write its arguments below the module, indented further'],
    [
      'include_tasks: {file: gone.yml, what: 5}',
      '3:29 there is no file "gone.yml" (looked in .)',
      '3:39 "what" is not an argument of include_tasks — it takes file, apply',
    ],
    ['include_tasks: {file: "{{ x }}", apply: 5}', '3:47 "apply" must be a mapping, not 5'],
    [
      'include_tasks: {file: "{{ x }}", apply: {what: 1}}',
      '3:48 "what" is not a keyword of apply — did you mean "when"?',
    ],
    ['include_tasks: "{{ x }}"\nregister: x'],
    ['include_tasks: "{{ x }}"\nuntil: true', '4:7 "until" is not a keyword of include_tasks — it belongs to a task'],
    ['import_tasks: gone.yml', '3:21 there is no file "gone.yml" (looked in .)'],
    [
      'import_tasks: "{{ x }}"',
      '3:21 variable "x" is not defined; before the run only the variables of the play and of -e are known — use include_tasks, whose file is chosen during the run',
    ],
    [
      'import_tasks: a.yml\nloop: [1]',
      '4:7 "loop" is not a keyword of import_tasks — an import happens before the run; use include_tasks, which can loop',
    ],
    ['import_tasks: 5', '3:21 import_tasks takes the name of a file, not 5'],
    [
      'import_tasks: {file: a.yml, apply: {tags: x}}',
      '3:21 "apply" is not an argument of import_tasks — write variables under "vars"',
    ],
    ['include_role: 5', '3:21 the arguments of include_role must be a mapping of names to values, not 5'],
    ['include_role: {}', '3:7 include_role needs "name": the role'],
    ['include_role: {name: 5}', '3:28 the name of a role must be text, not 5'],
    [
      'include_role: {name: gone}',
      '3:28 there is no role "gone" (looked in roles, .) — "roles_path" in evenkeel.yml names more folders',
    ],
    [
      'include_role: {name: "{{ x }}", what: 5}',
      '3:39 "what" is not an argument of include_role — it takes name, role, tasks_from, vars_from, defaults_from, handlers_from, allow_duplicates, rolespec_validate, public, apply',
    ],
    ['include_role: {name: "{{ x }}", public: maybe}', '3:47 "public" must be true or false, not "maybe"'],
    [
      'include_role: {name: "{{ x }}", allow_duplicates: maybe}',
      '3:57 "allow_duplicates" must be true or false, not "maybe"',
    ],
    ['include_role: {name: "{{ x }}", tasks_from: 5}'],
    [
      'import_role: {name: "{{ x }}"}',
      '3:27 variable "x" is not defined; before the run only the variables of the play and of -e are known — use include_role, whose role is chosen during the run',
    ],
    [
      'import_role: {name: gone}\nloop: [1]',
      '3:27 there is no role "gone" (looked in roles, .) — "roles_path" in evenkeel.yml names more folders',
      '4:7 "loop" is not a keyword of import_role — an import happens before the run; use include_role, which can loop',
    ],
    ['import_role: gone', '3:20 import_role takes arguments by name; "gone" has none — write name=gone'],
    ['include_role: gone', '3:21 include_role takes arguments by name; "gone" has none — write name=gone'],
    ['loop: [1]', '3:7 a task needs a module, such as "debug"'],
    ['loop: [1]\nwith_items: [1]\ndebug:', '4:7 a task has one loop; this one has "loop" already'],
    [
      'debug:\nloop: [1]\nloop_control: {index_var: 5}',
      '5:33 "5" is not a valid variable name: use letters, digits and "_", and do not start with a digit',
    ],
    ['debug:\nloop: [1]\nloop_control: {extended: maybe}', '5:32 "extended" must be true or false, not "maybe"'],
    ['debug:\nloop: [1]\nloop_control: {pause: -1}', '5:29 "pause" must be a number from 0, not -1'],
    [
      'debug:\nloop: [1]\nloop_control: {break_when: {a: 1}}',
      '5:34 "break_when" must be an expression, not a mapping — an expression with ": " in it must be quoted',
    ],
    [
      'debug:\nloop: [1]\nloop_control: {labl: x}',
      '5:22 "labl" is not a keyword of loop_control — did you mean "label"?',
    ],
    [
      'debug:\nloop: "{{ x"',
      '4:13 "{{ x" is never closed — write }} where it ends, or {{ "{{" }} for braces that are text',
    ],
    ['debug:\nwith_items: "{{ x | gone }}"', '4:19 there is no filter or function "gone" — did you mean "ne"?'],
    ['debug:\nwhen: "1 +"', '4:13 cannot read the expression "1 +": it ends where a value is expected'],
    [
      'debug:\nwhen: "{{ x }}"',
      'warning: 4:13 a condition needs no {{ }} — remove the braces: x, or x | bool if it may be a text such as "false"',
    ],
    ['debug:\nwhen: "{{ true }}"', 'warning: 4:13 a condition needs no {{ }} — remove the braces: true'],
    ['debug:\nwhen: []'],
    [
      'debug:\nwhen: [a, 5, {b: 1}]',
      '4:20 an entry of "when" must be an expression, not a mapping — an expression with ": " in it must be quoted',
    ],
    ['debug:\nuntil: "a ==="', '4:14 cannot read the expression "a ===": "===" is not expected after "a" — write =='],
    [
      'debug:\nfailed_when: "x |"',
      '4:20 cannot read the expression "x |": it ends where the name of a filter is expected',
    ],
    ['debug:\nchanged_when: "("', '4:21 cannot read the expression "(": it ends where a value is expected'],
    ['debug: {msg: "{{ 1 + }}"}', '3:20 cannot read the expression "1 +": it ends where a value is expected'],
    ['debug: {msg: "{% if %}"}', '3:20 {% if %} is never closed — write {% endif %} where it ends'],
    ['debug: {mgs: a}', '3:15 "mgs" is not an argument of debug — it takes msg, var, verbosity'],
    ['debug: 5', '3:14 the arguments of debug must be a mapping of names to values, not 5'],
    ['debug: [1]', '3:14 the arguments of debug must be a mapping of names to values, not a list'],
    ['debug: msg=a b', '3:14 debug takes arguments by name; "b" has none — write name=value'],
    ['debug: "msg="'],
    ['gone_module: {a: 1}', '3:7 there is no module "gone_module" — "evenkeel doc -l" lists the modules'],
    [
      'shell: ls',
      '3:7 "shell" cannot run on a controller: it handles programs on a host — use api_request for what the controller should do, and lookup("pipe", …) for a program on this machine',
    ],
    [
      'command: ls\nargs: {chdir: /}',
      '3:7 "command" cannot run on a controller: it handles programs on a host — use api_request for what the controller should do, and lookup("pipe", …) for a program on this machine',
    ],
    [
      'setup:',
      '3:7 "setup" cannot run on a controller: it handles facts of a host — ask the controller with api_request and "register"',
    ],
    [
      'apt: {name: x}',
      '3:7 "apt" cannot run on a controller: it handles software and downloads on a host — software of a controller goes through its API: use api_request; lookup("url", …) reads from a web server',
    ],
    [
      'acme.lb.debug: {msg: a}',
      '3:7 there is no module "acme.lb.debug" — if debug of Evenkeel is meant, write "collections: acme.lb" in evenkeel.yml',
    ],
    ['acme.lb.debg: {msg: a}', '3:7 there is no module "acme.lb.debg" — "evenkeel doc -l" lists the modules'],
    ['ansible.builtin.debg: {}', '3:7 there is no module "ansible.builtin.debg" — did you mean "debug"?'],
    ['vmware.alb.avi_poool: {}', '3:7 there is no module "vmware.alb.avi_poool" — did you mean "avi_pool"?'],
    [
      'avi_zzz: {}',
      '3:7 there is no module "avi_zzz" — the kind "zzz" is unknown: write resource_present with path: /api/zzz/ and properties instead',
    ],
    ['cloud_presnt: {name: x}', '3:7 there is no module "cloud_presnt" — did you mean "cloud_present"?'],
    ['cloud_present: {}', '3:7 cloud_present needs "name"'],
    ['cloud_present: {nme: x}', '3:7 cloud_present needs "name" — did you mean "name" instead of "nme"?'],
    ['cloud_present: {name: [1]}', '3:29 "name" must be a string, not a list'],
    ['assert: {}', '3:7 assert needs "that"'],
    ['fail: {mgs: x}', '3:14 "mgs" is not an argument of fail — it takes msg'],
    ['set_fact: {}', '3:7 set_fact needs at least 1 argument'],
    [
      'set_fact: {1a: 5}',
      '3:18 "1a" is not a valid name here: use letters, digits and underscores, and do not begin with a digit',
    ],
    [
      'set_fact: {a-b: 5}',
      '3:18 "a-b" is not a valid name here: use letters, digits and underscores, and do not begin with a digit',
    ],
    ['pause: {seconds: x}', '3:24 "seconds" must be a number, not "x"'],
    ['pause: {minutes: -1}', '3:24 "minutes" must be >= 0, not -1'],
    [
      'add_host: {}',
      '3:7 add_host needs "name", "hostname" or "host" — write its arguments below the module, indented further',
    ],
    ['group_by: {}', '3:7 group_by needs "key"'],
    ['group_by: {key: [1]}', '3:23 "key" must be a string, not a list'],
    [
      'include_vars: {}',
      '3:7 include_vars needs "file" or "dir" — write its arguments below the module, indented further',
    ],
    ['include_vars: gone.yml'],
    ['include_vars: {file: a, dir: b}', '3:36 include_vars takes either "file" or "dir", not both'],
    ['api_request: {}', '3:7 api_request needs "path"'],
    [
      'api_request: {method: FETCH, path: /api/x}',
      '3:29 "method" must be "GET", "HEAD", "POST", "PUT", "PATCH" or "DELETE", not "FETCH" — did you mean "PATCH"?',
    ],
    [
      'api_request: {method: GET, path: "https://x/y"}',
      '3:40 "path" must be a path under /api/, such as /api/cloud/, not "https://x/y"',
    ],
    ['api_request: {path: /api/x, status_code: x}', '3:48 "status_code" must be an integer or a list, not "x"'],
    ['wait_for: {}'],
    ['wait_for: {timeout: x}', '3:27 "timeout" must be a number, not "x"'],
    [
      'resource_present: {}',
      '3:7 resource_present needs "path" or "kind" — write its arguments below the module, indented further',
    ],
    ['resource_present: {kind: clod, name: x}', '3:32 "kind" must be a known kind, not "clod" — did you mean "cloud"?'],
    ['debug:\nargs: {msg: a, mgs: b}', '4:22 "mgs" is not an argument of debug — it takes msg, var, verbosity'],
    ['debug: {msg: a}\nargs: {msg: b}'],
    [
      'debug: {msg: a}\nvars: {1a: 5}',
      '4:14 "1a" is not a valid variable name: use letters, digits and "_", and do not start with a digit',
    ],
    [
      'debug:\nregister: a.b',
      '4:17 "a.b" is not a valid variable name: use letters, digits and "_", and do not start with a digit',
    ],
    ['name: a\nwhen: true', '3:7 a task needs a module, such as "debug"'],
    ['debug:\nfail:', '4:7 a task has one module; this one has "debug" already'],
    ['local_action: 5', '3:21 "local_action" must name a module and its arguments, not 5'],
    ['local_action: gone x=1', '3:21 there is no module "gone" — "evenkeel doc -l" lists the modules'],
    ['action: gone', '3:15 there is no module "gone" — "evenkeel doc -l" lists the modules'],
    ['action: {module: debug, mgs: a}', '3:31 "mgs" is not an argument of debug — it takes msg, var, verbosity'],
    ['action: {msg: a}', '3:15 "action" needs "module": the name of a module'],
  ],
} satisfies Readonly<Record<string, Wrong>>;

const AROUND: Readonly<Record<keyof typeof WRONG, (text: string) => string>> = {
  'as a playbook': (text) => text,
  'in a play': (text) => `- hosts: all\n  ${text}\n`,
  'in a task': (text) => `- hosts: all\n  tasks:\n    - debug: { msg: a }\n      ${text}\n`,
  'as a task': (text) => `- hosts: all\n  tasks:\n    - ${text.replaceAll('\n', '\n      ')}\n`,
};

/** All of them in one file: what is said about each, with the place as if it were alone. */
async function saidAbout(texts: readonly string[]): Promise<readonly (readonly string[])[]> {
  const starts: number[] = [];
  let line = 0;
  for (const text of texts) {
    starts.push(line);
    line += text.split('\n').length - 1;
  }
  const said = texts.map((): string[] => []);
  for (const message of await mistakes(texts.join(''), { 'a.yml': '- debug:\n' })) {
    const at = Number(/site\.yml:(\d+):/.exec(message)?.[1] ?? 1);
    const which = starts.findLastIndex((start) => start < at);
    said[which]?.push(message.replace(/site\.yml:\d+/, String(at - (starts[which] ?? 0))));
  }
  return said;
}

describe('What is wrong', () => {
  for (const [place, wrong] of Object.entries(WRONG))
    it(`${place} is said in words, with its place and what to do`, async () => {
      const texts = wrong.map(([written]) => AROUND[place as keyof typeof WRONG](written));
      // A mistake of a whole file hides all others.
      const alone = place === 'as a playbook' ? texts.map((text) => [text]) : [texts];
      const said = (await Promise.all(alone.map(saidAbout))).flat();
      expect(said.map((messages, index) => [wrong[index]?.[0], ...messages])).to.deep.equal(wrong);
    });
});
