import type { Library } from '../template/library.js';
import type { Vault } from './vault/vault.js';

/** What it takes to understand a file besides the file. */
export interface Means {
  /** What templates may call. Absent: the built-in helpers. */
  readonly library?: Library | undefined;
  /** What opens encrypted files and values. Absent: there is no password. */
  readonly vault?: Vault | undefined;
  /** Told what is read, so that it can be known later whether it is still the same. */
  readonly onRead?: OnRead | undefined;
}

/** Takes the name of a file (absolute), or a command line whose output was read, and the text as it stands there. */
export type OnRead = (name: string, text: string) => void;
