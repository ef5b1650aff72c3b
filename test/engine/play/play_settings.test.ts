import { expect } from 'chai';
import { MOST_FORKS } from '../../../src/core/model/run/choices.js';
import { playSettings, type PlaySettings } from '../../../src/engine/play/play_settings.js';
import { readInventory } from '../../rig/inventory.js';
import { load } from '../../rig/loaded.js';

type Input = Parameters<typeof playSettings>[0];

/** The settings of a play with these keywords. */
async function settings(keywords: string, input: Partial<Input> = {}, values = {}): Promise<PlaySettings> {
  const { plays } = await load(`- hosts: all\n  vars: { few: 2 }\n${keywords}`);
  const [play] = plays;
  if (play === undefined) throw new Error('no play');
  const extraVars = [{ level: 'extra vars', origin: '-e', values }] as const;
  const { inventory } = await readInventory({ 'inventory.yml': 'all: { hosts: { lb1: } }\n' });
  return playSettings({ settings: {}, sources: { inventory, extraVars }, ...input }, { play });
}

const DEFAULTS: PlaySettings = {
  strategy: 'host_pinned',
  order: 'inventory',
  forks: undefined,
  forceHandlers: false,
  maxFailPercentage: undefined,
};

describe('the settings of a play', () => {
  it('are its keywords, with its variables and stronger ones, else those of the run', async () => {
    expect(await settings('')).to.deep.equal(DEFAULTS);
    const written =
      "  strategy: linear\n  order: '{{ way }}'\n  forks: '{{ few }}'\n  force_handlers: '{{ few == 3 }}'\n  max_fail_percentage: '{{ few }}0%'\n  vars_files: []\n";
    expect(await settings(written, {}, { way: 'sorted', few: 3 })).to.deep.equal({
      strategy: 'linear',
      order: 'sorted',
      forks: 3,
      forceHandlers: true,
      maxFailPercentage: 30,
    });
    expect(await settings(written, {}, { way: 'reverse_sorted' })).to.deep.equal({
      strategy: 'linear',
      order: 'reverse_sorted',
      forks: 2,
      forceHandlers: false,
      maxFailPercentage: 20,
    });
    const omitted =
      "  order: '{{ omit }}'\n  forks: '{{ omit }}'\n  force_handlers: '{{ omit }}'\n  max_fail_percentage: '{{ omit }}'\n";
    expect(await settings(omitted)).to.deep.equal({ ...DEFAULTS, forks: MOST_FORKS });
  });

  it('are those of the run where the play says nothing, and linear if each task is asked for', async () => {
    const run: Partial<Input> = { settings: { strategy: 'linear', forceHandlers: true } };
    expect(await settings('', run)).to.deep.equal({ ...DEFAULTS, strategy: 'linear', forceHandlers: true });
    expect(await settings('  strategy: free\n  force_handlers: false\n', run)).to.deep.equal({
      ...DEFAULTS,
      forceHandlers: true,
    });
    const user = { confirmTask: () => Promise.resolve('run' as const) };
    expect((await settings('  strategy: free\n', { user })).strategy).to.equal('linear');
    expect((await settings('  strategy: free\n', { user: {} })).strategy).to.equal('host_pinned');
  });

  it('have one fork at least, and a percentage in any notation', async () => {
    const forks = async (few: number) => (await settings("  forks: '{{ few }}'\n", {}, { few })).forks;
    expect([await forks(1), await forks(0), await forks(-3)]).to.deep.equal([1, 1, 1]);
    const percent = async (share: unknown) =>
      (await settings("  max_fail_percentage: '{{ share }}'\n", {}, { share })).maxFailPercentage;
    expect([await percent(25), await percent('25'), await percent(' 12.5% '), await percent(0)]).to.deep.equal([
      25, 25, 12.5, 0,
    ]);
  });

  it('are refused with what they may be', async () => {
    const refusal = async (keyword: string, value: unknown): Promise<readonly unknown[]> => {
      const error: unknown = await settings(`  ${keyword}: '{{ few }}'\n`, {}, { few: value }).catch(
        (one: unknown) => one,
      );
      return [Reflect.get(error as Error, 'message'), Reflect.get(error as Error, 'hint')].map(String);
    };
    expect(await refusal('order', 'zzzzzz')).to.deep.equal([
      'there is no order "zzzzzz"',
      'use one of inventory, reverse_inventory, sorted, reverse_sorted, shuffle',
    ]);
    expect(await refusal('order', 'sortd')).to.deep.equal(['there is no order "sortd"', 'did you mean "sorted"?']);
    for (const [used, named] of [
      ["hostvars.lb1.x | default('sorted')", 'hostvars of lb1'],
      ["hostvars.keys() | first | default('sorted')", 'hostvars'],
      ['hostvars | length', 'hostvars'],
    ] as const) {
      const error: unknown = await settings(`  order: "{{ ${used} }}"\n`).catch((one: unknown) => one);
      expect(error, used).to.have.property(
        'message',
        `${named} are not known yet: the keywords of a play are rendered before the run`,
      );
    }
    expect((await refusal('max_fail_percentage', 'many'))[0]).to.match(/^max_fail_percentage /);
  });
});
