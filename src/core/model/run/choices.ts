/** How controllers advance; `free` is Ansible's name for `host_pinned`. */
export const STRATEGIES = ['host_pinned', 'linear', 'free'] as const;

/** In which order a play takes its controllers. */
export const PLAY_ORDERS = ['inventory', 'reverse_inventory', 'sorted', 'reverse_sorted', 'shuffle'] as const;

export type PlayOrder = (typeof PLAY_ORDERS)[number];

/** Of controllers that did not succeed, for `--rerun RUN:STATES`. */
export const RERUN_STATES = ['failed', 'unreachable', 'unstarted'] as const;

/** Where changes are shown; `auto`: the output decides. */
export const DIFFS = ['auto', 'host', 'fleet'] as const;

/** `auto`: as many as the controllers and this machine can take. */
export type ForkCount = number | 'auto';

/** Of a run that writes, unless a user asks for others. */
export const DEFAULT_FORKS = 50;

/** The most that `auto` becomes: enough to keep a processor busy if controllers need a second for an answer. */
export const MOST_FORKS = 1000;

/** How a run is reported. */
export const OUTPUTS = ['live', 'grouped', 'lines', 'json', 'quiet'] as const;

export type OutputName = (typeof OUTPUTS)[number];
