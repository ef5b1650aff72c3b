import { expect } from 'chai';
import { maskText } from '../../src/core/secrets/mask_text.js';
import { goOn, keptRun, momentAfter, settledStep } from '../rig/cut_run.js';
import { runText, type TextOptions } from '../rig/run_text.js';

const TWO = 'all: { hosts: { lb1: , lb2: } }';
const HIDE = '- { name: hide, debug: { msg: production }, no_log: true, register: hidden }';

function playbook(tasks: string): string {
  return `- hosts: all\n  gather_facts: false\n  tasks:\n${tasks.trim().replace(/^(?=.)/gm, '    ')}\n`;
}

/** The messages of the tasks "show"; `titles` and items come first. */
async function shown(tasks: string, options: TextOptions = {}): Promise<readonly string[]> {
  const ran = await runText(playbook(tasks), options);
  expect(ran.finished.exitCode).to.equal(0);
  return ran.tasks.filter(({ task }) => task.startsWith('show')).map(({ message }) => message ?? '');
}

/** Ordinary words: others are masked everywhere. */
describe('no_log masks what it registers', () => {
  it('on the controllers that share a run_once result', async () => {
    for (const strategy of ['linear', 'host_pinned'] as const) {
      const said = await shown(
        `
- { name: hide, debug: { msg: production }, no_log: true, register: hidden, run_once: true }
- { name: show, debug: { msg: 'the site is {{ hidden.msg }}' } }
- { name: show literal, debug: { msg: production } }
`,
        { inventory: TWO, strategy },
      );
      expect(said.toSorted()).to.deep.equal([
        ...Array<string>(2).fill('production'),
        ...Array<string>(2).fill('the site is ********'),
      ]);
    }
  });

  it('in what a rescue knows of a task that failed before it did anything', async () => {
    const task = `
- block: [{ name: hide, debug: { msg: ab12x }, loop: [{ key: cd34y, site: production }], run_once: '{{ r.nope }}', no_log: true }]
  rescue:
    - { name: show, debug: { msg: '{{ ansible_failed_task.args.msg }} {{ ansible_failed_task.loop[0] }}' } }
    - { name: show literal, debug: { msg: production } }
`;
    for (const flag of ['true', "'{{ true }}'"]) {
      const ran = await runText(
        playbook(`- { debug: , register: r }${task.replace('no_log: true', `no_log: ${flag}`)}`),
      );
      const [own, literal] = ran.tasks.slice(-2).map(({ message }) => maskText(message ?? '', ran.secrets));
      expect(own, flag).to.equal('******** {"key":"********","site":"********"}');
      expect(literal, flag).to.equal('production');
    }
  });

  for (const [what, step] of Object.entries({
    'the loop of a block': '{ block: [debug: ], loop: "{{ bare | to_datetime }}" }',
    'the break_when of a block': '{ block: [debug: ], loop: [1], loop_control: { break_when: bare | to_datetime } }',
    'the condition of a meta step': '{ meta: noop, when: bare | to_datetime }',
  }))
    it(`in the failure of ${what}`, async () => {
      const around = `
- block: [${step}]
  no_log: true
  rescue: [{ name: show, debug: { msg: '{{ ansible_failed_result.msg }}' } }]
`;
      const ran = await runText(playbook(around), { extraVars: { bare: 'hunter22-x' } });
      expect(ran.tasks.at(-1)?.message).to.match(/^the output has been hidden/);
      expect(JSON.stringify(ran.events)).to.not.include('hunter22');
      const shown = await runText(playbook(around.replace('no_log: true', 'no_log: false')), {
        extraVars: { bare: 'hunter22-x' },
      });
      expect(shown.tasks.at(-1)?.message).to.include('hunter22-x');
    });

  it('from its own variables, whatever it does with them', async () => {
    const { secrets } = await runText(
      playbook(
        "- { debug: { msg: 'Bearer {{ own }}' }, vars: { own: 'ab{{ 12 }}', bad: '{{ none.x }}' }, no_log: true }",
      ),
    );
    expect(maskText('it was ab12', secrets)).to.equal('it was ********');
  });

  it('in hostvars, also through another variable, and on a delegate', async () => {
    const said = await shown(
      `
- { name: hide, debug: { msg: production }, no_log: true, register: hidden, when: inventory_hostname == 'lb1' }
- { name: hide, set_fact: { site: staging }, no_log: true, delegate_to: lb2, delegate_facts: true, run_once: true }
- { name: show, debug: { msg: '{{ hostvars["lb1"].hidden.msg }}' } }
- { name: show, debug: { msg: '{{ ["lb1"] | map("extract", hostvars, ["hidden", "msg"]) | first }}' } }
- { name: show, debug: { msg: '{{ indirect }}' }, vars: { indirect: '{{ hostvars.lb1.hidden.msg }}' } }
- { name: show, debug: { msg: '{{ ansible_delegated_vars.lb1.hidden.msg }}' }, delegate_to: lb1, when: inventory_hostname == 'lb2' }
- { name: show, debug: { var: 'hostvars.lb2.site' } }
- { name: show, debug: { msg: '{{ site }}' }, when: inventory_hostname == 'lb2' }
- { name: show literal, debug: { msg: '{{ hostvars.lb2.inventory_hostname }}, production and staging' } }
`,
      { inventory: TWO, strategy: 'linear' },
    );
    const masked = said.filter((text) => text.includes('********'));
    expect(said.filter((text) => text.startsWith('lb2'))).to.deep.equal(
      Array<string>(2).fill('lb2, production and staging'),
    );
    expect(masked).to.have.length(10);
    expect(said.filter((text) => /production|staging/.test(text))).to.have.length(2);
  });

  it('in values made of it: vars, set_fact, a result, and in any letter case', async () => {
    const said = await shown(`
${HIDE}
- { name: show, debug: { msg: '{{ site }}' }, vars: { site: 'in {{ hidden.msg }}' } }
- { name: derive, set_fact: { site: 'x_{{ hidden.msg }}_y', other: staging } }
- { name: show, debug: { msg: '{{ site }} {{ other }}' } }
- { name: show, debug: { msg: '{{ vars["site"] }} {{ lookup("vars", "site") }}' } }
- { name: derive, debug: { msg: '{{ site | upper }}' }, register: again }
- { name: show, debug: { msg: '{{ again.msg }} {{ hidden.msg | capitalize }}' } }
- { name: show literal, debug: { msg: production }, when: hidden is succeeded }
- { name: renew, set_fact: { site: production } }
- { name: show literal, debug: { msg: '{{ site }}' } }
`);
    expect(said).to.deep.equal([
      'in ********',
      'x_********_y staging',
      'x_********_y x_********_y',
      'X_********_Y ********',
      'production',
      'production',
    ]);
  });

  it('inside of longer words from four letters on, alone from two', async () => {
    const said = await shown(`
- { name: hide, debug: { msg: [gate, lab] }, no_log: true, register: hidden }
- { name: show, debug: { msg: 'a{{ hidden.msg[0] }}s a{{ hidden.msg[1] }}s {{ hidden.msg[0] }} {{ hidden.msg[1] }}' } }
`);
    expect(said).to.deep.equal(['a********s alabs ******** ********']);
  });

  it('in facts, also those of an earlier task, and only what tasks with no_log made facts', async () => {
    const said = await shown(
      `
- { name: hide, set_fact: { site: production, cacheable: true }, no_log: true }
- { name: hide, set_fact: { zone: staging, cacheable: true }, no_log: true }
- { name: hide, set_fact: { other: testing }, no_log: true }
- { name: set, set_fact: { ring: testing, cacheable: true } }
- { name: show, debug: { msg: '{{ site }} {{ zone }}' } }
- { name: show, debug: { msg: '{{ ansible_facts.site }} {{ ansible_facts.zone }}' } }
- { name: show, debug: { msg: '{{ ring }} {{ ansible_facts.ring }}' } }
`,
      { inventory: TWO },
    );
    expect(said.toSorted()).to.deep.equal([
      ...Array<string>(4).fill('******** ********'),
      ...Array<string>(2).fill('testing testing'),
    ]);
  });

  it('in names of tasks, loops, values, failures and what a rescue sees', async () => {
    const ran = await runText(
      playbook(`
- { name: hide, debug: { msg: [production, ok] }, no_log: true, register: hidden }
- { name: 'show {{ hidden.msg[0] }}', debug: { msg: 'token {{ item }}', verbosity: 0 }, loop: '{{ hidden.msg }}' }
- block:
    - { name: fail, fail: { msg: '{{ hidden.msg[0] }}' }, ignore_errors: true }
    - { name: fail, fail: { msg: staging }, no_log: true }
  rescue:
    - { name: show, debug: { msg: '{{ ansible_failed_result.msg }}' } }
`),
      { verbosity: 1 },
    );
    const events = JSON.stringify(ran.events.map((event) => ('source' in event ? { ...event, source: null } : event)));
    expect(events).to.not.match(/production|staging/);
    expect(
      ran.tasks.filter(({ task }) => task === 'show ********').map(({ item, message }) => [item, message]),
    ).to.deep.equal([
      ['********', 'token ********'],
      ['********', 'token ********'],
      [undefined, undefined],
    ]);
  });

  it('in later items of its own loop', async () => {
    const said = await shown(`
- name: show
  debug: { msg: "{{ item }} after {{ r.msg | default('none') }}" }
  loop: [summer, winter]
  no_log: "{{ item == 'summer' }}"
  register: r
  vars: { ansible_verbosity: 1 }
`);
    expect(said.join()).to.not.include('summer');
  });

  it('not in a loop of which it hides no item', async () => {
    const said = await shown(`
- name: show
  fail: { msg: 'not {{ item }}' }
  loop: [summer, winter]
  no_log: "{{ item == 'spring' }}"
  ignore_errors: true
`);
    expect(said).to.deep.equal(['not summer', 'not winter', '2 of 2 items failed; item summer: not summer']);
  });

  it('in a resumed run', async () => {
    const text = playbook(`
${HIDE}
- { name: derive, set_fact: { site: 'in {{ hidden.msg }}' } }
- { name: show, debug: { msg: '{{ hidden.msg }} {{ site }}' } }
`);
    const run = await keptRun(text);
    const { ran } = await goOn(text, momentAfter(run, settledStep('lb1', 'derive')));
    expect(ran.tasks.map(({ message }) => message)).to.deep.equal(['******** in ********']);
  });

  interface Resumed {
    readonly tasks: string;
    readonly secret: RegExp;
    readonly shows: string;
    /** What a resume may show instead: it hides too much rather than too little. */
    readonly orShows?: string;
  }
  const resumed: Readonly<Record<string, Resumed>> = {
    'the result of a failed task, in its rescue': {
      tasks: `
- block: [{ name: hide, fail: { msg: "{{ 'peli' ~ 'can77z' }}" }, no_log: true }]
  rescue:
    - { name: wait, debug: { msg: on } }
    - { name: show, debug: { msg: 'it was {{ ansible_failed_result.msg }}' } }
`,
      secret: /pelican77z/,
      shows: 'it was ********',
    },
    'an ordinary word of a failed task, in its rescue': {
      tasks: `
- block: [{ name: hide, fail: { msg: "{{ 'stag' ~ 'ing' }}" }, no_log: true }]
  rescue:
    - { name: wait, debug: { msg: on } }
    - { name: show, debug: { msg: 'it was {{ ansible_failed_result.msg }}' } }
`,
      secret: /staging/,
      shows: 'it was ********',
    },
    'the results of items': {
      tasks: `
- { name: hide, debug: { msg: "no{{ 1 + 1 }}{{ item }}" }, loop: [fir55q, sec66q], no_log: true, register: r }
- { name: show, debug: { msg: '{{ r.results | map(attribute="msg") | join(" and ") }}' } }
`,
      secret: /no2|55q|66q/,
      shows: '******** and ********',
    },
    'the items that no_log chooses': {
      tasks: `
- name: hide
  debug: { msg: 'is {{ item }}' }
  loop: [hunter22x, open44q]
  no_log: "{{ item | default('') == 'hunter22x' }}"
  register: r
- { name: show, debug: { msg: '{{ r.results | map(attribute="msg") | join(" and ") }}' } }
`,
      secret: /hunter22x/,
      shows: '******** and is open44q',
      orShows: '******** and ********',
    },
    'no item, if no_log chooses none': {
      tasks: `
- { name: hide, debug: { msg: 'is {{ item }}' }, loop: [one55q, two66q], no_log: "{{ item == 'none' }}", register: r }
- { name: show, debug: { msg: '{{ r.results | map(attribute="msg") | join(" and ") }}' } }
`,
      secret: /\*/,
      shows: 'is one55q and is two66q',
    },
    'a secret by its name, in facts of items that are not hidden': {
      tasks: `
- { name: keep, set_fact: { db_password: "{{ 'pa' ~ item }}" }, loop: [ss11q, tt22q] }
- { name: show, debug: { msg: "{{ 'pas' ~ 's11q' }} and {{ 'pat' ~ 't22q' }}" } }
`,
      secret: /11q|22q/,
      shows: '******** and ********',
    },
    'its own variables': {
      tasks: `
- { name: hide, debug: { msg: x }, vars: { y: "{{ 'giraf' ~ 'fe88q' }}" }, no_log: true }
- { name: wait, debug: { msg: on } }
- { name: show, debug: { msg: "it is {{ 'giraffe' ~ '88q' }}" } }
`,
      secret: /giraffe88q/,
      shows: 'it is ********',
    },
    'its arguments and items': {
      tasks: `
- { name: hide, debug: { msg: "{{ 'ze' ~ item }}" }, loop: [bra11q, bu22q], no_log: true }
- { name: show, debug: { msg: "{{ 'zebra' ~ '11q' }}, {{ 'zeb' ~ 'u22q' }}, {{ 'bra' ~ '11q' }}" } }
`,
      secret: /11q|22q/,
      shows: '********, ********, ********',
    },
  };
  for (const [what, { tasks, secret, shows, orShows = shows }] of Object.entries(resumed))
    it(`in a run that is resumed at any moment, and again: ${what}`, async () => {
      const text = playbook(tasks);
      const whole = await keptRun(text, { inventory: TWO });
      const said = ({ ran }: typeof whole): readonly string[] =>
        ran.tasks.filter(({ task }) => task === 'show').map(({ message }) => maskText(message ?? '', ran.secrets));
      expect(said(whole)).to.deep.equal([shows, shows]);
      const settled = ({ moments }: typeof whole) =>
        moments.filter(({ entries }) => entries.at(-1)?.type === 'step-settled');
      for (const moment of settled(whole)) {
        const again = await goOn(text, moment, { inventory: TWO });
        const last = settled(again).slice(0, 1);
        const twice = await Promise.all(last.map((later) => goOn(text, later, { inventory: TWO })));
        for (const one of [again, ...twice].flatMap(said)) {
          expect(one).to.be.oneOf([shows, orShows]);
          expect(one).to.not.match(secret);
        }
      }
    });
});
