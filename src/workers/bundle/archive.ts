import { createHash } from 'node:crypto';
import { Header, Pack, Parser, ReadEntry, Unpack } from 'tar';
import { whyUnreadable } from '../../files/file_error.js';
import { readBytes } from '../../files/read_bytes.js';
import { BundleError, type Entry } from './entries.js';

/**
 * A tar archive of the entries, in order. Equal content gives equal bytes: times, owners and other rights are left out.
 */
export async function archiveOf(entries: readonly Entry[]): Promise<Buffer> {
  const pack = new Pack({ portable: true, noMtime: true, strict: true });
  const written = pack.concat();
  for (const entry of entries) {
    const content = entry.type === 'file' ? await read(entry.file) : Buffer.alloc(0);
    const member = new ReadEntry(headerOf(entry, content.length));
    pack.add(member);
    member.end(content);
  }
  pack.end();
  return written;
}

/** The digest of the uncompressed archive, because compression differs between versions of zlib. */
export function digestOf(archive: Buffer): string {
  return createHash('sha256').update(archive).digest('hex');
}

/** Unpacks into an empty folder. Throws before anything is written if an entry leads outside of it. */
export async function extract(archive: Buffer, folder: string): Promise<void> {
  await ended(new Parser({ strict: true, onReadEntry: refuseUnsafe }), archive);
  await ended(new Unpack({ cwd: folder, strict: true, preserveOwner: false }), archive);
}

function headerOf(entry: Entry, size: number): Header {
  const { name: path } = entry;
  switch (entry.type) {
    case 'folder':
      return new Header({ path, type: 'Directory', mode: 0o755, size });
    case 'link':
      return new Header({ path, type: 'SymbolicLink', mode: 0o777, size, linkpath: entry.target });
    case 'file':
      return new Header({ path, type: 'File', mode: entry.executable ? 0o755 : 0o644, size });
    default:
      return entry satisfies never;
  }
}

async function read(file: string): Promise<Buffer> {
  try {
    return await readBytes(file);
  } catch (error) {
    throw new BundleError(`cannot send ${file} to workers at sites: ${whyUnreadable(error)}`);
  }
}

function refuseUnsafe(entry: ReadEntry): void {
  const { type, path: name, linkpath = '' } = entry;
  const target = type === 'SymbolicLink' ? `${name}/../${linkpath}` : name;
  const isKnown = type === 'File' || type === 'Directory' || type === 'SymbolicLink';
  if (!isKnown || leadsOut(name) || leadsOut(target) || linkpath.startsWith('/'))
    throw new BundleError(
      `the bundle of the run has an entry that a worker must not unpack: ${type} ${name}${linkpath === '' ? '' : ` → ${linkpath}`}`,
    );
  entry.resume();
}

/** Whether a name is absolute or climbs out of the folder that it is relative to. */
function leadsOut(name: string): boolean {
  let depth = 0;
  for (const part of name.split('/')) {
    if (part === '..') depth -= 1;
    else if (part !== '' && part !== '.') depth += 1;
    if (depth < 0) return true;
  }
  return name.startsWith('/');
}

function ended(stream: Parser, archive: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.on('close', resolve);
    stream.on('error', reject);
    stream.end(archive);
  });
}
