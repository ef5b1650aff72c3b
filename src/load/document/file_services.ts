import type { Library } from '../../template/library.js';
import type { Vault } from '../vault/vault.js';

/** What it takes to understand a file besides the file. */
export interface FileServices {
  /** What templates may call. Absent: the built-in helpers. */
  readonly library?: Library | undefined;
  /** What opens encrypted files and values. Absent: there is no password. */
  readonly vault?: Vault | undefined;
  /** Told what is read, so that it can be known later whether it is still the same. */
  readonly onRead?: OnRead | undefined;
}

/** Takes a file (absolute) and what stands in it, or a command line and what it printed. */
export type OnRead = (type: 'file' | 'program', name: string, text: string) => void;
