import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The packages whose code is bundled: their licences must be included. */
export class Bundled {
  #folders = new Set();

  /** @param metafile what esbuild says of a build */
  add({ inputs }) {
    for (const input of Object.keys(inputs)) {
      const [folder] = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? [];
      if (folder !== undefined) this.#folders.add(folder);
    }
  }

  /** Name, version and licence of each, with its text. */
  text(root) {
    const parts = [...this.#folders].sort().map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
      const file = readdirSync(path.join(root, folder)).find((one) => /^licen[cs]e/i.test(one));
      const text = file === undefined ? '' : `\n${readFileSync(path.join(root, folder, file), 'utf8').trim()}\n`;
      return `${name} ${version} (${license})\n${text}`;
    });
    return `Evenkeel contains code of these packages.\n\n${parts.join('\n')}`;
  }
}
