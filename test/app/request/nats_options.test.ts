import { expect } from 'chai';
import { brokerOf } from '../../../src/app/request/nats_options.js';

const KEPT = { nats: 'tls://first:4222', natsCreds: '/creds', natsCa: '/ca.pem', siteTimeout: 5 };
const NONE = { nats: undefined, natsCreds: undefined, natsCa: undefined, siteTimeout: undefined };

describe('the broker of a run that continues an earlier one', () => {
  it('is the broker of the earlier run', () => {
    expect(brokerOf(KEPT, {})).to.deep.equal(KEPT);
    expect(brokerOf(KEPT, { nats: KEPT.nats, natsCreds: '/new' })).to.deep.equal({ ...KEPT, natsCreds: '/new' });
  });

  it('is the one that is named now, without the credentials of the earlier one', () => {
    expect(brokerOf(KEPT, { nats: 'tls://second:4222' })).to.deep.equal({
      ...NONE,
      nats: 'tls://second:4222',
      siteTimeout: 5,
    });
    const given = { nats: 'tls://second:4222', natsCreds: '/new', natsCa: '/new.pem', siteTimeout: 9 };
    expect(brokerOf(KEPT, given)).to.deep.equal(given);
  });

  it('is not used with --no-nats', () => {
    expect(brokerOf(KEPT, { noNats: true })).to.deep.equal(NONE);
    expect(brokerOf({}, {})).to.deep.equal(NONE);
  });
});
