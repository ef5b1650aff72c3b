import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../../../core/files/paths.js';
import { replaceFile } from '../../../core/files/replace_file.js';
import type { ComparedSecrets, HiddenField, WrittenSecrets } from '../../../core/model/run/past.js';
import { isMapping } from '../../../core/model/values/value.js';
import { readKey, Sealer } from './project_key.js';

/** Before the digest of a declared value: the user has been warned that it was never written. */
const NOTED = 'noted ';

/** Before what replaces a digest until a write is verified. It equals no value. */
const UNSETTLED = 'unsettled ';

/** @param place with what else tells its digests from others */
export async function readSecretDigests(stateDirectory: string, place: string): Promise<WrittenSecrets> {
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
    const isUnknown = (field: HiddenField): boolean => {
      const known = this.#known(object, field);
      return known === '' || known === NOTED + this.#digest(object, field);
    };
    const isChanged = (field: HiddenField): boolean => !isUnknown(field) && !this.#isKept(object, field);
    return Promise.resolve({
      changed: fields.filter(isChanged).map(([name]) => name),
      unknown: fields.filter(isUnknown),
    });
  }

  async unsettle(object: string, fields: readonly HiddenField[]): Promise<() => Promise<void>> {
    const others = fields.filter((field) => !this.#isKept(object, field));
    // Each write has its own mark: it waits until that is saved, and cannot take back that of another write.
    const mark = UNSETTLED + randomBytes(8).toString('hex');
    const former = others.map((field) => [this.#id(object, field), this.#known(object, field)] as const);
    const takeBack = (): Promise<void> =>
      this.#set(former.filter(([id]) => this.digests.get(id) === mark)).catch(() => undefined);
    try {
      await this.#set(former.map(([id]) => [id, mark]));
    } catch (error) {
      await takeBack();
      throw error;
    }
    return takeBack;
  }

  async keep(object: string, fields: readonly HiddenField[]): Promise<void> {
    const digests = fields.map((field) => [this.#id(object, field), this.#digest(object, field)] as const);
    await this.#set(digests).catch(() => undefined);
  }

  async note(object: string, fields: readonly HiddenField[], check: boolean): Promise<boolean> {
    const fresh = fields.filter((field) => this.#known(object, field) === '');
    const noted = fresh.map((field) => [this.#id(object, field), NOTED + this.#digest(object, field)] as const);
    await this.#set(noted, check).catch(() => undefined);
    return fresh.length > 0;
  }

  async #set(entries: readonly (readonly [id: string, digest: string])[], check = false): Promise<void> {
    const others = entries.filter(([id, digest]) => this.digests.get(id) !== digest);
    for (const [id, digest] of others) this.digests.set(id, digest);
    const { file } = this;
    if (others.length === 0 || check || file === undefined) return;
    const saved = this.#saving.then(() => this.#replace(file));
    this.#saving = saved.catch(() => undefined);
    await saved;
  }

  /** Replaced as a whole, so that no reader sees half of it. */
  async #replace(file: string): Promise<void> {
    await makeFolder(path.dirname(file));
    await replaceFile(file, `${JSON.stringify(Object.fromEntries(this.digests))}\n`);
  }

  /** Empty: nothing is known. */
  #known(object: string, field: HiddenField): string {
    return this.digests.get(this.#id(object, field)) ?? '';
  }

  #isKept(object: string, field: HiddenField): boolean {
    return this.#known(object, field) === this.#digest(object, field);
  }

  #id(object: string, [field]: HiddenField): string {
    return this.sealer.digest(['field', this.place, object, field]);
  }

  /** Includes the path of the field, so that equal secrets have different digests. */
  #digest(object: string, [field, value]: HiddenField): string {
    return this.sealer.digest(['value', this.place, object, field, value]);
  }
}
