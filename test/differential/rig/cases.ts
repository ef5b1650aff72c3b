import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import type { Files } from '../../rig/folder.js';
import type { Answer } from './answer.js';

/** One playbook that both tools run; `README.md` describes the files. */
export interface Case {
  readonly title: string;
  /** `site.yml`. */
  readonly playbook: string;
  /** Beside it. An `inventory.yml` takes the place of the shared one. */
  readonly files?: Files;
  /** Options that both tools have. */
  readonly arguments?: readonly string[];
  /** More playbooks on the command line, after `site.yml`. */
  readonly playbooks?: readonly string[];
  /** What is ours on purpose. */
  readonly differs?: Difference;
  /** Intended differences under host_pinned, in addition to `differs`. */
  readonly host_pinned?: Difference & Freedom;
}

/** What cannot be predicted under host_pinned. */
interface Freedom {
  /** Controllers that may be ahead when something ends the batch: they have done what is expected, and perhaps more. */
  readonly ahead?: readonly string[];
  /** Controllers that may also be behind then. */
  readonly apart?: readonly string[];
  /** The whole result depends on timing. */
  readonly unsettled?: true;
}

export interface Difference {
  readonly because: string;
  /** What we do instead; what is not named agrees. A controller's recap that is empty is not there. */
  readonly ours?: Partial<Answer>;
}

export interface CaseFile {
  readonly name: string;
  /** The topic of the cases in the file. */
  readonly about: string;
  /** They mostly wait, so all of them start at once. */
  readonly waits?: boolean;
  readonly cases: readonly Case[];
}

const FOLDER = path.resolve(import.meta.dirname, '../cases');

export async function readCases(): Promise<readonly CaseFile[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.yml')).sort();
  return Promise.all(names.map(readFileOfCases));
}

async function readFileOfCases(file: string): Promise<CaseFile> {
  const read = parse(await readFile(path.join(FOLDER, file), 'utf8'), { merge: true }) as Omit<CaseFile, 'name'>;
  return { name: path.basename(file, '.yml'), ...read };
}
