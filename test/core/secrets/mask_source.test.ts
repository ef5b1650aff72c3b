import { expect } from 'chai';
import { maskedSourceLine, maskSourceLine } from '../../../src/core/secrets/mask_source.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { textsIn } from '../../../src/module/arguments/secret_arguments.js';

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
      ...[
        'settings:',
        '  user: ann',
        '  password: |',
        `    ${MASK}`,
        `      ${MASK}`,
        '',
        `    ${MASK}`,
        '  note: text',
      ],
      ...['  api_key:', `    ${MASK}`, '    - five: six', '  private_key: >-', `    ${MASK}`, '  list:', '    - eight'],
      'other: nine',
    ]);
  });

  it('is masked up to 200 lines below the name', () => {
    const lines = ['password: |', ...new Array<string>(250).fill('  x')];
    const hidden = lines.map((_, index) => maskedSourceLine(lines, index + 1)).filter((line) => line.includes(MASK));
    expect(hidden).to.have.length(199);
  });

  it('has its own secrets masked, in each way that they are written', () => {
    for (const [line, masked] of [
      ['password: hunter2', `password: ${MASK}`],
      ['  - api_key: "hunter2"', `  - api_key: ${MASK}`],
      ['password: "{{ vault_password }}"', 'password: "{{ vault_password }}"'],
      ['debug: password=hunter2 msg=a', `debug: password=${MASK} msg=a`],
      ['url: https://ann:hunter2@lb1/', `url: https://ann:${MASK}@lb1/`],
      ['name: password', 'name: password'],
      ['password:', 'password:'],
      ['user: ann', 'user: ann'],
    ] as const)
      expect(maskSourceLine(line).replace(/"\*+"/, MASK), line).to.equal(masked);
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
