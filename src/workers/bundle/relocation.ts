import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { CarriedFiles } from '../../files/carried_files.js';

/** The paths of a run's files on the coordinator; all are absolute. */
export interface Location {
  readonly root: string;
  /** Files and folders outside of the project. */
  readonly others: readonly string[];
}

/** The folders of a bundle: the project, and the rest by absolute path. */
const PROJECT = 'project';
const OUTSIDE = 'outside';

/**
 * Maps paths of the coordinator to an unpacked bundle. Files that are not in the bundle may exist on the worker's
 * machine, such as a CA certificate; those of the home folder are then looked for in the home folder there.
 *
 * @param to the absolute path of the unpacked bundle
 */
export function relocation(from: Location & Pick<CarriedFiles, 'cwd' | 'home'>, to: string): CarriedFiles {
  const project = path.posix.join(to, PROJECT);
  const outside = path.posix.join(to, OUTSIDE);
  const { cwd, home } = from;
  const place = (file: string): string => {
    const name = nameInBundle(from, file);
    return name === undefined ? file : path.posix.join(to, name);
  };
  const here = (file: string): string => {
    // A user without a home folder has that of the whole machine.
    const inHome = home === '/' ? undefined : inside(home, file);
    return inHome === undefined || existsSync(file) ? file : path.posix.join(homedir(), inHome);
  };
  const named = [from.root, ...from.others].map((one) => one.replaceAll(/[^\w/]/g, String.raw`\$&`)).join('|');
  const inText = new RegExp(String.raw`(?<![\w./-])(?:${named})(?![\w.-])`, 'g');
  return {
    cwd,
    home,
    at(name) {
      const file = path.posix.resolve(cwd, name);
      const there = place(file);
      if (there === file) return here(file);
      return existsSync(there) || !existsSync(file) ? there : file;
    },
    inCommand: (text) => text.replaceAll(inText, place),
    inOutput: (text) => text.replaceAll(project, () => from.root.replace(/\/$/, '')).replaceAll(outside, ''),
  };
}

/** The name of an absolute path in the bundle; undefined if it is not part of it. */
export function nameInBundle({ root, others }: Location, file: string): string | undefined {
  const inProject = inside(root, file);
  if (inProject !== undefined) return path.posix.join(PROJECT, inProject);
  if (!others.some((other) => inside(other, file) !== undefined)) return undefined;
  return path.posix.join(OUTSIDE, path.posix.normalize(file)).replace(/\/$/, '');
}

/** The path relative to the folder; empty for the folder itself, undefined if the path is not inside. */
export function inside(folder: string, file: string): string | undefined {
  if (!path.posix.isAbsolute(file)) return undefined;
  const relative = path.posix.relative(folder, file);
  return relative === '..' || relative.startsWith('../') ? undefined : relative;
}
