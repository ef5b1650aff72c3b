import { hash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { makeFolder } from '../../core/files/paths.js';
import { replaceFile } from '../../core/files/replace_file.js';
import { whyNotPrivate } from '../../core/files/trust.js';
import { jsonText, isMapping, parseFlag } from '../../core/model/values/value.js';
import { asString } from '../../language/runtime/result.js';
import type { Cursor } from '../document/cursor.js';
import { readFlag } from './constructed.js';

/** Settings of ansible.cfg, by section and name: `inventory.cache`. */
export type ConfigFileValues = ReadonlyMap<string, { readonly value: string }>;

export interface CacheSettings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute: where Evenkeel keeps its state. */
  readonly stateDirectory?: string | undefined;
  readonly ansible?: { readonly values: ConfigFileValues } | undefined;
}

/** Seconds, as in Ansible. */
const TIMEOUT = 3600;

/**
 * The file in which the output of Ansible is kept for an inventory file, as its options, the environment and
 * ansible.cfg say: `cache`, `cache_timeout` (seconds; 0: for ever), `cache_connection` (a folder).
 */
export class PluginCache {
  private constructor(
    readonly file: string,
    /** The content of the inventory file: another one needs another answer. */
    private readonly config: string,
    private readonly timeout: number,
  ) {}

  /** Undefined if nothing is kept. @param file of the inventory, absolute */
  static find(config: Cursor, file: string, settings: CacheSettings): PluginCache | undefined {
    const { cwd, env, stateDirectory, ansible } = settings;
    const setting = (name: string, ...others: readonly string[]): string | undefined => {
      const own = config.get(name);
      if (own !== undefined) return asString(own.value);
      const inFile = [`inventory.${name}`, ...others].flatMap((one) => ansible?.values.get(one)?.value ?? []);
      return env[`ANSIBLE_INVENTORY_${name.toUpperCase()}`] ?? inFile[0];
    };
    const isOn = readFlag(config, 'cache', parseFlag(setting('cache') ?? '') === true);
    if (!isOn) return undefined;
    const timeout = Number(setting('cache_timeout', 'defaults.fact_caching_timeout') ?? TIMEOUT);
    const wrong = config.get('cache_timeout');
    if (!(timeout >= 0)) wrong?.error('"cache_timeout" must be a number of seconds');
    const named = setting('cache_connection', 'defaults.fact_caching_connection');
    const isFolder = named !== undefined && !named.includes('://');
    if (!isFolder && stateDirectory === undefined) return undefined;
    const folder = isFolder
      ? path.resolve(cwd, named.replace(/^~(?=\/|$)/, homedir()))
      : path.join(stateDirectory ?? '', 'inventory');
    const name = `evenkeel-${digest(file).slice(0, 16)}.json`;
    return new PluginCache(path.join(folder, name), digest(jsonText(config.value)), timeout);
  }

  /** The kept output; undefined if there is none that is fresh, or if another user could have written it. */
  async read(): Promise<string | undefined> {
    try {
      const { mtimeMs } = await stat(this.file);
      if (this.timeout > 0 && Date.now() - mtimeMs > this.timeout * 1000) return undefined;
      if (whyNotPrivate(this.file) !== undefined) return undefined;
      const kept: unknown = JSON.parse(await readFile(this.file, 'utf8'));
      if (!isKept(kept) || kept.config !== this.config) return undefined;
      return kept.output;
    } catch {
      return undefined;
    }
  }

  /** Readable by the user only. @throws Error if it cannot be written */
  async write(output: string): Promise<void> {
    await makeFolder(path.dirname(this.file));
    await replaceFile(this.file, jsonText({ config: this.config, output }));
  }
}

function isKept(kept: unknown): kept is { readonly config: string; readonly output: string } {
  return isMapping(kept) && typeof kept['config'] === 'string' && typeof kept['output'] === 'string';
}

function digest(text: string): string {
  return hash('sha256', text);
}
