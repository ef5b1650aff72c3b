import path from 'node:path';
import { type CommandContext, refuse, writeDiagnostics } from '../cli/context.js';
import { loadingPorts } from '../cli/prompt.js';
import { EXIT } from '../core/model/exit_code.js';
import { Diagnostics, inReadingOrder } from '../core/model/source/diagnostic.js';
import { loadProject } from '../project/project/project.js';
import { GithubCommands } from '../reporting/reporters/github.js';
import { tableLines } from '../reporting/text/width.js';
import type { LintFleetOptions as ReadOptions } from './fleets.js';
import { lint, type LintFinding } from './lint.js';
import { lintSettings, readSubject } from './read.js';
import { RULES } from './rules/index.js';
import type { Rule } from './subject/subject.js';

export interface LintCommandOptions extends ReadOptions {
  readonly list?: boolean | undefined;
  /** The folder of an Ansible project. */
  readonly fromAnsible?: string | undefined;
  readonly json?: boolean | undefined;
  readonly strict?: boolean | undefined;
  readonly color?: boolean | undefined;
}

/** `evenkeel lint PLAYBOOK…`: 0 if nothing is wrong, 1 if a playbook would not run, 2 if rules are broken. */
export async function lintCommand(options: LintCommandOptions, context: CommandContext): Promise<number> {
  if (options.list === true) {
    const { json } = options;
    context.stdout.write(json === true ? rulesJson(RULES) : ruleList(RULES), { json });
    return EXIT.ok;
  }
  const diagnostics = new Diagnostics();
  if (options.fromAnsible !== undefined) {
    const unused = withoutUse(options);
    if (unused.length > 0) {
      diagnostics.error('--from-ansible looks at a whole folder', undefined, `leave out ${unused.join(', ')}`);
      return refuse(diagnostics.list, context, options.color);
    }
    const { lintFromAnsible } = await import('./from_ansible.js');
    return lintFromAnsible(options.fromAnsible, options, context);
  }
  const playbooks = options.playbooks.length === 0 ? await projectPlaybooks(context, diagnostics) : options.playbooks;
  if (playbooks.length === 0) return refuse(diagnostics.list, context, options.color);
  const { project, subject } = await readSubject({ ...options, playbooks }, loadingPorts(context), diagnostics);
  const settings = lintSettings(project.lint, RULES, diagnostics);
  const findings = inReadingOrder(lint(subject, diagnostics.list, RULES, settings));
  writeFindings(findings, options, context);
  return lintExitCode(findings, diagnostics.failed(), options.strict === true);
}

const FOR_A_FOLDER: ReadonlySet<string> = new Set('fromAnsible json modulePath color config exec'.split(' '));

/** The given options that only a check of playbooks uses. */
function withoutUse({ playbooks, ...options }: LintCommandOptions): readonly string[] {
  const given = Object.entries(options).filter(([name, value]) => value !== undefined && !FOR_A_FOLDER.has(name));
  const named = given.map(([name]) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  return [...(playbooks.length > 0 ? ['the playbooks'] : []), ...named];
}

/** All playbooks of the project, relative to the working directory. */
async function projectPlaybooks({ cwd, env }: CommandContext, diagnostics: Diagnostics): Promise<readonly string[]> {
  const { directory } = await loadProject(cwd, env, new Diagnostics());
  const { findProject } = await import('./ansible_project/files.js');
  const { playbooks } = await findProject(directory, cwd, diagnostics);
  if (playbooks.length === 0)
    diagnostics.error(`there are no playbooks in ${directory}`, undefined, 'name them: evenkeel lint playbooks/*.yml');
  return playbooks.map((file) => path.relative(cwd, file));
}

function lintExitCode(findings: readonly LintFinding[], broken: boolean, strict: boolean): number {
  if (broken) return EXIT.usage;
  return findings.some(({ severity }) => strict || severity === 'error') ? EXIT.failed : EXIT.ok;
}

interface Format {
  readonly json?: boolean | undefined;
  readonly color?: boolean | undefined;
}

/** Text for people (in a GitHub job with annotations) or JSON for programs. */
function writeFindings(findings: readonly LintFinding[], { json, color }: Format, context: CommandContext): void {
  const { cwd, env, stdout } = context;
  if (json === true) stdout.write(`${JSON.stringify(findings.map(flat), null, 2)}\n`, { json });
  else if (findings.length === 0) stdout.write('no findings\n');
  else {
    writeDiagnostics(findings, stdout, context, { color, rules: true });
    if (env['GITHUB_ACTIONS'] !== 'true') return;
    const github = new GithubCommands(env['GITHUB_WORKSPACE'] ?? cwd, cwd);
    for (const finding of findings) stdout.writeCommand(github.diagnostic(finding));
  }
}

/** One finding for programs: documented in `docs/lint.md`. */
function flat({ rule, severity, message, hint, source }: LintFinding): Readonly<Record<string, unknown>> {
  return { rule, severity, message, ...(hint === undefined ? {} : { hint }), ...source };
}

function rulesJson(rules: readonly Rule[]): string {
  const listed = rules.map(({ name, severity, reason }) => ({ rule: name, severity, reason }));
  return `${JSON.stringify(listed, null, 2)}\n`;
}

/** `name  reason`, a line each. */
function ruleList(rules: readonly Rule[]): string {
  return `${tableLines(rules.map(({ name, severity, reason }) => [name, severity, reason])).join('\n')}\n`;
}
