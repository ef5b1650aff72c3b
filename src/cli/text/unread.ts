import type { Unread } from '../../app/capture/read_fleet.js';
import { generalMessage } from '../../report/text/messages.js';
import type { Palette } from '../../report/text/palette.js';
import { oneLine } from '../../report/text/plain.js';
import { count, someOf } from '../../report/text/words.js';

const MOST_REASONS = 10;
const MOST_NAMES = 5;

/** What could not be read: each cause once, with the message of the first controller. */
export function unreadLines(unread: readonly Unread[], palette: Palette): readonly string[] {
  const groups = new Map<string, { readonly text: string; readonly controllers: string[] }>();
  for (const { controller, kind, message } of unread) {
    const key = JSON.stringify([kind, generalMessage(message, controller)]);
    const group = groups.get(key);
    const text = `${kind === undefined ? '' : `${kind}: `}${oneLine(message)}`;
    if (group === undefined) groups.set(key, { text, controllers: [controller] });
    else group.controllers.push(controller);
  }
  const lines = [...groups.values()].map(
    ({ text, controllers }) => `not read: ${namedControllers(controllers)}: ${text}`,
  );
  const left = lines.length - MOST_REASONS;
  const more = left > 0 ? [`not read: ${count(left, 'more reason')}`] : [];
  return [...lines.slice(0, MOST_REASONS), ...more].map((line) => palette.bad(line));
}

/** `lb1`, `3 controllers: lb1, lb2, lb3` */
export function namedControllers(controllers: readonly string[]): string {
  if (controllers.length === 1) return controllers.join('');
  return `${count(controllers.length, 'controller')}: ${someOf(controllers, MOST_NAMES)}`;
}
