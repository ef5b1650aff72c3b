import { helper, type Family } from '../../runtime/helper.js';

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&#34;'],
  ["'", '&#39;'],
]);

const escape = helper('text', (args) => args.string(0).replaceAll(/[&<>"']/g, (one) => ENTITIES.get(one) ?? one));

/** For HTML. Nothing is escaped unless it is asked for. */
export const markup = {
  escape,
  e: escape,
  forceescape: escape,
  safe: helper('text', (args) => args.value(0)),
} satisfies Family;
