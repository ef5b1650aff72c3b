import type { Random } from './random.js';

export const HOSTS = ['h1', 'h2', 'h3', 'h4'] as const;
export const RESULTS = ['r1', 'r2', 'r3'] as const;
export const FACTS = ['f1', 'f2'] as const;
export const VARIABLES = ['v1', 'v2'] as const;
export const ITEMS = ['x', 'y', 'z'] as const;

/** True for some controllers only. */
export function byHost(random: Random): string {
  return random.weighted([
    [4, () => `inventory_hostname == '${random.pick(HOSTS)}'`],
    [2, () => `inventory_hostname != '${random.pick(HOSTS)}'`],
    [2, () => `inventory_hostname in [${random.some(HOSTS).map(quoted).join(', ')}]`],
    [1, () => `'${random.pick(['a', 'b'])}' in group_names`],
  ]);
}

/** About a controller, or about what happened on it before. */
export function condition(random: Random): string {
  const [result, fact, variable] = [random.pick(RESULTS), random.pick(FACTS), random.pick(VARIABLES)];
  const test = random.pick(['failed', 'changed', 'skipped', 'succeeded']);
  return random.weighted([
    [8, () => byHost(random)],
    [3, () => `${result} is defined and ${result} is ${test}`],
    [2, () => `${result} is not defined or ${result} is not ${test}`],
    [2, () => `${fact} is ${random.pick(['defined', 'not defined'])}`],
    [1, () => `${variable} | default('none') == '${random.pick(ITEMS)}'`],
    [1, () => 'true'],
    [1, () => 'false'],
  ]);
}

function quoted(text: string): string {
  return `'${text}'`;
}

/** What a controller sees of everything that the playbook may set, written in one of several equivalent ways. */
export function everySeen(way: number): string {
  const set = [...VARIABLES, ...FACTS].map((name) => `${name} | default('-')`);
  const seen = [valuesSeen, valuesInLoop, valuesCollected][way % 3] ?? valuesSeen;
  return [seen(set), ...RESULTS.map(way % 2 === 0 ? resultSeen : resultInBranches)].join(' ');
}

function valuesSeen(values: readonly string[]): string {
  return values.map((value) => `{{ ${value} }}`).join(' ');
}

function valuesInLoop(values: readonly string[]): string {
  return `{% for one in [${values.join(', ')}] %}{{ one }}{% if not loop.last %} {% endif %}{% endfor %}`;
}

function valuesCollected(values: readonly string[]): string {
  const added = values.map((value) => `{% set _ = all.append(${value}) %}`);
  return `{%- set all = [] -%} ${added.join('')} {{- all | join(' ') }}`;
}

function resultSeen(name: string): string {
  return `{{ (${name} is failed) if ${name} is defined else '-' }}/{{ (${name} is changed) if ${name} is defined else '-' }}`;
}

function resultInBranches(name: string): string {
  return `{% if ${name} is not defined %}-/-{% else %}{{ ${name} is failed }}/{{ ${name} is changed }}{% endif %}`;
}
