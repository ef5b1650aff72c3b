/**
 * For the controllers of tests: nobody waits for writes of killed runs, and four attempts are enough for a controller that
 * answers again.
 */
export const WAITS = { controller_write_settles: 0, controller_patience: 2 } as const;

/** The variables of a controller at a port on which nothing listens, for YAML in flow style. */
export const DEAD_CONTROLLER = 'controller_url: "https://127.0.0.1:1", controller_patience: 0';
