import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import type { Value } from '../../../src/core/model/values/value.js';
import type { WebAnswer } from '../../../src/core/programs/programs.js';
import { urlLookups } from '../../../src/language/library/lookups/url.js';
import { TemplateError } from '../../../src/language/runtime/errors.js';
import type { LookupServices } from '../../../src/language/runtime/frame.js';
import { answer, answered, broken, type Answers, type AskedLookup } from './answered_lookups.js';

describe('the lookup url, request by request', () => {
  const url = (term: Value, answers: Answers, asked: AskedLookup = {}) =>
    answered(urlLookups.url, answers, { terms: [term], ...asked });

  it('asks only the simulated controller of the host, directly, where the inventory of simulated ones is used', () => {
    const own = 'https://127.0.0.1:9000';
    const answers = { [`${own}/a`]: answer(200, 'x'), [`${own}/b`]: answer(302, '', 'https://lb1.invalid/') };
    const refused = (to: string) =>
      `lookup: no request to ${to}: an inventory of simulated controllers allows no other addresses`;
    const ask = (to: string, simulated: Value, asked: AskedLookup = {}) => {
      const { found, requests } = url(to, answers, { scope: { controller_simulated_url: simulated }, ...asked });
      return [found, requests.map((request) => request.url)];
    };
    const proxied = { routeUrl: () => ({ proxies: ['http://p:3128'] }) };
    expect([
      ask(`${own}/a`, own),
      ask(`${own}/b`, own),
      ask(`${own}/a`, own, proxied),
      ask(`${own}/a`, 'none'),
      ask('https://lb1.invalid/', own, { options: { use_proxy: false } }),
    ]).to.deep.equal([
      [['x'], [`${own}/a`]],
      [refused('https://lb1.invalid/'), [`${own}/b`]],
      [refused(`${own}/a`), []],
      [refused(`${own}/a`), []],
      [refused('https://lb1.invalid/'), []],
    ]);
  });

  it('sends what its options say, and the same with those that variables set', () => {
    const plain = url('https://lb1.invalid/a?b=1#c', { 'https://lb1.invalid/a?b=1': answer(200, 'x\ry\r\nz\n') });
    expect(plain).to.deep.equal({
      found: ['x', 'y', 'z'],
      learned: [],
      requests: [
        {
          url: 'https://lb1.invalid/a?b=1',
          headers: { 'user-agent': 'evenkeel' },
          timeout: 10_000,
          ca: undefined,
          proxies: [],
          most: 1 << 24,
          insecure: false,
          session: undefined,
        },
      ],
    });
    const options = {
      timeout: 3,
      http_agent: 'me',
      force: true,
      headers: { Accept: 'text/plain', 'X-Api-Key': 'k e y' },
    };
    const one = url('https://me:se%20cret@lb1.invalid/', { 'https://lb1.invalid/': answer(200, 'x') }, { options });
    const authorization = `Basic ${Buffer.from('me:se cret').toString('base64')}`;
    expect(one.requests.map(({ headers, timeout }) => [headers, timeout])).to.deep.equal([
      [
        { 'user-agent': 'me', 'cache-control': 'no-cache', accept: 'text/plain', 'x-api-key': 'k e y', authorization },
        3000,
      ],
    ]);
    expect(one.learned).to.deep.equal([
      'se cret',
      'k e y',
      'e',
      'y',
      authorization,
      authorization.slice('Basic '.length),
    ]);
    const scope = {
      ansible_lookup_url_timeout: 4,
      ansible_lookup_url_agent: 'them',
      ansible_lookup_url_force: 'yes',
      ansible_lookup_url_follow_redirects: 'none',
    };
    const moved = { 'https://lb1.invalid/': answer(301, '', '/b', 'Moved'), 'https://lb1.invalid/b': answer(200, 'b') };
    const set = url('https://lb1.invalid/', moved, { scope });
    expect([set.found, set.requests.map(({ headers, timeout }) => [headers, timeout])]).to.deep.equal([
      'lookup: https://lb1.invalid/ answered 301 Moved',
      [[{ 'user-agent': 'them', 'cache-control': 'no-cache' }, 4000]],
    ]);
    for (const follow_redirects of ['all', 'safe', 'urllib2', 'yes', true])
      expect(url('https://lb1.invalid/', moved, { scope, options: { follow_redirects } }).found).to.deep.equal(['b']);
    expect(url('https://lb1.invalid/', moved, { options: { follow_redirects: 'no' } }).found).to.be.a('string');
  });

  it('trusts an authority from a file, and goes where the command routes it', async () => {
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'evenkeel-web-')));
    try {
      await writeFile(path.join(folder, 'ca.pem'), '-----BEGIN CERTIFICATE-----\n');
      const scope = { playbook_dir: folder, ansible_lookup_url_ca_path: 'ca.pem' };
      const asked: unknown[] = [];
      const routeUrl: LookupServices['routeUrl'] = (to, of) => {
        asked.push([to.href, of?.get('playbook_dir')]);
        return { proxies: ['http://relay.invalid'] };
      };
      const [to, found] = ['https://lb1.invalid/', answer(200, 'x')];
      const one = url(to, { [to]: found }, { scope, routeUrl });
      const other = url(to, { [to]: found }, { routeUrl, options: { use_proxy: false, ca_path: '' } });
      expect([...one.requests, ...other.requests].map(({ ca, proxies }) => [ca, proxies])).to.deep.equal([
        ['-----BEGIN CERTIFICATE-----\n', ['http://relay.invalid']],
        [undefined, ['http://relay.invalid']],
      ]);
      // Once for the key of the answer, once to send.
      expect(asked).to.deep.equal([
        [to, folder],
        [to, folder],
        [to, undefined],
        [to, undefined],
      ]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('follows redirects, and sends its headers only to the first origin', () => {
    const options = { headers: { Cookie: 'a b' } };
    const { found, requests } = url(
      'https://lb1.invalid/a',
      {
        'https://lb1.invalid/a': answer(307, '', 'https://me:x@lb2.invalid/b#c'),
        'https://lb2.invalid/b': answer(308, '', 'https://lb1.invalid/c'),
        'https://lb1.invalid/c': answer(204, 'end'),
      },
      { options },
    );
    expect([found, requests.map(({ url: to, headers }) => [to, headers['cookie']])]).to.deep.equal([
      ['end'],
      [
        ['https://lb1.invalid/a', 'a b'],
        ['https://lb2.invalid/b', undefined],
        ['https://lb1.invalid/c', 'a b'],
      ],
    ]);
    const plain = url('http://lb1.invalid/', {
      'http://lb1.invalid/': answer(302, '', 'http://lb2.invalid/'),
      'http://lb2.invalid/': answer(200, 'x'),
    });
    expect(plain.found).to.deep.equal(['x']);
  });

  it('says what went wrong', () => {
    const cases: readonly (readonly [WebAnswer, string])[] = [
      [answer(404, '', undefined, 'Not Found'), 'https://lb1.invalid/ answered 404 Not Found'],
      [answer(199), 'https://lb1.invalid/ answered 199'],
      [answer(300, '', '/x'), 'https://lb1.invalid/ answered 300'],
      [answer(302), 'https://lb1.invalid/ answered 302'],
      [answer(302, '', 'https://['), 'https://lb1.invalid/ answered 302'],
      [
        answer(303, '', 'http://lb1.invalid/x'),
        'https://lb1.invalid/ redirects to http://lb1.invalid/x, which is not https',
      ],
      [answer(302, '', '/'), 'https://lb1.invalid/ redirects more than 10 times'],
      [broken('TIMEOUT'), 'https://lb1.invalid/ did not answer within 10 s — timeout= sets the number of seconds'],
      [broken('TOO_LARGE'), 'the answer of https://lb1.invalid/ is larger than 16 MiB'],
      [
        broken('EAI_AGAIN'),
        'no connection to https://lb1.invalid: the name is unknown (EAI_AGAIN) — check the host in the URL',
      ],
      [broken('CERT_HAS_EXPIRED'), 'the certificate of https://lb1.invalid has expired'],
      [broken('ERR_TLS_CERT_ALTNAME_INVALID'), 'the certificate of https://lb1.invalid is for another name'],
      [
        broken('SELF_SIGNED_CERT_IN_CHAIN'),
        'the certificate of https://lb1.invalid is not trusted (SELF_SIGNED_CERT_IN_CHAIN) — name the authority that signed it with ca_path=',
      ],
      [broken('PROXY', 'relay refused'), 'no connection to https://lb1.invalid: relay refused'],
      [broken('ECONNRESET', 'x'), 'no answer from https://lb1.invalid (ECONNRESET)'],
      [broken('', 'lost'), 'no answer from https://lb1.invalid (lost)'],
    ];
    for (const [given, message] of cases)
      expect(
        url('https://lb1.invalid/?token=x', { 'https://lb1.invalid/?token=x': given, 'https://lb1.invalid/': given })
          .found,
      ).to.equal(`lookup: ${message}`);
    const bytes = { ...answer(200), body: Buffer.from('ok\n\xff', 'latin1') };
    expect(url('https://lb1.invalid/', { 'https://lb1.invalid/': bytes }).found).to.equal(
      'lookup: line 2 of the answer of https://lb1.invalid/ is not UTF-8 text',
    );
    const routeUrl = () => {
      throw new TemplateError('not there', { hint: 'elsewhere' });
    };
    const { found, requests } = url('https://lb1.invalid/', {}, { routeUrl });
    expect([found, requests]).to.deep.equal(['lookup: not there — elsewhere', []]);
  });
});
