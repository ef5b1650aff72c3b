import { expect } from 'chai';
import { foundIn } from '../../rig/rule.js';

describe('no-handler', () => {
  const registered = '- cloud_present: {name: a}\n  register: r\n';

  for (const condition of ['r is changed', 'r is change', 'r.changed', '"{{ r is changed }}"', '[r is changed]']) {
    it(`finds a task that follows a change: when: ${condition}`, async () => {
      expect(await foundIn('no-handler', `${registered}- system_config: {}\n  when: ${condition}`)).to.have.length(1);
    });
  }

  const fine = [
    '- debug:\n  when: r is changed',
    '- fail:\n  when: r is changed',
    '- assert: {that: true}\n  when: r is changed',
    '- set_fact: {a: 1}\n  when: r is changed',
    '- pause: {seconds: 1}\n  when: r is changed',
    '- system_config: {}\n  when: r.changed.really',
    '- system_config: {}\n  when: r.failed',
    '- system_config: {}\n  when: r.results.0 is changed',
    '- system_config: {}\n  when: r is changed and other',
    '- system_config: {}\n  when: [r is changed, other]',
    '- system_config: {}\n  when: q is changed',
    '- system_config: {}\n  when: r is failed',
    '- debug:\n- system_config: {}\n  when: r is changed',
  ];
  for (const tasks of fine) {
    it(`accepts ${JSON.stringify(tasks)}`, async () => {
      expect(await foundIn('no-handler', registered + tasks)).to.deep.equal([]);
    });
  }
});

describe('literal-compare', () => {
  const wrong = [
    '- debug:\n  when: a == true',
    '- debug:\n  when: b and a != False',
    '- debug:\n  failed_when: eq a true',
    '- debug:\n  changed_when: [b, a == true]',
    '- debug:\n  loop: [1]\n  loop_control: { break_when: a == true }',
    '- assert: {that: a == true}',
    '- debug:\n  until: a == true',
  ];
  for (const tasks of wrong) {
    it(`finds ${JSON.stringify(tasks)}`, async () => {
      expect((await foundIn('literal-compare', tasks)).map((one) => one.split(' this')[1])).to.deep.equal([
        ' compares with a literal true or false — write the name alone, or "not" before it',
      ]);
    });
  }

  it('accepts other comparisons', async () => {
    expect(await foundIn('literal-compare', '- debug:\n  when: a == "true" or b == 1 or c')).to.deep.equal([]);
  });
});

describe('no-jinja-when and unknown-field', () => {
  it('are what the loader warns of', async () => {
    expect(await foundIn('no-jinja-when', '- debug:\n  when: "{{ a }}"')).to.deep.equal([
      'warning: site.yml:4:13 a condition needs no {{ }} — remove the braces: a, or a | bool if it may be a text such as "false"',
    ]);
    expect(await foundIn('unknown-field', '- system_config: {ntp_server_list: []}')).to.deep.equal([
      'site.yml:3:23 unknown field "ntp_server_list" of system_config; sent unchanged — did you mean "ntp_configuration.ntp_server_list"?',
    ]);
  });
});
