import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { blocksOf } from '../docs/blocks.js';
import { ROOT } from '../rig/command.js';
import { judge, schemasFor, type Judge } from '../rig/schemas.js';

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

function filesBelow(folder: string): readonly string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ya?ml$/.test(file))
    .map((file) => path.join(folder, file));
}

/** `yaml` blocks of the documentation, by what they are. */
function* documented(): Generator<readonly [title: string, schema: string, text: string]> {
  // The schemas do not know the module that writing-a-module.md builds.
  const names = readdirSync(path.join(ROOT, 'docs')).filter((name) => name !== 'writing-a-module.md');
  const pages = ['README.md', ...names.map((name) => `docs/${name}`)];
  for (const page of pages.filter((name) => name.endsWith('.md'))) {
    for (const { language, line, text } of blocksOf(read(page))) {
      if (language !== 'yaml') continue;
      if (/^- .*\n(?:.*\n)*? {2}hosts:|^- hosts:/.test(text)) yield [`${page}:${line}`, 'playbook', text];
      else if (/^all:/m.test(text)) yield [`${page}:${line}`, 'inventory', text];
      else if (/^environments:/m.test(text)) yield [`${page}:${line}`, 'project', text];
    }
  }
}

describe('Schemas accept', () => {
  let errors: Judge;
  before(async () => {
    errors = await judge();
  });

  for (const file of ['evenkeel.yml', ...filesBelow('inventory'), ...filesBelow('playbooks')]) {
    it(file, () => {
      const [schema = '', ...others] = schemasFor(file);
      expect(others).to.deep.equal([]);
      expect(errors(schema, read(file))).to.deep.equal([]);
    });
  }

  for (const [title, schema, text] of documented()) {
    it(`${title} (${schema})`, () => expect(errors(schema, text)).to.deep.equal([]));
  }
});
