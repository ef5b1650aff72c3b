import { expect } from 'chai';
import { pageRows } from '../../src/doc/page_tables.js';
import { allTopics, type Topic } from '../../src/doc/topics.js';
import { KEYWORDS } from '../../src/project/keywords/keyword_table.js';

const TOPICS = allTopics();

const factsOf = (type: Topic['type'], title: string): readonly (readonly [name: string, fact: string])[] =>
  TOPICS.filter((one) => one.type === type).map(({ name, facts }) => [
    name,
    facts.find(([one]) => one === title)?.[1] ?? '',
  ]);

describe('what evenkeel doc says of keywords and settings', () => {
  it('is what they take, in words, or which words', () => {
    const takes = new Map(factsOf('keyword', 'Takes'));
    const ofValues = KEYWORDS.filter(({ choices }) => choices === undefined).map(
      ({ name, value }) => [value, takes.get(name)] as const,
    );
    // `name` is a keyword of plays and of prompts, which are other topics.
    expect(Object.fromEntries(ofValues)).to.deep.equal({
      text: 'text',
      texts: 'one text, or a list of them',
      variables: 'a mapping of variables',
      files: 'a list of files; an entry can be a list of candidates',
      prompts: 'a list of questions',
      steps: 'a list of tasks, blocks and includes',
      roles: 'a list of roles',
      handlers: 'a list of handlers',
      sizes: 'a number, a percentage, or a list of them',
      percentage: 'a percentage',
      flag: 'true or false, or a template',
      'whole number': 'a whole number',
      gate: 'a mapping of settings of the gate',
      boolean: 'true or false',
      any: 'any value',
      number: 'a number',
      call: 'a module and its arguments',
      arguments: 'arguments',
      variable: 'the name of a variable',
      conditions: 'a condition, or a list of them that must all hold',
      'loop control': 'a mapping of settings of the loop',
      names: 'a list of names, or one text with commas',
      defaults: 'arguments by module',
      'variable or template': 'the name of a variable, or a template',
    });
    expect(takes.get('order')).to.equal('one of inventory, reverse_inventory, sorted, reverse_sorted, shuffle');
  });

  it('is where they are allowed, and the page to read on', () => {
    const places = new Map(factsOf('keyword', 'Allowed in'));
    expect(['serial', 'on_fail', 'role', 'private', 'rescue'].map((name) => places.get(name))).to.deep.equal([
      'play',
      'gate',
      'entries of roles',
      'entries of vars_prompt',
      'block',
    ]);
    expect(places.get('timeout')).to.equal(
      'play, task, handler, include_tasks, include_role, block, apply of includes, entries of roles, import_tasks, import_role',
    );
    const pages = new Map<string, string[]>();
    for (const { name, type, page } of TOPICS)
      if (type === 'keyword' && page !== 'docs/playbooks.md') pages.set(page, [...(pages.get(page) ?? []), name]);
    expect(Object.fromEntries([...pages].map(([page, names]) => [page, names.join(' ')]))).to.deep.equal({
      'docs/variables.md': 'vars vars_files vars_prompt register name prompt default private confirm unsafe',
      'docs/roles.md': 'roles',
      'docs/handlers.md': 'handlers force_handlers notify listen',
      'docs/rollouts.md':
        'serial max_fail_percentage order strategy gate checks interval passes failures on_fail any_errors_fatal run_once throttle',
      'docs/blocks.md': 'block rescue always',
      'docs/includes.md': 'import_playbook import_tasks import_role',
    });
  });

  it('is where settings are set, and what they take', () => {
    const settings = TOPICS.filter(({ type }) => type === 'setting').map(({ name, facts, page }) => {
      expect(page).to.equal('docs/cli.md#evenkeelyml-and-environment-variables');
      return [name, facts.map(([title, text]) => `${title}: ${text}`).join('; ')] as const;
    });
    const file = (takes: string): string => `Set in: evenkeel.yml; Takes: ${takes}`;
    expect(Object.fromEntries(settings.slice(0, 15))).to.deep.equal({
      inventory: file('files, folders, executables, or "host,host"'),
      forks: file('a whole number from 1, or auto'),
      max_registered: file('a number of bytes, or with a unit: 16MB'),
      strategy: file('one of host_pinned, linear, free'),
      state_dir: file('a folder'),
      modules_path: file('a folder, or a list of them'),
      roles_path: file('a folder, or a list of them'),
      collections: file('a name, or a list of them'),
      output: file('one of live, grouped, lines, json, quiet'),
      vault_ids: file('LABEL@FILE or LABEL@prompt, or a list of them'),
      vault_password_file: file('a file'),
      environments: file('a mapping'),
      dialects: file('a mapping'),
      routes: file('a mapping'),
      lint: file('a mapping'),
    });
    const other = (place: string, takes: string): string => `Set in: ${place}; Takes: ${takes}`;
    const environment = 'environments of evenkeel.yml';
    expect(Object.fromEntries(settings.slice(15))).to.deep.equal({
      inventory: other(environment, 'files, folders, executables, or "host,host"'),
      extra_vars: other(environment, 'a file, or a list of them'),
      limit: other(environment, 'text'),
      vault_ids: other(environment, 'LABEL@FILE or LABEL@prompt, or a list of them'),
      vault_password_file: other(environment, 'a file'),
      confirm: other(environment, 'true or false'),
      require_plan: other(environment, 'true or false'),
      skip: other('lint in evenkeel.yml', 'the name of a rule, or a list of them'),
      warn: other('lint in evenkeel.yml', 'the name of a rule, or a list of them'),
    });
  });
});

describe('what evenkeel doc says of filters, tests, lookups, variables and roles', () => {
  const about = (name: string): readonly unknown[] =>
    TOPICS.filter((one) => one.name === name).map(({ type, facts, examples, page }) => [type, facts, examples, page]);

  it('is how they are called, with examples of theirs, and where they are explained', () => {
    const lookups = 'docs/templates.md#lookups';
    const file = [['Call', 'file(path, rstrip?, lstrip?)']];
    expect(about('file')).to.deep.equal([
      ['filter', file, [], lookups],
      ['test', [['Call', 'VALUE is file']], [], 'docs/templates.md#tests'],
      ['lookup', file, [], lookups],
    ]);
    expect(about('divisibleby')).to.deep.equal([
      [
        'test',
        [['Call', 'VALUE is divisibleby(by)']],
        ['{{ port is divisibleby 2 }}  →  false'],
        'docs/templates.md#tests',
      ],
    ]);
    expect(about('csvfile')).to.deep.equal([
      [
        'lookup',
        [
          ['Call', 'lookup("csvfile", …)'],
          ['Options', 'csvfile, file= delimiter= col= keycol= default= encoding='],
        ],
        [],
        lookups,
      ],
    ]);
    expect(about('avi')).to.deep.equal([['lookup', [['Call', 'lookup("avi", …)']], [], lookups]]);
    for (const name of ['min', 'max'])
      expect(about(name)).to.deep.equal([
        ['filter', [['Call', `${name}(list, case_sensitive?, attribute?)`]], [], 'docs/templates.md#lists'],
      ]);
    expect(about('inventory_hostname')).to.deep.equal([['variable', [], [], 'docs/variables.md#predefined-variables']]);
    expect([about('controller_password'), about('controller_username')]).to.deep.equal([
      [['variable', [['Takes', 'text; a secret, masked in all output']], [], 'docs/inventory.md']],
      [['variable', [['Takes', 'text']], [], 'docs/inventory.md']],
    ]);
    expect(Math.max(...TOPICS.map(({ examples }) => examples.length))).to.equal(3);
  });

  it('is each variable of a role that ships, and the section that explains them', () => {
    const roles = TOPICS.filter(({ type }) => type === 'role');
    expect(roles.map(({ name, facts, page }) => [name, facts[0]?.[0], page])).to.deep.equal([
      ['evenkeel.drain', 'drain_pool', 'docs/jobs.md#drain-a-server'],
      ['evenkeel.certificate', 'certificate_old', 'docs/jobs.md#swap-a-certificate'],
      ['evenkeel.backup', 'backup_file', 'docs/jobs.md#back-up-and-download'],
      ['evenkeel.tenant', 'tenant_name', 'docs/jobs.md#onboard-a-tenant'],
      ['evenkeel.password', 'password_new', 'docs/jobs.md#rotate-the-password'],
    ]);
  });

  it('is read from the tables of the pages: names without arguments, texts without marks', () => {
    const rows = pageRows('docs/templates.md', 'filter');
    const row = (name: string) => rows.find(({ names }) => names.includes(name));
    expect(row('min')).to.deep.include({ names: ['min', 'max'], place: 'docs/templates.md#lists' });
    for (const { call, text } of rows) expect(call + text).to.not.match(/[`]|\*\*|\\\||\]\(/);
    expect(row('keep_keys')?.names).to.deep.equal(['keep_keys', 'remove_keys']);
    expect(row('community.general.keep_keys')).to.not.equal(undefined);
    expect(pageRows('docs/templates.md', 'no such title')).to.deep.equal([]);
  });
});
