import type { Library } from '../../language/library.js';
import type { Vault } from '../vault/vault.js';

/** What a loader needs besides the file itself. */
export interface FileServices {
  /** The helpers that templates can call. Absent: the built-in helpers. */
  readonly library?: Library | undefined;
  /** Decrypts encrypted files and values. Absent: there is no password. */
  readonly vault?: Vault | undefined;
  /** Called for every file and program that is read, to detect later changes. */
  readonly onRead?: OnRead | undefined;
}

/** Called with an absolute path and the file's content, or with a command line and its output. */
export type OnRead = (type: 'file' | 'program', name: string, text: string) => void;
