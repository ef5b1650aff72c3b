import { natsError } from '../broker/connection.js';
import type { Buckets } from '../broker/storage.js';
import { digestOf, RunKey } from '../channel/sealing.js';
import { descriptionText, type SharedFiles } from '../protocol/description.js';

/** The key and description of a run for the workers of one site. */
export interface SiteSession {
  /** Seals all messages between the coordinator and this site. Other sites do not have it. */
  readonly key: RunKey;
  /** Resolves to the name of the site's description in the object store, stored on first use. */
  description(): Promise<string>;
}

interface SiteSessionsOptions {
  readonly run: string;
  /** Describes the run for the workers of a site. */
  readonly describe: (site: string) => string | Promise<string>;
  /** The files of the run, for all sites. */
  readonly files?: Uint8Array | undefined;
}

/**
 * The sites of a run, each with a separate key and description. The files are stored once, with a key that the
 * descriptions contain.
 */
export class SiteSessions {
  readonly #sites = new Map<string, SiteSession>();
  readonly #stored = new Set<string>();
  #files: Promise<SharedFiles> | undefined;

  constructor(
    private readonly descriptions: Pick<Buckets['descriptions'], 'putBlob' | 'delete'>,
    private readonly options: SiteSessionsOptions,
  ) {}

  of(site: string): SiteSession {
    const known = this.#sites.get(site);
    if (known !== undefined) return known;
    const key = new RunKey();
    let stored: Promise<string> | undefined;
    const made: SiteSession = { key, description: () => (stored ??= this.#storeDescription(site, key)) };
    this.#sites.set(site, made);
    return made;
  }

  async removeAll(): Promise<void> {
    await Promise.allSettled([...this.#stored].map((name) => this.descriptions.delete(name)));
  }

  async #storeDescription(site: string, key: RunKey): Promise<string> {
    const { run, describe, files } = this.options;
    const shared = files === undefined ? undefined : await (this.#files ??= this.#storeFiles(files));
    const text = descriptionText({ text: await describe(site), files: shared });
    return this.#store(key.seal(run, Buffer.from(text)));
  }

  async #storeFiles(files: Uint8Array): Promise<SharedFiles> {
    const key = new RunKey();
    return { name: await this.#store(key.seal(this.options.run, files)), key: key.text };
  }

  async #store(sealed: Uint8Array): Promise<string> {
    const name = digestOf(sealed);
    try {
      await this.descriptions.putBlob({ name }, sealed);
    } catch (error) {
      throw natsError(error, 'store the description of the run');
    }
    this.#stored.add(name);
    return name;
  }
}
