import type { Source } from '../../core/model/source/diagnostic.js';
import { likelyTypo } from '../../core/model/source/suggestion.js';
import type { LintSubject, Remark } from './subject.js';

const COMMENT = /(?:^|\s)#\s*noqa(?![\w-])[: ]?([\w\s,[\]-]*)/i;

/**
 * The rules that a line is exempt from: `# noqa name-of-rule other-rule`, or all rules: `# noqa`. Undefined if there are none.
 * Ignores ansible-lint's tag after a name (`name[missing]`).
 */
export function exemptionsIn(line: string): readonly string[] | 'all' | undefined {
  const match = COMMENT.exec(line);
  if (match === null) return undefined;
  const names = (match[1] ?? '').split(/[\s,]+/).map((name) => name.replace(/\[.*$/, ''));
  const given = names.filter((name) => name !== '');
  return given.length === 0 ? 'all' : given;
}

/** Whether a line exempts itself from the rule. */
export function isExempt(rule: string, line: string | undefined): boolean {
  const exemptions = line === undefined ? undefined : exemptionsIn(line);
  return exemptions !== undefined && (exemptions === 'all' || exemptions.includes(rule));
}

/** Misspelled rules in `# noqa`. Names of other linters' rules are fine. */
export function unknownRulesIn(file: string, lines: readonly string[], rules: readonly string[]): readonly Remark[] {
  return lines.flatMap((line, index) => {
    const exemptions = exemptionsIn(line);
    if (exemptions === undefined || exemptions === 'all') return [];
    return exemptions.flatMap((name) => {
      const suggestion = rules.includes(name) ? undefined : likelyTypo(name, rules);
      const column = line.indexOf(name, line.search(COMMENT)) + 1;
      if (suggestion === undefined) return [];
      const message = `"# noqa ${name}" has no effect: there is no such rule`;
      return [{ message, source: { file, line: index + 1, column }, hint: `did you mean "${suggestion}"?` }];
    });
  });
}

/** A comment with text: `# noqa` alone gives no reason. */
const WITH_REASON = /(?:^|\s)[#;](?!\s*noqa\b)\s*\S/;

/** Whether a comment gives a reason, on the line of one of these places or on the line above. */
export function hasReason(lines: LintSubject['lines'], ...places: readonly Source[]): boolean {
  return places.some(({ file, line }) => {
    const text = lines(file);
    return comments(text?.[line - 1]) || isComment(text?.[line - 2]);
  });
}

function comments(line: string | undefined): boolean {
  return line !== undefined && exemptionsIn(line) === undefined && WITH_REASON.test(line);
}

function isComment(line: string | undefined): boolean {
  return line !== undefined && /^\s*[#;]/.test(line) && comments(line);
}
