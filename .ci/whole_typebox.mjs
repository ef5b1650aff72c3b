import path from 'node:path';
import { build } from 'esbuild';

/** Own modules may use all of typebox, and ours a tenth of it: the library gets a copy of its own, or every command would read all. */
export function wholeTypebox(root) {
  return {
    name: 'whole-typebox',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^typebox$/ }, ({ importer }) =>
        importer === path.join(root, 'src/index.ts') ? { path: 'typebox', namespace: 'whole' } : undefined,
      );
      onLoad({ filter: /.*/, namespace: 'whole' }, async () => {
        const stdin = { contents: "export { Type } from 'typebox';", resolveDir: root };
        const { outputFiles } = await build({ stdin, bundle: true, format: 'esm', platform: 'node', write: false });
        return { contents: outputFiles[0].text };
      });
    },
  };
}
