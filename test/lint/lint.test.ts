import { expect } from 'chai';
import type { Diagnostic, Source } from '../../src/core/model/source/diagnostic.js';
import { BUILT_IN_LIBRARY } from '../../src/language/library.js';
import { lint, type LintFinding, type LintSettings } from '../../src/lint/lint.js';
import { LOADER_RULES } from '../../src/lint/rules/index.js';
import type { LintSubject, Remark, Rule } from '../../src/lint/subject/subject.js';

const place = (file: string, line: number, column = 1): Source => ({ file, line, column });
const rule = (name: string, severity: Rule['severity'], ...remarks: readonly Remark[]): Rule => ({
  name,
  reason: 'R.',
  severity,
  check: () => remarks,
});

/** What is found in files with these lines, none of which has steps. */
function findings(
  found: readonly Diagnostic[],
  rules: readonly Rule[],
  settings: Partial<LintSettings> = {},
  files: Readonly<Record<string, readonly string[]>> = {},
): readonly LintFinding[] {
  const subject: LintSubject = {
    plays: [],
    inventories: [],
    extraVars: [],
    modules: new Map(),
    library: BUILT_IN_LIBRARY,
    lines: (file) => files[file],
    complete: true,
  };
  return lint(subject, found, rules, { skip: new Set(), warn: new Set(), ...settings });
}

describe('the findings of lint', () => {
  const error: Diagnostic = { severity: 'error', message: 'broken', source: place('a.yml', 1), hint: 'mend it' };
  const warning: Diagnostic = { severity: 'warning', message: 'odd', source: place('a.yml', 2) };

  it('are those of the loader, under its rules, and those of the rules', () => {
    const own = rule(
      'own',
      'error',
      { message: 'first', source: place('a.yml', 3), hint: 'h' },
      { message: 'second', source: place('b.yml', 3), severity: 'warning' },
    );
    const typo: Diagnostic = { ...warning, rule: 'unknown-field', message: 'typo' };
    const foreign: Diagnostic = { ...warning, rule: 'of no rule', message: 'other' };
    expect(
      findings([error, { ...error, rule: 'unknown-key' }, warning, typo, foreign], [...LOADER_RULES, own]),
    ).to.deep.equal([
      { ...error, rule: 'syntax-check' },
      { ...error, rule: 'unknown-key' },
      { ...warning, rule: 'doubtful' },
      { ...typo, severity: 'error' },
      foreign,
      { message: 'first', source: place('a.yml', 3), hint: 'h', severity: 'error', rule: 'own' },
      { message: 'second', source: place('b.yml', 3), severity: 'warning', rule: 'own' },
    ]);
  });

  it('are left out or only warnings if the project says so, but errors of the loader stay', () => {
    const rules = [
      rule('one', 'error', { message: '1', source: place('a.yml', 1) }),
      rule('two', 'error', { message: '2', source: place('a.yml', 2) }),
      rule('three', 'error', { message: '3', source: place('a.yml', 3) }),
    ];
    const settings = { skip: new Set(['one', 'doubtful', 'syntax-check']), warn: new Set(['two', 'syntax-check']) };
    expect(findings([error, warning], rules, settings).map((one) => [one.rule, one.severity])).to.deep.equal([
      ['syntax-check', 'error'],
      ['two', 'warning'],
      ['three', 'error'],
    ]);
  });

  it('are left out on lines that exempt themselves, but not errors of the loader', () => {
    const lines = { 'a.yml': ['x # noqa', 'x # noqa one', 'x'], 'b.yml': ['x'] };
    const all = ['a.yml', 'b.yml'].flatMap((file) => [1, 2, 3].map((line) => place(file, line)));
    const remarks = all.map((source) => ({ message: 'm', source }));
    const shown = findings([error], [rule('one', 'error', ...remarks), rule('two', 'error', ...remarks)], {}, lines);
    expect(shown.map(({ rule: name, source }) => `${name} ${source?.file} ${source?.line}`)).to.deep.equal([
      'syntax-check a.yml 1',
      'one a.yml 3',
      'one b.yml 1',
      'one b.yml 2',
      'one b.yml 3',
      'two a.yml 2',
      'two a.yml 3',
      'two b.yml 1',
      'two b.yml 2',
      'two b.yml 3',
    ]);
  });

  it('are told once for each rule, place and text', () => {
    const remark = (message: string, source: Source) => ({ message, source });
    const rules = [
      rule(
        'one',
        'error',
        remark('m', place('a.yml', 1)),
        remark('m', place('a.yml', 1)),
        remark('n', place('a.yml', 1)),
        remark('m', place('a.yml', 1, 2)),
      ),
      rule('two', 'error', remark('m', place('a.yml', 1))),
    ];
    const placeless: Diagnostic = { severity: 'warning', message: 'm' };
    expect(findings([placeless, placeless], rules)).to.have.length(1 + 3 + 1);
  });

  it('that belong together are one for each file, with their lines in order, ten at most', () => {
    const together = 'things are odd';
    const at = (file: string, ...numbers: readonly number[]): readonly Remark[] =>
      numbers.map((line) => ({ message: `${file} ${line}`, source: place(file, line, 7), hint: 'h', together }));
    const many = Array.from({ length: 12 }, (_, index) => 12 - index);
    const own = rule(
      'own',
      'error',
      ...at('a.yml', 9, 3, 5),
      ...at('b.yml', 4),
      ...at('c.yml', ...many),
      { message: 'alone', source: place('a.yml', 1) },
      { message: 'alone', source: place('a.yml', 2) },
    );
    const other = rule('other', 'warning', ...at('a.yml', 1, 2));
    const shown = findings([], [own, other]).map(({ rule: name, message, source, hint }) => [
      name,
      message,
      source?.line,
      hint,
    ]);
    expect(shown).to.deep.equal([
      ['own', '3 things are odd: lines 3, 5, 9', 3, 'h'],
      ['own', 'b.yml 4', 4, 'h'],
      ['own', '12 things are odd: lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more', 1, 'h'],
      ['own', 'alone', 1, undefined],
      ['own', 'alone', 2, undefined],
      ['other', '2 things are odd: lines 1, 2', 1, 'h'],
    ]);
  });
});

describe('the rules of the loader', () => {
  it('make errors of what does not run, and of fields with a mistake', () => {
    expect(LOADER_RULES.map(({ name, severity, check }) => [name, severity, check])).to.deep.equal([
      ['syntax-check', 'error', undefined],
      ['unknown-key', 'error', undefined],
      ['misplaced-key', 'error', undefined],
      ['unknown-field', 'error', undefined],
      ['no-jinja-when', 'warning', undefined],
      ['foreign-module', 'error', undefined],
      ['no-effect', 'warning', undefined],
      ['deprecated', 'warning', undefined],
      ['no-exec', 'warning', undefined],
      ['doubtful', 'warning', undefined],
    ]);
  });
});
