import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import Module from 'node:module';
import path from 'node:path';
import type { Script } from 'node:vm';

/** Node's own loader of CommonJS files, which its types do not name. */
interface Loader {
  readonly _extensions: Record<'.js', (module: NodeJS.Module, file: string) => void>;
}

/** Bytes. */
const CHECKSUM = 4;
/** Milliseconds. Older files are removed: most belong to an old build or an old version of Node, or are half written. The others are made again. */
const OLD = 30 * 24 * 3600 * 1000;

/**
 * Loads the chunks of the build with the code that V8 compiled at an earlier start, and keeps what it compiles at this one: that is a
 * fifth of a short command's time. Node's own cache, which Node 20 lacks, does not keep the functions that are compiled when they are called.
 *
 * V8 accepts code only under the flags that it had when the code was kept, so all flags are set before.
 *
 * @param chunks the folder of the build
 * @param given where the code is kept; undefined: nowhere
 */
export function loadCompiled(chunks: string, given: string | undefined): void {
  // Not imported: the version is printed without them.
  const { pathToFileURL } = process.getBuiltinModule('node:url');
  const { Script: VmScript } = process.getBuiltinModule('node:vm');
  const stamp = `${process.version} ${process.arch} ${statSync(chunks).mtimeMs}`;
  const file = given !== undefined && isOwn(path.dirname(given), 0o022) ? given : undefined;
  const known = file === undefined ? new Map<string, Buffer>() : readCode(file, stamp);
  const scripts = new Map<string, Script>();
  let isStale = false;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  const { _extensions: loaders } = Module as unknown as Loader;
  const load = loaders['.js'];
  loaders['.js'] = (module, name) => {
    if (path.dirname(name) !== chunks) return load(module, name);
    const text = `(function(exports,require,module,__filename,__dirname,__import){\n${readFileSync(name, 'utf8')}\n})`;
    const cachedData = known.get(path.basename(name));
    const script = new VmScript(text, { filename: pathToFileURL(name).href, lineOffset: -1, cachedData });
    // Of other flags of V8, which all of it is then. Later ones may be refused because a flag has changed since.
    if (scripts.size === 0 && script.cachedDataRejected === true) known.clear();
    isStale ||= !known.has(path.basename(name));
    scripts.set(path.basename(name), script);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the text above evaluates to
    (script.runInThisContext() as (...args: unknown[]) => void).call(
      module.exports,
      module.exports,
      (id: string): unknown => module.require(id),
      module,
      name,
      chunks,
      (url: string): Promise<unknown> => import(url),
    );
  };
  if (file === undefined) return;
  process.on('exit', () => {
    if (!isStale) return;
    try {
      writeCode(file, () => packed(stamp, withScripts(known, scripts)));
      removeOld(path.dirname(file));
    } catch {
      // The next start is slow, too.
    }
  });
}

/** Whether the folder, which is made if there is none, is this user's, and one that `others` cannot write to. */
function isOwn(folder: string, others: number): boolean {
  try {
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found !== undefined)
      return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & others) === 0;
    if (folder === path.dirname(folder) || !isOwn(path.dirname(folder), 0)) return false;
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch {
    return false;
  }
}

interface Header {
  readonly stamp: string;
  readonly lengths: readonly (readonly [name: string, length: number])[];
}

/** Nothing if the file is missing, damaged (V8 does not check that), of another build, or another user may have written it. */
function readCode(file: string, stamp: string): Map<string, Buffer> {
  const code = new Map<string, Buffer>();
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
    const { uid, mode } = fstatSync(descriptor);
    if (uid !== process.getuid?.() || (mode & 0o022) !== 0) return code;
    const bytes = readFileSync(descriptor);
    const rest = bytes.subarray(CHECKSUM);
    if (checksum(rest) !== bytes.readUInt32LE()) return code;
    let at = rest.indexOf('\n') + 1;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written below, as the checksum shows
    const header = JSON.parse(rest.toString('utf8', 0, at)) as Header;
    if (header.stamp !== stamp) return code;
    for (const [name, length] of header.lengths) {
      code.set(name, rest.subarray(at, at + length));
      at += length;
    }
  } catch {
    // The command starts more slowly without it.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
  return code;
}

/** @param make is called once there is a file to write to: making the code takes longer than all else. */
function writeCode(file: string, make: () => Buffer): void {
  const draft = `${file}.${process.pid}`;
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(descriptor, make());
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** V8 drops code that has not run for a while: of what a long run began with, earlier starts have kept more. */
function withScripts(known: ReadonlyMap<string, Buffer>, scripts: ReadonlyMap<string, Script>): Map<string, Buffer> {
  const code = new Map(known);
  for (const [name, script] of scripts) {
    const made = script.createCachedData();
    if (made.length > (code.get(name)?.length ?? 0)) code.set(name, made);
  }
  return code;
}

function packed(stamp: string, code: ReadonlyMap<string, Buffer>): Buffer {
  const lengths = [...code].map(([name, { length }]) => [name, length] as const);
  const header = Buffer.from(`${JSON.stringify({ stamp, lengths } satisfies Header)}\n`);
  const rest = Buffer.concat([header, ...code.values()]);
  const head = Buffer.alloc(CHECKSUM);
  head.writeUInt32LE(checksum(rest));
  return Buffer.concat([head, rest]);
}

function removeOld(folder: string): void {
  for (const { name } of readdirSync(folder, { withFileTypes: true }).filter((one) => one.isFile())) {
    const file = path.join(folder, name);
    if (Date.now() - lstatSync(file).mtimeMs > OLD) rmSync(file);
  }
}

function checksum(bytes: Buffer): number {
  return process.getBuiltinModule('node:zlib').crc32(bytes);
}
