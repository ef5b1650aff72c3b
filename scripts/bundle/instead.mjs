import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Builds with another file in the place of one: what a part costs is seen by leaving it out.
 *
 * @param pairs `src/a.ts=bench/b.ts`; imports of the other are read as if it stood in the place of the first
 */
export function instead(root, pairs) {
  const others = new Map(pairs.map((pair) => pair.split('=').map((file) => path.resolve(root, file))));
  const unused = new Set(others.keys());
  return {
    name: 'instead',
    setup({ onLoad, onEnd }) {
      onLoad({ filter: /\.ts$/, namespace: 'file' }, ({ path: file }) => {
        const other = others.get(file);
        unused.delete(file);
        return other && { contents: readFileSync(other, 'utf8'), loader: 'ts', resolveDir: path.dirname(file) };
      });
      // A build that was to do without something and does not would be compared with itself.
      onEnd(() => {
        if (unused.size > 0) throw new Error(`nothing imports ${[...unused].join(', ')}`);
      });
    },
  };
}
