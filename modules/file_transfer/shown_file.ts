import path from 'node:path';
import {
  isList,
  isMapping,
  isTemporaryStatus,
  isUpgrading,
  jsonText,
  type ActionContext,
  type Mapping,
  type Value,
} from '../../src/module/contract.js';
import type { LocalFile } from './local_file.js';

/** The version of a software package: `22.1.4-2p1-9010`. */
interface PackageVersion {
  readonly version: string;
  /** Undefined: a whole package, not a patch. */
  readonly patch: string | undefined;
  readonly build: string | undefined;
}

const VERSION = /(?<![\d.])(\d+\.\d+\.\d+)(?!\.?\d)(?:[-_](\d+p\d+))?(?:[-_](\d+)(?![\dp]))?/;

function versionIn(text: string): PackageVersion | undefined {
  const [, version, patch, build] = VERSION.exec(text) ?? [];
  return version === undefined ? undefined : { version, patch, build };
}

/** Not while the controller still unpacks an image, or if that failed. Older controllers show no state. */
function isComplete({ img_state: state }: Mapping): boolean {
  return !isMapping(state) || state['state'] === undefined || state['state'] === 'IMAGE_FSM_COMPLETED';
}

/**
 * Whether an entry of the controller's list of images shows the version that the name of a package has. Controllers
 * name an image after its version, and need not show the package's name, size or digest.
 */
function isOfVersion(entry: Mapping, filename: string): boolean {
  const wanted = versionIn(filename);
  if (wanted === undefined || (wanted.patch !== undefined && !isPatchFor(entry, filename))) return false;
  return shownVersions(entry).some(
    ({ version, patch, build }) =>
      version === wanted.version && patch === wanted.patch && (build ?? wanted.build) === (wanted.build ?? build),
  );
}

/** The patches for controllers and for service engines have the same versions. */
function isPatchFor(entry: Mapping, filename: string): boolean {
  const part = /^(?:se|controller)(?=[-_])/i.exec(filename)?.[0].toLowerCase();
  return part !== undefined && Object.keys(entry).some((name) => name.startsWith(`${part}_`));
}

function shownVersions(entry: Mapping): readonly PackageVersion[] {
  const parts = Object.values(entry).filter((value) => isMapping(value));
  const builds = parts.map((part) => part['build'] ?? null).filter((build) => isMapping(build));
  const texts = [entry['name'], ...[entry, ...parts, ...builds].map(versionText)];
  return texts.flatMap((text) => (typeof text === 'string' ? (versionIn(text) ?? []) : []));
}

function versionText({ version, build_no: build }: Mapping): Value | undefined {
  const isBuild = typeof build === 'number' || typeof build === 'string';
  return typeof version === 'string' && isBuild ? `${version}-${build}` : version;
}

/** Whether a controller has a file, according to its list. `unknown`: the list shows neither size nor digest. */
type Presence = 'same' | 'other' | 'absent' | 'unknown';

interface WantedFile {
  /** The path that accepts uploads and lists files. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly filename: string;
}

/** The result of a look at the controller's list of files. */
export interface ListLook {
  readonly presence: Presence;
  readonly listing: string;
  /** The version of the software package that is the same, if the list shows it. */
  readonly version?: string | undefined;
  /** The versions of all software packages in the list. */
  readonly versions: readonly string[];
}

/**
 * Compares a file with the controller's list at the path of the upload. Throws if the list is temporarily unavailable.
 */
export async function findInList(file: LocalFile, wanted: WantedFile, context: ActionContext): Promise<ListLook> {
  const entries = await entriesAt(wanted, context);
  if (entries === undefined) return { presence: 'unknown', listing: '', versions: [] };
  const { presence, entry } = await presenceIn(entries, file, wanted);
  const isImages = IMAGES.test(wanted.path);
  return {
    presence,
    listing: jsonText(entries),
    version: isImages && presence === 'same' ? entry && shownVersion(entry) : undefined,
    versions: isImages ? entries.flatMap((one) => shownVersion(one) ?? []) : [],
  };
}

/** As detailed as the entry has it: `22.1.4-9196` */
function shownVersion(entry: Mapping): string | undefined {
  const texts = shownVersions(entry).map(({ version, patch, build }) =>
    [version, patch, build].filter((part) => part !== undefined).join('-'),
  );
  return texts.toSorted((a, b) => b.length - a.length)[0];
}

interface FoundFile {
  readonly presence: Presence;
  /** What shows it. */
  readonly entry?: Mapping;
}

/** If several files have the name, one equal file is enough. */
async function presenceIn(entries: readonly Mapping[], file: LocalFile, wanted: WantedFile): Promise<FoundFile> {
  const named = entries.filter((entry) => isNamed(entry, wanted.filename));
  const all = await Promise.all(named.map(async (entry) => ({ presence: await compared(file, entry), entry })));
  const first = (presence: Presence): FoundFile | undefined => all.find((one) => one.presence === presence);
  const other = first('other');
  const same = first('same') ?? (other === undefined ? await findImage(entries, file, wanted) : undefined);
  const found = same ?? first('unknown') ?? other;
  if (found !== undefined) return found;
  // Some objects have a name from the content of the file instead of the file's name.
  for (const entry of entries) {
    if (typeof entry['uri'] === 'string' || digestIn(entry) === undefined) continue;
    if ((await compared(file, entry)) === 'same') return { presence: 'same', entry };
  }
  return { presence: 'absent' };
}

/** Software packages, which a controller identifies by their version. */
const IMAGES = /^\/api\/image\/?$/;

async function findImage(
  entries: readonly Mapping[],
  file: LocalFile,
  { path: at, filename }: WantedFile,
): Promise<FoundFile | undefined> {
  const images = IMAGES.test(at) ? entries : [];
  for (const entry of images)
    if (digestIn(entry) !== undefined && (await compared(file, entry)) === 'same') return { presence: 'same', entry };
  for (const entry of images)
    if (isComplete(entry) && isOfVersion(entry, filename) && (await compared(file, entry)) === 'unknown')
      return { presence: 'same', entry };
  return undefined;
}

/**
 * The name under which the controller has a package that it refused, according to this answer; undefined if it has not.
 *
 * @param says what the controller says about a conflict
 */
export async function isKnownAs(
  says: string,
  file: LocalFile,
  wanted: WantedFile,
  context: ActionContext,
): Promise<string | undefined> {
  // A package of another version is not what the controller has, whatever it says.
  if (!IMAGES.test(wanted.path) || versionIn(wanted.filename) !== undefined) return undefined;
  const words = says.split(/[^\w.-]+/).map((word) => word.replace(/\.$/, ''));
  const entries = (await entriesAt(wanted, context)) ?? [];
  const named = entries.filter(({ name }) => typeof name === 'string' && name.length > 2 && words.includes(name));
  const presences = await Promise.all(named.map((entry) => compared(file, entry)));
  if (!named.every(isComplete) || presences.includes('other')) return undefined;
  return named.map(({ name }) => name).find((name) => typeof name === 'string');
}

/** Undefined if the controller lists no files there. */
async function entriesAt(
  { path: at, query }: WantedFile,
  context: ActionContext,
): Promise<readonly Mapping[] | undefined> {
  const answer = await context.request({ method: 'GET', path: at, query });
  const { status, body, says = '', denied } = answer;
  // After 202, the controller works on the list.
  const isUnavailable = status === 202 || isTemporaryStatus(status) || (status >= 500 && status !== 501);
  if (denied === true || isUnavailable || isUpgrading({ status, text: says }))
    throw new Error(`GET ${at} answered ${status}, so it is unknown whether the file is there: ${says}`);
  if (status !== 200 || !isMapping(body) || !isList(body['results'])) return undefined;
  if (typeof body['next'] !== 'string') return body['results'].filter((entry) => isMapping(entry));
  return (await context.list(at, { query, paged: true })).objects;
}

function isNamed(entry: Mapping, filename: string): boolean {
  const { name, uri } = entry;
  if (name === filename || name === path.parse(filename).name) return true;
  if (typeof uri === 'string' && uri.endsWith(`/${filename}`)) return true;
  return valuesIn(entry, ['path', 'filename']).some((text) => text === filename || text.endsWith(`/${filename}`));
}

async function compared(file: LocalFile, entry: Mapping): Promise<Presence> {
  const shown = digestIn(entry);
  if (shown !== undefined) return (await file.digest(shown.algorithm)) === shown.digest ? 'same' : 'other';
  const size = Number(entry['size'] ?? Number.NaN);
  if (Number.isNaN(size)) return 'unknown';
  return size === file.size ? 'same' : 'other';
}

const DIGESTS = ['sha256', 'sha512', 'sha1', 'md5', 'hash', 'checksum', 'digest', 'md5sum'];
const BY_LENGTH: ReadonlyMap<number, string> = new Map([
  [32, 'md5'],
  [40, 'sha1'],
  [64, 'sha256'],
  [128, 'sha512'],
]);

function digestIn(entry: Mapping): { readonly algorithm: string; readonly digest: string } | undefined {
  for (const text of valuesIn(entry, DIGESTS)) {
    const algorithm = /^[0-9a-f]+$/i.test(text) ? BY_LENGTH.get(text.length) : undefined;
    if (algorithm !== undefined) return { algorithm, digest: text.toLowerCase() };
  }
  return undefined;
}

/** The texts of these fields of an object, and of the objects in it. */
function valuesIn(entry: Mapping, names: readonly string[]): readonly string[] {
  const all = [entry, ...Object.values<Value>(entry).filter((value) => isMapping(value))];
  return all.flatMap((one) => names.map((name) => one[name]).filter((value) => typeof value === 'string'));
}
