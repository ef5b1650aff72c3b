/** Which process it is, so that another one can tell whether it still lives, also after its number was given to somebody else. */
export interface ProcessIdentity {
  readonly pid: number;
  /** The name of the machine: of a process elsewhere nobody here can say whether it lives. */
  readonly host: string;
  /** When it started, in whatever way the system counts; empty where the system does not tell. */
  readonly start: string;
}
