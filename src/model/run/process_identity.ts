/** Identifies a process although process ids are reused. */
export interface ProcessIdentity {
  readonly host: string;
  /** Which start of the machine; undefined where the system does not say. */
  readonly boot?: string | undefined;
  /** Where process ids mean something: containers count their own. */
  readonly space?: string | undefined;
  readonly pid: number;
  /** When it was started, in whatever way the system says it; undefined where it does not. */
  readonly started?: string | undefined;
}
