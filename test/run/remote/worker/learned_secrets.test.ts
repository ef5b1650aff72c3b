import { expect } from 'chai';
import { LearnedSecrets } from '../../../../src/run/remote/worker/learned_secrets.js';
import { Secrets } from '../../../../src/secrets/secrets.js';

describe('the secrets that a worker reports', () => {
  it('are those that it knows, each once', () => {
    const secrets = new Secrets();
    secrets.add('site-secret');
    const learned = new LearnedSecrets(secrets);
    expect(learned.take()).to.deep.equal(['site-secret']);
    secrets.add('found-later');
    expect(learned.take()).to.deep.equal(['found-later']);
    expect(learned.take()).to.deep.equal([]);
  });

  it('are reported again after a walk was lost', () => {
    const secrets = new Secrets();
    const learned = new LearnedSecrets(secrets);
    secrets.add('found-here');
    learned.take();
    learned.reportAgain();
    expect(learned.take()).to.deep.equal(['found-here']);
  });

  it('do not include those that stay in the worker', () => {
    const secrets = new Secrets();
    secrets.add('vault-password');
    const learned = new LearnedSecrets(secrets, secrets.count);
    expect(learned.take()).to.deep.equal([]);
    secrets.add('found-here');
    learned.reportAgain();
    expect(learned.take()).to.deep.equal(['found-here']);
  });
});
