import type { LintSettings } from '../../lint/lint.js';
import type { Rule } from '../../lint/subject/rule.js';
import type { LintProject } from '../../load/project/lint_settings.js';
import type { Diagnostics } from '../../model/source/diagnostic.js';
import type { Located } from '../../model/playbook/step.js';
import { didYouMean } from '../../model/source/suggestion.js';

/** The lint settings of the project file. Names of unknown rules are errors. */
export function lintSettings(
  { skip, warn }: LintProject,
  rules: readonly Rule[],
  diagnostics: Diagnostics,
): LintSettings {
  const names = rules.map(({ name }) => name);
  const known = (list: readonly Located<string>[]): ReadonlySet<string> => {
    for (const { value, source } of list) {
      if (names.includes(value)) continue;
      diagnostics.error(
        `there is no rule "${value}"`,
        source,
        didYouMean(value, names) ?? 'evenkeel lint -l lists all',
      );
    }
    return new Set(list.map(({ value }) => value));
  };
  return { skip: known(skip), warn: known(warn) };
}
