import { Diagnostics } from '../../src/core/model/source/diagnostic.js';
import { answersTo } from '../../src/launch/load/answers.js';
import { loadRun } from '../../src/launch/load/load_run.js';
import { selectPlays } from '../../src/launch/load/prepared_run.js';
import type { RunRequest } from '../../src/launch/request/run_request.js';
import { preflightErrors } from '../../src/launch/start/preflight.js';
import { inFolder, type Files } from './folder.js';
import { worded } from './loaded.js';

/** Three controllers, of which `lb3` has no zone. */
export const INVENTORY = `all:
  vars:
    controller_url: https://{{inventory_hostname}}.example.com
    controller_username: admin
    controller_password: secret
    controller_api_version: 22.1.3
  hosts:
    lb1: { zone: a }
    lb2: { zone: b }
    lb3: {}
`;

export interface RefusalOptions extends Pick<RunRequest, 'check' | 'simulate' | 'tags' | 'skipTags' | 'startAtTask'> {
  readonly files?: Files;
  readonly inventory?: string;
  readonly extraVars?: readonly string[];
  readonly limit?: string;
}

/** The reasons for which a run of the playbook would be refused. */
export async function refused(playbook: string, options: RefusalOptions = {}): Promise<readonly string[]> {
  return (await foreseen(playbook, options)).errors;
}

interface Foreseen {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** What is said before a run of the playbook. */
export function foreseen(playbook: string, options: RefusalOptions = {}): Promise<Foreseen> {
  const { files = {}, inventory = INVENTORY, extraVars, limit, ...request } = options;
  return inFolder({ 'p.yml': playbook, 'inv.yml': inventory, ...files }, async (cwd) => {
    const diagnostics = new Diagnostics();
    const settings = { inventory: ['inv.yml'], extraVars, limit, verbosity: 0 };
    const loaded = await loadRun({ type: 'files', files: ['p.yml'] }, settings, { cwd, env: {} }, diagnostics);
    if (loaded === undefined || diagnostics.failed()) return { errors: diagnostics.list.map(worded), warnings: [] };
    const answers = await answersTo(loaded, () => Promise.resolve({ type: 'unanswered' }), diagnostics);
    const selected = selectPlays(loaded, { ...request, answers }, diagnostics);
    const command = { type: 'run', playbooks: ['p.yml'] } as const;
    const { signal } = new AbortController();
    const { errors, warnings } = await preflightErrors(
      { request: { ...request, command }, loaded, selected, answers, journalOptions: {} },
      { cwd, env: {}, version: '1.0.0', signals: { drain: signal, abort: signal } },
    );
    const said = (list: typeof errors) => list.map((one) => worded(one).replaceAll(`${cwd}/`, ''));
    return { errors: said(errors), warnings: said(warnings) };
  });
}

/** A play of these tasks on all controllers. */
export function tasks(text: string): string {
  return `- hosts: all\n  tasks:\n${text.replace(/^/gm, '    ')}\n`;
}

export const refusedTasks = (text: string, options?: RefusalOptions): Promise<readonly string[]> =>
  refused(tasks(text), options);
