import { expect } from 'chai';
import { shownArgv } from '../../src/cli/run_ports.js';
import { Secrets } from '../../src/core/secrets/secrets.js';

describe('the recorded command line', () => {
  const M = '********';
  for (const [typed, shown] of [
    ['run site.yml -i inv.yml -l lb1 -f 5 --check', 'run site.yml -i inv.yml -l lb1 -f 5 --check'],
    ['run site.yml -e version=1', 'run site.yml -e version=1'],
    ['run site.yml -e db_pw=1', `run site.yml -e db_pw=${M}`],
    ['run site.yml -epin_password=123', `run site.yml -epin_password=${M}`],
    ['run site.yml -CDe {"a":"b"}', 'run site.yml -CDe {"a":"b"}'],
    ['run site.yml -CDe {"a":"b","psk":"x1"}', `run site.yml -CDe {"a":"b","psk":"${M}"}`],
    ['run site.yml -e {a:1,otp:2}', `run site.yml -e {a:1,otp:${M}}`],
    ['run site.yml --extra-vars @vars.yml', 'run site.yml --extra-vars @vars.yml'],
    ['run site.yml --extra-vars=word', 'run site.yml --extra-vars=word'],
    ['run site.yml --extra-vars=url=https://x/known-secret', `run site.yml --extra-vars=url=https://x/${M}`],
    ['task lb1 -m debug -a msg=hello', 'task lb1 -m debug -a msg=hello'],
    ['task lb1 -m uri -a url=https://x/?token=x1&a=b', `task lb1 -m uri -a url=https://x/?token=${M}&a=b`],
    ['task lb1 -m debug --args hello', 'task lb1 -m debug --args hello'],
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

  it('shows several variables, quotes and all', () => {
    const shown = (text: string): readonly string[] => shownArgv(['-e', text], new Secrets());
    expect(shown("a='1 b' b=2")).to.deep.equal(['-e', "a='1 b' b=2"]);
    expect(shown(`a=1 db_password="x 1" b='{ }'`)).to.deep.equal(['-e', `a=1 db_password=${M} b='{ }'`]);
    expect(shown('{"a": [1, 2]}')).to.deep.equal(['-e', '{"a": [1, 2]}']);
    expect(shown('{"a": {"api_keys": [12, 34]}}')).to.deep.equal(['-e', `{"a":{"api_keys":["${M}","${M}"]}}`]);
  });
});
