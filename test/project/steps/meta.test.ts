import { expect } from 'chai';
import { everyStep } from '../../../src/core/model/playbook/playbook.js';
import type { Meta } from '../../../src/core/model/playbook/step.js';
import { load, mistakes, playOf } from '../../rig/loaded.js';

async function metas(text: string): Promise<readonly Meta[]> {
  const { plays, diagnostics } = await load(`${playOf(text)}  tags: p\n`);
  expect(diagnostics).to.deep.equal([]);
  return [...everyStep(plays[0]?.tasks ?? [])].filter((step) => step.type === 'meta');
}

describe('A meta step', () => {
  for (const action of [
    'flush_handlers',
    'end_host',
    'end_batch',
    'end_play',
    'clear_host_errors',
    'clear_facts',
    'reset_connection',
    'noop',
  ]) {
    it(`can be ${action}`, async () => {
      expect((await metas(`- meta: ${action}`)).map((meta) => meta.action)).to.deep.equal([action]);
    });
  }

  it('can be written in every notation of a module', async () => {
    const found = await metas('- ansible.builtin.meta: noop\n- action: meta end_play\n- meta: " noop "');
    expect(found.map(({ action }) => action)).to.deep.equal(['noop', 'end_play', 'noop']);
  });

  it('can have a name, conditions, tags and variables', async () => {
    const [meta] = await metas(
      '- block:\n    - name: Stop\n      meta: end_host\n      when: b\n      tags: t\n      vars: {x: 1}\n  when: a',
    );
    expect(meta?.name?.value).to.equal('Stop');
    expect(meta?.when.map(({ expression }) => expression)).to.deep.equal(['a', 'b']);
    expect(meta?.tags).to.deep.equal(['p', 't']);
    expect(meta?.layers[0]).to.deep.include({ level: 'task vars', values: { x: 1 }, origin: 'vars of "Stop"' });
    expect(meta?.source).to.deep.equal({ file: 'site.yml', line: 4, column: 11 });
  });

  it('reports its mistakes', async () => {
    const text = `- meta: flush_handler
- meta: restart
- meta: refresh_inventory
- meta:
- meta: {end_play: }
- meta: noop
  loop: [1]
  register: x
  debug: msg=x
  becom: y`;
    const listed =
      'use one of flush_handlers, end_host, end_role, end_batch, end_play, clear_host_errors, clear_facts, reset_connection, noop';
    expect(await mistakes(playOf(text))).to.deep.equal([
      'site.yml:3:13 there is no meta action "flush_handler" — did you mean "flush_handlers"?',
      `site.yml:4:13 there is no meta action "restart" — ${listed}`,
      'site.yml:5:13 "refresh_inventory" is not possible: a run reads its inventory once, because preflight, confirmation and resume need its first state — add new controllers with add_host, or move the plays after it to another playbook and start that with a second "evenkeel run"',
      `site.yml:6:7 "meta" takes the name of an action, not nothing — ${listed}`,
      `site.yml:7:7 "meta" takes the name of an action, not a mapping — ${listed}`,
      'site.yml:9:7 "loop" is not a keyword of meta — it belongs to a task',
      'site.yml:10:7 "register" is not a keyword of meta — it belongs to a task',
      'site.yml:11:7 a task has one module; this one has "meta" already',
      'site.yml:12:7 "becom" is not a keyword of meta — did you mean "become"?',
    ]);
  });
});
