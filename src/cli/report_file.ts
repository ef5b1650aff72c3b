import { createWriteStream, fstatSync, rmSync, statSync, type WriteStream } from 'node:fs';
import { access, chmod, constants, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { acceptDraft, draftFile, draftName, linkedFile, readBeginning } from '../core/files/replace_file.js';
import type { Event } from '../core/model/run/event.js';
import { asError, orElse } from '../core/model/source/diagnostic.js';
import { Outlet } from '../reporting/output/outlet.js';
import type { Reporter } from '../reporting/reporter.js';
import { loadReport } from '../reporting/reports/registry.js';
import type { Report, ReportOptions, RequestedReport } from '../reporting/reports/report.js';
import type { CommandContext } from './context.js';

type Reporting = Pick<CommandContext, 'lostFile' | 'signals'>;

/** Where a report is written. */
interface ReportDestination {
  /** Absolute, links resolved. */
  readonly file: string;
  /**
   * Written first, then renamed to `file`. Absent: `file` is no regular file (a pipe), or leads to stdout or stderr, and is
   * written directly.
   */
  readonly draft: string | undefined;
  readonly mode: number;
}

export interface PreparedReport {
  readonly kind: RequestedReport['kind'];
  /** `junit=report.xml`, as typed. */
  readonly label: string;
  readonly destination: ReportDestination;
  readonly make: (options: ReportOptions) => Report;
}

/** @throws if the file could not be written */
export async function prepareReport({ kind, file }: RequestedReport, cwd: string): Promise<PreparedReport> {
  const { make, beginning } = await loadReport(kind);
  const destination = await findDestination(path.resolve(cwd, file));
  if (destination.draft !== undefined && !(await isReplaceable(destination.file, beginning)))
    throw new Error(`the file exists and is not an Evenkeel ${kind} report, so it is not replaced: name another file`);
  return { kind, label: `${kind}=${file}`, destination, make };
}

/** A mistake such as `--report junit=site.yml` must not overwrite a playbook. */
async function isReplaceable(file: string, beginning: RegExp): Promise<boolean> {
  const there = (await readBeginning(file, LONGEST_BEGINNING)) ?? '';
  return there.length === 0 || beginning.test(there.toString('utf8'));
}

const LONGEST_BEGINNING = 500;

async function findDestination(named: string): Promise<ReportDestination> {
  const file = await linkedFile(named);
  const found = await stat(file).catch(() => undefined);
  if (found?.isDirectory() === true) throw new Error('it is a folder');
  const mode = found === undefined ? 0o600 : found.mode & 0o777;
  if (ownOutput(file) !== undefined) return { file, draft: undefined, mode };
  if (found !== undefined) await access(file, constants.W_OK);
  if (found !== undefined && !found.isFile()) return { file, draft: undefined, mode };
  const draft = draftName(file);
  await tryToWrite(draft);
  return { file, draft, mode };
}

/**
 * stdout or stderr, if a file leads there. A file that is opened again has another position, so both would write over each
 * other; a socket cannot be opened. A pipe can, and then waits for a slow reader, as the one that is open does not.
 */
export function ownOutput(file: string): number | undefined {
  const found = orElse(undefined, () => statSync(file));
  if (found === undefined || found.isFIFO()) return undefined;
  return [1, 2].find((fd) => {
    const { dev, ino } = fstatSync(fd);
    return dev === found.dev && ino === found.ino;
  });
}

/** Opens a file, or what of this process it leads to. */
export function openOutput(file: string, flags: 'a' | 'w' | 'wx'): WriteStream {
  const fd = ownOutput(file);
  return createWriteStream(file, fd === undefined ? { flags, mode: 0o600 } : { fd, autoClose: false });
}

/** A full disk lets a file be made, but not filled. No report is shorter than this. */
const LEAST_BYTES = 100;

/** Throws if this new file cannot be written. Leaves nothing. */
export async function tryToWrite(file: string): Promise<void> {
  try {
    await writeFile(file, '\n'.repeat(LEAST_BYTES), { flag: 'wx' });
  } finally {
    await rm(file, { force: true });
  }
}

/** Writes a report whose text is complete. */
export async function writeReportFile(
  { destination: { file, draft, mode } }: PreparedReport,
  text: string,
): Promise<void> {
  if (draft === undefined) return finished(openOutput(file, 'w').end(text));
  await (await draftFile(file, text, (fresh) => fresh.chmod(mode))).accept();
}

/** One file. Closing it reports errors; they do not change the run. */
export class ReportFile implements Reporter {
  readonly #report: Report;
  readonly #lostFile: Reporting['lostFile'];
  readonly #outlet: Outlet;
  readonly #unregister: (() => void) | undefined;
  #failure: Error | undefined;
  #hasBegun = false;
  #isComplete = false;

  constructor(
    private readonly prepared: PreparedReport,
    options: ReportOptions,
    { lostFile, signals }: Reporting,
  ) {
    this.#report = prepared.make(options);
    this.#lostFile = lostFile;
    const { file, draft } = prepared.destination;
    this.#outlet = new Outlet(openOutput(draft ?? file, draft === undefined ? 'w' : 'wx'));
    this.#unregister = draft === undefined ? undefined : signals.atExit?.(() => rmSync(draft, { force: true }));
  }

  handle(event: Event): void {
    this.#hasBegun = true;
    if (this.#failure !== undefined) return;
    try {
      for (const text of this.#report.take(event)) this.#outlet.write(text);
      if (event.type === 'run-finished') this.#isComplete = true;
    } catch (error) {
      this.#failure = asError(error);
    }
  }

  async close(): Promise<void> {
    const { label, destination } = this.prepared;
    const { file, draft, mode } = destination;
    try {
      await this.#outlet.close();
      if (this.#failure !== undefined) throw this.#failure;
      if (!this.#isComplete && this.#hasBegun) throw new Error('the run did not finish');
      if (draft !== undefined && this.#hasBegun) {
        // Regardless of the umask.
        await chmod(draft, mode);
        await acceptDraft(draft, file);
      }
      // A run that did not start is refused, and the refusal is what is reported.
      else if (draft !== undefined) await rm(draft, { force: true });
    } catch (error) {
      this.#lostFile(`--report ${label}`, error);
      if (draft !== undefined) await rm(draft, { force: true });
    } finally {
      this.#unregister?.();
    }
  }
}
