import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { commandLine } from '../../../src/reporting/text/words.js';

describe('a command line to copy', () => {
  it('shows words as they are if a shell reads them so', () => {
    expect(commandLine(['evenkeel', 'run', 'a-b_c/site.yml', '-e', 'mtu=1400', 'x@y%z+1:2,3'])).to.equal(
      'evenkeel run a-b_c/site.yml -e mtu=1400 x@y%z+1:2,3',
    );
  });

  it('quotes other words', () => {
    expect(commandLine(['a b', '', "it's"])).to.equal(String.raw`'a b' '' 'it'\''s'`);
  });

  it('is read by a shell as the same words', () => {
    const words = [
      'a',
      '',
      ' a',
      'b ',
      "'",
      "''a'b'",
      '"',
      '$HOME',
      '`id`',
      '*',
      '~',
      'a;b',
      '&',
      '|',
      '\\',
      'a\nb',
      '#',
      '(',
      '!',
      'ä',
      '{{ x }}',
      'a{b,c}',
    ];
    const read = execFileSync('sh', ['-c', `printf '%s\\0' ${commandLine([...words, ...words])}`], {
      encoding: 'utf8',
    });
    expect(read.split('\0')).to.deep.equal([...words, ...words, '']);
  });
});
