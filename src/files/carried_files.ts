import { AsyncLocalStorage } from 'node:async_hooks';
import { homedir } from 'node:os';

/**
 * Where this machine has the files of a run that came from another machine. All paths in variables, messages and positions are those of
 * the other machine: a template must render the same on both. Only what opens a file asks where it is.
 */
export interface CarriedFiles {
  /** The working directory of the run, and the home folder of its user, on the other machine. */
  readonly cwd: string;
  readonly home: string;
  /** The path of the file on this machine. A file outside the bundle keeps its path. */
  readonly at: (file: string) => string;
  /** The same for every path in the text of a command. */
  readonly inCommand: (text: string) => string;
  /** The paths of the other machine for those of this one, in what a program or the system says. */
  readonly inOutput: (text: string) => string;
}

/** Several runs may be at work in a worker, each with files of its own. */
const carried = new AsyncLocalStorage<CarriedFiles>();

/** Everything that the work does, also later, opens the files of the run. */
export function withFiles<T>(files: CarriedFiles, work: () => T): T {
  return carried.run(files, work);
}

/** Whether the files of the run came from another machine, so that other machines do not see what is written to them. */
export function areFilesCarried(): boolean {
  return carried.getStore() !== undefined;
}

/** Where to open a file. */
export function placeOf(file: string): string {
  return carried.getStore()?.at(file) ?? file;
}

/** What relative paths start from. */
export function workingDirectory(): string {
  return carried.getStore()?.cwd ?? process.cwd();
}

/** What `~` means. */
export function homeFolder(): string {
  return carried.getStore()?.home ?? homedir();
}

export function inCommand(text: string): string {
  return carried.getStore()?.inCommand(text) ?? text;
}

export function inOutput(text: string): string {
  return carried.getStore()?.inOutput(text) ?? text;
}
