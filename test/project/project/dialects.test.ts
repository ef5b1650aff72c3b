import { expect } from 'chai';
import { DIALECTS } from '../../../src/core/model/dialect.js';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { loadProject } from '../../../src/project/project/project.js';
import { TRAITS } from '../../../src/project/project/traits.js';
import { inFolder } from '../../rig/folder.js';
import { worded } from '../../rig/loaded.js';

function dialectsIn(yaml: string) {
  return inFolder({ 'evenkeel.yml': yaml }, async (root) => {
    const diagnostics = new Diagnostics();
    const { dialects } = await loadProject(root, {}, diagnostics);
    return { dialects, said: diagnostics.list.map(worded) };
  });
}

describe('dialects of a project', () => {
  const avi = DIALECTS.get('avi');

  it('are the built-in ones if it defines none', async () => {
    expect((await dialectsIn('forks: 3')).dialects).to.equal(DIALECTS);
    expect((await dialectsIn('dialects:')).dialects).to.equal(DIALECTS);
  });

  it('extend others, in any order, and inherit the settings that they omit', async () => {
    const { dialects, said } = await dialectsIn(`
dialects:
  lab: { extends: site, collection_slash: true, default_tenant: lab }
  site:
    extends: avi
    version_header: X-Site-Version
    session_cookies: sid
`);
    expect(said).to.deep.equal([]);
    const site = {
      ...avi,
      name: 'site',
      versionHeader: 'X-Site-Version',
      session: { ...avi?.session, sessionCookies: ['sid'] },
    };
    expect([...dialects.keys()]).to.deep.equal(['generic', 'avi', 'site', 'lab']);
    expect(dialects.get('site')).to.deep.equal(site);
    expect(dialects.get('lab')).to.deep.equal({
      ...site,
      name: 'lab',
      collectionSlash: true,
      tenants: { ...avi?.tenants, default: 'lab' },
    });
  });

  it('extend the API document by default, and remove a group with null', async () => {
    const { dialects, said } = await dialectsIn(`
dialects:
  plain:
  bare: { extends: avi, tenant_header: null, login_path: ~, page_size_parameter: null, cloud_field: null, references_by_name: null, version_path: null }
`);
    expect(said).to.deep.equal([]);
    expect(dialects.get('plain')).to.deep.equal({ ...DIALECTS.get('generic'), name: 'plain' });
    expect(dialects.get('bare')).to.deep.equal({
      ...DIALECTS.get('generic'),
      name: 'bare',
      versionHeader: 'X-Avi-Version',
      collectionSlash: false,
      singlesReadable: true,
      placeholderKeepsSecret: true,
    });
  });

  it('can set every trait', async () => {
    const lines = TRAITS.map((trait) => `    ${trait.name}: ${JSON.stringify(avi && trait.valueIn(avi))}\n`);
    const { dialects, said } = await dialectsIn(`dialects:\n  full:\n${lines.join('')}`);
    expect(said).to.deep.equal([]);
    expect(dialects.get('full')).to.deep.equal({ ...avi, name: 'full' });
  });

  it('are refused with the position of the mistake', async () => {
    const { said } = await dialectsIn(`
dialects:
  avi: {}
  a: { extends: b }
  b: { extends: a }
  c: { extends: avy, tenant_heder: X }
  d: { tenant_header: X-T, csrf_header: X-C }
  e: { version_header: "a b", login_path: login, extends: avi, collection_slash: perhaps, most_per_page: none }
  f: { version_header: null }
  g: 7
  h: { extends: something }
  long: { extends: lonh }
  m: { extends: lonh }
  "": { tenant_header: 7 }
`);
    expect(said).to.deep.equal([
      'evenkeel.yml:3:3 the dialect "avi" is built in — choose another name, and set "extends: avi"',
      'evenkeel.yml:5:17 the dialect "a" extends itself: a → b → a',
      'evenkeel.yml:6:17 there is no dialect "avy" — did you mean "avi"?',
      'evenkeel.yml:6:22 "tenant_heder" is not a keyword of a dialect — did you mean "tenant_header"?',
      'evenkeel.yml:7:3 the dialect "d" has tenant_header, which needs default_tenant, all_tenants, tenant_collection',
      'evenkeel.yml:7:28 "csrf_header" has no meaning without login_path',
      'evenkeel.yml:8:24 "version_header" must be the name of a header that has no meaning of its own, such as X-Version, not "a b"',
      'evenkeel.yml:8:43 "login_path" must be a path that begins with "/", without "..", "//", "?" or "#", not "login"',
      'evenkeel.yml:8:82 "collection_slash" must be true or false, not "perhaps"',
      'evenkeel.yml:8:106 "most_per_page" must be a whole number from 1, not "none"',
      'evenkeel.yml:9:6 "version_header" of the dialect "f" must not be null',
      'evenkeel.yml:10:6 the dialect "g" must be a mapping of traits, not 7',
      'evenkeel.yml:11:17 there is no dialect "something" — known dialects: generic, avi, a, b, c, d, e, f, g, long, m',
      'evenkeel.yml:12:20 there is no dialect "lonh" — known dialects: generic, avi, a, b, c, d, e, f, g, h, m',
      'evenkeel.yml:13:17 there is no dialect "lonh" — did you mean "long"?',
      'evenkeel.yml:14:3 a dialect needs a name, such as acme',
    ]);
  });

  it('cannot use headers that have a meaning of their own', async () => {
    const names =
      `connection keep-alive upgrade expect content-length content-type transfer-encoding Accept accept-encoding
      accept-language user-agent cookie set-cookie Referer origin content-encoding range te trailer via date if-match
      if-none-match proxy-connection X-HTTP-Method-Override x-http-method x-method-override x-requested-with forwarded
      x-forwarded-for X-Forwarded-Host x-forwarded-proto x-original-url x-rewrite-url if-modified-since
      if-unmodified-since`.split(/\s+/);
    const lines = names.map((name, at) => `  d${at}: { version_header: ${name} }\n`);
    const { said } = await dialectsIn(`dialects:\n${lines.join('')}`);
    expect(said.map((one) => /not "(.*)"$/.exec(one)?.[1])).to.deep.equal(names);
  });

  for (const [trait, value, says] of [
    ...['Authorization', 'host', 'COOKIE', 'Content-Length', 'X:Y', 'X\r\nY', ''].flatMap((header) =>
      ['version_header', 'tenant_header', 'csrf_header'].map(
        (name) => [name, header, 'must be the name of a header that has no meaning of its own'] as const,
      ),
    ),
    ...[
      '/api/../x',
      '/api/%2e%2e/x',
      '/api/./x',
      '/api?x',
      '/api#x',
      '//evil',
      '/a//b',
      '/a b',
      '/a\\b',
      '/a\nb',
      'api',
      '/ü',
    ].flatMap((path) =>
      ['version_path', 'tenant_collection', 'login_path', 'logout_path', 'cloud_collection'].map(
        (name) => [name, path, 'must be a path that begins with "/", without "..", "//", "?" or "#"'] as const,
      ),
    ),
    ...['a&name=x', 'a=b', 'a b', 'a#', '%61', 'cloud_ref.name', 'a\nb', ''].flatMap((text) =>
      ['page_size_parameter', 'reference_name_parameter'].map(
        (name) => [name, text, 'must be a name of letters, digits, "_" and "-"'] as const,
      ),
    ),
    ...['a\r\nX: y', ' a', 'a ', 'ü', '\x07', 'x'.repeat(300)].flatMap((text) =>
      ['default_tenant', 'all_tenants'].map((name) => [name, text, 'must be one line of ASCII'] as const),
    ),
    ...['a=b', 'a;b', 'a b', 'a\nb', ''].flatMap((text) =>
      ['session_cookies', 'csrf_cookie'].map((name) => [name, text, 'must be the name of a cookie'] as const),
    ),
    ...['a.b', 'name', 'uuid', 'tenant_ref', 'url', '_last_modified', 'UUID'].map(
      (field) => ['cloud_field', field, 'must be the name of a field that not every object has'] as const,
    ),
    ['session_cookies', [], '"session_cookies" must not be empty'],
    ['logout_path', '/login', '"logout_path" of the dialect "x" must not be the same as "login_path"'],
    ['version_path', '/login/', '"version_path" of the dialect "x" must not be the same as "login_path"'],
    ['cloud_collection', '/api/tenant', 'must not be the same as "tenant_collection"'],
    ['tenant_collection', '/api/cloud/', 'must not be the same as "cloud_collection"'],
    ['default_cloud', 'a\nb', 'must be a name on one line'],
    ['most_per_page', 1e30, 'must be a whole number from 1 to 100000'],
    ['most_per_page', 100_001, 'must be a whole number from 1 to 100000'],
    ['most_per_page', 0, 'must be a whole number from 1'],
    ['tenant_header', 'x-avi-version', '"tenant_header" of the dialect "x" must not be the same as "version_header"'],
    ['version_header', 'X-AVI-Tenant', '"version_header" of the dialect "x" must not be the same as "tenant_header"'],
    ['csrf_header', 'X-Avi-Version', '"csrf_header" of the dialect "x" must not be the same as "version_header"'],
    ['default_tenant', '*', '"default_tenant" of the dialect "x" must not be the same as "all_tenants"'],
    ['csrf_cookie', 'sessionid', '"csrf_cookie" of the dialect "x" must not be the same as "session_cookies"'],
    ['page_size_parameter', 'include_name', 'must not be the same as "reference_name_parameter"'],
    ...['name', 'page', 'UUID'].flatMap((text) =>
      ['page_size_parameter', 'reference_name_parameter'].map(
        (name) => [name, text, `"${name}" must not be "${text}", which requests need for themselves`] as const,
      ),
    ),
    ['csrf_header', 'x-avi-tenant', '"csrf_header" of the dialect "x" must not be the same as "tenant_header"'],
    ['version_path', '/logout', '"version_path" of the dialect "x" must not be the same as "logout_path"'],
    ['default_cloud', 'x'.repeat(201), `must be a name on one line, not "${'x'.repeat(20)}…"`],
  ] as const)
    it(`refuse ${trait}: ${JSON.stringify(value).slice(0, 40)} at its line`, async () => {
      const { said } = await dialectsIn(`dialects:\n  x:\n    extends: avi\n    ${trait}: ${JSON.stringify(value)}\n`);
      expect(said).to.have.length(1);
      expect(said[0])
        .to.match(/^evenkeel\.yml:4:/)
        .and.to.include(says);
    });

  it('refuse traits that are equal to inherited or own ones once, at the written one', async () => {
    const { said } = await dialectsIn(
      'dialects:\n  x: { version_header: X-A, tenant_header: x-a, default_tenant: a, all_tenants: b, tenant_collection: /t }\n',
    );
    expect(said).to.deep.equal([
      'evenkeel.yml:2:44 "tenant_header" of the dialect "x" must not be the same as "version_header": x-a',
    ]);
  });

  it('must be a mapping', async () => {
    expect((await dialectsIn('dialects: [avi]')).said).to.deep.equal([
      'evenkeel.yml:1:11 "dialects" must be a mapping of names to traits, not a list',
    ]);
  });
});
