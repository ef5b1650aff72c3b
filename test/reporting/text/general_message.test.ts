import { expect } from 'chai';
import { generalMessage, generalText, mentions, nameReplacer } from '../../../src/reporting/text/messages.js';

describe('messages with the same cause', () => {
  const cases: readonly [string, string, string][] = [
    ['lb1 refused', 'lb1', '<controller> refused'],
    ['cloud "lb1" of lb1.', 'lb1', 'cloud "<controller>" of <controller>.'],
    ['lb1, lb12, xlb1 and lb1-a', 'lb1', '<controller>, lb12, xlb1 and <controller>-a'],
    ['variable "a" of a', 'a', 'variable "<controller>" of <controller>'],
    ['aa', 'a', 'aa'],
    ['größe1 ö', 'ö', 'größe1 <controller>'],
    ['GET https://lb1.example.com/x: 10.0.0.1:443', 'lb1', 'GET <url>/x: <address>'],
    ['no connection (ECONNREFUSED), 4 attempts', 'lb1', 'no connection (ECONNREFUSED), <number> attempts'],
    ['asks to wait another 93 s', 'lb1', 'asks to wait another <number> s'],
  ];
  for (const [message, controller, text] of cases) {
    it(`do not contain ${controller}: ${message}`, () => {
      expect(generalMessage(message, controller)).to.equal(text);
    });
  }

  it('have neither the name of the controller nor the part before its first dot, but an address as a whole only', () => {
    expect(generalText('lb1 is lb1.example.com', 'lb1.example.com')).to.equal('<controller> is <controller>');
    expect(nameReplacer('lb1.example.com')('lb1 is lb1.example.com, not lb1.example.org')).to.equal(
      '{{inventory_hostname_short}} is {{inventory_hostname}}, not {{inventory_hostname_short}}.example.org',
    );
    expect(nameReplacer('10.0.0.1')('10 of 10.0.0.1')).to.equal('10 of {{inventory_hostname}}');
  });

  it('mention a controller only by its whole name', () => {
    expect(mentions('variable "x" on b', 'a')).to.equal(false);
    expect(mentions('variable "x" on a', 'a')).to.equal(true);
  });
});
