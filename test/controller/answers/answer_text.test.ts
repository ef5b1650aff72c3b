import { expect } from 'chai';
import { printable } from '../../../src/controller/answers/answer_text.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { settingsOf } from '../../rig/controllers.js';

describe('the text of an answer', () => {
  const secrets = new Secrets();
  const secret = 'correct-horse-battery';
  secrets.add(secret);
  const shown = (text: string): string =>
    printable(text, { settings: settingsOf('https://127.0.0.1:9', undefined), secrets });

  it('shows no part of a secret, wherever a long answer is cut', () => {
    for (let known = 1; known < secret.length; known++) {
      const blank = ' '.repeat(16_000 - known);
      expect(shown(`refused:${blank.slice(8)}${secret}`)).to.equal('refused:…');
      expect(shown(`${blank}${secret}`)).to.equal('…');
    }
  });

  it('is masked before it is cut to 500 characters', () => {
    expect(shown(`${'x'.repeat(495)}${secret} and more`)).to.equal(`${'x'.repeat(495)}*****…`);
    expect(shown(`no: ${secret}`)).to.equal('no: ********');
  });

  it('has no sequences of a terminal, in whole or in part', () => {
    expect(shown('\u001b[31mno\u001b[0m such\u0007 name\r\n')).to.equal('no such name');
  });
});
