import { likelyTypo, nearestName } from '../../core/model/source/suggestion.js';
import { getOrAdd } from '../../core/model/values/groups.js';
import { MOST_REDIRECTS } from '../../language/runtime/callable.js';
import type { Plugins } from '../../language/runtime/plugins.js';
import type { Catalogue, TakenName } from '../../module/catalogue.js';
import type { Module } from '../../module/contract.js';
import { wantMapping, type Cursor } from '../document/cursor.js';
import { checkCursorTemplates } from '../document/templated.js';
import { ansibleOnlyModule } from './ansible_only.js';

const PREFIX = /^ansible\.(?:builtin|legacy)\./;

/** The name of a collection, and a name in it. */
const QUALIFIED = /^(\w+\.\w+)\.(\w+)$/;

/** Modules of the vendor's collection, under its current and earlier names. */
const VENDOR = /^(?:vmware\.alb|community\.network)\.avi_\w+$/;

/** Replacements for modules that do not exist. */
const COUNTERPARTS: Readonly<Record<string, string>> = {
  uri: 'api_request',
  'ansible.builtin.uri': 'api_request',
  image_present: 'file_upload',
};

/** Modules that add controllers or groups during the run. */
export const GROWING = ['add_host', 'group_by'];

/** The modules that tasks may name. */
export class Modules {
  readonly #loaded = new Map<string, Promise<Module | undefined>>();

  /** @param plugins absent: collections redirect no names */
  constructor(
    private readonly catalogue: Catalogue,
    private readonly plugins?: Plugins,
  ) {}

  has(name: string): boolean {
    const plain = this.plain(name);
    return this.catalogue.names.includes(plain) || this.catalogue.unlisted?.includes(plain) === true;
  }

  /**
   * The name of a module without its collection, if modules of that collection are available here, or if the collection
   * redirects the name to such a module.
   */
  plain(name: string, redirects = 0): string {
    if (PREFIX.test(name)) return plainName(name);
    const [, collection = '', rest = ''] = QUALIFIED.exec(name) ?? [];
    if (VENDOR.test(name) || this.catalogue.collections?.includes(collection) === true) return rest;
    const other =
      collection === '' || redirects === MOST_REDIRECTS ? undefined : this.plugins?.redirect('modules', name);
    return other === undefined ? plainName(name) : this.plain(other, redirects + 1);
  }

  /** Whether a task read so far may add controllers or groups, so that patterns without matches may match later. */
  get mayAddTargets(): boolean {
    return GROWING.some((name) => this.#loaded.has(name));
  }

  isWithheld(name: string): boolean {
    return this.catalogue.isWithheld?.(name) === true;
  }

  /** Throws if the module's file is broken. */
  load(name: string): Promise<Module | undefined> {
    return getOrAdd(this.#loaded, name, () => this.catalogue.load(name));
  }

  /** Adds the modules of a role, and returns those whose names are taken. */
  add(folder: string): readonly TakenName[] {
    return this.catalogue.add(folder);
  }

  /** The hint for an unknown module. */
  hintFor(name: string): string {
    const [, kind] = VENDOR_KIND.exec(this.plain(name)) ?? [];
    if (kind !== undefined) return this.#vendorHint(kind);
    const [, collection, rest = ''] = QUALIFIED.exec(name) ?? [];
    if (collection !== undefined && this.has(rest))
      return `if ${rest} of Evenkeel is meant, write "collections: ${collection}" in evenkeel.yml`;
    const nearest = this.nearest(name);
    return nearest === undefined ? '"evenkeel doc -l" lists the modules' : `did you mean "${nearest}"?`;
  }

  #vendorHint(kind: string): string {
    const meant = likelyTypo(`avi_${kind}`, this.catalogue.unlisted ?? []);
    if (meant !== undefined) return `did you mean "${meant}"?`;
    const other = `the kind "${kind}" is unknown: write resource_present with path: /api/${kind}/ and properties instead`;
    return INSTEAD[kind] ?? other;
  }

  nearest(name: string, otherWords: readonly string[] = []): string | undefined {
    const known = COUNTERPARTS[name];
    const plain = this.plain(name);
    // A suggestion must not delete declared objects.
    if (known !== undefined || this.has(oppositeModule(plain))) return known;
    return nearestName(plain, [...this.catalogue.names, ...otherWords]);
  }
}

function oppositeModule(module: string): string {
  return module.replace(/_(present|absent)$/, (_, state) => (state === 'present' ? '_absent' : '_present'));
}

const VENDOR_KIND = /^(?:vmware\.alb\.|avi_)(\w+)$/;

/** Replacements for modules of the vendor's collection that do not exist here. */
const INSTEAD: Readonly<Record<string, string>> = {
  backup: 'write file_download with path: /api/configuration/export instead, or api_request with path: /api/backup',
  bootstrap_controller: 'write user_password instead, which sets the first password',
  deploy_controller: 'make the machine with the tools of its infrastructure; wait_for and user_password continue then',
  deploy_se:
    'make the machine with the tools of its infrastructure; wait_until with path: /api/serviceengine/ continues then',
  verify_se: 'write wait_until with path: /api/serviceengine/ instead',
  pulse_registration: 'write albservicesconfig_present and controllerportalregistration_present instead',
  image: 'write file_upload with path: /api/image instead',
  saml_api_session: 'sign in with controller_token or avi_credentials.token instead; SAML is not supported',
};

/** Whether a Python file has a module that only Ansible has. Roles often bring those of the vendor, which exist here, too. */
export function isForeignModule(file: string): boolean {
  return /(?:^|[\\/])(?!avi_|__)[^\\/]+\.py$/.test(file);
}

/** `ansible.builtin.debug` is `debug`. */
export function plainName(name: string): string {
  return name.replace(PREFIX, '');
}

/** Default arguments of tasks, by module, from the nearest `module_defaults` that names it. */
export type ModuleDefaults = ReadonlyMap<string, Cursor>;

export const NO_DEFAULTS: ModuleDefaults = new Map();

/**
 * Merges the `module_defaults` of a play, block, role or task with inherited ones. They are a mapping, or a list of
 * mappings in which later ones win. For each module, the nearest defaults replace the others.
 */
export function readModuleDefaults(cursor: Cursor, outer: ModuleDefaults, modules: Modules): ModuleDefaults {
  const given = cursor.get('module_defaults');
  if (given === undefined) return outer;
  const found = new Map(outer);
  for (const mapping of given.items()) {
    if (!wantMapping(mapping, ' of modules to arguments')) continue;
    for (const item of mapping.entries()) if (isUsable(item, modules)) found.set(modules.plain(item.name), item);
  }
  return found;
}

function isUsable(item: Cursor, modules: Modules): boolean {
  if (item.name.startsWith('group/')) {
    checkGroup(item);
    return false;
  }
  if (!modules.has(item.name) && ansibleOnlyModule(item.name) !== undefined) {
    warnOfIdle(item);
    return false;
  }
  if (!modules.has(item.name)) {
    item.errorAtKey(`there is no module "${item.name}"`, modules.hintFor(item.name));
    return false;
  }
  if (item.value === null) return true;
  if (!wantMapping(item, ' of arguments to values', `the defaults of ${item.name}`)) return false;
  checkCursorTemplates(item);
  return true;
}

/** Groups of ansible-core, whose modules are for other systems. Collections define more groups, which are not read. */
const FOREIGN_GROUPS = /^group\/(?:\w+\.\w+\.)?(?:acme|aws|azure|cpm|docker|gcp|k8s|os|ovirt|vmware)$/;

function checkGroup(item: Cursor): void {
  if (FOREIGN_GROUPS.test(item.name)) warnOfIdle(item);
  else {
    const hint = 'name each module; a YAML anchor lets them share one mapping';
    item.errorAtKey(`there is no group of modules "${item.name}": modules here have no groups`, hint);
  }
}

function warnOfIdle({ name, keySource: source, diagnostics }: Cursor): void {
  const message = `defaults of ${name} have no effect: no task here can use it`;
  diagnostics.add([{ severity: 'warning', rule: 'no-effect', message, source, hint: 'remove them' }]);
}
