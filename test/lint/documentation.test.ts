import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { RULES } from '../../src/lint/rules/index.js';
import { blocksOf } from '../docs/blocks.js';
import { ROOT } from '../rig/command.js';
import { linted } from '../rig/linted.js';

const PAGE = readFileSync(path.join(ROOT, 'docs/lint.md'), 'utf8');

/** Rules by name, each with the text below its heading. */
const SECTIONS = new Map(
  PAGE.split(/^### /m)
    .slice(1)
    .map((section) => [/^`([\w-]+)`/.exec(section)?.[1] ?? '', section]),
);

const PROJECT = {
  'evenkeel.yml': 'inventory: inventory\n',
  'inventory/hosts.yml': 'all:\n  hosts:\n    lb1:\n',
  'site.yml': '- name: Nothing\n  hosts: all\n  tasks: []\n',
};

/** What the example is: a file that its first line names, a playbook, or tasks. */
function files(text: string): Record<string, string> {
  const file = /^# (\S+\.yml)$/m.exec(text.split('\n')[0] ?? '')?.[1];
  if (file !== undefined) return { ...PROJECT, [file]: text };
  if (/^ {2}hosts:/m.test(text)) return { ...PROJECT, 'site.yml': text };
  return { ...PROJECT, 'site.yml': `- name: Example\n  hosts: all\n  tasks:\n${text.replace(/^(?=.)/gm, '    ')}\n` };
}

describe('docs/lint.md', () => {
  it('has every rule, in the order of the list', () => {
    expect([...SECTIONS.keys()]).to.deep.equal(RULES.map(({ name }) => name));
  });

  for (const { name, severity } of RULES) {
    const section = SECTIONS.get(name) ?? '';
    const [wrong, right] = blocksOf(section);

    it(`reports the size of ${name}`, () => {
      expect(section.split('\n')[2]?.toLowerCase().startsWith(severity)).to.equal(true);
    });

    it(`shows what ${name} finds`, async () => {
      const env = name === 'no-exec' ? { EVENKEEL_NO_EXEC: '1' } : {};
      const found = await linted(files(wrong?.text ?? ''), [], env);
      expect(found.map((one) => one.split(':')[0])).to.include(name);
    });

    it(`shows what ${name} recommends, and no rule has findings for it`, async () => {
      expect(await linted(files(right?.text ?? ''))).to.deep.equal([]);
    });
  }

  it('shows an exception that works', async () => {
    const [task, settings] = blocksOf(PAGE.split('## Exceptions')[1] ?? '');
    expect(await linted(files(task?.text ?? ''))).to.deep.equal([]);
    expect(await linted({ ...files(''), 'evenkeel.yml': settings?.text ?? '' })).to.deep.equal([]);
  });
});
