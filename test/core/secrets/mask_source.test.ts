import { expect } from 'chai';
import type { Diagnostic } from '../../../src/core/model/source/diagnostic.js';
import { maskDiagnostics, maskedSourceLine, maskSourceLine } from '../../../src/core/secrets/mask_source.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { textsIn } from '../../../src/module/arguments/validation.js';

const MASK = '********';

describe('a line of a source file', () => {
  const shown = (text: string): readonly string[] => {
    const lines = text.split('\n');
    return lines.map((_, index) => maskedSourceLine(lines, index + 1));
  };

  it('is masked if it is below the name of a secret, but not beside it', () => {
    expect(
      shown(`settings:
  user: ann
  password: |
    one
      two

    three
  note: text
  api_key:
    - four
    - five: six
  private_key: >-
    seven
  list:
    - eight
other: nine`),
    ).to.deep.equal([
      'settings:',
      '  user: ann',
      '  password: |',
      `    ${MASK}`,
      `      ${MASK}`,
      '',
      `    ${MASK}`,
      '  note: text',
      '  api_key:',
      `    ${MASK}`,
      '    - five: six',
      '  private_key: >-',
      `    ${MASK}`,
      '  list:',
      '    - eight',
      'other: nine',
    ]);
  });

  it('is masked up to 200 lines below the name', () => {
    const lines = ['password: |', ...new Array<string>(250).fill('  x')];
    const hidden = lines.map((_, index) => maskedSourceLine(lines, index + 1)).filter((line) => line.includes(MASK));
    expect(hidden).to.have.length(199);
  });

  it('takes no longer for hostile lines than for others', () => {
    for (const unit of [
      'x: a=[{{',
      'a=[{{ b }} ',
      'password: [',
      'tokens=["',
      ';a=b c',
      'Password=a b;',
      ';token=a  ',
      'token: a b, ',
      'token=a,#b ',
    ])
      // A search that begins again at each place would not end within the test's time limit.
      expect(maskSourceLine(unit.repeat(30_000))).to.be.a('string');
  });

  it('has its own secrets masked, in each way that they are written', () => {
    for (const [line, masked] of [
      ['  password: [one, two]', `  password: ${MASK}`],
      ['  password: [one,', `  password: ${MASK}`],
      ['password: ["a]bcd", "efgh"] # x', `password: ${MASK} # x`],
      [String.raw`password: ["a\"]bcd", 'e]fgh']`, `password: ${MASK}`],
      ['password: [[abcd, efgh], ijkl]', `password: ${MASK}`],
      ["password: [it's, efgh] # it's", `password: ${MASK} # it's`],
      ['password: [a{bcd, efgh]', `password: ${MASK}`],
      ['password: ["{abc", efgh]', `password: ${MASK}`],
      ['password: ["{% x %}", abcd]', `password: ${MASK}`],
      ['passwords: [abc1, def2]', `passwords: ${MASK}`],
      ['{ users: [ann, bob], tokens: [abc1], mtu: 5 }', `{ users: [ann, bob], tokens: ${MASK}, mtu: 5 }`],
      ['servers: [{ name: a, tokens: [abc1] }]', `servers: [{ name: a, tokens: ${MASK} }]`],
      ['- user: { password: [one, two], note: text }', `- user: { password: ${MASK}, note: text }`],
      ['  password: ["{{ one }}", "{{ two }}"]', '  password: ["{{ one }}", "{{ two }}"]'],
      ['  passwords: [{ name: ann }]', '  passwords: [{ name: ann }]'],
      ['password: hunter2', `password: ${MASK}`],
      ['  - api_key: "hunter2"', `  - api_key: ${MASK}`],
      ['password: "{{ vault_password }}"', 'password: "{{ vault_password }}"'],
      ['lb1 password=hunter2 horse battery mtu=5 # a note', `lb1 password=${MASK} mtu=5 # a note`],
      ['lb1 password=Tr0ub4dor,3#hushhush mtu=5', `lb1 password=${MASK} mtu=5`],
      ['lb1 password=Tr0ub4 dor,hushhush mtu=5', `lb1 password=${MASK} mtu=5`],
      ['{admin_password: correct horse battery, b: [}', `{admin_password: ${MASK}, b: [}`],
      ['debug: password=hunter2 msg=a', `debug: password=${MASK} msg=a`],
      ['url: https://ann:hunter2@lb1/', `url: https://ann:${MASK}@lb1/`],
      ['name: password', 'name: password'],
      ['password:', 'password:'],
      ['user: ann', 'user: ann'],
    ] as const)
      expect(maskSourceLine(line).replace(/"\*+"/, MASK), line).to.equal(masked);
  });

  it('has the literal parts of its secrets masked, and all else as it is', () => {
    const table: readonly (readonly [line: string, masked: string | undefined])[] = [
      ['  - password: "hunter22"', `  - password: ${MASK}`],
      ['"password": "x y", "mtu": 5,', `"password": ${MASK}`],
      ['url: https://lb1/?token=abc&x=1', `url: https://lb1/?token=${MASK}&x=1`],
      ['url: https://me:pw@host/x', `url: https://me:${MASK}@host/x`],
      ['api_key = abc', `api_key = ${MASK}`],
      ['api_key=abc', `api_key=${MASK}`],
      ['debug: msg="password=hunter22 token: abc"', `debug: msg="password=${MASK} token: ${MASK}"`],
      ['vars: {password: hunter22, mtu: 1500}', `vars: {password: ${MASK}, mtu: 1500}`],
      [
        'vars: {"password": "hunter 22", token: [a], mtu: 1500}',
        `vars: {"password": ${MASK}, token: ${MASK}, mtu: 1500}`,
      ],
      ['password: {a: b, token: hunter22}', `password: {a: b, token: ${MASK}}`],
      ['password: {{ x }}', undefined],
      ['password: "{{ vault_pw }}"', undefined],
      [
        `password: "{{ lookup('env', 'PASSWORD') | default('hunter22') }}"`,
        `password: "{{ lookup('env', 'PASSWORD') | default('${MASK}') }}"`,
      ],
      ["password: 'it''s {{ x | default(''hunter22'') }}'", `password: '${MASK}{{ x | default(''${MASK}'') }}'`],
      [`password: 'x {{ y | default("hunter22") }}'`, `password: 'x {{ y | default("${MASK}") }}'`],
      ['password: "abc{{ x }}defgh"', `password: "abc{{ x }}${MASK}"`],
      ['password: abcd{{ x }}', `password: ${MASK}{{ x }}`],
      ['password: abc{{ x }}', undefined],
      ['password: !vault |', undefined],
      ['password: &anchor', undefined],
      ['password: *alias', undefined],
      ['password: >-', undefined],
      ['password: # comment', undefined],
      ['password: {{ a }}{{ b }}', undefined],
      [`password: "{{ x['passwords'] }}"`, undefined],
      [`password: "{{ 'abc' }}"`, undefined],
      [`password: "{{ 'abcd' }}"`, `password: "{{ '${MASK}' }}"`],
      ['password: "https://me:{{ pw }}@host"', `password: "${MASK}{{ pw }}${MASK}"`],
      ['password: "https://me:pw@{{ host }}"', `password: "${MASK}{{ host }}"`],
      [String.raw`password: "{{ x | default(\"hunter22\") }}"`, String.raw`password: "{{ x | default(\"${MASK}\") }}"`],
      ["msg: {token: 'b c, mtu: 1}", `msg: {token: ${MASK}`],
      ["msg: {token: 'b''c', mtu: 1}", `msg: {token: ${MASK}, mtu: 1}`],
      ['mtu: 1500', undefined],
      ['name: edge # password: x', `name: edge # password: ${MASK}`],
      ['{password: hunter22}', `{password: ${MASK}}`],
      ['set_fact: password=hunter22 mtu=5', `set_fact: password=${MASK} mtu=5`],
      ["shell: curl -H 'token: abc'", `shell: curl -H 'token: ${MASK}'`],
      ['password: "{{ x }} and {{ y }} horse"', `password: "{{ x }}${MASK}{{ y }}${MASK}"`],
      [`password: "{{ 'hunter22' ~ x }}{{ 'hunter33' }}"`, `password: "{{ '${MASK}' ~ x }}{{ '${MASK}' }}"`],
      ['password: x', `password: ${MASK}`],
      ['  "password" : 5', `  "password" : ${MASK}`],
      ['password:', undefined],
      ['passwords: x', undefined],
      ['a password: b', `a password: ${MASK}`],
      ['x: {a_password : "q"}', `x: {a_password : ${MASK}}`],
    ];
    for (const [line, masked] of table) expect(maskSourceLine(line), line).to.equal(masked ?? line);
  });

  it('is masked below a name, at whatever depth, but not above or beyond it', () => {
    const text = [
      'other: |',
      '  token',
      '',
      'a:',
      '  password:',
      '  ',
      '    horse',
      '    b: mule',
      '   deep',
      '  c: d',
      'e: f',
    ];
    expect(shown(text.join('\n'))).to.deep.equal([
      'other: |',
      '  token',
      '',
      'a:',
      '  password:',
      '  ',
      `    ${MASK}`,
      '    b: mule',
      `   ${MASK}`,
      '  c: d',
      'e: f',
    ]);
    expect(shown('- token: >\n    one\n- "api_key": |2-\n      four')).to.deep.equal([
      '- token: >',
      `    ${MASK}`,
      '- "api_key": |2-',
      `      ${MASK}`,
    ]);
    expect(maskedSourceLine(['password: |', '  x'], 3)).to.equal('');
    expect(maskedSourceLine(['x', 'password: y'], 2)).to.equal(`password: ${MASK}`);
  });
});

describe('the diagnostics of a file', () => {
  it('have their texts masked, and nothing else', () => {
    const source = { file: 'x.yml', line: 1, column: 2 };
    const given = [
      { severity: 'error', message: 'x1', hint: 'x2', source },
      { severity: 'warning', message: 'x3', hint: undefined, source },
    ] as unknown as readonly Diagnostic[];
    expect(maskDiagnostics(given, (text) => text.replace('x', '?'))).to.deep.equal([
      { severity: 'error', message: '?1', hint: '?2', source },
      { severity: 'warning', message: '?3', hint: undefined, source },
    ]);
  });
});

describe('the texts of a value', () => {
  it('are those of all its parts', () => {
    expect(textsIn({ a: 'one', b: [2, { c: ['three', true, null] }] })).to.deep.equal(['one', '2', 'three']);
    expect(textsIn('one')).to.deep.equal(['one']);
    expect(textsIn(12n)).to.deep.equal(['12']);
  });
});

describe('words that mean that there is no secret', () => {
  it('are not masked', () => {
    const secrets = new Secrets();
    const words = ['true', 'false', 'null', 'none', '<sensitive>', MASK, 'True', 'NONE'];
    for (const word of words) secrets.add(word);
    const text = words.join(' and ');
    // A word of the program's messages is masked only alone.
    for (const shown of [text, ...words, ...words.map((word) => `a: ${word}`)])
      expect(secrets.mask(shown)).to.equal(shown);
    secrets.add('truly');
    expect(secrets.mask('true truly')).to.equal(`true ${MASK}`);
  });
});
