import { expect } from 'chai';
import { LearnedSecrets } from '../../../src/run/remote/learned_secrets.js';
import { Secrets } from '../../../src/secrets/secrets.js';

describe('the secrets that a worker tells', () => {
  it('are those that the coordinator does not know, each once', () => {
    const secrets = new Secrets();
    secrets.add('loaded-secret');
    secrets.add('site-secret');
    const learned = new LearnedSecrets(secrets);
    learned.hear(['loaded-secret']);
    expect(learned.take()).to.deep.equal(['site-secret']);
    expect(learned.take()).to.deep.equal([]);
  });

  it('are told, too, if the coordinator tells of others before they are sent', () => {
    const secrets = new Secrets();
    const learned = new LearnedSecrets(secrets);
    secrets.add('found-here');
    learned.hear(['found-there']);
    expect(learned.take()).to.deep.equal(['found-here']);
  });

  it('are told again after a walk was lost', () => {
    const secrets = new Secrets();
    const learned = new LearnedSecrets(secrets);
    secrets.add('found-here');
    learned.take();
    learned.tellAgain();
    expect(learned.take()).to.deep.equal(['found-here']);
  });
});
