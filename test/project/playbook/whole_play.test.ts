import { expect } from 'chai';
import type { Inventory } from '../../../src/core/model/inventory/inventory.js';
import { load } from '../../rig/loaded.js';
import { outline } from '../../rig/outline.js';

const inventory: Inventory = {
  controllers: new Map([['lb01', { name: 'lb01', groups: ['emea'], layers: [] }]]),
  groups: new Map(
    ['all', 'ungrouped', 'emea'].map((name) => [
      name,
      { name, children: [], controllers: name === 'ungrouped' ? [] : ['lb01'], layers: [] },
    ]),
  ),
};

describe('A whole play', () => {
  it('has all that its keywords and steps say, and nothing else', async () => {
    const files = { 'group_vars/emea.yml': 'g: 1\n', 'host_vars/lb01.yml': 'h: 1\n', 'late.yml': 'l: 1\n' };
    const text = `
- hosts: emea
  name: "N {{ x }}"
  tags: t
  vars: { x: 1 }
  vars_files: [late.yml, '{{ stage }}.yml']
  serial: 1
  gate: { checks: [{ name: Check, debug: }] }
  handlers: [{ name: H, debug: }]
  post_tasks: [{ name: Post, debug: , notify: H, changed_when: true }]
`;
    const { plays, diagnostics } = await load(text, files, inventory);
    expect(diagnostics).to.deep.equal([]);
    const { preTasks, tasks, postTasks, gate, handlers, layers, groupLayers, controllerLayers, directory, ...rest } =
      plays[0] ?? expect.fail('no play');
    const source = (line: number, column: number) => ({ file: 'site.yml', line, column });
    const { variableFiles, prompts, addAdjacent, ...settings } = rest;
    expect(settings).to.deep.equal({
      name: 'N {{ x }}',
      source: source(2, 3),
      hosts: { value: 'emea', source: source(2, 10), late: false },
      serial: [{ value: 1, source: source(7, 11) }],
      maxFailPercentage: undefined,
      forceHandlers: undefined,
      anyErrorsFatal: undefined,
      order: undefined,
      forks: undefined,
      strategy: undefined,
      roles: { named: [], dependencies: [] },
      tags: ['t'],
    });
    expect([prompts, variableFiles.length, directory.startsWith('/'), typeof addAdjacent]).to.deep.equal([
      [],
      1,
      true,
      'function',
    ]);
    expect([preTasks, tasks, postTasks, gate?.checks ?? [], handlers].map(outline)).to.deep.equal([
      [],
      [],
      ['Post'],
      ['Check'],
      ['H'],
    ]);
    expect(layers.map(({ level, values }) => [level, values])).to.deep.equal([
      ['play vars', { x: 1 }],
      ['vars_files', { l: 1 }],
    ]);
    const shown = (map: typeof groupLayers) =>
      [...map].map(([name, all]) => [name, ...all.map(({ values }) => values)]);
    expect([shown(groupLayers), shown(controllerLayers)]).to.deep.equal([[['emea', { g: 1 }]], [['lb01', { h: 1 }]]]);
  });
});
