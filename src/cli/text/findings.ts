import type { Finding } from '../../lint/lint.js';
import type { Rule } from '../../lint/subject/rule.js';
import type { Secrets } from '../../secrets/secrets.js';
import { formatDiagnostics } from '../../report/diagnostics.js';
import { GithubCommands } from '../../report/reporters/github.js';
import { colourWanted } from '../terminal/colour.js';
import type { CommandContext } from '../terminal/context.js';

interface Format {
  readonly json?: boolean | undefined;
  readonly color?: boolean | undefined;
}

type Surroundings = Pick<CommandContext, 'cwd' | 'env' | 'stdout'> & { readonly secrets: Secrets };

/** For people, in a job of GitHub with annotations, or for programs. */
export function findingsText(findings: readonly Finding[], { json, color }: Format, around: Surroundings): string {
  const { cwd, env, stdout, secrets } = around;
  if (json === true)
    return `${JSON.stringify(
      findings.map((finding) => flat(finding, secrets)),
      null,
      2,
    )}\n`;
  if (findings.length === 0) return 'no findings\n';
  const text = formatDiagnostics(findings, { colour: colourWanted(stdout, env, color), cwd, secrets, rules: true });
  if (env['GITHUB_ACTIONS'] !== 'true') return text;
  const github = new GithubCommands(env['GITHUB_WORKSPACE'] ?? cwd, cwd);
  return text + secrets.mask(findings.map((finding) => `${github.diagnostic(finding)}\n`).join(''));
}

/** One finding for programs: documented in `docs/lint.md`. */
function flat({ rule, severity, message, hint, source }: Finding, secrets: Secrets): Readonly<Record<string, unknown>> {
  return {
    rule,
    severity,
    message: secrets.mask(message),
    ...(hint === undefined ? {} : { hint: secrets.mask(hint) }),
    ...(source === undefined ? {} : { ...source, file: secrets.mask(source.file) }),
  };
}

/** `name  reason`, a line each. */
export function ruleList(rules: readonly Rule[]): string {
  const width = Math.max(...rules.map(({ name }) => name.length));
  return rules
    .map(({ name, severity, reason }) => `${name.padEnd(width)}  ${severity.padEnd(7)}  ${reason}\n`)
    .join('');
}
