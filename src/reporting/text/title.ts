import { isOwnWord } from '../../core/secrets/secrets.js';
import { oneLine } from './plain.js';
import { shownStart } from './shorten.js';

/** The name of a play or task that is shown later: what is secret by now is masked, but not the words of Evenkeel, such as names of modules. */
export function titleText(title: string, mask: (text: string) => string): string {
  return oneLine(isOwnWord(title) ? title : shownStart(title, mask));
}
