import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { anyText } from '../rig/any_text.js';
import { load } from '../rig/loaded.js';
import { corpus } from './rig/corpus.js';
import { Fuzz } from './rig/fuzz.js';
import { mutated } from './rig/mutations.js';

const CASES = path.resolve(import.meta.dirname, '../differential/cases');

/** The playbooks in the cases of the comparison with Ansible: block texts with the indentation of a playbook. */
const EXAMPLES = [
  ...corpus('playbooks', '.yml'),
  ...readdirSync(CASES).flatMap((name) => plays(readFileSync(path.join(CASES, name), 'utf8'))),
];

function plays(text: string): readonly string[] {
  const found = text.match(/(?<=\|\n)( +)- hosts:.*\n(?:\1.*\n|\n)*/g) ?? [];
  return found.map((one) => one.replaceAll(new RegExp(`^${' '.repeat(one.search(/\S/))}`, 'gm'), ''));
}

describe('fuzzed playbooks', () => {
  const fuzz = new Fuzz();
  after(() => fuzz.stop());

  it('include valid examples', () => {
    expect(EXAMPLES.length).to.be.greaterThan(50);
  });

  it('are accepted or reported', () =>
    fuzz.try(mutated(EXAMPLES), 200, async (text) => {
      const { diagnostics } = await load(text, {
        'tasks.yml': text,
        'vars.yml': 'a: 1',
        'roles/r/tasks/main.yml': text,
      });
      for (const said of diagnostics) expect(said).to.match(/\S/);
    })).timeout(120_000);

  it('may be any text', () =>
    fuzz.try(anyText({ maxLength: 100 }), 100, async (text) => {
      await load(text);
    })).timeout(120_000);
});
