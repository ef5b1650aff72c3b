import path from 'node:path';

/** Where the files of a run are on the coordinator; absolute paths. */
export interface Location {
  readonly root: string;
  /** Files and folders outside of it. */
  readonly others: readonly string[];
}

/** The paths of the coordinator, and those of the same files in an unpacked bundle. */
export interface Relocation {
  /** From the coordinator to the worker. What is not in the bundle (`/etc/hosts`), or is relative, stays as it is. */
  readonly there: (file: string) => string;
  /** From the worker to the coordinator. */
  readonly back: (file: string) => string;
  /** The same for every path in JSON text, also within longer texts, such as the message of an error. */
  readonly backInJson: (json: string) => string;
  /** Whether JSON text may name files of the coordinator that are in the bundle: most have none. */
  readonly isNamedIn: (json: string) => boolean;
}

/** The folders of a bundle: the project, and the rest by absolute path. */
const PROJECT = 'project';
const OUTSIDE = 'outside';

/** @param to the absolute path of the unpacked bundle */
export function relocation(from: Location, to: string): Relocation {
  const project = path.posix.join(to, PROJECT);
  const outside = path.posix.join(to, OUTSIDE);
  const [projectInJson, outsideInJson] = [inJson(project), inJson(outside)];
  const rootInJson = inJson(from.root.replace(/\/$/, ''));
  const named = [from.root, ...from.others].map(inJson);
  return {
    there(file) {
      const name = nameInBundle(from, file);
      return name === undefined ? file : path.posix.join(to, name);
    },
    back(file) {
      const inProject = inside(project, file);
      if (inProject !== undefined) return path.posix.join(from.root, inProject);
      const elsewhere = inside(outside, file);
      return elsewhere === undefined ? file : `/${elsewhere}`;
    },
    backInJson: (json) => json.replaceAll(projectInJson, () => rootInJson).replaceAll(outsideInJson, ''),
    isNamedIn: (json) => named.some((file) => json.includes(file)),
  };
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The name of an absolute path in the bundle; undefined if it is not part of it. */
export function nameInBundle({ root, others }: Location, file: string): string | undefined {
  const inProject = inside(root, file);
  if (inProject !== undefined) return path.posix.join(PROJECT, inProject);
  if (!others.some((other) => inside(other, file) !== undefined)) return undefined;
  return path.posix.join(OUTSIDE, path.posix.normalize(file)).replace(/\/$/, '');
}

/** What follows the folder in a path: empty for the folder itself; undefined if the path is elsewhere. */
export function inside(folder: string, file: string): string | undefined {
  if (!path.posix.isAbsolute(file)) return undefined;
  const relative = path.posix.relative(folder, file);
  return relative === '..' || relative.startsWith('../') ? undefined : relative;
}
