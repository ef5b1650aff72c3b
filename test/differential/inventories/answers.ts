import { spawn } from 'node:child_process';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { main } from '../../../src/program/program.js';
import { ansiblePython } from '../../rig/ansible.js';
import { PROFILE } from '../../rig/columns.js';
import { inFolderWithScripts } from '../../rig/scripts.js';
import { viewsOf, type Case } from './cases.js';

/** The output by arguments; null if the input is refused. */
export type Answer = Readonly<Record<string, readonly string[] | null>>;

interface Printed {
  readonly exit: number;
  readonly output: string;
}

const DRIVER = path.join(import.meta.dirname, 'driver.py');

/** What the installed Ansible prints; the answers are in the order of the cases. */
export function ansibleAnswers(cases: readonly Case[]): Promise<readonly Answer[]> {
  return inFolders(cases, async (folders) => {
    const runs = cases.flatMap((one, index) =>
      viewsOf(one).map((view) => ({ folder: folders[index] ?? '', arguments: view })),
    );
    const printed = await drive(runs);
    let start = 0;
    return cases.map((one, index) => {
      const views = viewsOf(one);
      return answerOf(views, printed.slice(start, (start += views.length)), folders[index] ?? '');
    });
  });
}

/** What we print. */
export function ourAnswer(one: Case): Promise<Answer> {
  return inFolders([one], async ([folder = '']) => {
    const printed: Printed[] = [];
    for (const view of viewsOf(one)) printed.push(await command(view, folder));
    return answerOf(viewsOf(one), printed, folder);
  });
}

/** The folders of all cases at once. */
function inFolders<T>(
  cases: readonly Case[],
  use: (folders: readonly string[]) => Promise<T>,
  before: readonly string[] = [],
): Promise<T> {
  const [first, ...rest] = cases;
  if (first === undefined) return use(before);
  return inFolderWithScripts(first.files, (folder) => inFolders(rest, use, [...before, folder]));
}

async function drive(runs: readonly unknown[]): Promise<readonly Printed[]> {
  const driver = spawn(ansiblePython(), [DRIVER], { stdio: 'pipe' });
  driver.stdin.end(JSON.stringify({ workers: 3, runs }));
  const [stdout, stderr] = await Promise.all([text(driver.stdout), text(driver.stderr)]);
  if (stdout === '') throw new Error(`Ansible could not be driven: ${stderr}`);
  return JSON.parse(stdout) as readonly Printed[];
}

async function command(view: readonly string[], cwd: string): Promise<Printed> {
  const [stdout, stderr, stdin] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end();
  const said = Promise.all([text(stdout), text(stderr)]);
  const { signal } = new AbortController();
  const exit = await main({
    argv: ['inventory', ...view],
    cwd,
    env: { PATH: process.env['PATH'] },
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
    version: '0.0.0',
    secrets: new Secrets(),
    signals: { drain: signal, abort: signal },
  });
  stdout.end();
  stderr.end();
  const [output] = await said;
  return { exit, output };
}

function answerOf(views: readonly (readonly string[])[], printed: readonly Printed[], folder: string): Answer {
  const entries = views.map((view, index) => {
    const { exit = 1, output = '' } = printed[index] ?? {};
    const lines = output.replaceAll(folder, 'FOLDER').replace(PROFILE, '').replace(/\n$/, '').split('\n');
    return [view.join(' '), exit === 0 ? lines : null] as const;
  });
  return Object.fromEntries(entries);
}
