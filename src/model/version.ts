/** Put in by the build. */
declare const EVENKEEL_VERSION: string | undefined;

/** The package's version; run from the sources, it has none. */
export const VERSION = typeof EVENKEEL_VERSION === 'string' ? EVENKEEL_VERSION : '0.0.0-source';
