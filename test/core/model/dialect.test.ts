import { expect } from 'chai';
import { DEFAULT_DIALECT, DIALECTS, isFreeHeader, isToken, isTraitHeader } from '../../../src/core/model/dialect.js';
import { removedText } from '../../../src/core/model/version.js';

const OF_CONNECTION =
  'authorization proxy-authorization host connection keep-alive upgrade expect content-length content-type transfer-encoding';
const WITH_MEANING =
  'accept accept-encoding accept-language user-agent cookie set-cookie referer origin content-encoding range te trailer via ' +
  'date if-match if-none-match proxy-connection x-http-method-override x-http-method x-method-override x-requested-with ' +
  'forwarded x-forwarded-for x-forwarded-host x-forwarded-proto x-original-url x-rewrite-url if-modified-since ' +
  'if-unmodified-since';

describe('the name of a header', () => {
  it('is a token', () => {
    for (const name of ["X-1!#$%&'*+.^_`|~", 'a']) expect(isToken(name), name).to.equal(true);
    for (const name of ['', 'a b', 'a:', 'ä', 'a\n', '(a)']) expect(isToken(name), name).to.equal(false);
  });

  it('is free for users and for versions, unless it has a meaning', () => {
    for (const name of ['X-Version', 'x-vendor-version'])
      expect([isFreeHeader(name), isTraitHeader(name)], name).to.deep.equal([true, true]);
    for (const name of WITH_MEANING.split(' ').flatMap((one) => [one, one.toUpperCase()]))
      expect([isFreeHeader(name), isTraitHeader(name)], name).to.deep.equal([true, false]);
    for (const name of OF_CONNECTION.split(' ').flatMap((one) => [one, one.toUpperCase(), `${one} `]))
      expect([isFreeHeader(name), isTraitHeader(name)], name).to.deep.equal([false, false]);
  });
});

describe('dialects', () => {
  it('are the API document, and that of Avi', () => {
    expect([...DIALECTS.keys()]).to.deep.equal(['generic', 'avi']);
    expect(DEFAULT_DIALECT).to.deep.equal({
      name: 'generic',
      versionHeader: 'X-Vendor-Version',
      versionPath: undefined,
      tenants: undefined,
      session: undefined,
      collectionSlash: true,
      singlesReadable: false,
      placeholderKeepsSecret: false,
      paging: undefined,
      cloudScope: undefined,
      references: undefined,
    });
    expect(DIALECTS.get('avi')).to.deep.equal({
      name: 'avi',
      versionHeader: 'X-Avi-Version',
      versionPath: '/api/initial-data',
      tenants: { header: 'X-Avi-Tenant', default: 'admin', all: '*', collection: '/api/tenant/' },
      session: {
        loginPath: '/login',
        logoutPath: '/logout',
        sessionCookies: ['avi-sessionid', 'sessionid'],
        csrfCookie: 'csrftoken',
        csrfHeader: 'X-CSRFToken',
      },
      collectionSlash: false,
      singlesReadable: true,
      placeholderKeepsSecret: true,
      paging: { sizeParameter: 'page_size', most: 200 },
      cloudScope: { field: 'cloud_ref', collection: '/api/cloud/', default: 'Default-Cloud' },
      references: { byName: true, nameParameter: 'include_name' },
    });
  });
});

describe('what was removed', () => {
  it('is named with what replaces it', () => {
    const routes = 'reach sites through controller_proxy or routes, see docs/scaling.md';
    const names =
      'evenkeel_site --nats --nats-creds --nats-ca --no-nats --site-timeout noNats nats nats_creds nats_ca worker_keys ' +
      'EVENKEEL_NATS EVENKEEL_NATS_CREDS EVENKEEL_NATS_CA';
    for (const name of ['evenkeel worker', 'evenkeel workers', ...names.split(' ')])
      expect(removedText(name)).to.equal(`${name} was removed: ${routes}`);
    expect(removedText('--workers')).to.equal(
      '--workers was removed: one process drives a whole fleet, and --shard divides it among machines, see docs/scaling.md',
    );
    expect(removedText('--limit')).to.equal(undefined);
  });
});
