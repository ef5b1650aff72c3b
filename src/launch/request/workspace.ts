import path from 'node:path';
import type { Invocation } from './invocation.js';

/** The working directory and the environment variables of a command. */
export interface Workspace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The workspace of an earlier run: its folder, project file and `--no-exec`. A project file that is named now wins. */
export function earlierWorkspace(
  { cwd, config, noExec }: Pick<Invocation, 'cwd' | 'config' | 'noExec'>,
  now: Workspace,
): Workspace {
  const { EVENKEEL_CONFIG: named = '' } = now.env;
  const EVENKEEL_CONFIG = named === '' ? config : path.resolve(now.cwd, named);
  const rules = noExec === true ? { EVENKEEL_NO_EXEC: '1' } : {};
  return { cwd, env: { ...now.env, EVENKEEL_CONFIG, ...rules } };
}
