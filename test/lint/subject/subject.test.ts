import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { readSubject } from '../../../src/lint/read.js';
import { allLayers, definedNames, MAGIC_NAMES, namesRead } from '../../../src/lint/subject/names.js';
import { piecesOfLayer, stepPieces, type Piece } from '../../../src/lint/subject/pieces.js';
import {
  allTasks,
  everyNode,
  exemptionsIn,
  hasReason,
  isExempt,
  unknownRulesIn,
  writtenConditions,
  type LintSubject,
} from '../../../src/lint/subject/subject.js';
import { inFolder, type Files } from '../../rig/folder.js';
import { playOf } from '../../rig/loaded.js';

function subjectOf(files: Files, extraVars: readonly string[] = []): Promise<LintSubject> {
  return inFolder(files, async (cwd) => {
    const context = { cwd, env: {}, secrets: new Secrets() };
    const { subject } = await readSubject({ playbooks: ['site.yml'], extraVars }, context, new Diagnostics());
    return subject;
  });
}

const namesIn = (pieces: readonly Pick<Piece, 'expression' | 'source'>[]): readonly string[] =>
  pieces.map(({ expression, source }) => {
    const { file, line, column } = source();
    return `${[...namesRead([expression]).read].join(' ')} ${file}:${line}:${column}`;
  });

describe('the expressions that lint looks at', () => {
  it('are all conditions of a task, and its arguments that are expressions, each at its place', async () => {
    const subject = await subjectOf({
      'site.yml': playOf(`- debug: { var: g }
  when: [a, '{{ b }}', true, 'x {{ y }}', 'a b', ' ']
  until: c
  retries: 1
  changed_when: d
  failed_when: e
  loop: [1]
  loop_control: { break_when: f }
- assert: { that: [h, i], fail_msg: '{{ j }}' }`),
    });
    const [first, second] = [...allTasks(subject)].map(({ step }) => writtenConditions(step, subject));
    const shown = (all = first) =>
      all?.map(({ source, expression }) => [[...namesRead([expression]).read].join(), source.line, source.column]);
    expect(shown()).to.deep.equal([
      ['a', 4, 14],
      ['b', 4, 17],
      ['c', 5, 14],
      ['d', 7, 21],
      ['e', 8, 20],
      ['f', 10, 35],
      ['g', 3, 21],
    ]);
    expect(shown(second)).to.deep.equal([
      ['h', 11, 24],
      ['i', 11, 27],
    ]);
  });

  it('are those of arguments, loops, labels and places, but of no other keyword', async () => {
    const subject = await subjectOf({
      'site.yml': playOf(`- name: '{{ no }}'
  debug: { msg: ['{{ a }}', { k: 'x {{ b }} {{ c }}' }], var: d }
  when: e
  loop: '{{ f }}'
  loop_control: { label: '{{ g }}' }
  delegate_to: '{{ h }}'
  vars: { v: '{{ no }}' }
- block: [{ debug: }]
  loop: ['{{ i }}']
- meta: noop`),
    });
    const [play] = subject.plays;
    const steps = (play?.steps ?? []).map(({ step }) => namesIn(stepPieces(step, subject)));
    expect(steps).to.deep.equal([
      [
        'e site.yml:5:13',
        'd site.yml:4:67',
        'a site.yml:4:22',
        'b site.yml:4:38',
        'c site.yml:4:38',
        'f site.yml:6:13',
        'g site.yml:7:30',
        'h site.yml:8:20',
      ],
      ['i site.yml:11:13'],
      [],
      [],
    ]);
  });

  it('say whether they are alone in a text, and whether it looks like a list', async () => {
    const values = {
      alone: '{{ a }}',
      around: 'x {{ a }}',
      two: '{{ a }}{{ b }}',
      list: ' [{% for x in a %}1{% endfor %}] ',
      mapping: '{"k": {% if a %}1{% endif %}}',
      statement: '{% if a %}[1]{% endif %}',
      each: '{{#each a}}{{ b }}{{/each}}',
      with: '{{#with a}}{{ b }}{{/with}}',
      inside: '{% if a %}{{#each b}}{{/each}}{% endif %}',
      otherwise: '{% if a %}{% else %}{{#each b}}{{/each}}{% endif %}',
      loop: '{% for x in a %}{{#each b}}{{/each}}{% endfor %}',
      bound: '{% with x = a %}{{#each b}}{{/each}}{% endwith %}',
      captured: '{% set x %}{{#each b}}{{/each}}{% endset %}{{ a }}',
      set: '{% set x = a %}',
      broken: '{{ a',
      plain: 'a',
    };
    const subject = await subjectOf({ 'site.yml': '- hosts: all\n' });
    const locate = (path: readonly (string | number)[]) => ({ file: path.join('/'), line: 1, column: 1 });
    const pieces = piecesOfLayer({ level: 'play vars', values, origin: 'x', locate }, subject);
    const shown = pieces.map(({ source, alone, looksLikeList, names }) => [
      source().file,
      alone,
      looksLikeList,
      [...(names ?? [])].join(),
    ]);
    expect(shown).to.deep.equal([
      ['alone', true, false, ''],
      ['around', false, false, ''],
      ['two', false, false, ''],
      ['two', false, false, ''],
      ['list', false, true, 'loop,x'],
      ['mapping', false, true, ''],
      ['statement', false, false, ''],
      ['set', false, false, 'x'],
    ]);
    expect(piecesOfLayer({ level: 'play vars', values, origin: 'x' }, subject)).to.deep.equal([]);
  });

  it('have parts, and names that may be undefined', async () => {
    const subject = await subjectOf({ 'site.yml': playOf(`- debug: { msg: '{{ (a.b | default(c, d=e)) ~ f[g] }}' }`) });
    const [task] = allTasks(subject);
    const [piece] = task === undefined ? [] : stepPieces(task.step, subject);
    if (piece === undefined) return expect.fail('no piece');
    const { read, guarded } = namesRead([piece.expression]);
    expect([[...read], [...guarded]]).to.deep.equal([
      ['a', 'c', 'e', 'f', 'g'],
      ['a', 'c'],
    ]);
    expect([...everyNode(piece.expression)].length).to.be.above(6);
  });
});

describe('the variables that lint knows', () => {
  it('come from every file, keyword and task that sets them', async () => {
    const files = {
      'evenkeel.yml': 'inventory: hosts.yml\n',
      'hosts.yml':
        'all:\n  vars: { of_all: 1 }\n  children:\n    web: { hosts: { lb1: { of_lb1: 1 } }, vars: { of_web: 1 } }\n',
      'group_vars/web.yml': 'of_group_file: 1\n',
      'host_vars/lb1.yml': 'of_host_file: 1\n',
      'roles/r/defaults/main.yml': 'of_role: 1\n',
      'roles/r/tasks/main.yml': '- debug:\n',
      'site.yml': `- hosts: all
  vars: { of_play: 1 }
  vars_prompt: [{ name: of_prompt }]
  roles: [{ role: r, of_params: 1 }]
  handlers: [{ name: h, debug: , register: of_handler }]
  tasks:
    - debug:
      vars: { of_task: 1 }
      register: of_register
      loop: [1]
      loop_control: { loop_var: of_loop, index_var: of_index }
    - set_fact: { of_fact: 1 }
    - add_host: { name: x, of_host: 1 }
    - api_request: { path: /api/x }
    - block: [{ debug: }]
      vars: { of_block: 1 }
      loop: [1]
      loop_control: { loop_var: of_block_loop }
    - meta: noop
`,
    };
    const subject = await subjectOf(files, ['of_option=1']);
    const magic = new Set<string>(MAGIC_NAMES);
    const own = [...definedNames(subject)].filter((name) => !magic.has(name) && name !== 'ansible_search_path').sort();
    expect(own.join(' ')).to.equal(
      'name of_all of_block of_block_loop of_fact of_group_file of_handler of_host of_host_file of_index of_lb1 of_loop of_option of_params of_play of_prompt of_register of_role of_task of_web',
    );
    expect(MAGIC_NAMES.every((name) => definedNames(subject).has(name))).to.equal(true);
    const levels = new Set([...allLayers(subject)].map(({ level }) => level));
    expect([...levels].sort()).to.deep.equal([
      'block vars',
      'extra vars',
      'inventory group vars',
      'inventory group_vars/*',
      'inventory host vars',
      'inventory host_vars/*',
      'play vars',
      'playbook group_vars/*',
      'playbook host_vars/*',
      'role defaults',
      'role params',
      'task vars',
    ]);
  });
});

const LINES = [
  'ignore_errors: true # it may be gone', // 1
  'ignore_errors: true', // 2
  '# it may be gone', // 3
  'ignore_errors: true', // 4
  'ignore_errors: true # noqa', // 5
  '  # noqa ignore-errors', // 6
  'ignore_errors: true', // 7
  'ignore_errors: true #', // 8
  'url: https://a/#fragment', // 9
  'setting = on ; it may be gone', // 10
  '   ; it may be gone', // 11
  'setting = on', // 12
  '#!tight', // 13
  '', // 14
  'ignore_errors: true #noqa: it may be gone', // 15
  'ignore_errors: true', // 16
];

function reasons(...places: readonly number[]): boolean {
  return hasReason(() => LINES, ...places.map((line) => ({ file: 'a.yml', line, column: 1 })));
}

describe('The reason for what a rule finds', () => {
  const rows: readonly (readonly [line: number, why: string, is: boolean])[] = [
    [1, 'a comment on its line', true],
    [2, 'a comment behind the line above is about that line', false],
    [3, 'the comment itself', true],
    [4, 'a comment above it', true],
    [5, 'an exemption is no reason', false],
    [6, 'nor is one with the name of a rule', false],
    [7, 'nor one above it', false],
    [8, 'nor an empty comment', false],
    [9, 'nor a # within a word', false],
    [10, 'a ; starts a comment, too', true],
    [11, 'with blanks in front', true],
    [12, 'and above a line', true],
    [13, 'blanks behind the # may be missing', true],
    [14, 'above an empty line', true],
    [15, 'an exemption with other words is one', false],
    [16, 'also above a line', false],
    [17, 'behind the end', false],
    [40, 'far behind the end', false],
  ];
  for (const [line, why, is] of rows) it(`in line ${line}: ${why}`, () => expect(reasons(line)).to.equal(is));

  it('is in one of several places', () => {
    expect(reasons(2, 1)).to.equal(true);
    expect(reasons(1, 2)).to.equal(true);
    expect(reasons(2, 5)).to.equal(false);
    expect(reasons()).to.equal(false);
  });

  it('may be in a file whose comments are not known', () => {
    expect(hasReason(() => undefined, { file: 'a.yml', line: 1, column: 1 })).to.equal(true);
  });

  it('is looked for in the file of each place', () => {
    const texts: Readonly<Record<string, readonly string[]>> = { 'a.yml': ['x'], 'b.yml': ['x # because'] };
    const inFile = (file: string): boolean => hasReason((name) => texts[name], { file, line: 1, column: 1 });
    expect([inFile('a.yml'), inFile('b.yml')]).to.deep.equal([false, true]);
  });
});

describe('A line that exempts itself', () => {
  const rows: readonly (readonly [rule: string, line: string | undefined, is: boolean])[] = [
    ['name', undefined, false],
    ['name', 'a: 1', false],
    ['name', 'a: 1 # noqa', true],
    ['name', 'a: 1 # noqa name', true],
    ['name', 'a: 1 # noqa names', false],
    ['name', 'a: 1 # noqa yaml name', true],
    ['name-template', 'a: 1 # noqa name', false],
    ['name', 'a: 1 # noqa name[missing]', true],
    ['all', 'a: 1 # noqa name', false],
  ];
  for (const [rule, line, is] of rows)
    it(`from ${rule}: ${JSON.stringify(line)} ${is}`, () => expect(isExempt(rule, line)).to.equal(is));

  it('ends its list at the next comment, and takes blanks and commas between names', () => {
    expect(exemptionsIn('a # noqa: a,b , c\td # e')).to.deep.equal(['a', 'b', 'c', 'd']);
    expect(exemptionsIn('a # noqa:')).to.equal('all');
    expect(exemptionsIn('a # noqa-name')).to.equal(undefined);
    expect(exemptionsIn('a #  noqa  name')).to.deep.equal(['name']);
    expect(exemptionsIn('a # why # noqa name')).to.deep.equal(['name']);
  });
});

describe('The misspelt rules of # noqa', () => {
  const RULES = ['name', 'ignore-errors', 'no-handler'];
  const unknown = (...lines: readonly string[]): readonly string[] =>
    unknownRulesIn('a.yml', lines, RULES).map(
      ({ message, hint, source: { file, line, column } }) =>
        `${file}:${line}:${column} ${/noqa (.*?)"/.exec(message)?.[1]} ${/"(.*)"/.exec(hint ?? '')?.[1]}`,
    );

  it('are found where they are, line by line', () => {
    expect(unknown('a # noqa nmae', 'b', '  c # noqa name no-handlr', '# noqa ignore_errors')).to.deep.equal([
      'a.yml:1:10 nmae name',
      'a.yml:3:17 no-handlr no-handler',
      'a.yml:4:8 ignore_errors ignore-errors',
    ]);
  });

  it('are not looked for in front of the comment', () => {
    expect(unknown('nmae: 1 # noqa nmae')).to.deep.equal(['a.yml:1:16 nmae name']);
  });

  it('are neither the rules that there are, nor those of others, nor all', () => {
    expect(unknown('a # noqa', 'a # noqa name', 'a # noqa yaml fqcn', 'a # nmae', '')).to.deep.equal([]);
  });
});
