import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../../../core/files/paths.js';
import { replaceFile } from '../../../core/files/replace_file.js';
import type { ComparedSecrets, HiddenField, OpenWrittenSecrets, WrittenSecrets } from '../../../core/model/run/past.js';
import { getOrAdd } from '../../../core/model/values/groups.js';
import { isMapping } from '../../../core/model/values/value.js';
import { readKey, Sealer } from './project_key.js';

/** Replaces a digest: the user has been warned that there is none. */
const NOTED = '';

/**
 * Keyed digests of the secrets that a project has written, in the state folder: one file per controller, whose name
 * and content reveal nothing without the project's key. Unreadable digests count as unknown.
 */
export function openSecretDigests(stateDirectory: string, simulated: boolean): OpenWrittenSecrets {
  const opened = new Map<string, Promise<WrittenSecrets>>();
  return (place) => {
    return getOrAdd(opened, place, () => open(stateDirectory, JSON.stringify([place, simulated])));
  };
}

async function open(stateDirectory: string, place: string): Promise<WrittenSecrets> {
  const key = await readKey(stateDirectory).catch(() => undefined);
  // A run that may write has a key. Without one, nothing is known, and nothing can be kept.
  if (key === undefined) return new SecretDigests(new Sealer(randomBytes(32), ''), place, undefined, new Map());
  const sealer = new Sealer(key, 'written secrets');
  const file = path.join(stateDirectory, 'secrets', `${sealer.sealedName(Buffer.from(place))}.json`);
  return new SecretDigests(sealer, place, file, await readDigests(file));
}

async function readDigests(file: string): Promise<Map<string, string>> {
  const content: unknown = await readFile(file, 'utf8')
    .then(JSON.parse)
    .catch(() => undefined);
  const entries = isMapping(content) ? Object.entries(content) : [];
  return new Map(entries.flatMap(([id, digest]) => (typeof digest === 'string' ? [[id, digest] as const] : [])));
}

class SecretDigests implements WrittenSecrets {
  #saving: Promise<void> = Promise.resolve();

  constructor(
    private readonly sealer: Sealer,
    private readonly place: string,
    private readonly file: string | undefined,
    private readonly digests: Map<string, string>,
  ) {}

  compare(object: string, fields: readonly HiddenField[]): Promise<ComparedSecrets> {
    const known = fields.map((field) => [field, this.digests.get(this.#id(object, field[0])) ?? NOTED] as const);
    const isOther = ([field, digest]: (typeof known)[number]): boolean => digest !== this.#digest(object, field);
    return Promise.resolve({
      changed: known.filter((one) => one[1] !== NOTED && isOther(one)).map(([[name]]) => name),
      unknown: known.filter(([, digest]) => digest === NOTED).map(([[name]]) => name),
    });
  }

  async keep(object: string, fields: readonly HiddenField[]): Promise<void> {
    const fresh = fields.map((field) => [this.#id(object, field[0]), this.#digest(object, field)] as const);
    const others = fresh.filter(([id, digest]) => this.digests.get(id) !== digest);
    for (const [id, digest] of others) this.digests.set(id, digest);
    if (others.length > 0) await this.#save();
  }

  async note(object: string, fields: readonly string[], check: boolean): Promise<boolean> {
    const fresh = fields.map((field) => this.#id(object, field)).filter((id) => !this.digests.has(id));
    for (const id of fresh) this.digests.set(id, NOTED);
    if (fresh.length > 0 && !check) await this.#save();
    return fresh.length > 0;
  }

  async #save(): Promise<void> {
    const { file } = this;
    if (file !== undefined) this.#saving = this.#saving.then(() => this.#replace(file)).catch(() => undefined);
    await this.#saving;
  }

  /** Replaced as a whole, so that no reader sees half of it. */
  async #replace(file: string): Promise<void> {
    await makeFolder(path.dirname(file));
    await replaceFile(file, `${JSON.stringify(Object.fromEntries(this.digests))}\n`);
  }

  #id(object: string, field: string): string {
    return this.sealer.digest(['field', this.place, object, field]);
  }

  /** Includes the path of the field, so that equal secrets have different digests. */
  #digest(object: string, [field, value]: HiddenField): string {
    return this.sealer.digest(['value', this.place, object, field, value]);
  }
}
