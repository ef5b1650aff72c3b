import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { encryptedValues } from '../../load/vault/open_vault.js';
import { envelopesIn, isEncrypted, type LabelledEnvelope } from '../../load/vault/envelope.js';
import type { VaultPassword } from '../../load/vault/passwords.js';
import type { Vault } from '../../load/vault/vault.js';
import type { Inventory } from '../../model/inventory/inventory.js';
import type { Play } from '../../model/playbook/playbook.js';
import { Vaulted } from '../../model/values/value.js';
import type { Credentials } from '../../run/input/run_input.js';
import type { Entry } from '../../workers/bundle/entries.js';
import { inside } from '../../workers/bundle/relocation.js';
import type { LoadedPlan, LoadedRun } from '../load/load_run.js';
import type { PreparedRun } from '../load/prepared_run.js';
import type { RunSite } from './run_sites.js';

/** If no password has the label, this number of values is tried to find the fitting password. */
const MOST_TRIED = 32;
const MARK = '$ANSIBLE_VAULT;';

interface Given {
  readonly sites: ReadonlyMap<string, RunSite>;
  readonly credentials: Credentials;
  /** The files that all sites get. */
  readonly entries: readonly Entry[];
}

/**
 * The secrets that the coordinator sends to a site: those that its controllers need, and those that belong to no
 * particular site.
 */
export class SiteSecrets {
  #shared: Promise<readonly LabelledEnvelope[]> | undefined;

  constructor(
    private readonly run: PreparedRun,
    private readonly given: Given,
  ) {}

  /** The password of `-k` is for controllers without one in their variables. */
  credentialsFor(site: string): Credentials {
    const { credentials, sites } = this.given;
    const { password, ...others } = credentials;
    const isNeeded = password !== undefined && sites.get(site)?.needsPassword !== false;
    return isNeeded ? { ...others, password } : others;
  }

  async passwordsFor(site: string): Promise<readonly VaultPassword[]> {
    const { vault } = this.run.loaded.target;
    if (vault.passwords.length === 0) return [];
    const layers = [...(this.given.sites.get(site)?.layers ?? [])];
    const envelopes = [...encryptedValues(layers)].flatMap(({ envelope }) => envelopesIn(envelope));
    const files = layers.flatMap(({ label }) => (label === undefined ? [] : [{ label, envelope: undefined }]));
    return passwordsOf(vault, [...(await this.#ofAllSites()), ...envelopes, ...files]);
  }

  /** Encrypted values in files that belong to no group or controller, and in variables of the command line. */
  async #ofAllSites(): Promise<readonly LabelledEnvelope[]> {
    this.#shared ??= this.#search();
    return this.#shared;
  }

  async #search(): Promise<readonly LabelledEnvelope[]> {
    const { target, plan } = this.run.loaded;
    const values = [
      ...encryptedValues(target.extraVars),
      ...(plan?.inputs === undefined ? [] : valuesIn(plan.inputs, target)),
    ];
    const found = values.flatMap(({ envelope }) => envelopesIn(envelope));
    for (const entry of this.given.entries) {
      if (entry.type !== 'file' || isOfControllers(entry.file, target.inventory)) continue;
      const text = await readFile(entry.file, 'latin1');
      if (!text.includes(MARK)) continue;
      // The values of an inventory are in the variables of its groups and controllers.
      const isInventory = target.inventorySources.some((source) => inside(source, entry.file) !== undefined);
      if (!isInventory || isEncrypted(text)) found.push(...envelopesIn(text));
    }
    return found;
  }
}

/** The `!vault` values in a plan; the files may contain others by now. */
function valuesIn(
  { playbooks, variableFiles, beside }: NonNullable<LoadedPlan['inputs']>,
  { inventory }: LoadedRun['target'],
): readonly Vaulted[] {
  const found: Vaulted[] = [];
  const seen = new Set<unknown>();
  const search = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (value instanceof Vaulted) found.push(value);
    else if (value instanceof Map) for (const one of value.values()) search(one);
    else for (const [name, one] of Object.entries(value)) if (!OF_CONTROLLERS.has(name)) search(one);
  };
  search(playbooks);
  search(beside);
  for (const [file, layer] of variableFiles) if (!isOfControllers(file, inventory)) search(layer);
  return found;
}

/** Fields of a play that contain variables of groups and controllers. */
const OF_CONTROLLERS: ReadonlySet<string> = new Set<keyof Play>(['groupLayers', 'controllerLayers']);

/**
 * Whether a variable file belongs to a group or controller of the run. Tasks may still add other groups and
 * controllers.
 */
function isOfControllers(file: string, { groups, controllers }: Inventory): boolean {
  const parts = file.split(path.sep);
  const at = parts.findLastIndex((part) => part === 'group_vars' || part === 'host_vars');
  const base = parts[at + 1];
  if (at < 0 || base === undefined) return false;
  const names = [base, path.parse(base).name];
  const known = parts[at] === 'group_vars' ? groups : controllers;
  return names.some((name) => known.has(name));
}

/** The passwords with these labels. For a label without a password, the passwords that open its values. */
async function passwordsOf(
  vault: Vault,
  needed: readonly { readonly label: string; readonly envelope: string | undefined }[],
): Promise<readonly VaultPassword[]> {
  const found = new Set<VaultPassword>();
  for (const label of new Set(needed.map((one) => one.label))) {
    const named = vault.passwords.filter((one) => one.label === label);
    for (const password of named) found.add(password);
    if (named.length > 0) continue;
    const envelopes = new Set(needed.flatMap((one) => (one.label === label ? (one.envelope ?? []) : [])));
    for (const envelope of [...envelopes].slice(0, MOST_TRIED)) {
      const opened = await vault.open(envelope);
      if (opened.status === 'ok') found.add(opened.password);
    }
  }
  // In the order in which they were given.
  return vault.passwords.filter((password) => found.has(password));
}
