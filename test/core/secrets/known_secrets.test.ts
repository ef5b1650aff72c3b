import { expect } from 'chai';
import { MASK, Secrets } from '../../../src/core/secrets/secrets.js';

function knowing(...values: readonly string[]): Secrets {
  const secrets = new Secrets();
  for (const value of values) secrets.add(value);
  return secrets;
}

describe('the secrets of a command', () => {
  it('are known one by one, without what says that there is none', () => {
    const secrets = knowing(
      'hunter22',
      'abc',
      'horse99',
      'hunter22',
      MASK,
      '<sensitive>',
      'None',
      'TRUE',
      'false',
      'null',
    );
    expect(secrets.all).to.deep.equal(['hunter22', 'horse99']);
    expect(secrets.mask('abc true None horse99')).to.equal(`abc true None ${MASK}`);
  });

  it('are learned before anything is shown, once', () => {
    for (const look of [
      (secrets: Secrets) => secrets.all,
      (secrets: Secrets) => secrets.mask('text'),
      (secrets: Secrets) => secrets.isKnownClear('text'),
    ]) {
      const secrets = new Secrets();
      const learned: string[] = [];
      for (const name of ['first99', 'second99'])
        secrets.learnLater(() => {
          learned.push(name);
          secrets.add(name);
        });
      expect(learned).to.deep.equal([]);
      look(secrets);
      look(secrets);
      expect(learned).to.deep.equal(['first99', 'second99']);
      expect(secrets.all).to.deep.equal(['first99', 'second99']);
      secrets.learnLater(() => {
        secrets.add('third99');
      });
      look(secrets);
      expect(secrets.mask('third99')).to.equal(MASK);
    }
  });

  it('are also their lines and their inner text, if those are not short', () => {
    const secrets = knowing('  padded99  ', 'first-line-1\n  eight-88  \nseven-7\n}');
    expect(secrets.mask('a padded99 b')).to.equal(`a ${MASK} b`);
    expect(secrets.mask('first-line-1, eight-88, seven-7, }')).to.equal(`${MASK}, ${MASK}, seven-7, }`);
  });

  it('are found where their white space is another, and where long ones are broken', () => {
    const [long, shorter] = ['0123456789'.repeat(4), 'abcdefghijklmnopqrstuvwxyz0123456789abc'];
    const secrets = knowing('four four', 'a b c', long, shorter);
    for (const text of ['four  four', 'fourfour', 'four\n  four', `${long.slice(0, 20)}\n  ${long.slice(20)}`])
      expect(secrets.mask(`<${text}>`), text).to.equal(`<${MASK}>`);
    const broken = `${shorter.slice(0, 20)}\n${shorter.slice(20)}`;
    for (const text of ['ab c', 'abc', broken]) expect(secrets.mask(text), text).to.equal(text);
    const bytes = Buffer.from(long).toString('base64').replace(/=+$/, '');
    expect(secrets.mask(`${bytes.slice(0, 25)}\n${bytes.slice(25)}`)).to.equal(MASK);
  });

  it('are found in single quotes only if they have one', () => {
    expect(knowing("it's-99").mask("a: 'it''s-99'")).to.equal(`a: '${MASK}'`);
    expect(knowing("it's-99").mask("'it'\\''s-99'")).to.equal(`'${MASK}'`);
    expect(knowing('its-9999').mask("its-''9999")).to.equal("its-''9999");
  });

  it('that are words of messages are masked alone only', () => {
    const secrets = knowing('password', 'Running');
    for (const [text, shown] of [
      ['password', MASK],
      ['"PASSWORD",', `"${MASK}",`],
      ['- running', `- ${MASK}`],
      ['the password', 'the password'],
      ['password: x', 'password: x'],
    ] as const)
      expect(secrets.mask(text), text).to.equal(shown);
    expect([secrets.maskName('password'), secrets.maskName('other')]).to.deep.equal(['password', 'other']);
    expect(knowing('horse99').maskName('my horse99')).to.equal(`my ${MASK}`);
  });

  it('are masked as one where they overlap, and each where they follow another', () => {
    expect(knowing('abcdef', 'defghi').mask('xabcdefghix')).to.equal(`x${MASK}x`);
    expect(knowing('abcdefghi', 'cdef').mask('xabcdefghix')).to.equal(`x${MASK}x`);
    expect(knowing('abcd', 'efgh').mask('xabcdefghx')).to.equal(`x${MASK}${MASK}x`);
    expect(knowing('abcd').mask('abcd')).to.equal(MASK);
    expect(new Secrets().mask('abcd')).to.equal('abcd');
  });

  it('of a user are the password and its header, with and without the signs at its end', () => {
    const secrets = new Secrets();
    secrets.addCredentials('admin', 'hunter22x');
    secrets.addCredentials('admin', 'hunter22x');
    const header = Buffer.from('admin:hunter22x').toString('base64');
    expect(secrets.all).to.deep.equal(['hunter22x', `Basic ${header}`]);
    secrets.addCredentials('me', 'horse99x');
    const padded = Buffer.from('me:horse99x').toString('base64');
    expect(padded).to.match(/=$/);
    expect(secrets.mask(`${padded} and ${padded.replace(/=+$/, '')}.`)).to.equal(`${MASK} and ${MASK}.`);
  });

  it('that are learned later are found in texts and objects that were clear before', () => {
    const secrets = knowing('hunter22');
    const object = { a: 1 };
    const [text, long] = ['a horse99', `${'x'.repeat(60)} horse99`];
    expect([secrets.mask(text), secrets.mask(text), secrets.mask(long)]).to.deep.equal([text, text, long]);
    const known = () => [text, long, object].map((one) => secrets.isKnownClear(one));
    expect(known()).to.deep.equal([false, false, false]);
    for (const one of [text, long, object]) secrets.noteClear(one);
    // A long text is looked at again.
    expect(known()).to.deep.equal([true, false, true]);
    expect(secrets.isKnownClear({ a: 1 })).to.equal(false);
    secrets.add('hunter22');
    expect(known()).to.deep.equal([true, false, true]);
    secrets.add('horse99');
    expect(known()).to.deep.equal([false, false, false]);
    expect([secrets.mask(text), secrets.mask(long)]).to.deep.equal([`a ${MASK}`, `${'x'.repeat(60)} ${MASK}`]);
    secrets.noteClear(object);
    secrets.addCredentials('me', 'abc');
    expect(secrets.isKnownClear(object)).to.equal(false);
  });
});
