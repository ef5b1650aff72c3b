/** How controllers advance; `free` is Ansible's name for `host_pinned`. */
export const STRATEGIES = ['host_pinned', 'linear', 'free'] as const;

/** Where changes are shown; `auto`: the output decides. */
export const DIFFS = ['auto', 'host', 'fleet'] as const;

/** How a run is reported. */
export const OUTPUTS = ['live', 'grouped', 'lines', 'json', 'quiet'] as const;

export type OutputName = (typeof OUTPUTS)[number];
