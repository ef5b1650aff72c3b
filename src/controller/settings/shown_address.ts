import { escapeInvisible } from '../../core/model/invisible.js';
import { MASK } from '../../core/secrets/secrets.js';

/** For messages. */
export function shownAddress(text: string): string {
  const clear = text.replace(
    /^([a-z]*:[/\\]*)?[^]*@/i,
    (_all, scheme: string | undefined) => `${scheme ?? ''}${MASK}@`,
  );
  return escapeInvisible(clear);
}
