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

/** The meaning of each code, for the help and the manual. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'success',
  usage: 'usage, configuration or parse errors, or nothing matched; no controller was contacted',
  failed: 'tasks failed on some controllers; ping: an error from some; lint: broken rules',
  changes: 'with --detailed-exitcode, drift, compare, render --against: there are changes or differences',
  unreachable:
    'controllers were unreachable, and none failed, also of ping; drift, capture, compare: not everything was read; routes: a proxy is down',
  stale: 'controllers were stale: their objects changed since the plan was made',
  gated: 'a gate ended the rollout',
  interrupted: 'interrupted with Ctrl-C',
  terminated: 'terminated by SIGTERM',
};

/** The user ended a question with Ctrl-C or Ctrl-D, or closed the terminal. `main` turns it into the exit code. */
export class PromptInterrupted extends Error {
  override readonly name = 'PromptInterrupted';
}
