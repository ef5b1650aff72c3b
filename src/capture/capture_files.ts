import { oneLine } from '../reporting/text/plain.js';
import { count } from '../reporting/text/words.js';
import type { CapturedProject } from './playbook/capture.js';
import type { CaptureLevel } from './playbook/levels.js';
import type { CapturedSecret } from './playbook/shared_content.js';
import { yamlFile } from './playbook/yaml_file.js';

/** Texts by the names of their files. */
export type CaptureFiles = ReadonlyMap<string, string>;

/** The user fills in this file, so a capture never overwrites it. */
export const SECRETS_FILE = 'group_vars/all/secrets.yml';

/** The name of the files with captured variables; other files beside it are the user's. */
export const CAPTURED = 'captured.yml';

export const PLAYBOOK = 'capture.yml';

/** The beginning of the first comment of each captured file. */
export const COMMENT = 'Captured by evenkeel';

/** The files of a captured project, with their texts. */
export function captureFiles(
  { playbook, levels, secrets }: CapturedProject,
  { groups, controllers }: { readonly groups: readonly string[]; readonly controllers: readonly string[] },
): CaptureFiles {
  const places: readonly (readonly [folder: string, level: CaptureLevel, whose: string])[] = [
    ['group_vars/all', { type: 'all' }, 'what all controllers have in common'],
    ...groups.map((name) => [`group_vars/${name}`, { type: 'group', name }, `what ${name} has in common`] as const),
    ...controllers.map((name) => [`host_vars/${name}`, { type: 'controller', name }, `what only ${name} has`] as const),
  ];
  const files = new Map([[PLAYBOOK, yamlFile(playbook, [`${COMMENT}.`])]]);
  for (const [folder, level, whose] of places) {
    const variables = levels.contentByName(level);
    if (Object.keys(variables).length > 0)
      files.set(`${folder}/${CAPTURED}`, yamlFile(variables, [inComment(`${COMMENT}: ${whose}.`)]));
  }
  if (secrets.length > 0) files.set(SECRETS_FILE, secretsFile(secrets));
  return files;
}

/** The folder of a tenant: `a%2Fb` for `a/b`, and for names that mean something else in a path, a template or this folder. */
export function tenantFolder(tenant: string): string {
  return tenant.replaceAll(
    /[%/\\\0{}]|^\.|^[gh](?=(?:roup|ost)_vars$)|^c(?=apture\.yml$)/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

/** A playbook of all tenants, in their order. */
export function playbookOfTenants(captures: readonly { readonly tenant: string | undefined }[]): string {
  const imports = captures.flatMap(({ tenant }) => (tenant === undefined ? [] : [tenant]));
  return yamlFile(
    imports.map((tenant) => ({ import_playbook: `${tenantFolder(tenant)}/${PLAYBOOK}` })),
    [`${COMMENT}: a folder for each tenant.`],
  );
}

/** Names of objects can contain any characters, and YAML accepts few in a comment. */
function inComment(text: string): string {
  return oneLine(text).replaceAll(/[\r\ufeff\ufffe\uffff]/g, ' ');
}

/** A secret without a value is not declared: the controller keeps its own. */
function secretsFile(secrets: readonly CapturedSecret[]): string {
  const lines = secrets.flatMap(({ variable, object, path, controllers }) => [
    '',
    `# ${inComment(`${object}: ${path}`)}, on ${count(controllers, 'controller')}`,
    `# ${variable}:`,
  ]);
  return [
    `# ${COMMENT}: secrets to fill in. Fields without a value here are not declared.`,
    '# A value that differs belongs in group_vars or host_vars of its controllers.',
    '# Encrypt the file when it is filled in: evenkeel vault encrypt',
    ...lines,
    '',
  ].join('\n');
}
