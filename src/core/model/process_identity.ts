/** Identifies a process although process ids are reused. */
export interface ProcessIdentity {
  readonly host: string;
  /** Identifies the boot of the machine; undefined where the system does not provide it. */
  readonly boot?: string | undefined;
  /** The namespace of process ids: containers have their own. */
  readonly space?: string | undefined;
  readonly pid: number;
  /** The start time, in the system's own format; undefined where the system does not provide it. */
  readonly started?: string | undefined;
}
