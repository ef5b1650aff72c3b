/** What a controller shows in place of a secret. */
export const HIDDEN = '<sensitive>';
