import { CONNECTION_VARIABLES } from '../core/model/inventory/connection_variables.js';
import { BUILT_IN } from '../language/library/index.js';
import { LOOKUP_NAMES } from '../language/library/lookups/lookups.js';
import type { Construct, Keyword, KeywordValueKind } from '../project/keywords/keyword.js';
import { KEYWORDS } from '../project/keywords/keyword_table.js';
import { ENVIRONMENT_SETTINGS, LINT_SETTINGS, PROJECT_SETTINGS, type Setting } from '../project/project/table.js';
import { pageRows, type PageRow } from './page_tables.js';

/** What `evenkeel doc` explains besides modules. */
export interface Topic {
  readonly name: string;
  readonly type: TopicType;
  /** One sentence, or what a filter returns. */
  readonly text: string;
  /** Its signature, where it is allowed, and the values that it takes. */
  readonly facts: readonly (readonly [title: string, text: string])[];
  /** Expressions and their values. */
  readonly examples: readonly string[];
  /** The page with more details. */
  readonly page: string;
}

export type TopicType = 'keyword' | 'filter' | 'test' | 'lookup' | 'variable' | 'setting' | 'role';

/** All topics, by type and then in the order of their declarations. */
export function allTopics(): readonly Topic[] {
  return [
    ...KEYWORDS.map(keywordTopic),
    ...templateTopics(),
    ...variableTopics(),
    ...roleTopics(),
    ...settingTopics(PROJECT_SETTINGS, 'evenkeel.yml'),
    ...settingTopics(ENVIRONMENT_SETTINGS, 'environments of evenkeel.yml'),
    ...settingTopics(LINT_SETTINGS, 'lint in evenkeel.yml'),
  ];
}

function keywordTopic({ name, constructs, description, value, choices }: Keyword): Topic {
  const takes = choices === undefined ? VALUES[value] : `one of ${choices.join(', ')}`;
  return {
    name,
    type: 'keyword',
    text: description,
    examples: [],
    facts: [
      ['Allowed in', constructs.map((construct) => CONSTRUCTS[construct] ?? construct).join(', ')],
      ['Takes', takes],
    ],
    page: readPage(name, constructs),
  };
}

const CONSTRUCTS: Readonly<Partial<Record<Construct, string>>> = {
  role: 'entries of roles',
  apply: 'apply of includes',
  vars_prompt: 'entries of vars_prompt',
};

/** The values of a keyword, in words. */
const VALUES: Readonly<Record<KeywordValueKind, string>> = {
  text: 'text',
  variable: 'the name of a variable',
  'variable or template': 'the name of a variable, or a template',
  flag: 'true or false, or a template',
  boolean: 'true or false',
  number: 'a number',
  'whole number': 'a whole number',
  conditions: 'a condition, or a list of them that must all hold',
  names: 'a list of names, or one text with commas',
  texts: 'one text, or a list of them',
  variables: 'a mapping of variables',
  arguments: 'arguments',
  call: 'a module and its arguments',
  any: 'any value',
  'loop control': 'a mapping of settings of the loop',
  gate: 'a mapping of settings of the gate',
  steps: 'a list of tasks, blocks and includes',
  handlers: 'a list of handlers',
  roles: 'a list of roles',
  prompts: 'a list of questions',
  files: 'a list of files; an entry can be a list of candidates',
  sizes: 'a number, a percentage, or a list of them',
  percentage: 'a percentage',
  defaults: 'arguments by module',
  choice: 'one of several words',
};

const PAGES: readonly (readonly [page: string, names: RegExp])[] = [
  ['docs/rollouts.md', /^(?:serial|gate|strategy|order|throttle|max_fail_percentage|any_errors_fatal|run_once)$/],
  ['docs/blocks.md', /^(?:block|rescue|always)$/],
  ['docs/handlers.md', /^(?:handlers|notify|listen|force_handlers)$/],
  ['docs/includes.md', /^(?:include|import)_/],
  ['docs/variables.md', /^(?:vars|vars_files|vars_prompt|register)$/],
  ['docs/roles.md', /^roles$/],
];

function readPage(name: string, [construct]: readonly Construct[]): string {
  if (construct === 'vars_prompt') return 'docs/variables.md';
  if (construct === 'gate') return 'docs/rollouts.md';
  return PAGES.find(([, names]) => names.test(name))?.[0] ?? 'docs/playbooks.md';
}

const TEMPLATES = 'docs/templates.md';

function templateTopics(): readonly Topic[] {
  const examples = pageRows(TEMPLATES, 'expression');
  const topics = (title: string, type: TopicType): readonly Topic[] =>
    pageRows(TEMPLATES, title).flatMap((row) => row.names.map((name) => rowTopic(name, type, row, examples)));
  const filters = topics('filter', 'filter');
  // Some lookups are filters as well, and described there.
  const both = filters
    .filter(({ name, page }) => page.endsWith('#lookups') && LOOKUP_NAMES.includes(name))
    .map((one): Topic => ({ ...one, type: 'lookup' }));
  return [...filters, ...topics('test', 'test'), ...both, ...topics('lookup', 'lookup')];
}

const MOST_EXAMPLES = 3;

function rowTopic(name: string, type: TopicType, row: PageRow, examples: readonly PageRow[] = []): Topic {
  const written =
    type === 'test' ? String.raw`\bis (?:not )?${name}\b` : String.raw`\| *${name}\b|(?<!["\w.])${name}\(`;
  const uses = new RegExp(written);
  const fitting = examples.filter(
    ({ call, place }) => uses.test(call) && (type === 'test') === place.endsWith('#tests'),
  );
  return {
    name,
    type,
    text: row.text,
    page: row.place,
    facts: topicFacts(name, type, row),
    examples: fitting.slice(0, MOST_EXAMPLES).map(({ call, text }) => `{{ ${call} }}  →  ${text}`),
  };
}

/** Filters declare their arguments. For lookups, they are on the page. */
function topicFacts(name: string, type: TopicType, { call }: PageRow): Topic['facts'] {
  if (type === 'variable') return [];
  if (type === 'lookup')
    return [['Call', `lookup("${name}", …)`], ...(call.includes('=') ? [['Options', call] as const] : [])];
  const signature = (type === 'test' ? BUILT_IN.test(name) : BUILT_IN.filter(name))?.signature().text;
  if (signature === undefined) return [];
  return [['Call', type === 'test' ? testCall(name, signature) : `${name}(${signature})`]];
}

/** The first argument is the tested value. */
function testCall(name: string, signature: string): string {
  const others = signature.split(', ').slice(1).join(', ');
  return others === '' ? `VALUE is ${name}` : `VALUE is ${name}(${others})`;
}

function variableTopics(): readonly Topic[] {
  const predefined = pageRows('docs/variables.md', 'variable').flatMap((row) =>
    row.names.map((name) => rowTopic(name, 'variable', row)),
  );
  const connections = CONNECTION_VARIABLES.map(({ name, type, description, secret }): Topic => ({
    name,
    type: 'variable',
    text: description,
    examples: [],
    page: 'docs/inventory.md',
    facts: [['Takes', secret === true ? `${type}; a secret, masked in all output` : type]],
  }));
  return [...predefined, ...connections];
}

const JOBS = 'docs/jobs.md';

/** The roles that ship with Evenkeel, with their variables. */
function roleTopics(): readonly Topic[] {
  const variables = pageRows(JOBS, 'variable');
  return pageRows(JOBS, 'role').map(({ call: name, text }) => {
    const prefix = `${name.replace('evenkeel.', '')}_`;
    const own = variables.filter(({ call }) => call.startsWith(prefix));
    const page = own[0]?.place ?? JOBS;
    return { name, type: 'role', text, examples: [], facts: own.map((row) => [row.call, row.text] as const), page };
  });
}

const SETTING_VALUES: Readonly<Record<Exclude<Setting['value'], 'choice'>, string>> = {
  sources: 'files, folders, executables, or "host,host"',
  forks: 'a whole number from 1, or auto',
  size: 'a number of bytes, or with a unit: 16MB',
  boolean: 'true or false',
  text: 'text',
  file: 'a file',
  folder: 'a folder',
  files: 'a file, or a list of them',
  folders: 'a folder, or a list of them',
  'vault ids': 'LABEL@FILE or LABEL@prompt, or a list of them',
  collections: 'a name, or a list of them',
  rules: 'the name of a rule, or a list of them',
  environments: 'a mapping',
  dialects: 'a mapping',
  routes: 'a mapping',
  lint: 'a mapping',
};

function settingTopics(settings: typeof PROJECT_SETTINGS, where: string): readonly Topic[] {
  return settings.map(({ name, description, value, choices }) => ({
    name,
    type: 'setting',
    text: description,
    examples: [],
    facts: [
      ['Set in', where],
      ['Takes', value === 'choice' ? `one of ${choices?.join(', ') ?? ''}` : SETTING_VALUES[value]],
    ],
    page: 'docs/cli.md#evenkeelyml-and-environment-variables',
  }));
}
