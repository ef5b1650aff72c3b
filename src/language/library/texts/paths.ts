import { homedir } from 'node:os';
import { isAbsolute, relative } from 'node:path/posix';
import { didYouMean } from '../../../core/model/source/suggestion.js';
import { isList, type Mapping, type Value } from '../../../core/model/values/value.js';
import type { CallableArguments } from '../../runtime/arguments.js';
import { callable, type Family } from '../../runtime/callable.js';
import { asText, step } from '../../runtime/result.js';

/** Paths as text, with Python's rules; no file is touched. */
export const paths = {
  basename: callable('path', (args) => args.text(0).slice(args.text(0).lastIndexOf('/') + 1)),
  dirname: callable('path', (args) => directory(args.text(0))),
  splitext: callable('path', (args) => splitExtension(args.text(0))),
  path_join: callable('parts', (args) => joinPath(args.value(0))),
  /** The relative path from the folder `start`. */
  relpath: callable('path, start?', (args) => relative(args.text(1, process.cwd()), args.text(0)) || '.'),
  /** `~` is the home folder of the user who runs evenkeel. */
  expanduser: callable('path', (args) => args.text(0).replace(/^~(?=\/|$)/, homedir())),
  /** `$NAME` and `${NAME}` are environment variables; unset ones stay as written. */
  expandvars: callable('path', expandVariables),
  win_basename: callable('path', (args) => splitWindows(args.text(0)).name),
  win_dirname: callable('path', (args) => splitWindows(args.text(0)).folder),
  win_splitdrive: callable('path', (args) => splitDrive(args.text(0))),
} satisfies Family;

const isAbsolutePath = callable('path', (args) => isAbsolute(args.text(0)));

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
  const joined = (path: string, part: string): string =>
    part.startsWith('/') || path === '' ? part : `${path}${path.endsWith('/') ? '' : '/'}${part}`;
  return (isList(parts) ? parts : [parts]).map(asText).reduce(joined, '');
}

function expandVariables(args: CallableArguments): string {
  return args.text(0).replaceAll(/\$(?:(\w+)|\{(\w+)\})/g, (all, bare?: string, braced?: string) => {
    return process.env[bare ?? braced ?? ''] ?? all;
  });
}

/** URLs and their parts. */
export const urls = {
  urldecode: callable('text', (args) => decode(args.text(0))),
  /** A mapping of the parts, or the one asked for: `url | urlsplit("hostname")`. */
  urlsplit: callable('url, part|query?', split),
} satisfies Family;

export const urlTests = {
  uri: callable('text, schemes?', isUri),
  url: callable(
    'text, schemes?',
    (args) => isUri(args) && (part(args, 'netloc') !== '' || part(args, 'scheme') === 'file'),
  ),
  urn: callable('text', (args) => part(args, 'scheme') === 'urn'),
} satisfies Family;

/** As in a form: `+` is a space. Invalid escapes stay. */
function decode(text: string): string {
  return text
    .replaceAll('+', ' ')
    .replaceAll(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
}

const SHAPE = /^(?:([a-z][a-z\d+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is;
const AUTHORITY = /^(?:([^@:]*)(?::([^@]*))?@)?(\[[^\]]*\]|[^:]*)(?::(\d*))?$/;

function urlParts(url: string): Mapping {
  const [, scheme = '', netloc = '', path = '', query = '', fragment = ''] = SHAPE.exec(url) ?? [];
  const [, username = null, password = null, host = '', port = ''] = AUTHORITY.exec(netloc) ?? [];
  return {
    fragment,
    hostname: host === '' ? null : host.replaceAll(/[[\]]/g, '').toLowerCase(),
    netloc,
    password,
    path,
    port: port === '' ? null : Number(port),
    query,
    scheme: scheme.toLowerCase(),
    username,
  };
}

function split(args: CallableArguments): Value {
  const parts = urlParts(args.text(0));
  if (args.optional(1) === undefined) return parts;
  const found = step(parts, args.text(1));
  if (found !== undefined) return found;
  throw args.error(`a URL has no part "${args.text(1)}"`, didYouMean(args.text(1), Object.keys(parts)));
}

function part(args: CallableArguments, name: string): string {
  return asText(step(urlParts(args.text(0)), name) ?? null);
}

function isUri(args: CallableArguments): boolean {
  const schemes = args.value(1);
  return !isList(schemes) || schemes.includes(part(args, 'scheme'));
}
