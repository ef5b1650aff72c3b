import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { readCases, type Case } from '../differential/rig/cases.js';
import { blocksOf } from '../docs/blocks.js';
import { ROOT } from '../rig/command.js';
import { findingsIn } from '../rig/linted.js';
import { shareOf } from '../rig/random_seed.js';
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

/** Editors ignore the folder of a playbook, so `site.yml` is named as if it were in one. */
function schemaOf(file: string): string | undefined {
  const [schema] = schemasFor(file === 'site.yml' ? 'playbooks/site.yml' : file);
  return schema;
}

/** The errors of the schemas in the files of a case. */
function refusals({ playbook, files = {} }: Case, errors: Judge): readonly string[] {
  return Object.entries({ 'site.yml': playbook, ...files }).flatMap(([file, text]) => {
    const schema = schemaOf(file);
    return schema === undefined ? [] : errors(schema, text).map((error) => `${file} ${error}`);
  });
}

/** Cases that the loader refuses, and old forms, which it accepts but editors mark. */
const NOT_OFFERED = ['syntax-check', 'unknown-key', 'misplaced-key', 'deprecated', 'no-effect'];

describe('Schemas accept', function () {
  // The schema of playbooks takes seconds to compile, on a busy machine a minute.
  this.timeout(300_000);
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

  // Hundreds of playbooks.
  it('cases of the differential suite that the loader accepts, and lint reads all', async () => {
    const wrong: Record<string, readonly string[]> = {};
    for (const [index, { name, cases }] of (await readCases()).entries()) {
      for (const one of shareOf(cases, { change: 24, gate: 12 }, index)) {
        const findings = await findingsIn({ 'site.yml': one.playbook, ...one.files });
        const loads = findings.every(({ rule }) => !NOT_OFFERED.includes(rule));
        const refused = loads ? refusals(one, errors) : [];
        if (refused.length > 0) wrong[`${name}: ${one.title}`] = refused;
      }
    }
    expect(wrong).to.deep.equal({});
  });
});
