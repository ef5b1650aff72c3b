/** Defined by the build. */
declare const EVENKEEL_VERSION: string | undefined;

/** The version of the package; `0.0.0-source` when run from the sources. */
export const VERSION = typeof EVENKEEL_VERSION === 'string' ? EVENKEEL_VERSION : '0.0.0-source';
