import { expect } from 'chai';
import { withBroker } from '../../../src/app/run/start_run.js';
import { brokerOf } from '../../../src/load/project/broker.js';
import { inFolder } from '../../rig/folder.js';

const KEPT = { nats: 'tls://first:4222', natsCreds: '/creds', natsCa: '/ca.pem', siteTimeout: 5 };
const NONE = { nats: undefined, natsCreds: undefined, natsCa: undefined, siteTimeout: undefined, noNats: undefined };

describe('the broker of a run that continues an earlier one', () => {
  it('is the broker of the earlier run', () => {
    expect(brokerOf(KEPT, {})).to.deep.equal({ ...NONE, ...KEPT });
    expect(brokerOf(KEPT, { nats: KEPT.nats, natsCreds: '/new' })).to.deep.equal({
      ...NONE,
      ...KEPT,
      natsCreds: '/new',
    });
  });

  it('is the one that is named now, without the credentials of the earlier one', () => {
    expect(brokerOf(KEPT, { nats: 'tls://second:4222' })).to.deep.equal({
      ...NONE,
      nats: 'tls://second:4222',
      siteTimeout: 5,
    });
    const given = { nats: 'tls://second:4222', natsCreds: '/new', natsCa: '/new.pem', siteTimeout: 9 };
    expect(brokerOf(KEPT, given)).to.deep.equal({ ...NONE, ...given });
  });

  it('is not used with --no-nats', () => {
    expect(brokerOf(KEPT, { noNats: true })).to.deep.equal({ ...NONE, noNats: true });
    expect(brokerOf({}, {})).to.deep.equal(NONE);
  });

  it('is not used after --no-nats, unless a new one is named', () => {
    expect(brokerOf({ noNats: true }, {})).to.deep.equal({ ...NONE, noNats: true });
    const named = { nats: 'tls://second:4222' };
    expect(brokerOf({ noNats: true }, named)).to.deep.equal({ ...NONE, ...named });
  });
});

describe('the broker of a new run', () => {
  const PROJECT = `nats: tls://first:4222
nats_creds: first.creds
nats_ca: first.pem
environments:
  other: { nats: tls://second:4222, nats_creds: secrets/second.creds }
  same: { nats_creds: same.creds }
`;
  type Asked = Omit<Parameters<typeof withBroker>[0], 'command'>;
  const brokerFor = (asked: Asked, env: Readonly<Record<string, string>> = {}, project = PROJECT) =>
    inFolder({ 'evenkeel.yml': project }, async (cwd) => {
      const { nats, natsCreds, natsCa } = await withBroker(
        { command: { type: 'run', playbooks: [] }, ...asked },
        { cwd, env },
      );
      return [nats, natsCreds, natsCa];
    });

  it('is that of the environment, the variables or the project file', async () => {
    expect(await brokerFor({})).to.deep.equal(['tls://first:4222', 'first.creds', 'first.pem']);
    expect(await brokerFor({ env: 'same' })).to.deep.equal(['tls://first:4222', 'same.creds', 'first.pem']);
    const env = { EVENKEEL_NATS: 'tls://third:4222', EVENKEEL_NATS_CREDS: 'third.creds' };
    expect(await brokerFor({}, env)).to.deep.equal(['tls://third:4222', 'third.creds', undefined]);
    expect(await brokerFor({}, { EVENKEEL_NATS_CREDS: 'own.creds' })).to.deep.equal([
      'tls://first:4222',
      'own.creds',
      'first.pem',
    ]);
  });

  it('gets no credentials of another one', async () => {
    expect(await brokerFor({ env: 'other' })).to.deep.equal(['tls://second:4222', 'secrets/second.creds', undefined]);
    expect(await brokerFor({ env: 'other', nats: 'tls://fourth:4222' })).to.deep.equal([
      'tls://fourth:4222',
      undefined,
      undefined,
    ]);
  });

  it('gets credentials that name no broker', async () => {
    const project = 'nats_ca: ca.pem\nenvironments: { live: { nats: tls://live:4222 }, local: {} }\n';
    const env = { EVENKEEL_NATS_CREDS: 'own.creds' };
    expect(await brokerFor({ env: 'live' }, env, project)).to.deep.equal(['tls://live:4222', 'own.creds', 'ca.pem']);
    const nats = 'tls://typed:4222';
    expect(await brokerFor({ env: 'local', nats }, env, project)).to.deep.equal([nats, 'own.creds', 'ca.pem']);
  });

  it('does not exist without a URL: credentials of the project are no options that the user gave', async () => {
    const project = 'nats_ca: ca.pem\nenvironments: { local: {} }\n';
    const env = { EVENKEEL_NATS_CREDS: 'own.creds' };
    expect(await brokerFor({ env: 'local' }, env, project)).to.deep.equal([undefined, undefined, undefined]);
    const typed = { env: 'local', natsCreds: 'typed.creds' };
    expect(await brokerFor(typed, env, project)).to.deep.equal([undefined, 'typed.creds', undefined]);
  });

  it('is not needed by simulations, nor with --no-nats', async () => {
    expect(await brokerFor({ simulate: true })).to.deep.equal([undefined, undefined, undefined]);
    expect(await brokerFor({ noNats: true })).to.deep.equal([undefined, undefined, undefined]);
  });
});
