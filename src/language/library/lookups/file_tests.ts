import { lstatSync, realpathSync, statSync, type Stats } from 'node:fs';
import path from 'node:path';
import { orElse } from '../../../core/model/source/diagnostic.js';
import type { CallableArguments } from '../../runtime/arguments.js';
import { callable, type Family, type Callable } from '../../runtime/callable.js';
import { NotKnownYet } from '../../runtime/errors.js';

const isDirectory = test((at) => tryStat(at)?.isDirectory() === true);
const isFile = test((at) => tryStat(at)?.isFile() === true);
const isLink = test((at) => tryStat(at, lstatSync)?.isSymbolicLink() === true);
const isMount = test(isMountPoint);
const exists = test((at) => tryStat(at) !== undefined);
const linkExists = test((at) => tryStat(at, lstatSync) !== undefined);
const isSame = callable('path, other', (args) => {
  const [one, other] = [tryStat(pathIn(args, 0)), tryStat(pathIn(args, 1))];
  if (one === undefined || other === undefined)
    throw args.error(`there is no file "${args.text(one === undefined ? 0 : 1)}"`);
  return one.dev === other.dev && one.ino === other.ino;
});

/** Tests of paths on the machine that evenkeel runs on. */
export const fileTests = {
  directory: isDirectory,
  is_dir: isDirectory,
  file: isFile,
  is_file: isFile,
  link: isLink,
  is_link: isLink,
  mount: isMount,
  is_mount: isMount,
  exists,
  link_exists: linkExists,
  same_file: isSame,
  is_same_file: isSame,
} satisfies Family;

/** Filters of paths that ask the file system. */
export const filePaths = {
  /** With links resolved; a path that does not exist is returned as written. */
  realpath: callable('path', (args) => realPath(path.resolve(process.cwd(), pathIn(args, 0)))),
} satisfies Family;

function test(holds: (at: string) => boolean): Callable {
  return callable('path', (args) => holds(pathIn(args, 0)));
}

function pathIn(args: CallableArguments, index: number): string {
  if (args.invoke.preview !== undefined && !args.invoke.preview.readsLocal) throw new NotKnownYet('a file');
  return args.text(index);
}

/** A name may be too long, contain a zero byte or be in an unreadable folder: then there is no such file. */
function tryStat(at: string, ask: (at: string) => Stats = statSync): Stats | undefined {
  return orElse(undefined, () => ask(at));
}

/** A folder on another device than the one around it, or the root. */
function isMountPoint(at: string): boolean {
  const [own, outer] = [tryStat(at, lstatSync), tryStat(path.join(at, '..'), lstatSync)];
  if (own === undefined || outer === undefined || own.isSymbolicLink()) return false;
  return own.dev !== outer.dev || own.ino === outer.ino;
}

function realPath(at: string): string {
  try {
    return realpathSync(at);
  } catch {
    const folder = path.dirname(at);
    return folder === at ? at : path.join(realPath(folder), path.basename(at));
  }
}
