import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The packages whose code is bundled: their licences ship, and scanners must find them. */
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
    const parts = this.#manifests(root).map(({ folder, name, version, license }) => {
      const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
      const text = file === undefined ? '' : `\n${readFileSync(path.join(folder, file), 'utf8').trim()}\n`;
      return `${name} ${version} (${license})\n${text}`;
    });
    return `Evenkeel contains code of these packages.\n\n${parts.join('\n')}`;
  }

  /** A software bill of materials in CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/). The same sources make the same text. */
  materials(root) {
    const own = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    const component = (type, { name, version, license }) => ({
      type,
      'bom-ref': packageUrl(name, version),
      name,
      version,
      licenses: [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }],
      purl: packageUrl(name, version),
    });
    const components = this.#manifests(root).map((manifest) => component('library', manifest));
    return JSON.stringify({
      $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: { component: component('application', own) },
      components,
      dependencies: [
        { ref: packageUrl(own.name, own.version), dependsOn: components.map((one) => one['bom-ref']) },
        ...components.map((one) => ({ ref: one['bom-ref'] })),
      ],
    });
  }

  /** In the order of their folders; one that two builds bundle is listed once. */
  #manifests(root) {
    return [...this.#folders].sort().map((folder) => {
      const whole = path.join(root, folder);
      const { name, version, license } = JSON.parse(readFileSync(path.join(whole, 'package.json'), 'utf8'));
      return { folder: whole, name, version, license };
    });
  }
}

/** https://github.com/package-url/purl-spec: the scope's `@` is encoded. */
function packageUrl(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}
