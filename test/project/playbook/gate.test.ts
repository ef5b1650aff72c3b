import { expect } from 'chai';
import { load, mistakes } from '../../rig/loaded.js';
import { outline } from '../../rig/outline.js';

/** A play whose gate is this text (not indented); its first line is line 3, and every line moves 4 columns. */
function withGate(gate: string): string {
  return `- hosts: all\n  gate:\n${gate.replace(/^(?=.)/gm, '    ')}\n`;
}

describe('The gate of a play', () => {
  it('reads its keywords', async () => {
    const { plays, diagnostics } = await load(
      withGate(`checks:
  - { name: Portal answers, debug: }
  - block: [{ name: Inner, debug: }]
interval: 0.5
passes: "3"
failures: "{{ most }}"
on_fail: rollback`),
    );
    expect(diagnostics).to.deep.equal([]);
    const gate = plays[0]?.gate;
    expect(outline(gate?.checks ?? [])).to.deep.equal(['Portal answers', { block: ['Inner'] }]);
    expect([gate?.interval, gate?.passes, gate?.failures, gate?.onFail].map((one) => one?.value)).to.deep.equal([
      0.5,
      3,
      '{{ most }}',
      'rollback',
    ]);
    expect(gate?.source).to.deep.equal({ file: 'site.yml', line: 2, column: 3 });
  });

  it('needs only checks', async () => {
    const { plays, diagnostics } = await load(withGate('checks: [debug: ]'));
    expect(diagnostics).to.deep.equal([]);
    const { gate } = plays[0] ?? {};
    expect([gate?.interval, gate?.passes, gate?.failures, gate?.onFail]).to.deep.equal(Array(4).fill(undefined));
  });

  it('inherits keywords of the play, but not its handling of failures', async () => {
    const { plays } = await load(
      '- hosts: all\n  ignore_errors: true\n  ignore_unreachable: true\n  any_errors_fatal: true\n  no_log: true\n  tags: web\n  gate: { checks: [debug: ] }\n',
    );
    const [check] = plays[0]?.gate?.checks ?? [];
    if (check?.type !== 'task') throw new Error('no check');
    const { ignoreErrors, ignoreUnreachable, anyErrorsFatal, noLog, tags } = check;
    expect([ignoreErrors, ignoreUnreachable, anyErrorsFatal, noLog?.value, tags]).to.deep.equal([
      undefined,
      undefined,
      undefined,
      true,
      ['web'],
    ]);
  });

  it('sees the roles that its checks import', async () => {
    const { plays, diagnostics } = await load(withGate('checks: [import_role: { name: probe }]'), {
      'roles/probe/tasks/main.yml': '- debug: { msg: "{{ wanted }}" }\n',
      'roles/probe/defaults/main.yml': 'wanted: yes\n',
    });
    expect(diagnostics).to.deep.equal([]);
    expect(plays[0]?.roles.named).to.deep.equal(['probe']);
    expect(plays[0]?.layers.map(({ values }) => values)).to.deep.include({ wanted: true });
  });

  for (const [title, gate, expected] of [
    ['a list', '- debug:', ['site.yml:3:5 "gate" must be a mapping, not a list — put the list under "checks"']],
    ['a word', 'stop', ['site.yml:3:5 "gate" must be a mapping, not text — write "checks:" below it']],
    ['no checks', 'passes: 2', ['site.yml:2:3 "gate" needs "checks": the tasks that check the health of a batch']],
    ['empty checks', 'checks: []', ['site.yml:3:13 "checks" is empty: the gate would pass every batch']],
    [
      'checks that are not a list',
      'checks: { debug: }',
      ['site.yml:3:13 "checks" must be a list, not a mapping — begin each with "- "'],
    ],
    [
      'typos in its keywords',
      'check: []\nchecks: [debug: ]\nintervall: 3\ndebug:\nregister: x',
      [
        'site.yml:3:5 "check" is not a keyword of a gate — did you mean "checks"?',
        'site.yml:5:5 "intervall" is not a keyword of a gate — did you mean "interval"?',
        'site.yml:6:5 "debug" is not a keyword of a gate — put it into the list under "checks"',
        'site.yml:7:5 "register" is not a keyword of a gate — it belongs to a task',
      ],
    ],
    [
      'invalid settings',
      'checks: [debug: ]\ninterval: -1\npasses: 0\nfailures: 1.5\non_fail: rolback',
      [
        'site.yml:4:15 "interval" must be a number from 0, not -1',
        'site.yml:5:13 "passes" must be a whole number from 1, not 0',
        'site.yml:6:15 "failures" must be a whole number from 1, not 1.5',
        'site.yml:7:14 "on_fail" must be stop, rollback, pause or a template, not "rolback" — did you mean "rollback"?',
      ],
    ],
    [
      'mistakes in its checks',
      'checks:\n  - debgu:\n  - cloud_present: { nam: x }\n  - debug:\n    whem: x\n  - debug: { msg: "{{ x" }',
      [
        'site.yml:4:9 there is no module "debgu" — did you mean "debug"?',
        'site.yml:5:9 cloud_present needs "name" — did you mean "name" instead of "nam"?',
        'site.yml:7:9 "whem" is not a keyword of a task — did you mean "when"?',
        'site.yml:8:23 "{{ x" is never closed — write }} where it ends, or {{ "{{" }} for braces that are text',
      ],
    ],
    [
      'checks that notify',
      'checks:\n  - { debug: , notify: Announce }\n  - block: [debug: ]\n    notify: [Announce]\n  - { include_tasks: { file: more.yml, apply: { notify: Announce } } }',
      [
        'site.yml:4:28 a check of a gate cannot notify a handler — do it in a task of the play',
        'site.yml:6:18 a check of a gate cannot notify a handler — do it in a task of the play',
        'site.yml:7:61 a check of a gate cannot notify a handler — do it in a task of the play',
      ],
    ],
    [
      'metas for the whole play',
      'checks:\n  - meta: end_host\n  - meta: flush_handlers\n  - meta: end_play\n  - meta: end_batch\n  - meta: clear_host_errors',
      [
        '5:9 "meta: flush_handlers"',
        '6:9 "meta: end_play"',
        '7:9 "meta: end_batch"',
        '8:9 "meta: clear_host_errors"',
      ].map((one) => `site.yml:${one} has no meaning in a gate — the checks decide whether a batch is healthy`),
    ],
  ] as const) {
    it(`reports a mistake: ${title}`, async () => {
      expect(await mistakes(withGate(gate), { 'more.yml': '- debug:\n' })).to.deep.equal(expected);
    });
  }

  it('is not a keyword of a task', async () => {
    expect(await mistakes('- hosts: all\n  tasks:\n    - debug:\n      gate: { checks: [] }\n')).to.deep.equal([
      'site.yml:4:7 "gate" is not a keyword of a task — it belongs to a play',
    ]);
  });
});
