import { expect } from 'chai';
import { found, foundIn } from '../../rig/rule.js';

describe('rules about names and types', () => {
  it('find a play without a name, at the play', async () => {
    expect(await found('name', '- hosts: all\n  tasks: []\n- name: " "\n  hosts: all\n')).to.deep.equal([
      'site.yml:1:3 the play has no name — add "name:", a few words that describe the result',
      'site.yml:3:3 the play has no name — add "name:", a few words that describe the result',
    ]);
  });

  it('find conditions that are certainly a text, a number or a list, and no others', async () => {
    const tasks = (conditions: readonly string[]) =>
      conditions.map((one) => `- debug:\n  when: ${JSON.stringify(one)}`).join('\n');
    const wrong: readonly (readonly [condition: string, what: string])[] = [
      ['"a"', 'a text'],
      ['5', 'a number'],
      ['a | length', 'a number'],
      ['a and b | trim', 'a text'],
      ['a or b | list', 'a list'],
      ['a | default("")', 'a text'],
      ['a | default(b | count)', 'a number'],
    ];
    const said = await foundIn('version-difference', tasks(wrong.map(([condition]) => condition)));
    expect(said).to.deep.equal(
      wrong.map(
        ([, what], at) =>
          `warning: site.yml:${4 + 2 * at}:13 this condition is ${what}: Ansible 2.14 takes it for true or false, 2.19 fails — compare it, such as "> 0" or "!= ''", or write "| bool"`,
      ),
    );
    const fine = [
      'a',
      'a and b',
      'a | length and b',
      'a | length > 0',
      'a is defined',
      'a | default',
      'a | bool',
      'not a',
    ];
    expect(await foundIn('version-difference', tasks(fine))).to.deep.equal([]);
  });

  it('find sets whose order can be seen, also in named arguments, and texts without "else"', async () => {
    const messages = async (...values: readonly string[]): Promise<readonly string[]> => {
      const tasks = values.map((value) => `- debug: { msg: ${JSON.stringify(value)} }`).join('\n');
      const all = await foundIn('version-difference', tasks);
      return all.map((one) => one.replace(/^warning: site.yml:(\d+:\d+) (.*) — .*$/, '$1 $2'));
    };
    expect(
      await messages('{{ dict(a=b | union(c)) }}', '{{ 1 if a }}', '{{ 1 if a else 2 }}', '{{ b | union(c) | sort }}'),
    ).to.deep.equal([
      '3:21 "union" keeps the order of the items in Ansible 2.14; in 2.19 the order changes from run to run',
      '4:21 without "else", this is an empty text in Ansible 2.14 if the condition is false; 2.19 fails',
    ]);
  });

  it('take a reason above the task for what it does in check mode', async () => {
    const task = '- cloud_present: {name: a}\n  check_mode: false';
    expect(await foundIn('check-mode-off', `# the lab needs it\n${task}`)).to.deep.equal([]);
    expect(await foundIn('check-mode-off', task)).to.have.length(1);
  });
});
