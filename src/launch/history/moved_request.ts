import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Invocation } from '../request/invocation.js';

/**
 * A request whose folder is not on this machine, because the state folder came from another one: the folder of the
 * project takes its place. A resume compares all files with those of the run, a rollback the addresses of controllers.
 */
export function movedRequest<T extends Pick<Invocation, 'cwd' | 'config'> & Partial<Pick<Invocation, 'modulePath'>>>(
  request: T,
  projectFolder: string,
): T {
  const { cwd, config, modulePath } = request;
  if (existsSync(cwd)) return request;
  const moved = (file: string): string =>
    file.startsWith(cwd + path.sep) ? path.join(projectFolder, path.relative(cwd, file)) : file;
  return {
    ...request,
    cwd: projectFolder,
    ...(config !== undefined && { config: moved(config) }),
    ...(modulePath !== undefined && { modulePath: modulePath.map(moved) }),
  };
}
