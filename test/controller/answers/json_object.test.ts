import { expect } from 'chai';
import {
  bodyText,
  jsonObject,
  oddIn,
  rawAnswer,
  requireExact,
  requireNoError,
  singleObject,
} from '../../../src/controller/answers/json_object.js';
import { listPage, nextPath } from '../../../src/controller/answers/list_page.js';
import type { ApiAnswer, ApiCall } from '../../../src/controller/exchange/call.js';
import { DIALECTS } from '../../../src/core/model/dialect.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { settingsOf } from '../../rig/controllers.js';

const CALL: ApiCall = { method: 'GET', path: '/api/pool', repeatable: true };
const secrets = new Secrets();
secrets.add('hunter2-secret');
const CONTEXT = { settings: settingsOf('https://lb1:8443/base', undefined), secrets };
const answer = (text: string, more: Partial<ApiAnswer> = {}): ApiAnswer => ({
  status: 200,
  text,
  contentType: 'application/json',
  location: undefined,
  retryAfter: undefined,
  ...more,
});

/** The result, or what is said of the failure. */
function outcome(get: () => unknown): unknown {
  try {
    return get();
  } catch (error) {
    const { message = '', hint } = error as { readonly message?: string; readonly hint?: string };
    return hint === undefined ? message : `${message} (${hint})`;
  }
}
const WITH = 'GET /api/pool: the controller answered 200, but ';

describe('the object of an answer', () => {
  const read = (text: string, more?: Partial<ApiAnswer>) =>
    outcome(() => jsonObject(CALL, answer(text, more), CONTEXT));
  const DEEP = `{"a":${'['.repeat(250)}${']'.repeat(250)}}`;
  const LOGIN = 'does controller_url lead to the controller itself?';

  for (const [what, text, more, result] of [
    ['is JSON', '{"a": 1}', {}, { a: 1 }],
    ['is not a list', '[]', {}, `${WITH}not with a JSON object: []`],
    ['is not a text', 'oops', {}, `${WITH}not with JSON: oops`],
    ['is not UTF-8', '{}', { garbled: true }, `${WITH}not with UTF-8: {}`],
    [
      'has a name that programs misread',
      '{"__proto__": 1}',
      {},
      `${WITH}with a field named "__proto__": {"__proto__": 1}`,
    ],
    [
      'has such a name and a space',
      '{"a": [{"__proto__" : 1}]}',
      {},
      `${WITH}with a field named "__proto__": {"a": [{"__proto__" : 1}]}`,
    ],
    ['has it as a text', '{"key": "__proto__"}', {}, { key: '__proto__' }],
    [
      'has it in a text',
      String.raw`{"a": "b\"__proto__", "c\"__proto__": 1}`,
      {},
      { a: 'b"__proto__', 'c"__proto__': 1 },
    ],
    ['is a page for people', '<html>x', {}, `${WITH}not with JSON: <html>x (${LOGIN})`],
    ['is another page', ' <!DOCTYPE html>', {}, `${WITH}not with JSON: <!DOCTYPE html> (${LOGIN})`],
    ['is a page by its type', 'x', { contentType: 'text/html' }, `${WITH}not with JSON: x (${LOGIN})`],
    ['has a field with an error beside its name', '{"name": "a", "error": "no"}', {}, { name: 'a', error: 'no' }],
    ['has an empty error', '{"error": "", "errors": []}', {}, { error: '', errors: [] }],
    ['is not yet an error', '{"error": "no"}', { status: 202 }, { error: 'no' }],
  ] as const)
    it(`${what}: ${text.slice(0, 40)}`, () => {
      expect(read(text, more)).to.deep.equal(result);
    });

  it('is not nested too deeply, and no error', () => {
    expect(read(DEEP)).to.match(
      /^GET \/api\/pool: the controller answered 200, but with JSON nested more than 200 levels deep: /,
    );
    for (const status of [200, 201])
      expect(read('{"error": "no hunter2-secret"}', { status })).to.match(/error.*: no \*{8}/);
  });

  it('that exists once is no list', () => {
    const single = (text: string) => outcome(() => singleObject(CALL, answer(text), CONTEXT));
    expect(single('{"results": [], "count": 0}')).to.equal(
      `${WITH}with a list: {"results": [], "count": 0} (is this the path of a collection? Its objects are found by name)`,
    );
    expect([single('{"results": []}'), single('{"count": 1}')]).to.deep.equal([{ results: [] }, { count: 1 }]);
  });

  it('can be written back only with all its digits', () => {
    const exact = (text: string) => outcome(() => requireExact(CALL, jsonObject(CALL, answer(text), CONTEXT)));
    expect(exact('{"a": 12345678901234567890}')).to.deep.equal({ a: 12345678901234567890n });
    expect(exact('{"a": [{"b": 1e400}]}')).to.equal(
      'GET /api/pool: the field "a[0].b" is 1e400, a number that cannot be read and written back unchanged (the number is too large, so this object is left alone: change it by other means)',
    );
  });

  it('may be an error in a success', () => {
    const checked = (text: string, status = 200) =>
      outcome(() => {
        requireNoError(CALL, answer(text, { status }), CONTEXT);
      });
    for (const fine of ['', 'x', '[]', '{"name": "a", "error": "x"}', '{"detail": "x"}'])
      expect(checked(fine), fine).to.equal(undefined);
    expect([checked('{"error": "no"}', 202), checked('{"error": "no"}', 201)]).to.deep.equal([
      undefined,
      'GET /api/pool: the controller answered 201 with an error: no',
    ]);
  });
});

describe('the body of a write', () => {
  it('has no placeholder, unless the dialect keeps the secret in a PUT', () => {
    const avi = DIALECTS.get('avi');
    const text = (method: string, body: object, dialect = avi) =>
      outcome(() => bodyText(method, '/api/x', body as never, dialect));
    const hidden = { a: '<sensitive>' };
    const refused = (method: string) =>
      `${method} /api/x: not sent: the body contains "<sensitive>", which a controller shows in place of a secret (set the secret, or leave the field out)`;
    expect([text('PUT', hidden), text('POST', hidden), text('PUT', hidden, DIALECTS.get('generic'))]).to.deep.equal([
      '{"a":"<sensitive>"}',
      refused('POST'),
      refused('PUT'),
    ]);
    expect([outcome(() => bodyText('PUT', '/api/x', hidden)), text('POST', { a: 'x<sensitive>' })]).to.deep.equal([
      refused('PUT'),
      '{"a":"x<sensitive>"}',
    ]);
  });
});

describe('the body of a write that JSON would change', () => {
  it('is not sent', () => {
    for (const [body, shown] of [
      [{ a: [() => 1] }, 'a function in "a.0"'],
      [{ a: { b: undefined } }, 'undefined in "a.b"'],
      [{ a: new Map() }, 'a Map in "a"'],
      [{ a: undefined }, 'undefined in "a"'],
      [{ a: [Number.NaN] }, 'a number that is not finite in "a.0"'],
    ])
      expect(outcome(() => bodyText('POST', '/api/x', body as never))).to.equal(
        `POST /api/x: not sent: the body has ${shown as string} (a body contains text, numbers, true, false, null, and lists and mappings of them)`,
      );
    expect(bodyText('POST', '/api/x', { a: 1 })).to.equal('{"a":1}');
  });
});

describe('the answer to a raw request', () => {
  const raw = (text: string, more?: Partial<ApiAnswer>) => rawAnswer(CALL, answer(text, more), CONTEXT);
  const PAGE = {
    says: 'a web page, not JSON: <html>',
    denied: true,
    hint: 'does controller_url lead to the controller itself?',
  };

  for (const [text, more, result] of [
    ['{"a": 1}', {}, { status: 200, body: { a: 1 }, says: '{"a": 1}' }],
    ['text', {}, { status: 200, body: 'text', says: 'text' }],
    ['', { status: 204 }, { status: 204, body: '', says: '' }],
    ['{"error": "no"}', {}, { status: 200, body: { error: 'no' }, says: 'no', denied: true }],
    ['{"error": "no"}', { status: 400 }, { status: 400, body: { error: 'no' }, says: 'no' }],
    ['{"error": "no"}', { status: 202 }, { status: 202, body: { error: 'no' }, says: 'no' }],
    ['{"error": "no", "results": []}', {}, { status: 200, body: { error: 'no', results: [] }, says: 'no' }],
    [
      '{"detail": "gone"}',
      { status: 404 },
      {
        status: 404,
        body: { detail: 'gone' },
        says: 'gone',
        hint: 'check controller_url, and the path: that of a collection ends with a slash',
      },
    ],
    ['<html>', {}, { status: 200, body: '<html>', ...PAGE }],
    ['<html>', { status: 201 }, { status: 201, body: '<html>', ...PAGE }],
    ['<html>', { status: 202 }, { status: 202, body: '<html>', says: '<html>' }],
  ] as const)
    it(JSON.stringify([text, more]), () => {
      expect(JSON.parse(JSON.stringify(raw(text, more)))).to.deep.equal(result);
    });
});

describe('a page of a list', () => {
  const page = (text: string) => outcome(() => listPage(CALL, answer(text), CONTEXT));
  const NO_LIST = 'not with a list (an object whose "results" is a list of objects)';

  for (const [text, result] of [
    ['{"results": [{"a": 1}], "count": 5, "next": "/x"}', { results: [{ a: 1 }], count: 5, next: '/x' }],
    ['{"results": []}', { results: [], count: undefined, next: undefined }],
    ['{"results": [], "count": null, "next": null}', { results: [], count: undefined, next: undefined }],
    ['{"results": [], "next": ""}', { results: [], count: undefined, next: undefined }],
    ['{"results": {}}', `${WITH}${NO_LIST}: {"results": {}}`],
    ['{"results": [{}, 5]}', `${WITH}${NO_LIST}: {"results": [{}, 5]}`],
    ['{"count": 1}', `${WITH}${NO_LIST}: {"count": 1}`],
    [
      '{"results": [], "count": "1"}',
      `${WITH}with a list whose "count" is not a number: {"results": [], "count": "1"}`,
    ],
    ['{"results": [], "next": 5}', `${WITH}with a list whose "next" is not an address: {"results": [], "next": 5}`],
    [
      '{"results": [{}], "results": []}',
      `${WITH}with a list that has "results" twice: {"results": [{}], "results": []}`,
    ],
    [
      '{"results": [], "count": 1, "count": 0}',
      `${WITH}with a list that has "count" twice: {"results": [], "count": 1, "count": 0}`,
    ],
    [
      '{"next": "a", "results": [], "next": ""}',
      `${WITH}with a list that has "next" twice: {"next": "a", "results": [], "next": ""}`,
    ],
    [
      String.raw`{"results": [{}], "r\u0065sults": []}`,
      String.raw`${WITH}with a list that has "results" twice: {"results": [{}], "r\u0065sults": []}`,
    ],
    // Only the outer names count, and no texts.
    [
      '{"results": [{"results": [{"results": 1}], "count": 1}], "count": 1}',
      { results: [{ results: [{ results: 1 }], count: 1 }], count: 1, next: undefined },
    ],
    ['{"a": "results", "results": [], "b": "\\"results\\": ["}', { results: [], count: undefined, next: undefined }],
    [
      String.raw`{"results": [{"a": "\u0065", "results": 1}]}`,
      { results: [{ a: 'e', results: 1 }], count: undefined, next: undefined },
    ],
  ] as const)
    it(text, () => {
      expect(page(text)).to.deep.equal(result);
    });

  it('leads to the next page of the same controller', () => {
    const next = (to: string, path = '/api/pool?page=1') => outcome(() => nextPath({ ...CALL, path }, to, CONTEXT));
    const refused = (to: string) =>
      `GET /api/pool?page=1: the next page is at another address (${to}), which is not followed (does controller_url have the address that the controller uses in its links?)`;
    expect([
      next('https://lb1:8443/base/api/pool?page=2'),
      next('/base/api/pool?page=2&x=y'),
      next('?page=2'),
      next('pool2'),
    ]).to.deep.equal(['/api/pool?page=2', '/api/pool?page=2&x=y', '/api/pool?page=2', '/api/pool2']);
    for (const to of [
      'https://lb2:8443/base/api/pool',
      'http://lb1:8443/base/x',
      '/api/pool',
      '/base2/x',
      'https://lb1/base/x',
      '/base',
    ])
      expect(next(to)).to.equal(refused(to));
    expect(next('http://[')).to.equal(refused('http://['));
    expect(next('//lb2/hunter2-secret')).to.match(/\(\/\/lb2\/\*{8}\)/);
  });
});

describe('what is not data', () => {
  const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });

  it('is found with its path, first of all', () => {
    for (const [value, odd] of [
      [{ a: [1, { b: (): number => 1 }], c: Symbol('x') }, 'a function in "a.1.b"'],
      [[true, 'text', null, 5, Symbol('x')], 'a symbol in "4"'],
      [{ a: 1, b: { c: new Set() } }, 'a Set in "b.c"'],
      [[new Date(0)], 'a Date in "0"'],
      [{ a: new Map() }, 'a Map in "a"'],
      [{ a: { b: undefined } }, 'undefined in "a.b"'],
      [() => 1, 'a function'],
      [{ deep: nested(301) }, '"deep.a.a", which is nested more than 300 levels deep, or contains itself'],
    ] as const)
      for (const use of ['result', 'body'] as const) expect(oddIn(value, use)).to.equal(odd);
    const plain = { a: [1, 'b', false, null, { c: [] }], d: {} };
    for (const use of ['result', 'body', 'option'] as const)
      for (const value of [null, 'a', 5, true, plain, nested(300), Object.create(null)])
        expect(oddIn(value, use)).to.equal(undefined);
  });

  it('depends on what becomes of it', () => {
    const found = (value: unknown) => (['result', 'body', 'option'] as const).map((use) => oddIn(value, use));
    const none = undefined;
    expect(found(undefined)).to.deep.equal([none, none, none]);
    expect(found({ a: undefined })).to.deep.equal([none, 'undefined in "a"', none]);
    expect(found([undefined])).to.deep.equal([none, 'undefined in "0"', none]);
    expect(found({ a: { b: undefined } })).to.deep.equal(['undefined in "a.b"', 'undefined in "a.b"', none]);
    expect(found({ a: [undefined] })).to.deep.equal(Array(3).fill('undefined in "a.0"'));
    expect(found({ a: NaN })).to.deep.equal([none, ...Array<string>(2).fill('a number that is not finite in "a"')]);
    expect(found([1, -Infinity])).to.deep.equal([none, ...Array<string>(2).fill('a number that is not finite in "1"')]);
    expect(found({ a: 5n })).to.deep.equal(['a bigint in "a"', none, none]);
    expect(found({ a: 2n ** 60n })).to.deep.equal([none, none, none]);
  });

  it('leaves the path as it was if nothing is found', () => {
    const path = ['values', 'a'];
    expect(oddIn([1, { b: [2] }], 'result', path)).to.equal(undefined);
    expect(path).to.deep.equal(['values', 'a']);
    expect(oddIn([1, { b: [(): number => 2] }], 'result', path)).to.equal('a function in "values.a.1.b.0"');
  });
});
