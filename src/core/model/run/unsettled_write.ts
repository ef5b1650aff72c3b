/** A write of a run that ended before it knew the outcome: the controller may still carry it out. */
export interface UnsettledWrite {
  /** Identifies the controller. */
  readonly place: string;
  /** For messages: `cloud "edge-1"`. Absent: unknown, because the journal of the run cannot be read or masks it. */
  readonly object?: string | undefined;
  /** When its request was about to be sent, in milliseconds since the epoch. */
  readonly time: number;
}
