import type { WriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { isFileError, whyUnwritable } from '../core/files/paths.js';
import { draftName, linkedFile } from '../core/files/replace_file.js';
import { Diagnostics, type Diagnostic } from '../core/model/source/diagnostic.js';
import { maskText } from '../core/secrets/mask_text.js';
import { formatDiagnostics } from '../reporting/diagnostics.js';
import { createReporter, type Reporter, type ReporterOptions } from '../reporting/reporter.js';
import type { ReportedRefusal } from '../reporting/reports/refused.js';
import type { ReportOptions, RequestedReport } from '../reporting/reports/report.js';
import { RunProfile } from '../reporting/run/profile.js';
import { UNCOLOURED } from '../reporting/text/palette.js';
import type { CommandContext } from './context.js';
import {
  openOutput,
  ownOutput,
  prepareReport,
  ReportFile,
  tryToWrite,
  writeReportFile,
  type PreparedReport,
} from './report_file.js';

/** What is written beside the output. */
export interface ExtraOptions {
  readonly report?: readonly RequestedReport[] | undefined;
  /** A file to which the lines of the run are appended. */
  readonly log?: string | undefined;
  /** Say where the time went. */
  readonly profile?: boolean | undefined;
}

/**
 * What is written beside the output: the files of `--report` and `--log`, and `--profile`. Loaded only if one of them
 * is requested.
 */
export class ExtraOutputs {
  #reports: readonly PreparedReport[] = [];
  /** The log can be written. */
  #isLogged = false;
  /** Absent: times are not measured. */
  readonly profile: RunProfile | undefined;

  constructor(
    private readonly options: ExtraOptions,
    private readonly context: Pick<CommandContext, 'cwd' | 'lostFile' | 'signals'>,
  ) {
    this.profile = options.profile === true ? new RunProfile() : undefined;
  }

  /** Loads the reports, and returns why files cannot be written. */
  async prepare(): Promise<readonly Diagnostic[]> {
    const { report = [], log } = this.options;
    const problems = new Diagnostics();
    const attempt = async (option: string, act: () => Promise<void>): Promise<void> => {
      await act().catch((error: unknown) => {
        problems.error(`cannot write ${option}: ${whyUnwritable(error)}`);
      });
    };
    const reports: PreparedReport[] = [];
    for (const requested of report)
      await attempt(`--report ${requested.kind}=${requested.file}`, async () => {
        const prepared = await prepareReport(requested, this.context.cwd);
        if (reports.some(({ destination }) => destination.file === prepared.destination.file))
          throw new Error('two reports name this file');
        reports.push(prepared);
      });
    if (log !== undefined)
      await attempt(`--log ${log}`, async () => {
        const file = await linkedFile(path.resolve(this.context.cwd, log));
        if (reports.some(({ destination: { draft, file: other } }) => draft !== undefined && other === file))
          throw new Error('a report names this file');
        await checkLog(file);
        this.#isLogged = true;
      });
    this.#reports = reports;
    return problems.list;
  }

  /** Writes to each of the files why nothing ran. */
  async refuse(refusal: ReportedRefusal, options: ReportOptions): Promise<void> {
    const { log } = this.options;
    const { cwd, lostFile } = this.context;
    await this.prepare();
    const { refusedText } = await import('../reporting/reports/refused.js');
    for (const prepared of this.#reports)
      await writeReportFile(prepared, refusedText(prepared.kind, refusal, options)).catch((error: unknown) => {
        lostFile(`--report ${prepared.label}`, error);
      });
    if (log === undefined || !this.#isLogged) return;
    const file = new LogFile(path.resolve(cwd, log));
    file.write(formatDiagnostics(refusal.diagnostics, { colour: false, ...options }));
    await file.close().catch((error: unknown) => {
      lostFile(`--log ${log}`, error);
    });
  }

  /** The output of a run, with everything beside it. */
  open(options: ReporterOptions): Reporter {
    const output = this.profile === undefined ? createReporter(options) : profiled(options, this.profile);
    return together(this.withReports(output, options), this.#log(options));
  }

  withReports(output: Reporter, options: ReportOptions): Reporter {
    return together(
      output,
      this.#reports.map((prepared) => new ReportFile(prepared, options, this.context)),
    );
  }

  /** Writes what the output `lines` would print, without colours. */
  #log(options: ReporterOptions): readonly Reporter[] {
    const { log } = this.options;
    if (log === undefined) return [];
    const { cwd, lostFile } = this.context;
    const file = new LogFile(path.resolve(cwd, log));
    const reporter = createReporter({
      ...options,
      output: 'lines',
      stdout: file,
      stderr: file,
      colour: false,
      stderrColour: false,
      github: undefined,
    });
    return [
      {
        handle: (event) => reporter.handle(event),
        close: async () => {
          try {
            await reporter.close();
            await file.close();
          } catch (error) {
            lostFile(`--log ${log}`, error);
          }
        },
      },
    ];
  }
}

/** Says where the time went: above the recap, or on stderr if programs read stdout. */
function profiled(options: ReporterOptions, profile: RunProfile): Reporter {
  const lines: ReporterOptions['profile'] = (finished, palette) =>
    profile.lines(finished, palette, (text) => maskText(text, options.secrets));
  const reporter = createReporter({ ...options, profile: lines });
  return {
    handle: (event) => {
      profile.handle(event);
      reporter.handle(event);
      if (event.type !== 'run-finished' || options.output !== 'json') return;
      for (const line of lines(event, UNCOLOURED)) options.stderr.write(`${line}\n`);
    },
    close: () => reporter.close(),
  };
}

/** One reporter that passes events on to all. */
function together(first: Reporter, others: readonly Reporter[]): Reporter {
  if (others.length === 0) return first;
  return {
    handle: (event) => {
      first.handle(event);
      for (const other of others) other.handle(event);
    },
    close: async () => {
      try {
        await first.close();
      } finally {
        for (const other of others) await other.close();
      }
    },
  };
}

/** Throws if the file cannot be appended to. */
async function checkLog(file: string): Promise<void> {
  if (ownOutput(file) !== undefined) return;
  const handle = await open(file, 'a', 0o600);
  const isOnDisk = (await handle.stat()).isFile();
  await handle.close();
  if (!isOnDisk) return;
  // The folder may be closed to new files, and the log may be open.
  await tryToWrite(draftName(file)).catch((error: unknown) => {
    if (isFileError(error, 'ENOSPC') || isFileError(error, 'EDQUOT')) throw error;
  });
}

/** Appends lines to a file, each with the time at which it was written. */
class LogFile extends Writable {
  readonly #file: WriteStream;
  readonly #decoder = new StringDecoder();
  /** The beginning of a line whose end has not come. */
  #rest = '';

  constructor(file: string) {
    super();
    this.#file = openOutput(file, 'a');
    this.#file.on('error', (error) => {
      this.destroy(error);
    });
  }

  /** Resolves when everything is in the file. */
  async close(): Promise<void> {
    this.end();
    await finished(this);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const time = new Date().toISOString();
    const lines = (this.#rest + this.#decoder.write(chunk)).split('\n');
    this.#rest = lines.pop() ?? '';
    // An empty line separates paragraphs on a screen; in a log, the times do.
    const stamped = lines.filter((line) => line !== '').map((line) => `${time} ${line}\n`);
    if (stamped.length === 0) done();
    else this.#file.write(stamped.join(''), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#file.end();
    finished(this.#file).then(() => {
      done();
    }, done);
  }
}
