/** The package's version; the build puts it in. */
declare const EVENKEEL_VERSION: string;
