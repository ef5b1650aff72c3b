import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { jsonText } from '../../src/core/model/values/value.js';
import { ansibleVersion, COLUMN, hasAnsible } from './ansible.js';

const FOLDER = path.resolve(import.meta.dirname, '../differential/confirmed');

/**
 * The confirmed answers of Ansible 2.14: digests of each question, its recorded answer and the version. Ansible needs seconds for an answer
 * that changes only with one of these. With `EVENKEEL_SEED`, it is asked in any case.
 */
export class Confirmed {
  private constructor(
    private readonly file: string,
    private readonly digests: ReadonlySet<string>,
  ) {}

  static async of(name: string): Promise<Confirmed> {
    const file = path.join(FOLDER, `${name}.txt`);
    const text = existsSync(file) ? await readFile(file, 'utf8') : '';
    return new Confirmed(file, new Set(text.split('\n').filter((line) => line !== '')));
  }

  /** What the installed Ansible must be asked: nothing if there is none, all of it if it is the newest. */
  asked<T>(items: readonly T[]): readonly T[] {
    if (!hasAnsible()) return [];
    if (COLUMN === 'newest' || process.env['EVENKEEL_SEED'] !== undefined) return items;
    return items.filter((item) => !this.digests.has(digestOf(item)));
  }

  /** Keeps that all of these are confirmed, for the next time: commit the file with the recording. */
  async keep(items: readonly unknown[]): Promise<void> {
    if (COLUMN === 'newest') return;
    const digests = [...new Set(items.map(digestOf))].sort();
    if (digests.length === this.digests.size && digests.every((one) => this.digests.has(one))) return;
    await mkdir(FOLDER, { recursive: true });
    await writeFile(this.file, digests.map((one) => `${one}\n`).join(''));
  }
}

function digestOf(item: unknown): string {
  const version = /core ([\d.]+)/.exec(ansibleVersion())?.[1] ?? '';
  return createHash('sha256')
    .update(jsonText([version, item]))
    .digest('hex')
    .slice(0, 16);
}
