import { homedir } from 'node:os';
import { isAbsolute, relative } from 'node:path/posix';
import type { Value } from '../../../core/model/values/value.js';
import { isList } from '../../../core/model/values/value.js';
import type { Arguments } from '../../runtime/arguments.js';
import { helper, type Family } from '../../runtime/helper.js';
import { asText } from '../../runtime/text.js';

/** Paths as text, with Python's rules; no file is touched. */
export const paths = {
  basename: helper('path', (args) => args.text(0).slice(args.text(0).lastIndexOf('/') + 1)),
  dirname: helper('path', (args) => directory(args.text(0))),
  splitext: helper('path', (args) => splitExtension(args.text(0))),
  path_join: helper('parts', (args) => joinPath(args.value(0))),
  /** The relative path from the folder `start`. */
  relpath: helper('path, start?', (args) => relative(args.text(1, process.cwd()), args.text(0)) || '.'),
  /** `~` is the home folder of the user who runs evenkeel. */
  expanduser: helper('path', (args) => args.text(0).replace(/^~(?=\/|$)/, homedir())),
  /** `$NAME` and `${NAME}` are environment variables; unset ones stay as written. */
  expandvars: helper('path', expandVariables),
  win_basename: helper('path', (args) => splitWindows(args.text(0)).name),
  win_dirname: helper('path', (args) => splitWindows(args.text(0)).folder),
  win_splitdrive: helper('path', (args) => splitDrive(args.text(0))),
} satisfies Family;

const isAbsolutePath = helper('path', (args) => isAbsolute(args.text(0)));

export const pathTests = { abs: isAbsolutePath, is_abs: isAbsolutePath } satisfies Family;

function directory(path: string): string {
  const head = path.slice(0, path.lastIndexOf('/') + 1);
  return /^\/*$/.test(head) ? head : head.replace(/\/+$/, '');
}

/** A drive, or a share: `C:`, `\\\\host\\share`. */
function splitDrive(path: string): readonly [drive: string, rest: string] {
  const drive = /^(?:[\\/]{2}[^\\/]*(?:[\\/][^\\/]*)?|.:)/s.exec(path)?.[0] ?? '';
  return [drive, path.slice(drive.length)];
}

function splitWindows(path: string): { readonly folder: string; readonly name: string } {
  const [drive, rest] = splitDrive(path);
  const [, head = '', name = ''] = /^(.*[\\/])?(.*)$/s.exec(rest) ?? [];
  return { folder: drive + (head.replace(/[\\/]+$/, '') || head), name };
}

/** A leading dot does not begin an extension. */
function splitExtension(path: string): readonly string[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  if (dot < 0 || /^\.*$/.test(name.slice(0, dot))) return [path, ''];
  return [path.slice(0, path.length - name.length + dot), name.slice(dot)];
}

/** An absolute part replaces everything before it. */
function joinPath(parts: Value): string {
  return (isList(parts) ? parts : [parts])
    .map(asText)
    .reduce(
      (path, part) => (part.startsWith('/') || path === '' ? part : `${path}${path.endsWith('/') ? '' : '/'}${part}`),
      '',
    );
}

function expandVariables(args: Arguments): string {
  return args.text(0).replaceAll(/\$(?:(\w+)|\{(\w+)\})/g, (all, bare?: string, braced?: string) => {
    return process.env[bare ?? braced ?? ''] ?? all;
  });
}
