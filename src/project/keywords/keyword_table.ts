import { GATE_ACTIONS } from '../../core/model/playbook/playbook.js';
import type { MetaAction } from '../../core/model/playbook/step.js';
import { PLAY_ORDERS, STRATEGIES } from '../../core/model/run/choices.js';
import { LOOKUP_NAMES } from '../../language/library/lookups/lookups.js';
import type { Construct, Keyword, KeywordValueKind } from './keyword.js';

export const META_ACTIONS: readonly MetaAction[] = [
  'flush_handlers',
  'end_host',
  'end_role',
  'end_batch',
  'end_play',
  'clear_host_errors',
  'clear_facts',
  'reset_connection',
  'noop',
];

const IMPORTS = ['import_tasks', 'import_role'] as const;
const INCLUDES = ['include_tasks', 'include_role'] as const;
const CALLS = ['task', 'handler', ...INCLUDES] as const;
const TASKS = ['task', 'handler'] as const;
/** Constructs whose keywords apply to the steps inside. */
const AROUND = ['block', 'apply', 'role', ...IMPORTS] as const;
/** Tasks, and what hands its keywords down to them. */
const INNER = [...TASKS, ...AROUND] as const;
const STEPS = [...CALLS, ...AROUND] as const;
const ALL_BUT_PLAYS = [...STEPS, 'meta', 'import_playbook'] as const;
const LOOP = ['loop_control'] as const;

function keyword(
  name: string,
  value: KeywordValueKind,
  constructs: readonly Construct[],
  description: string,
): Keyword {
  return { name, value, constructs, description };
}

const LOOPS: ReadonlyMap<string, string> = new Map([
  ['items', 'Once for each item; lists in the list are flattened.'],
  ['list', 'Once for each item of a list.'],
  ['dict', 'Once for each entry of a mapping: item.key, item.value.'],
  ['sequence', 'Once for each number: "start=1 end=4".'],
  ['first_found', 'Once, with the path of the first file that exists.'],
  ['fileglob', 'Once for each file that matches a pattern.'],
  ['url', 'Once for each line that a web server answers.'],
  ['nested', 'Once for each combination of the items of several lists.'],
  ['together', 'Once for the first items of several lists, once for the second ones, and so on.'],
  ['subelements', 'Once for each item of a list inside each mapping: item.0, item.1.'],
  ['flattened', 'Once for each item; lists in lists are flattened.'],
  ['indexed_items', 'Once for each item, with its number: item.0, item.1.'],
]);

/** Every keyword of the playbook language: the loader, lint and editors use this table. */
export const KEYWORDS: readonly Keyword[] = [
  keyword('name', 'text', ['play', ...ALL_BUT_PLAYS], 'The name that the output shows.'),
  keyword('hosts', 'texts', ['play'], 'The controllers: a pattern, or a list of patterns.'),
  keyword('vars', 'variables', ['play', ...ALL_BUT_PLAYS], 'Variables for everything inside.'),
  keyword(
    'vars_files',
    'files',
    ['play'],
    'Variable files. If an entry is a list, the first file that exists is used.',
  ),
  keyword('vars_prompt', 'prompts', ['play'], 'Variables to ask the user for.'),
  keyword('pre_tasks', 'steps', ['play'], 'Steps before the roles.'),
  keyword('roles', 'roles', ['play'], 'Roles, before the tasks.'),
  keyword('tasks', 'steps', ['play'], 'The steps, in order.'),
  keyword('post_tasks', 'steps', ['play'], 'Steps after the tasks and their handlers.'),
  keyword('handlers', 'handlers', ['play'], 'Tasks that run when they are notified.'),
  keyword('serial', 'sizes', ['play'], 'Controllers in a batch: a count, a percentage such as "25%", or a list.'),
  keyword('max_fail_percentage', 'percentage', ['play'], 'The run ends if more than this percentage of a batch fails.'),
  keyword('force_handlers', 'flag', ['play'], 'Notified handlers run on failed controllers too.'),
  { ...keyword('order', 'choice', ['play'], 'The order of the controllers.'), choices: PLAY_ORDERS },
  {
    ...keyword('strategy', 'choice', ['play'], 'Whether controllers wait for each other after each task (linear).'),
    choices: [...STRATEGIES, 'ansible.builtin.linear', 'ansible.builtin.free'],
  },
  keyword('forks', 'whole number', ['play'], 'Maximum number of controllers at work, never more than --forks.'),
  keyword('gate', 'gate', ['play'], 'Checks that each batch must pass before the next one starts.'),
  keyword('gather_facts', 'boolean', ['play'], 'Has no effect: a controller has no facts to gather.'),
  keyword('connection', 'text', ['play', ...STEPS], 'Has no effect: every connection uses HTTPS.'),
  keyword('become', 'flag', ['play', ...STEPS, 'meta'], 'Has no effect: the account that signs in decides.'),
  keyword('become_user', 'text', ['play', ...STEPS, 'meta'], 'Has no effect: the account that signs in decides.'),
  keyword('environment', 'any', ['play', ...STEPS, 'meta'], 'Has no effect: no program runs on a controller.'),
  keyword('collections', 'texts', ['play', ...STEPS], 'Where roles without a full name are searched first: acme.lb.'),

  keyword('checks', 'steps', ['gate'], 'Tasks that fail if the batch is unhealthy; --tags does not skip them.'),
  keyword('interval', 'number', ['gate'], 'Seconds between two rounds of checks; default 5.'),
  keyword('passes', 'whole number', ['gate'], 'Rounds in a row that must pass; default 1.'),
  keyword('failures', 'whole number', ['gate'], 'Failed rounds that end the gate; default 1.'),
  {
    ...keyword('on_fail', 'choice', ['gate'], 'Whether a failed gate rolls the batch back, or asks, before it stops.'),
    choices: GATE_ACTIONS,
  },

  keyword('block', 'steps', ['block'], 'Steps that belong together.'),
  keyword('rescue', 'steps', ['block'], 'Steps for controllers on which a step of the block failed.'),
  keyword('always', 'steps', ['block'], 'Steps that run in any case, after the block and its rescue.'),

  keyword(
    'action',
    'call',
    [...CALLS, ...IMPORTS, 'meta'],
    'The module, as a value: "debug msg=hello", or a mapping with "module".',
  ),
  keyword('local_action', 'call', [...TASKS, 'meta'], 'As "action", with "delegate_to: localhost".'),
  keyword('args', 'arguments', [...CALLS, ...IMPORTS], 'More arguments of the module. The ones under its name win.'),
  keyword('register', 'variable', CALLS, 'The variable that keeps the result.'),
  keyword('when', 'conditions', ALL_BUT_PLAYS, 'Run only if all of these expressions are true.'),
  keyword('loop', 'any', [...CALLS, 'block'], 'Once for each item of a list.'),
  ...LOOKUP_NAMES.map((name) => {
    const description = LOOPS.get(name) ?? `Once for each result of the lookup "${name}".`;
    return keyword(`with_${name}`, 'any', [...CALLS, 'block'], description);
  }),
  keyword('loop_control', 'loop control', [...CALLS, 'block'], 'Settings of the loop.'),
  keyword('until', 'conditions', TASKS, 'Repeat until this is true.'),
  keyword('retries', 'whole number', TASKS, 'How often to repeat.'),
  keyword('delay', 'number', TASKS, 'Seconds between attempts.'),
  keyword('backoff', 'number', TASKS, 'The factor by which the delay grows after each attempt.'),
  keyword('changed_when', 'conditions', TASKS, 'What counts as a change.'),
  keyword('failed_when', 'conditions', TASKS, 'What counts as a failure.'),
  keyword('notify', 'texts', INNER, 'Handlers, or topics, to run if this changes something.'),
  keyword('listen', 'texts', ['handler'], 'Topics that notify the handler, besides its name.'),

  keyword('tags', 'names', ['play', ...ALL_BUT_PLAYS], 'Tags for --tags and --skip-tags.'),
  keyword('ignore_errors', 'flag', ['play', ...STEPS, 'meta'], 'Continue on the controller after a failure.'),
  keyword('ignore_unreachable', 'flag', ['play', ...INNER], 'Continue if the controller is unreachable.'),
  keyword('any_errors_fatal', 'flag', ['play', ...INNER, 'meta'], 'One failure ends the batch for all.'),
  keyword('no_log', 'flag', ['play', ...STEPS], 'Arguments and results are not shown.'),
  keyword('check_mode', 'flag', ['play', ...INNER], 'True: always check, never write. False: write even with --check.'),
  keyword('diff', 'flag', ['play', ...INNER], 'Whether differences are shown.'),
  keyword('run_once', 'flag', ['play', ...STEPS, 'meta'], 'One controller of the batch runs it for all.'),
  keyword('throttle', 'whole number', ['play', ...INNER], 'Controllers that run this at the same time; 0: no limit.'),
  keyword('timeout', 'number', ['play', ...STEPS], 'Seconds for one attempt; 0: no limit.'),
  keyword('delegate_to', 'text', INNER, 'The controller to connect to, with the variables of this one.'),
  keyword('delegate_facts', 'flag', INNER, 'Facts belong to the controller of delegate_to.'),
  keyword('module_defaults', 'defaults', ['play', ...INNER], 'Default arguments, by module.'),

  keyword('import_playbook', 'text', ['import_playbook'], 'Another playbook, whose plays are inserted here.'),
  keyword('import_tasks', 'text', ['import_tasks'], 'A file of tasks to insert here.'),
  keyword('import_role', 'arguments', ['import_role'], 'A role whose tasks are inserted here.'),
  { ...keyword('meta', 'choice', ['meta'], 'A command for the run itself.'), choices: META_ACTIONS },

  keyword('role', 'text', ['role'], 'The name of the role.'),

  keyword('loop_var', 'variable or template', LOOP, 'The variable that holds the item, instead of "item".'),
  keyword('index_var', 'variable or template', LOOP, 'A variable that holds the number of the item, from 0.'),
  keyword('label', 'any', LOOP, 'What the output shows for the item.'),
  keyword('pause', 'number', LOOP, 'Seconds between items.'),
  keyword('extended', 'boolean', LOOP, 'Whether ansible_loop describes the position in the loop.'),
  keyword('extended_allitems', 'boolean', LOOP, 'Whether ansible_loop also has all items as allitems (the default).'),
  keyword('break_when', 'conditions', LOOP, 'End the loop after an item for which this is true.'),
  keyword('parallel', 'whole number', LOOP, 'Items at once; results stay in order.'),

  keyword('name', 'variable', ['vars_prompt'], 'The variable.'),
  keyword('prompt', 'text', ['vars_prompt'], 'The question.'),
  keyword('default', 'any', ['vars_prompt'], 'The value for an empty answer.'),
  keyword('private', 'boolean', ['vars_prompt'], 'The answer is a secret, and not shown (the default).'),
  keyword('confirm', 'boolean', ['vars_prompt'], 'Ask twice.'),
  keyword('unsafe', 'boolean', ['vars_prompt'], 'The answer is data, never a template.'),
];
