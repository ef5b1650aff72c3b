import { existsSync, lstatSync, readFileSync, realpathSync, statSync, type Stats } from 'node:fs';
import path from 'node:path';
import { orElse } from '../model/source/diagnostic.js';
import { expandHome, isInside, resolveName } from './paths.js';

const EVERYBODY_WRITES = 0o002;
const GROUP_WRITES = 0o020;
/** In such a folder, other users can add files, but not replace existing ones: `/tmp`, a fresh tmpfs. */
const STICKY = 0o1000;
const ROOT = 0;

type TrustEnvironment = Readonly<Record<string, string | undefined>>;

/** The folders that the user vouches for, for shared checkouts and random user ids, as `safe.directory` of git. */
const FOLDERS = 'EVENKEEL_TRUSTED_FOLDERS';
const ALL_FOLDERS = '*';

/**
 * Decides whether to trust files, because another user may have written them. Systems without user ids trust
 * everything.
 */
export class Trust {
  /** The user of a checkout that root works on in a container: trusted, but worth a warning. Undefined if there is none. */
  readonly checkoutOwner: number | undefined;
  /** Those of `EVENKEEL_TRUSTED_FOLDERS` that are not absolute: they mean nothing. */
  readonly relativeFolders: readonly string[];
  /** The user and root; with sudo, also the user who typed the command. */
  readonly #owners: Set<number> | undefined;
  readonly #folders: readonly string[];
  /** The folder of the project file that the user named. */
  readonly #named: string | undefined;

  /** @param directory the working directory: containers mount checkouts that belong to another user */
  constructor(directory: string, env: TrustEnvironment, inContainer = isContainer(env)) {
    const { EVENKEEL_CONFIG: config = '', SUDO_UID: sudo = '' } = env;
    const folders = (env[FOLDERS] ?? '')
      .split(path.delimiter)
      .filter((one) => one !== '')
      .map((name) => expandHome(name));
    const isUsable = (folder: string): boolean => folder === ALL_FOLDERS || path.isAbsolute(folder);
    this.#folders = folders.filter(isUsable);
    this.relativeFolders = folders.filter((folder) => !isUsable(folder));
    this.#named = config === '' ? undefined : path.dirname(resolveName(directory, config));
    const user = process.geteuid?.();
    this.#owners = user === undefined ? undefined : new Set([user, ROOT]);
    if (user !== ROOT || this.#owners === undefined) return;
    if (/^\d+$/.test(sudo)) this.#owners.add(Number(sudo));
    const owner = readStats(directory)?.uid ?? ROOT;
    if (!inContainer || this.#owners.has(owner) || this.#isTrusted(directory)) return;
    this.checkoutOwner = owner;
    this.#owners.add(owner);
  }

  /** Why a folder must not be searched; undefined if it may be. */
  folder(folder: string): string | undefined {
    return this.#owners === undefined || this.#isTrusted(folder) ? undefined : this.#whyForeign([folder]);
  }

  /** Why a program or folder that the user named must not be used; undefined if it may be. */
  foreign(named: string): string | undefined {
    return this.#owners === undefined || this.#isTrusted(named)
      ? undefined
      : this.#whyForeign([named, resolveLinks(named)]);
  }

  /** Why a file or folder that was found must not be used; undefined if it may be. */
  refusal(found: string): string | undefined {
    const owners = this.#owners;
    if (owners === undefined || this.#isTrusted(found)) return undefined;
    const real = resolveLinks(found);
    const places = [found, path.dirname(found), path.dirname(real)];
    const writable = places.map((place) => whoWrites(place, owners)).find((who) => who !== undefined);
    return writable ?? this.#whyForeign([path.dirname(found), found, path.dirname(real), real]);
  }

  /** A link belongs to one user, and what it leads to may belong to another. */
  #whyForeign(places: readonly string[]): string | undefined {
    for (const place of places)
      for (const { uid } of [readLinkStats(place), readStats(place)].flatMap((stats) => stats ?? []))
        if (this.#owners?.has(uid) === false) return `${place} belongs to another user (uid ${uid})`;
    return undefined;
  }

  /** A link out of a trusted folder leads to what is not trusted. */
  #isTrusted(found: string): boolean {
    if (this.#named !== undefined && isInside(this.#named, found)) return true;
    return this.#folders.some(
      (folder) =>
        folder === ALL_FOLDERS || (isInside(folder, found) && isInside(resolveLinks(folder), resolveLinks(found))),
    );
  }
}

/** What users may do about a refusal. */
export const HOW_TO_TRUST = `if you trust it, name its folder in ${FOLDERS}`;

/** Podman and systemd set `container`, Docker and Podman make a file, and Kubernetes has its own variables. */
function isContainer({ container = '', KUBERNETES_SERVICE_HOST: kubernetes = '' }: TrustEnvironment): boolean {
  return (
    container !== '' || kubernetes !== '' || ['/.dockerenv', '/run/.containerenv'].some((name) => existsSync(name))
  );
}

/**
 * Why other users could have created a private file or folder, or could replace its content; undefined if only the
 * user, root, or the owner of the parent folder could.
 */
export function whyNotPrivate(name: string): string | undefined {
  const user = process.geteuid?.();
  const found = readStats(name);
  if (user === undefined || found === undefined) return undefined;
  const owners = new Set([user, ROOT]);
  if ((found.mode & STICKY) === 0 && isWritable(found, owners))
    return found.mode & EVERYBODY_WRITES ? 'it is world-writable' : groupText('it', found);
  const mayBeForged = whoWrites(path.dirname(name), owners) !== undefined;
  return owners.has(found.uid) || !mayBeForged ? undefined : `it belongs to another user (uid ${found.uid})`;
}

/** The access of other users to a private file: `read` or `read and write to`; undefined if they have none. */
export function whatOthersCan(file: string): string | undefined {
  const mode = readStats(file)?.mode ?? 0;
  const can = [mode & 0o044 ? ['read'] : [], mode & 0o022 ? ['write to'] : []].flat();
  return process.geteuid === undefined || can.length === 0 ? undefined : can.join(' and ');
}

/** Says who can write to a file or folder besides the owners; undefined if no one can. */
function whoWrites(name: string, owners: ReadonlySet<number>): string | undefined {
  const stats = readStats(name);
  if (stats === undefined || !isWritable(stats, owners)) return undefined;
  return stats.mode & EVERYBODY_WRITES ? `${name} is world-writable` : groupText(name, stats);
}

function isWritable({ mode, gid }: Stats, owners: ReadonlySet<number>): boolean {
  if ((mode & EVERYBODY_WRITES) !== 0) return true;
  return (mode & GROUP_WRITES) !== 0 && !isPrivateGroup(gid, owners);
}

function groupText(name: string, { gid }: Stats): string {
  return `${name} is writable for a group of several users (gid ${gid})`;
}

/** Undefined if it does not exist or is inaccessible: then it cannot be read either. */
function readStats(name: string): Stats | undefined {
  return orElse(undefined, () => statSync(name, { throwIfNoEntry: false }));
}

function readLinkStats(name: string): Stats | undefined {
  return orElse(undefined, () => lstatSync(name, { throwIfNoEntry: false }));
}

function resolveLinks(name: string): string {
  return orElse(name, () => realpathSync(name));
}

/**
 * Whether only these users are in a group. Many systems give each user a group of the same name or number. Members of
 * other groups may come from a directory service, so such a group counts as shared.
 */
function isPrivateGroup(gid: number, users: ReadonlySet<number>): boolean {
  if (gid === ROOT) return true;
  const columns = readColumns('/etc/passwd');
  const accounts = columns.map(([name = '', , uid, group]) => ({ name, uid: Number(uid), group: Number(group) }));
  const [name = '', , , members = ''] = readColumns('/etc/group').find(([, , id]) => Number(id) === gid) ?? [];
  const isOurs = (user: string): boolean => accounts.some((one) => one.name === user && users.has(one.uid));
  return (
    (users.has(gid) || isOurs(name)) &&
    members.split(',').every((member) => member === '' || isOurs(member)) &&
    accounts.every(({ uid, group }) => group !== gid || users.has(uid))
  );
}

function readColumns(file: string): readonly (readonly string[])[] {
  return orElse([], () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.split(':')),
  );
}
