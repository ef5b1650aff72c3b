import { expect } from 'chai';
import { shownArgv } from '../../src/commands/shown_argv.js';
import { Secrets } from '../../src/model/secrets.js';

describe('what was typed, as it is kept', () => {
  const M = '********';
  for (const [typed, shown] of [
    ['run site.yml -i inv.yml -l lb1 -f 5 --check', 'run site.yml -i inv.yml -l lb1 -f 5 --check'],
    ['run site.yml -e version=1', `run site.yml -e version=${M}`],
    ['run site.yml -eversion=1', `run site.yml -eversion=${M}`],
    ['run site.yml -CDe {"a":"b"}', `run site.yml -CDe ${M}`],
    ['run site.yml --extra-vars @vars.yml', 'run site.yml --extra-vars @vars.yml'],
    ['run site.yml --extra-vars=word', `run site.yml --extra-vars=${M}`],
    ['task lb1 -m debug -a msg=hello', `task lb1 -m debug -a msg=${M}`],
    ['task lb1 -m debug --args hello', `task lb1 -m debug --args ${M}`],
    ['run site.yml -kuname -l -e', 'run site.yml -kuname -l -e'],
    ['run password=word', `run password=${M}`],
    ['run known-secret.yml', `run ${M}.yml`],
  ] as const) {
    it(`shows ${shown}`, () => {
      const secrets = new Secrets();
      secrets.add('known-secret');
      expect(shownArgv(typed.split(' '), secrets)).to.deep.equal(shown.split(' '));
    });
  }

  it('shows the names of several variables', () => {
    expect(shownArgv(['-e', 'a=1 b=2'], new Secrets())).to.deep.equal(['-e', `a=${M} b=${M}`]);
    expect(shownArgv(['-e', "a='1 b'"], new Secrets())).to.deep.equal(['-e', M]);
  });
});
