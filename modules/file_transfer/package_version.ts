import { isMapping, type Mapping, type Value } from '../../src/module/contract.js';

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

export function showsVersion(filename: string): boolean {
  return versionIn(filename) !== undefined;
}

/** Not while the controller still unpacks an image, or if that failed. Older controllers show no state. */
export function isComplete({ img_state: state }: Mapping): boolean {
  return !isMapping(state) || state['state'] === undefined || state['state'] === 'IMAGE_FSM_COMPLETED';
}

/**
 * Whether an entry of the controller's list of images shows the version that the name of a package has. Controllers
 * name an image after its version, and need not show the package's name, size or digest.
 */
export function isOfVersion(entry: Mapping, filename: string): boolean {
  const wanted = versionIn(filename);
  if (wanted === undefined || (wanted.patch !== undefined && !isPatchFor(entry, filename))) return false;
  return versionsOf(entry).some(
    ({ version, patch, build }) =>
      version === wanted.version && patch === wanted.patch && (build ?? wanted.build) === (wanted.build ?? build),
  );
}

/** The patches for controllers and for service engines have the same versions. */
function isPatchFor(entry: Mapping, filename: string): boolean {
  const part = /^(?:se|controller)(?=[-_])/i.exec(filename)?.[0].toLowerCase();
  return part !== undefined && Object.keys(entry).some((name) => name.startsWith(`${part}_`));
}

function versionsOf(entry: Mapping): readonly PackageVersion[] {
  const parts = Object.values(entry).filter((value) => isMapping(value));
  const builds = parts.map((part) => part['build'] ?? null).filter((build) => isMapping(build));
  const texts = [entry['name'], ...[entry, ...parts, ...builds].map(versionText)];
  return texts.flatMap((text) => (typeof text === 'string' ? (versionIn(text) ?? []) : []));
}

function versionText({ version, build_no: build }: Mapping): Value | undefined {
  const isBuild = typeof build === 'number' || typeof build === 'string';
  return typeof version === 'string' && isBuild ? `${version}-${build}` : version;
}
