/** The exit codes of `evenkeel`; see `docs/cli.md`. */
export const EXIT = {
  ok: 0,
  usage: 1,
  failed: 2,
  changes: 3,
  unreachable: 4,
  stale: 5,
  gated: 6,
  interrupted: 130,
  terminated: 143,
} as const;
