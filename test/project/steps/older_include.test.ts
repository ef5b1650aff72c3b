import { expect } from 'chai';
import type { Step } from '../../../src/core/model/playbook/step.js';
import type { Files } from '../../rig/folder.js';
import { load, playOf } from '../../rig/loaded.js';
import { outline } from '../../rig/outline.js';

const FILES: Files = {
  'a.yml': '- name: A\n  debug:\n',
  'outer.yml': '- include: a.yml\n',
  'h.yml': '- name: H\n  debug:\n',
};
const WARNING =
  'warning: site.yml:3:7 newer versions of Ansible refuse "include" — write import_tasks; include_tasks if it loops, or a template names the file';

/** The variables and conditions of a step. */
function given(step: Step | undefined): unknown {
  if (step?.type !== 'task' && step?.type !== 'include') throw new Error('no task');
  return [
    step.layers.flatMap(({ level, values }) => (level === 'magic' ? [] : [[level, values]])),
    step.when.map(({ expression }) => expression),
  ];
}

describe('include', () => {
  it('is an import of a file, whose other arguments are variables over those of "vars"', async () => {
    for (const [text, vars] of [
      ['- include: a.yml', undefined],
      ['- include: a.yml x=1', { x: '1' }],
      ['- include:\n  args: { file: a.yml, x: 1 }', { x: 1 }],
      ['- include: a.yml\n  vars: { x: 0, y: 2 }', { x: 0, y: 2 }],
      ['- include: a.yml x=1\n  vars: { x: 0, y: 2 }', { x: '1', y: 2 }],
    ] as const) {
      const { plays, diagnostics } = await load(playOf(`${text}\n  when: c`), FILES);
      expect([diagnostics, outline(plays[0]?.tasks ?? [])], text).to.deep.equal([[WARNING], ['A']]);
      const layers = vars === undefined ? [] : [['block vars', vars]];
      expect(given(plays[0]?.tasks[0]), text).to.deep.equal([layers, ['c']]);
    }
  });

  it('is an include_tasks if it loops, or if a template names the file', async () => {
    for (const [text, file, vars] of [
      ['- include: a.yml\n  loop: [1]', 'a.yml', undefined],
      ['- include: a.yml x=1\n  with_items: [1]\n  vars: { y: 2 }', 'a.yml', { x: '1' }],
      ['- include: "{{ f }}"', '{{ f }}', undefined],
      ['- include: "{{ f }} x=1"', '{{ f }}', { x: '1' }],
    ] as const) {
      await load(playOf(`${text}\n  when: c`), FILES, undefined, {
        use: async ({ plays, diagnostics }) => {
          const [include] = plays[0]?.tasks ?? [];
          if (include?.type !== 'include') return expect.fail(`no include: ${text}`);
          expect([diagnostics, include.module, include.args], text).to.deep.equal([
            [WARNING],
            'include_tasks',
            { file },
          ]);
          const own = text.includes('vars:') ? [['task vars', { y: 2 }]] : [];
          expect(given(include), text).to.deep.equal([own, ['c']]);
          const { steps } = await include.read({ file: 'a.yml' });
          expect(outline(steps), text).to.deep.equal(['A']);
          expect(given(steps[0]), text).to.deep.equal([vars === undefined ? [] : [['block vars', vars]], []]);
        },
      });
    }
  });

  it('is an include_tasks inside one, but an import inside an import', async () => {
    for (const [text, expected] of [
      ['- import_tasks: outer.yml', ['A']],
      ['- include: outer.yml', ['A']],
    ] as const)
      expect(outline((await load(playOf(text), FILES)).plays[0]?.tasks ?? []), text).to.deep.equal(expected);
    await load(playOf('- include_tasks: outer.yml'), FILES, undefined, {
      use: async ({ plays }) => {
        const [include] = plays[0]?.tasks ?? [];
        if (include?.type !== 'include') return expect.fail('no include');
        expect(outline((await include.read({ file: 'outer.yml' })).steps)).to.deep.equal(['include_tasks']);
      },
    });
  });

  it('can hold handlers', async () => {
    const { plays, diagnostics } = await load('- hosts: all\n  handlers: [{ include: h.yml }]\n', FILES);
    expect(diagnostics).to.deep.equal([WARNING.replace('3:7', '2:16')]);
    expect(plays[0]?.handlers.map(({ name }) => name?.value)).to.deep.equal(['H']);
  });

  it('names one file, and variables', async () => {
    const said: string[] = [];
    for (const text of [
      '- include: [a]',
      '- include: a.yml x="b',
      '- include: none.yml x=1',
      '- include: a.yml b-c=2',
      '- include: a.yml b-c=2\n  vars: { x: 1 }',
    ])
      said.push(...(await load(playOf(text), FILES)).diagnostics.filter((one) => one !== WARNING));
    expect(said).to.deep.equal([
      'site.yml:3:16 include takes the name of a file, not a list',
      'site.yml:3:16 a quote or "{{" is not closed in: x="…',
      'site.yml:3:16 there is no file "none.yml" (looked in .)',
      'site.yml:3:16 "b-c" is not a valid variable name: use letters, digits and "_", and do not start with a digit',
      'site.yml:4:13 "b-c" is not a valid variable name: use letters, digits and "_", and do not start with a digit',
    ]);
  });
});
