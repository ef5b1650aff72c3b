import { expect } from 'chai';
import { runText } from '../rig/run_text.js';

const INVENTORY = 'all: { hosts: { lb1: { sites: [a, b] }, lb2: { sites: [c] } } }\n';

describe('blocks in loops', () => {
  const run = async (tasks: string) => {
    const ran = await runText(`- hosts: all\n  tasks:\n${tasks.trim().replaceAll(/^/gm, '    ')}\n`, {
      inventory: INVENTORY,
    });
    const of = (name: string) =>
      ran.tasks
        .filter(({ controller }) => controller === name)
        .map(({ status, message }) => (status === 'ok' ? message : status));
    return [of('lb1'), of('lb2')];
  };

  it('see the items and variables of all loops around them, each controller its own', async () => {
    expect(
      await run(`
- block:
    - block:
        - debug: { msg: '{{ site }}{{ port }}{{ tag }}{{ kind }}{{ place }}/{{ inner_place }}' }
      vars: { kind: '{{ port }}!' }
      loop: [1, 2]
      loop_control: { loop_var: port, index_var: inner_place }
    - debug: { msg: '{{ site }}{{ tag }}{{ port | default("-") }}' }
  vars: { tag: '<{{ site }}>' }
  loop: '{{ sites }}'
  loop_control: { loop_var: site, index_var: place }
- debug: { msg: '{{ site | default("gone") }}' }
`),
    ).to.deep.equal([
      ['a1<a>1!0/0', 'a2<a>2!0/1', 'a<a>-', 'b1<b>1!1/0', 'b2<b>2!1/1', 'b<b>-', 'gone'],
      ['c1<c>1!0/0', 'c2<c>2!0/1', 'c<c>-', 'gone'],
    ]);
  });

  it('are rescued and end for each item', async () => {
    expect(
      await run(`
- block:
    - debug: { msg: 'start {{ item }}' }
    - fail: { msg: broken }
      when: item == 'a' or item == 'c'
    - debug: { msg: 'after {{ item }}' }
  rescue:
    - debug: { msg: 'rescue {{ item }} {{ ansible_failed_result.msg }}' }
  always:
    - debug: { msg: 'always {{ item }}' }
  loop: '{{ sites }}'
`),
    ).to.deep.equal([
      ['start a', 'failed', 'rescue a broken', 'always a', 'start b', 'skipped', 'after b', 'always b'],
      ['start c', 'failed', 'rescue c broken', 'always c'],
    ]);
  });

  it('do nothing for a list without items, and fail for what is no list', async () => {
    expect(
      await run(`
- block: [{ debug: { msg: never } }]
  loop: []
- block: [{ debug: { msg: '{{ item }}' } }]
  loop: '{{ missing | default(sites if inventory_hostname == "lb2" else 5) }}'
- debug: { msg: last }
`),
    ).to.deep.equal([['failed'], ['c', 'last']]);
  });
});
