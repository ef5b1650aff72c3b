import { fileURLToPath } from 'node:url';

/** What undici loads and Evenkeel does not use, and its replacement. */
const STAND_INS = [
  [/^undici$/, import.meta.resolve('./undici.cjs')],
  [/^\.\/client-h2\.js$/, import.meta.resolve('./no_http2.cjs')],
  [/^\.\.\/web\/fetch\/body\.js$/, import.meta.resolve('./no_fetch.cjs')],
  [/^node:http$/, import.meta.resolve('./http.cjs')],
];
/** Whose imports: Node's own HTTP is for everybody else. */
const UNDICI = /[\\/]node_modules[\\/]undici[\\/]/;

export const slimUndici = {
  name: 'slim-undici',
  setup({ onResolve }) {
    for (const [filter, standIn] of STAND_INS) {
      onResolve({ filter }, ({ path: name, importer }) =>
        name === 'undici' || UNDICI.test(importer) ? { path: fileURLToPath(standIn) } : undefined,
      );
    }
  },
};
