import { Diagnostics, inReadingOrder } from '../../src/core/model/source/diagnostic.js';
import { Secrets } from '../../src/core/secrets/secrets.js';
import { lint, type LintFinding } from '../../src/lint/lint.js';
import { lintSettings, readSubject } from '../../src/lint/read.js';
import { RULES } from '../../src/lint/rules/index.js';
import { inFolder, type Files } from './folder.js';
import { worded } from './loaded.js';

/** What lint finds in `site.yml` and the files beside it, in reading order. */
export function findingsIn(
  files: Files,
  extraVars: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly LintFinding[]> {
  return inFolder(files, async (cwd) => {
    const diagnostics = new Diagnostics();
    const context = { cwd, env, secrets: new Secrets() };
    const { project, subject } = await readSubject({ playbooks: ['site.yml'], extraVars }, context, diagnostics);
    const settings = lintSettings(project.lint, RULES, diagnostics);
    return inReadingOrder(lint(subject, diagnostics.list, RULES, settings));
  });
}

/** The same as `rule: file:line:column message — hint`, warnings marked. */
export async function linted(
  files: Files,
  extraVars: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  return (await findingsIn(files, extraVars, env)).map((finding) => `${finding.rule}: ${worded(finding)}`);
}
