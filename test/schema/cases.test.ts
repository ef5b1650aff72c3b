import { expect } from 'chai';
import { readCases, type Case } from '../differential/rig/cases.js';
import { findingsIn } from '../rig/linted.js';
import { shareOf } from '../rig/random_seed.js';
import { judge, schemasFor, type Judge } from '../rig/schemas.js';

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

/** The playbooks that Ansible runs too: many of them, over every row of the language. */
describe('The cases of the differential suite', () => {
  // Hundreds of playbooks.
  it('are accepted by the schemas if the loader accepts them, and never break lint', async () => {
    const errors = await judge();
    const wrong: Record<string, readonly string[]> = {};
    for (const [index, { name, cases }] of (await readCases()).entries()) {
      for (const one of shareOf(cases, { change: 24, gate: 4 }, index)) {
        const findings = await findingsIn({ 'site.yml': one.playbook, ...one.files });
        const loads = findings.every(({ rule }) => !NOT_OFFERED.includes(rule));
        const refused = loads ? refusals(one, errors) : [];
        if (refused.length > 0) wrong[`${name}: ${one.title}`] = refused;
      }
    }
    expect(wrong).to.deep.equal({});
  }).timeout(180_000);
});
