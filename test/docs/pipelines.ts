import { existsSync } from 'node:fs';
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { command, ROOT, type Ended, type Project } from '../rig/command.js';
import { PlainServer } from '../rig/plain_server.js';

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: { readonly name?: string; readonly path?: string };
}

export interface Workflow {
  readonly name: string;
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

interface GitLabJob {
  readonly rules: readonly unknown[];
  readonly before_script: readonly string[];
  readonly script: readonly string[];
  readonly after_script: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  readonly artifacts: { readonly paths: readonly string[]; readonly reports: { readonly junit: string } };
}

export interface GitLabPipeline {
  readonly stages: readonly string[];
  readonly '.production': GitLabJob;
  readonly plan: GitLabJob;
  readonly apply: GitLabJob;
}

export function isWorkflow(value: unknown): value is Workflow {
  return typeof value === 'object' && value !== null && 'jobs' in value;
}

export function isGitLabPipeline(value: unknown): value is GitLabPipeline {
  return typeof value === 'object' && value !== null && 'stages' in value;
}

const own = { head_repository_id: 1, repository_id: 1, head_branch: 'main' };

/** The run with the newest artifact of this branch has the number 7. */
const ARTIFACTS = [
  { expired: true, created_at: '2026-08-28', workflow_run: { id: 4, ...own } },
  { expired: false, created_at: '2026-11-29', workflow_run: { id: 7, ...own } },
  { expired: false, created_at: '2026-11-28', workflow_run: { id: 5, ...own } },
  { expired: false, created_at: '2026-11-30', workflow_run: { id: 9, ...own, head_repository_id: 2 } },
  { expired: false, created_at: '2026-11-30', workflow_run: { id: 10, ...own, head_branch: 'other' } },
];
/**
 * GitHub's command-line tool: what it was asked to do is in `gh.log`, what it was to say in `gh.body`; `gh.open` has the number of an open
 * issue, `gh.artifacts` what GitHub knows of the artifacts.
 */
const GH = `#!/bin/sh
case "$1 $2" in
  api*)
    [ -e ".artifacts/\${3##*&name=}" ] && all=gh.artifacts || all=/dev/null
    jq -r "$5" "$all"
    exit ;;
  'run download')
    [ "$3 $4 $6" = '7 --name --dir' ] && cp -r ".artifacts/$5/"* "$7"
    exit ;;
esac
echo "$*" >> gh.log
while [ $# -gt 0 ]; do
  [ "$1" = --body-file ] && cat "$2" >> gh.body
  [ "$1" = list ] && [ -f gh.open ] && cat gh.open
  shift
done
true
`;

const gnupg = ({ directory }: Project): string => path.join(directory, '.gnupg');

/** Runs a script in the project, as jobs and people do. */
export function bash(project: Project, script: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const { directory: cwd } = project;
  return command('bash', ['-e', '-c', script], { cwd, env: { ...project.env, GNUPGHOME: gnupg(project), ...env } });
}

/** The runner has npm and gh, what \`npm ci\` has installed, and the script of the page. */
export async function equipRunner({ directory }: Project): Promise<void> {
  const at = (name: string): string => path.join(directory, name);
  for (const [name, text] of Object.entries({ npm: '#!/bin/sh\n', gh: GH }))
    await writeFile(at(`.bin/${name}`), text, { mode: 0o755 });
  await writeFile(at('gh.artifacts'), JSON.stringify({ artifacts: ARTIFACTS }));
  await mkdir(at('node_modules'));
  await symlink('../.bin', at('node_modules/.bin'));
  await mkdir(at('.gnupg'), { mode: 0o700 });
  await mkdir(at('ci'));
  await cp(path.join(ROOT, 'docs/examples/state.sh'), at('ci/state.sh'));
}

export async function removeRunner(project: Project): Promise<void> {
  await command('gpgconf', ['--kill', 'gpg-agent'], { cwd: ROOT, env: { GNUPGHOME: gnupg(project) } });
  await project.remove();
}

/** Another runner has nothing but the checkout. */
async function changeRunner({ directory }: Project): Promise<void> {
  for (const name of ['.evenkeel', 'state.tgz.gpg', 'state.restored', 'rollout.plan'])
    await rm(path.join(directory, name), { recursive: true, force: true });
}

export interface WorkflowEnd {
  readonly failed: boolean;
  readonly said: string;
}

/** Runs the jobs, each with its steps, as GitHub does. A job that fails is the last one. */
export async function runWorkflow({ jobs }: Workflow, project: Project): Promise<WorkflowEnd> {
  let said = '';
  for (const { steps } of Object.values(jobs)) {
    await changeRunner(project);
    let failed = false;
    for (const step of steps) {
      const when = step.if ?? 'success()';
      if (when === 'success()' ? failed : when === 'failure()' ? !failed : when !== 'always()') continue;
      const ended = await runStep(step, project);
      failed ||= ended !== undefined && ended.code !== 0;
      said += `${ended?.stdout ?? ''}${ended?.stderr ?? ''}`;
    }
    if (failed) return { failed, said };
  }
  return { failed: false, said };
}

/** The last job of a rollout, which runs the playbook at once. */
export function withoutPlan({ name, jobs }: Workflow): Workflow {
  const direct =
    'exec node_modules/.bin/evenkeel run playbooks/rollout.yml -E production --yes --report junit=rollout.xml';
  const steps = (Object.values(jobs).at(-1)?.steps ?? []).filter(({ uses = '' }) => !uses.includes('download'));
  const changed = steps.map((step) =>
    step.run?.includes('evenkeel apply') === true ? { ...step, run: direct } : step,
  );
  return { name, jobs: { run: { steps: changed } } };
}

async function runStep(
  { run, uses = '', env = {}, with: given = {} }: Step,
  project: Project,
): Promise<Ended | undefined> {
  const at = (name: string): string => path.join(project.directory, name);
  const artifact = at(`.artifacts/${given.name}`);
  if (uses.startsWith('actions/download-artifact')) await cp(artifact, at('.'), { recursive: true });
  if (uses.startsWith('actions/upload-artifact')) {
    const file = given.path ?? '';
    if (!existsSync(at(file))) return { code: 0, stdout: '', stderr: `No files were found with the path: ${file}\n` };
    await cp(at(file), path.join(artifact, file));
  }
  if (run === undefined) return undefined;
  const values = Object.entries(env).map(([key, value]) => [key, value.replace(/\$\{\{.*\}\}/, `a-${key}`)]);
  const runner = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: at('summary.md'), GITHUB_REF_NAME: 'main' };
  return bash(project, run, { ...runner, ...(Object.fromEntries(values) as Record<string, string>) });
}

/** The package registry of a GitLab project. */
export class GitLabRegistry {
  readonly files = new Map<string, Buffer>();
  /** The status of all answers; undefined: they are honest. */
  broken: number | undefined;
  isReadOnly = false;
  /** Where the files are, if GitLab does not answer with them itself. */
  storage: string | undefined;

  private constructor(private readonly server: PlainServer) {
    server.answer = (request, response) => void this.#answer(request, response);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '', method, headers } = request;
    const body = await buffer(request);
    const kept = this.files.get(url);
    const basic = `Basic ${Buffer.from('gitlab-ci-token:a-token').toString('base64')}`;
    // GitLab takes a job token as a password for downloads only.
    const allowed = headers['job-token'] === 'a-token' || (method === 'GET' && headers.authorization === basic);
    const refused = allowed ? (method === 'PUT' && this.isReadOnly ? 403 : this.broken) : 401;
    if (refused === undefined && method === 'GET' && this.storage !== undefined) {
      response.writeHead(302, { location: this.storage + url }).end();
      return;
    }
    if (refused === undefined && method === 'PUT') this.files.set(url, body);
    response.statusCode = refused ?? (method === 'PUT' ? 201 : kept === undefined ? 404 : 200);
    response.end(response.statusCode === 200 ? kept : '{}');
  }

  static async start(): Promise<GitLabRegistry> {
    return new GitLabRegistry(await PlainServer.start());
  }

  close(): void {
    this.server.close();
  }

  /** Runs a job as GitLab does. */
  async run(pipeline: GitLabPipeline, name: 'plan' | 'apply', project: Project): Promise<Ended> {
    const job = { ...pipeline['.production'], ...pipeline[name] };
    const plan = path.join(project.directory, 'rollout.plan');
    const kept = path.join(project.directory, '.artifacts/rollout.plan');
    if (name === 'plan') await changeRunner(project);
    else await changeRunner(project).then(() => cp(kept, plan));
    const env = {
      GITLAB_CI: 'true',
      CI_API_V4_URL: this.server.url,
      CI_PROJECT_ID: '9',
      CI_JOB_TOKEN: 'a-token',
      STATE_PASSWORD: 'a-password',
    };
    const ended = await bash(project, [...job.before_script, ...job.script].join('\n'), env);
    const after = await bash(project, job.after_script.join('\n'), env);
    if (name === 'plan' && existsSync(plan)) await cp(plan, kept);
    return ended.code === 0 && job.variables['AFTER_SCRIPT_IGNORE_ERRORS'] === 'false' ? after : ended;
  }
}
