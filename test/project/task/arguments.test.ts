import { expect } from 'chai';
import { KEYWORDS } from '../../../src/project/keywords/keyword_table.js';
import { load, mistakes, playOf, task, tasksOf } from '../../rig/loaded.js';

describe('the arguments of a task', () => {
  const forms: readonly (readonly [string, unknown])[] = [
    ['debug: msg="a b" verbosity=1', { msg: 'a b', verbosity: '1' }],
    ['debug: { msg: a }\nargs: { verbosity: 1 }', { msg: 'a', verbosity: 1 }],
    ['debug: { msg: a }\nargs: { msg: b, verbosity: 1 }', { msg: 'a', verbosity: 1 }],
    ['debug:\nargs: { msg: b }', { msg: 'b' }],
    ['debug:\nargs: "{{ all }}"', '{{ all }}'],
    ['debug: "{{ all }}"', '{{ all }}'],
    ['action: debug msg=a', { msg: 'a' }],
    ['action: { module: debug, msg: a }', { msg: 'a' }],
    ['action: { module: debug, msg: a, args: { verbosity: 1 } }', { msg: 'a', verbosity: 1 }],
    ['local_action: debug msg=a', { msg: 'a' }],
    ['pause: { seconds: 1 }', { seconds: 1 }],
  ];
  for (const [text, args] of forms)
    it(`can be written as ${text.replace('\n', ', ')}`, async () => {
      const found = await task(`- ${text.replaceAll('\n', '\n  ')}`);
      expect([found.args, found.delegateTo?.value]).to.deep.equal([
        args,
        text.startsWith('local') ? 'localhost' : undefined,
      ]);
    });

  const wrong: readonly (readonly [string, readonly string[]])[] = [
    ['debug: [a]', ['3:14 the arguments of debug must be a mapping of names to values, not a list']],
    ['debug: hello', ['3:14 debug takes arguments by name; "hello" has none — write name=value']],
    ['cloud_present: edge', ['3:22 cloud_present takes arguments by name; "edge" has none — write name=edge']],
    ['cloud_present: edge 2', ['3:22 cloud_present takes arguments by name; "edge 2" has none — write name=value']],
    ['debug: " hello "', ['3:14 debug takes arguments by name; "hello" has none — write name=value']],
    [
      'debug: "{{ a b }}"',
      [
        '3:14 cannot read the expression "a b": "b" is not expected after "a" — two values need an operator between them, and there is no filter "a"',
      ],
    ],
    [
      'pool_present: { name: a, servers: [{ ip: { addr: 1.0 } }] }',
      ['3:56 "servers[0].ip.addr" must be a string, not 1.0 — quote it: "1.0"'],
    ],
    [
      'user_password: password=correct horse battery',
      ['3:22 user_password takes arguments by name; a word has none — write name=value'],
    ],
    ['user_password: hunter2', ['3:22 user_password takes arguments by name; a word has none — write name=value']],
    ['debug: msg=correct horse', ['3:14 debug takes arguments by name; "horse" has none — write name=value']],
    ...['1.50', '0042', 'true'].map(
      (value) =>
        [
          `user_password: { password: ${value} }`,
          [
            ...(value === 'true'
              ? []
              : ['warning: 3:34 "password" is read as a number, whose digits differ from what is written — quote it']),
            `3:34 "password" must be a string, not ${value === 'true' ? 'true or false' : 'a number'} — quote it`,
          ],
        ] as const,
    ),
    [
      'debug: msg=a\nverbosity: 1',
      [
        '4:7 "verbosity" is not a keyword of a task — it is an argument of "debug": write all its arguments by name, below the module',
      ],
    ],
    ['debug: { msg: a }\nargs: [b]', ['4:13 "args" must be a mapping of names to values, not a list']],
    ['debug: { msg: a }\nargs: "{{ all }}"', ['4:13 "args" must be a mapping of names to values, not text']],
    [
      'cloud_present: "{{ all }}"\nargs: { name: a }',
      ['4:13 "args" cannot be added to arguments that are a single template — write the arguments by name'],
    ],
    ['cloud_present: { name: 1.0 }', ['3:30 "name" must be a string, not 1.0 — quote it: "1.0"']],
    ['cloud_present: { name: x, labels: { a: 0x10 } }', []],
    ['cloud_present: { name: 10 }', []],
    ['debug: { msgg: a }', ['3:16 "msgg" is not an argument of debug — did you mean "msg"?']],
    ['debug:\nargs: { msgg: a }', ['4:15 "msgg" is not an argument of debug — did you mean "msg"?']],
    ['assert: { that: ["a ==", "b"] }', ['3:24 cannot read the expression "a ==": it ends where a value is expected']],
    ['assert: { that: "{{ a }}" }', []],
    ['assert: { that: ["{{ a }}", "{{ a + b }}"] }', []],
    ['assert: { that: ["{{ a | uper }}"] }', ['3:24 there is no filter or function "uper" — did you mean "upper"?']],
    ['assert: { that: "{{ a }} == 1" }', ['warning: 3:23 an expression needs no {{ }} — remove the braces: a == 1']],
    ['action: { msg: a }', ['3:15 "action" needs "module": the name of a module']],
    ['action:', ['3:7 a task needs a module, such as "debug"']],
    ['action: { module: debug, args: x }', ['3:32 "args" is not an argument of debug — it takes msg, var, verbosity']],
    ['action: [a]', ['3:15 "action" must name a module and its arguments, not a list']],
    ['action: debgu msg=a', ['3:15 there is no module "debgu" — did you mean "debug"?']],
    ['debug:\nping:', ['4:7 a task has one module; this one has "debug" already']],
    ['action: debug\nping:', ['4:7 a task has one module; this one has "action" already']],
    ['name: x', ['3:7 a task needs a module, such as "debug"']],
    [
      'debug:\nverbosity: 1',
      [
        '4:7 "verbosity" is not a keyword of a task — it is an argument of "debug": indent it further, below the module',
      ],
    ],
    ...(['debug: { msg: a, ', 'cloud_present: { name: a, ', 'pool_present: { name: a, '] as const).flatMap((start) =>
      ['when: b', 'register: b', 'with_items: [b]', 'delegate_to: b'].map((keyword) => {
        const [module = '', name = ''] = [start, keyword].map((one) => one.replace(/:.*/, ''));
        const hint = `it is a keyword of a task: write it beside "${module}", not among its arguments`;
        return [
          `${start}${keyword} }`,
          [`3:${start.length + 7} "${name}" is not an argument of ${module} — ${hint}`],
        ] as const;
      }),
    ),
    [
      'cloud_present: { name: a, tags: b }',
      [
        'warning: 3:33 unknown field "tags" of cloud_present; sent unchanged — if it is the keyword of the task, write it beside "cloud_present"',
      ],
    ],
    [
      'cloud_present: name=a when=b',
      [
        '3:22 "when" is not an argument of cloud_present — it is a keyword of a task: write it beside "cloud_present", not among its arguments',
      ],
    ],
    ['debug: { var: "{{ a }}" }', ['warning: 3:21 an expression needs no {{ }} — remove the braces: a']],
    ['set_fact: { when: b }', []],
    ['resource_present: { path: /api/x/, name: a, properties: { when: b } }', []],
    ['debgu:', ['3:7 there is no module "debgu" — did you mean "debug"?']],
  ];
  for (const [text, expected] of wrong)
    it(`${expected.length === 0 ? 'are accepted' : 'are refused'}: ${text.replace('\n', ', ')}`, async () => {
      const found = await mistakes(playOf(`- ${text.replaceAll('\n', '\n  ')}`));
      expect(found.map((one) => one.replace('site.yml:', ''))).to.deep.equal(expected);
    });

  // Objects have a name, and may have an action.
  const fields = ['name', 'action', 'local_action'];
  for (const { name, constructs } of KEYWORDS)
    if ((constructs.includes('task') || constructs.includes('handler')) && !fields.includes(name))
      it(`are not sent without a word if one is called ${name}, as a keyword is`, async () => {
        const [found, ...more] = await mistakes(playOf(`- cloud_present: { name: a, ${name}: 1 }`));
        expect(more).to.deep.equal([]);
        expect(found).to.include(`"${name}"`).and.include('write it beside "cloud_present"');
      });

  it('are over those of module_defaults, each at its own place', async () => {
    const playbook = `- hosts: all
  module_defaults: { debug: { msg: usual, verbosity: 2 } }
  tasks:
    - debug: { msg: own }
    - debug:
      args: { verbosity: 3 }
    - debug: "{{ all }}"
`;
    const { plays, diagnostics } = await load(playbook);
    expect(diagnostics).to.deep.equal([
      'warning: site.yml:7:14 module_defaults of debug do not apply to arguments that are a single template — write the arguments by name',
    ]);
    const all = tasksOf(plays[0]);
    expect(all.map(({ args }) => args)).to.deep.equal([
      { msg: 'own', verbosity: 2 },
      { msg: 'usual', verbosity: 3 },
      '{{ all }}',
    ]);
    const place = (at: number, name: string) => {
      const one = all[at];
      const source = one?.locate([...one.argsPath, name]);
      return [source?.line, source?.column];
    };
    expect([
      place(0, 'msg'),
      place(0, 'verbosity'),
      place(1, 'msg'),
      place(1, 'verbosity'),
      place(1, 'none'),
    ]).to.deep.equal([
      [4, 21],
      [2, 54],
      [2, 36],
      [6, 26],
      [5, 7],
    ]);
  });
});
