import { hash } from 'node:crypto';
import { readdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { isFileError, whyUnreadable, expandHome, fileTypeAt } from '../../core/files/paths.js';
import { LoadError } from '../../core/model/source/diagnostic.js';
import type { Library } from '../../language/library.js';
import { holdsEncrypted } from '../vault/cipher.js';

/** Called with an absolute path and the file's content, or with a command line and its output. */
export type OnRead = (type: 'file' | 'program', name: string, text: string) => void;

type Digests = ReadonlyMap<string, string>;

/** Answers by question: `kindAt /project/roles/web`. */
export type RecordedAnswers = Readonly<Record<string, unknown>>;

interface SourcesOptions {
  /** Keep all answers, so that the same can be loaded again. */
  readonly keep?: boolean | undefined;
  /** Kept answers: they take the place of files, programs and lookups. Absent: everything is read now. */
  readonly recorded?: RecordedAnswers | undefined;
  /** Names in messages are relative to this folder. */
  readonly cwd?: string | undefined;
  readonly onRead?: OnRead | undefined;
}

/**
 * What a command reads: files, folders, what programs print and lookups find. A resume compares digests of it; a plan
 * keeps all of it, and `apply` loads the project from that.
 */
export class ProjectSources {
  readonly #files = new Map<string, string>();
  readonly #programs = new Map<string, string>();
  readonly #code = new Map<string, string>();
  /** The files with something encrypted in them. */
  readonly encrypted = new Set<string>();
  readonly #answers = new Map<string, unknown>();
  readonly #recordedTexts = new Map<string, string>();

  constructor(private readonly options: SourcesOptions = {}) {}

  /** By file, absolute. Digests, never text. */
  get files(): Digests {
    return this.#files;
  }

  /** By command line. */
  get programs(): Digests {
    return this.#programs;
  }

  /** The files of modules: a plan does not keep code, but refuses other code. */
  get code(): Digests {
    return this.#code;
  }

  get answers(): RecordedAnswers {
    return Object.fromEntries(this.#answers);
  }

  /** The text that a plan has of a file. No part of `files`, which is what fingerprints have. */
  readonly noteRecorded = (file: string, text: string): void => {
    if (!this.#recordedTexts.has(file)) this.#recordedTexts.set(file, textDigest(text));
  };

  /** Whether a file that was read has another text now. */
  readonly hasChanged = (file: string, text: string): boolean => {
    const then = this.#files.get(file) ?? this.#recordedTexts.get(file);
    return then !== undefined && then !== textDigest(text);
  };

  /** If something is read twice, the first content counts. */
  readonly noteRead: OnRead = (type, name, text) => {
    const digests = type === 'file' ? this.#files : this.#programs;
    if (!digests.has(name)) digests.set(name, textDigest(text));
    if (type === 'file' && holdsEncrypted(text)) this.encrypted.add(name);
    this.options.onRead?.(type, name, text);
  };

  readonly noteCode: OnRead = (type, name, text) => {
    this.noteRead(type, name, text);
    this.#code.set(name, textDigest(text));
  };

  /**
   * The answer to a question about the machine, which is asked again each time unless answers are recorded.
   *
   * @param what with `name`, identifies the question
   * @throws LoadError if this question has no recorded answer
   */
  readonly recall = <T>(what: string, name: string, answer: () => T): T => {
    const { recorded } = this.options;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the plan is sealed: the same question gave this answer
    if (recorded !== undefined) return this.#recordedAnswer(what, name, recorded) as T;
    const found = answer();
    this.#keep(what, name, found);
    return found;
  };

  /** As `recall`. What cannot be read (undefined) is not kept. */
  async recallAsync<T>(what: string, name: string, answer: () => Promise<T>): Promise<T> {
    if (this.options.recorded !== undefined) return this.recall<T | Promise<T>>(what, name, answer);
    const found = await answer();
    if (found !== undefined) this.#keep(what, name, found);
    return found;
  }

  fileTypeAt(file: string): ReturnType<typeof fileTypeAt> {
    return this.recall('kindAt', file, () => fileTypeAt(file));
  }

  /** Sorted. @throws Error if the folder cannot be read */
  namesIn(folder: string): readonly string[] {
    return this.recall('namesIn', folder, () => readdirSync(folder).sort());
  }

  /** Why a folder cannot be read; undefined if it can, or if there is none. */
  obstacle(folder: string): string | undefined {
    return this.recall('obstacle', folder, () => {
      try {
        readdirSync(folder);
        return undefined;
      } catch (error) {
        const isAbsent = isFileError(error, 'ENOENT') || isFileError(error, 'ENOTDIR');
        return isAbsent ? undefined : whyUnreadable(error);
      }
    });
  }

  realPath(folder: string): string {
    return this.recall('realPath', folder, () => realpathSync(folder));
  }

  /** `~/` is the home folder as it was when a plan was made: `apply` may be called by another user. */
  readonly expandHome = (name: string): string => expandHome(name, () => this.recall('home', '~', homedir));

  /** The library that templates are rendered with before the run: its lookups are asked once for a plan. */
  lookups(library: Library): Library {
    const { keep, recorded } = this.options;
    return keep === true || recorded !== undefined ? library.with({ recall: this.recall }) : library;
  }

  #keep(what: string, name: string, found: unknown): void {
    const key = `${what} ${name}`;
    if (this.options.keep === true && !this.#answers.has(key)) this.#answers.set(key, found ?? null);
  }

  #recordedAnswer(what: string, name: string, recorded: RecordedAnswers): unknown {
    const key = `${what} ${name}`;
    if (!Object.hasOwn(recorded, key)) {
      const { cwd = '' } = this.options;
      const shown = name.startsWith(cwd + path.sep) ? path.relative(cwd, name) : name;
      throw new LoadError(`${shown} was not read when the plan was made`, undefined, 'make a new plan');
    }
    return recorded[key] ?? undefined;
  }
}

/** What is compared instead of a text. */
export function textDigest(text: string): string {
  return hash('sha256', text, 'base64url');
}
