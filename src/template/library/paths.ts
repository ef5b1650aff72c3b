import { basename, dirname, extname, join } from 'node:path/posix';
import type { Value } from '../../model/value.js';
import { isList } from '../../model/value.js';
import { asText } from '../text.js';
import { helper, type Family } from './helper.js';

/** Paths as text; no file is touched. */
export const paths = {
  basename: helper('path', (args) => basename(args.text(0))),
  dirname: helper('path', (args) => (dirname(args.text(0)) === '.' ? '' : dirname(args.text(0)))),
  splitext: helper('path', (args) => {
    const path = args.text(0);
    const extension = extname(path);
    return [path.slice(0, path.length - extension.length), extension];
  }),
  path_join: helper('parts', (args) => joinPath(args.value(0))),
} satisfies Family;

/** A part that is absolute starts anew, as in Python. */
function joinPath(parts: Value): string {
  const texts = (isList(parts) ? parts : [parts]).map(asText);
  return join(
    ...texts.slice(
      Math.max(
        0,
        texts.findLastIndex((part) => part.startsWith('/')),
      ),
    ),
  );
}
