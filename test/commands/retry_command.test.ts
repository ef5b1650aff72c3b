import { expect } from 'chai';
import { retryCommand } from '../../src/commands/retry_command.js';

describe('the command to go on with', () => {
  const argv = ['run', 'site.yml', '-l', 'emea', '--limit=x', '-lall', '-e', "who=it's me", '--check'];

  it('is the same with a limit in place of every other', () => {
    expect(retryCommand(argv)(['lb1', 'lb2'])).to.equal(
      String.raw`evenkeel run site.yml -e 'who=it'\''s me' --check --limit lb1,lb2`,
    );
  });

  it('is the very same when everything is left to be looked at again', () => {
    expect(retryCommand(['run', 'site.yml', '-l', 'emea:!lb07'])('all')).to.equal(
      "evenkeel run site.yml -l 'emea:!lb07'",
    );
  });

  it('is none when the controllers are too many to name', () => {
    expect(retryCommand(argv)(Array.from({ length: 21 }, (_, index) => `lb${index}`))).to.be.undefined;
  });
});
