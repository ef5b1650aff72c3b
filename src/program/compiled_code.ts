import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import Module from 'node:module';
import path from 'node:path';
import type { Script } from 'node:vm';

/** Node's own loader of CommonJS files, which its types do not name. */
interface Loader {
  readonly _extensions: Record<'.js', (module: NodeJS.Module, file: string) => void>;
}

/** Bytes. */
const CHECKSUM = 4;

/**
 * Loads the chunks of the build with the code that V8 compiled at an earlier start, and keeps what it compiles at this one: that is a
 * fifth of a short command's time. Node's own cache, which Node 20 lacks, does not keep the functions that are compiled when they are called.
 *
 * V8 accepts code only under the flags that it had when the code was kept, so all flags are set before.
 *
 * @param chunks the folder of the build
 * @param file where the code is kept; undefined: nowhere
 */
export function loadCompiled(chunks: string, file: string | undefined): void {
  // Not imported: the version is printed without them.
  const { pathToFileURL } = process.getBuiltinModule('node:url');
  const { Script: VmScript } = process.getBuiltinModule('node:vm');
  const stamp = `${process.version} ${process.arch} ${statSync(chunks).mtimeMs}`;
  const known = file === undefined ? new Map<string, Buffer>() : readCode(file, stamp);
  const scripts = new Map<string, Script>();
  let isStale = false;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  const { _extensions: loaders } = Module as unknown as Loader;
  const load = loaders['.js'];
  loaders['.js'] = (module, name) => {
    if (path.dirname(name) !== chunks) {
      load(module, name);
      return;
    }
    const cachedData = known.get(path.basename(name));
    const script = new VmScript(
      `(function(exports,require,module,__filename,__dirname,__import){\n${readFileSync(name, 'utf8')}\n})`,
      {
        filename: pathToFileURL(name).href,
        lineOffset: -1,
        cachedData,
      },
    );
    isStale ||= cachedData === undefined || (scripts.size === 0 && script.cachedDataRejected === true);
    scripts.set(path.basename(name), script);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion, typescript/no-unsafe-call -- what the text above evaluates to
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
    if (isStale)
      writeCode(
        file,
        stamp,
        new Map([...known, ...[...scripts].map(([name, one]) => [name, one.createCachedData()] as const)]),
      );
  });
}

type Lengths = readonly (readonly [name: string, length: number])[];

interface Header {
  readonly stamp: string;
  readonly lengths: Lengths;
}

/** Nothing if the file is missing, damaged (V8 does not check that), of another build, or another user may have written it. */
function readCode(file: string, stamp: string): Map<string, Buffer> {
  const code = new Map<string, Buffer>();
  try {
    const { uid, mode } = statSync(file);
    if (uid !== process.getuid?.() || (mode & 0o022) !== 0) return code;
    const bytes = readFileSync(file);
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
  }
  return code;
}

function writeCode(file: string, stamp: string, code: ReadonlyMap<string, Buffer>): void {
  const lengths = [...code].map(([name, { length }]) => [name, length] as const);
  const rest = Buffer.concat([
    Buffer.from(`${JSON.stringify({ stamp, lengths } satisfies Header)}\n`),
    ...code.values(),
  ]);
  const head = Buffer.alloc(CHECKSUM);
  head.writeUInt32LE(checksum(rest));
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, Buffer.concat([head, rest]), { mode: 0o600 });
    renameSync(draft, file);
  } catch {
    // The next start is slow, too.
    try {
      rmSync(draft, { force: true });
    } catch {
      // Nor can it be removed: there is no such folder.
    }
  }
}

function checksum(bytes: Buffer): number {
  return process.getBuiltinModule('node:zlib').crc32(bytes);
}
