import { type Diagnostic, placeText, type Source } from '../core/model/source/diagnostic.js';
import { getOrAdd, groupBy } from '../core/model/values/groups.js';
import { nameSome } from '../reporting/text/words.js';
import { countableUnits, unitAt, type Unit } from './ansible_project/units.js';
import { DOUBTFUL, SYNTAX_CHECK } from './rules/index.js';
import {
  isExempt,
  placedSteps,
  unknownRulesIn,
  type LintSubject,
  type PlacedStep,
  type Remark,
  type Rule,
} from './subject/subject.js';

export interface LintSettings {
  /** Names of disabled rules. */
  readonly skip: ReadonlySet<string>;
  /** Names of rules whose findings are warnings. */
  readonly warn: ReadonlySet<string>;
}

/** A diagnostic with the rule that found it. */
export type LintFinding = Diagnostic & { readonly rule: string } & Pick<Remark, 'together'>;

/**
 * The findings of the rules and of the loader, in no particular order, each once. Settings cannot switch off errors of the loader:
 * such a playbook does not run.
 */
export function lint(
  subject: LintSubject,
  found: readonly Diagnostic[],
  rules: readonly Rule[],
  settings: LintSettings,
): readonly LintFinding[] {
  const exemptions = new Exemptions(subject);
  const mistakes = found.filter(({ severity }) => severity === 'error').map(named);
  const doubts = found.filter(({ severity }) => severity === 'warning').map((doubt) => ranked(named(doubt), rules));
  const misspelt = exemptions.unknownRules(rules.map(({ name }) => name));
  const remarked = rules.flatMap((rule) => toFindings(rule, rule.check?.(subject) ?? []));
  const kept = [...doubts, ...remarked, ...toFindings(DOUBTFUL, misspelt)]
    .filter(({ rule }) => !settings.skip.has(rule))
    .filter(({ rule, source }) => source === undefined || !exemptions.covers(rule, source))
    .map((one): LintFinding => (settings.warn.has(one.rule) ? { ...one, severity: 'warning' } : one));
  return joined(distinct([...mistakes, ...kept]));
}

function named(diagnostic: Diagnostic): LintFinding {
  const fallback = diagnostic.severity === 'error' ? SYNTAX_CHECK : DOUBTFUL;
  return { ...diagnostic, rule: diagnostic.rule ?? fallback.name };
}

/** A warning before a run may be an error here. */
function ranked(doubt: LintFinding, rules: readonly Rule[]): LintFinding {
  return { ...doubt, severity: rules.find(({ name }) => name === doubt.rule)?.severity ?? doubt.severity };
}

function toFindings({ name, severity }: Rule, remarks: Iterable<Remark>): readonly LintFinding[] {
  return [...remarks].map((remark) => ({ ...remark, severity: remark.severity ?? severity, rule: name }));
}

/** Reports the findings of steps that are imported twice once. */
function distinct(findings: readonly LintFinding[]): readonly LintFinding[] {
  const key = ({ rule, message, source }: LintFinding): string =>
    `${rule} ${source === undefined ? '' : placeText(source)} ${message}`;
  return [...new Map(findings.map((one) => [key(one), one])).values()];
}

const MOST_LINES = 10;

/** Findings of a file that are reported together become the first of them, with the lines of all. */
function joined(findings: readonly LintFinding[]): readonly LintFinding[] {
  const groups = groupBy<unknown, LintFinding>(findings, (finding) => {
    const { rule, together, source } = finding;
    return together === undefined ? finding : `${rule} ${source?.file ?? ''} ${together}`;
  });
  return [...groups.values()].flatMap((group) => {
    const sorted = group.toSorted((a, b) => (a.source?.line ?? 0) - (b.source?.line ?? 0));
    const [first] = sorted;
    if (first?.together === undefined || group.length === 1) return group;
    const lines = sorted.map(({ source }) => String(source?.line));
    return [{ ...first, message: `${group.length} ${first.together}: lines ${nameSome(lines, MOST_LINES)}` }];
  });
}

/** The `# noqa` comments: on the line of a finding, or on the first line of its task, block or role. */
class Exemptions {
  readonly #steps: ReadonlyMap<string, readonly PlacedStep[]>;
  readonly #playbooks: ReadonlySet<string>;
  readonly #units = new Map<string, readonly Unit[]>();

  constructor(private readonly subject: LintSubject) {
    this.#steps = groupBy(placedSteps(subject), ({ step }) => step.source.file);
    this.#playbooks = new Set(subject.plays.map(({ play }) => play.source.file));
  }

  covers(rule: string, { file, line }: Source): boolean {
    const lines = this.subject.lines(file) ?? [];
    if (isExempt(rule, lines[line - 1])) return true;
    const units = getOrAdd(this.#units, file, () => this.#unitsIn(file, lines));
    const unit = unitAt(units, line, lines);
    return unit !== undefined && unit.type !== 'play' && isExempt(rule, lines[unit.line - 1]);
  }

  /** Misspelled rules in `# noqa` comments, in the files that have steps. */
  unknownRules(rules: readonly string[]): readonly Remark[] {
    return [...this.#steps.keys()].flatMap((file) => unknownRulesIn(file, this.subject.lines(file) ?? [], rules));
  }

  /** Static imports are no steps; roles, and steps in brackets, are no units by the layout. */
  #unitsIn(file: string, lines: readonly string[]): readonly Unit[] {
    const units = countableUnits(lines, this.#playbooks.has(file) ? 'plays' : 'steps');
    const steps = (this.#steps.get(file) ?? []).map(({ step: { source } }): Unit => {
      const dashes = /^[\s-]*-\s+/.exec(lines[source.line - 1] ?? '')?.[0];
      return { type: 'task', line: source.line, column: dashes?.length ?? source.column - 1 };
    });
    return [...units, ...steps].sort((a, b) => a.line - b.line);
  }
}
