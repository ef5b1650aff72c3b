import { expect } from 'chai';
import fc from 'fast-check';
import type { Event, TaskFinished } from '../../../src/core/model/run/event.js';
import type { Change } from '../../../src/core/model/run/result.js';
import { Unsafe, type Mapping, type Value } from '../../../src/core/model/values/value.js';
import { isClearChange, maskChange, maskEvent, SECRET_CHANGED } from '../../../src/core/secrets/mask_event.js';
import { maskText } from '../../../src/core/secrets/mask_text.js';
import { maskBody, maskMapping } from '../../../src/core/secrets/mask_value.js';
import { MASK, Secrets } from '../../../src/core/secrets/secrets.js';
import { EventMaker } from '../../rig/events.js';

const none = new Secrets();

function knowing(value: string): Secrets {
  const secrets = new Secrets();
  secrets.add(value);
  return secrets;
}

describe('masking of text that was cut', () => {
  it('hides a value whose closing quote is missing', () => {
    expect(maskText('answered 200: {"name": "a", "password": "hunter2 and mo…; it asks to wait', none)).to.equal(
      'answered 200: {"name": "a", "password": "********"…; it asks to wait',
    );
    expect(maskText('{"token": "abc', none)).to.equal('{"token": "********"');
    expect(maskText('{"name": "abc', none)).to.equal('{"name": "abc');
    expect(maskText('{"password": "a…b", "name": "c"}', none)).to.equal('{"password": "********", "name": "c"}');
  });
});

describe('masking of text that was clear before', () => {
  it('searches it again when another secret is learned', () => {
    const secrets = knowing('hunter22!');
    const text = 'cloud correcthorse';
    expect(maskText(text, secrets)).to.equal(text);
    expect(maskText(text, secrets)).to.equal(text);
    secrets.add('correcthorse');
    expect(maskText(text, secrets)).to.equal('cloud ********');
  });
});

describe('masking of values', () => {
  it('goes by name, at any depth', () => {
    const value = {
      name: 'edge',
      vcenter_configuration: { username: 'svc', password: 'x1' },
      ntp_authentication_keys: [{ key: 'abc', key_number: 7, algorithm: 'MD5' }],
      custom_tags: [{ tag_key: 'team', tag_val: 'net' }],
      token: 1234,
    };
    expect(maskMapping(value, none)).to.deep.equal({
      name: 'edge',
      vcenter_configuration: { username: 'svc', password: '********' },
      ntp_authentication_keys: [{ key: '********', key_number: 7, algorithm: 'MD5' }],
      custom_tags: [{ tag_key: 'team', tag_val: 'net' }],
      token: '********',
    });
  });

  it('masks everything under the name of a secret', () => {
    expect(maskMapping({ secret: { a: ['b', 1, true, null] }, passwords: ['x'] }, none)).to.deep.equal({
      secret: { a: ['********', '********', true, null] },
      passwords: ['********'],
    });
  });

  it('keeps options, empty values and what the controller hides itself', () => {
    const value = { secrets: 'always', password: '', token: '<sensitive>', key: null };
    expect(maskMapping(value, none)).to.deep.equal(value);
  });

  it('judges pairs of name and value by the name that they hold', () => {
    const value = {
      items: [
        { key: 'mtu', value: 1500 },
        { key: 'vca_password', value: 'x1' },
        { key: 'tokens', value: ['x1'] },
      ],
    };
    expect(maskMapping(value, none)).to.deep.equal({
      items: [
        { key: 'mtu', value: 1500 },
        { key: 'vca_password', value: '********' },
        { key: 'tokens', value: ['********'] },
      ],
    });
  });

  it('goes by value, in texts, numbers, names and text that is no template', () => {
    const value = { note: 'it is 483920', pin: 483920, list: [new Unsafe('483920')], '483920': 1 };
    expect(maskMapping(value, knowing('483920'))).to.deep.equal({
      note: 'it is ********',
      pin: '********',
      list: ['********'],
      '********': 1,
    });
  });

  it('handles endless nesting', () => {
    let value: Mapping = { password: 'x1' };
    for (let depth = 0; depth < 50_000; depth++) value = { a: value };
    expect(JSON.stringify(maskMapping(value, none))).to.not.include('x1');
  });

  it('masks every value under a secret name', () => {
    const value = fc.string({ minLength: 9 }).map((text) => `§${text}`);
    fc.assert(
      fc.property(fc.constantFrom('password', 'token', 'apiKey'), value, fc.jsonValue(), (name, secret, other) => {
        const text = JSON.stringify(maskMapping({ outer: [{ [name]: secret, other: other as null }] }, none));
        expect(text).to.not.include(JSON.stringify(secret).slice(1, -1));
      }),
    );
  });
});

describe('masking of text', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['{"password": "x1", "mtu": 1500}', '{"password": "********", "mtu": 1500}'],
    [String.raw`sent "{\"token\":\"x1\"}"`, String.raw`sent "{\"token\":\"********\"}"`],
    ["{'secret': 'x1'}", "{'secret': '********'}"],
    ['{"token": 123456}', '{"token": "********"}'],
    ['{"key":"mtu","value":1500}', '{"key":"mtu","value":1500}'],
    ['[{"key": "a"}, {"key":"b","value":"c"}]', '[{"key": "********"}, {"key":"b","value":"c"}]'],
    ['{"key":"vca_password","value":"x\\"1"} b', '{"key":"vca_password","value":"********"} b'],
    ['{"name": "token", "value": 123}', '{"name": "token", "value": "********"}'],
    ['{"key": "passwords", "value": ["x1", "x2"]}', '{"key": "passwords", "value": "********"}'],
    ['{"key": "password", "value": ["x1", "x2"]}', '{"key": "password", "value": "********"}'],
    [
      String.raw`"[{\"key\":\"token\",\"value\":\"x1\"},{\"key\":\"a\",\"value\":\"b\"}]"`,
      String.raw`"[{\"key\":\"token\",\"value\":\"********\"},{\"key\":\"a\",\"value\":\"b\"}]"`,
    ],
    [String.raw`{\"password\":\"x\\\"1\",\"a\":\"b\"}`, String.raw`{\"password\":\"********\",\"a\":\"b\"}`],
    ['{"key":"password","value":"cut of', '{"key":"password","value":"********"'],
    ['GET https://lb1/api?token=x1&name=edge', 'GET https://lb1/api?token=********&name=edge'],
    ['proxy http://user:x1@proxy:3128', 'proxy http://user:********@proxy:3128'],
    ['Authorization: Basic YWRtaW46eA==', 'Authorization: Basic ********'],
    ['pass\u200bword=x1 for \u202a"to\0ken": "x1"', 'password=******** for "token": "********"'],
    ['name\u200b=x1, the key\0 of it', 'name\u200b=x1, the key\0 of it'],
    ['user=a&password=x1&b=c', 'user=a&password=********&b=c'],
    ['Server=x;Password=x#1;U=y', 'Server=x;Password=********;U=y'],
    ['Server=x;Password=x1 x2 x3;U=y z', 'Server=x;Password=********;U=y z'],
    ['Server=x; Password=x1 x2;', 'Server=x; Password=********;'],
    ['Password=x1 x2;Server=x', 'Password=********;Server=x'],
    ['Password=x1&x2 x3; Initial Catalog=x', 'Password=********; Initial Catalog=x'],
    ['"Server=x; Password=x1 x2" failed', '"Server=x; Password=********" failed'],
    ['Server=x;Password=x1 x2 x3\nU=y', 'Server=x;Password=********\nU=y'],
    [
      'step 1;token=x1 failed on lb1: 500 (see R7); retrying',
      'step 1;token=******** failed on lb1: 500 (see R7); retrying',
    ],
    ['cd /x;API_KEY=x1 ./deploy.sh --env prod; echo', 'cd /x;API_KEY=******** ./deploy.sh --env prod; echo'],
    ['with token=x1 in 5 s; retry=3', 'with token=******** in 5 s; retry=3'],
    ['a;token=x1&name=edge', 'a;token=********&name=edge'],
    ['Server=x;Password={{ a }};U=y z', 'Server=x;Password={{ a }};U=y z'],
    ['no module takes "/x?token=x1"', 'no module takes "/x?token=********"'],
    ['password={{ db_password }} and token="{{ x }}"', 'password={{ db_password }} and token=********'],
    ['the password is wrong', 'the password is wrong'],
    ['key=value', 'key=value'],
    ['"key_number": "7"', '"key_number": "7"'],
  ];
  for (const [text, shown] of cases) {
    it(`${text} becomes ${shown}`, () => {
      expect(maskText(text, none)).to.equal(shown);
    });
  }

  it('takes no longer for hostile texts than for others', () => {
    for (const unit of ['MII\\n', '\\', '\\\\', '\\"', '\\\\\\"', '"', '…', "'", '{"key":"']) {
      for (const start of ['"private_key":"', '\\"token\\":\\"', '{"key":"token","value":"', "'secret': '"]) {
        for (const times of [27, 2_000]) {
          // A search that tries every way to read this would not end within the test's time limit.
          expect(maskText(start + unit.repeat(times), none)).to.be.a('string');
        }
      }
    }
  });

  it('reads bodies that are JSON', () => {
    expect(maskBody('{"a":{"password":"x\\"1"},"b":[1]}', none)).to.equal('{"a":{"password":"********"},"b":[1]}');
    expect(maskBody('password="x 1" a="b"', none)).to.equal('password=******** a="b"');
  });
});

describe('masking of changes', () => {
  const update = (before: Mapping, after: Mapping): Change => ({
    kind: 'update',
    object: 'cloud "edge"',
    before,
    after,
  });

  it('shows that a secret changes, and nothing else of it', () => {
    expect(maskChange(update({ password: 'old1', mtu: 1 }, { password: 'new1', mtu: 2 }), none)).to.deep.equal(
      update({ password: '********', mtu: 1 }, { password: '‹secret changed›', mtu: 2 }),
    );
  });

  it('shows no change of a secret that stays', () => {
    expect(maskChange(update({ password: 'same', a: [1] }, { password: 'same', a: [2] }), none)).to.deep.equal(
      update({ password: '********', a: [1] }, { password: '********', a: [2] }),
    );
  });

  it('finds secrets in lists and by value', () => {
    const secrets = knowing('hunter22');
    secrets.add('hunter33');
    const change = update({ urls: ['a', 'x:hunter22'] }, { urls: ['a', 'x:hunter33', 'b'] });
    expect(maskChange(change, secrets)).to.deep.equal(
      update({ urls: ['a', 'x:********'] }, { urls: ['a', 'x:‹secret changed›', 'b'] }),
    );
  });

  it('shows that a secret replaces one that the controller hides', () => {
    expect(maskChange(update({ token: '<sensitive>' }, { token: 'new1' }), none)).to.deep.equal(
      update({ token: '<sensitive>' }, { token: '‹secret changed›' }),
    );
  });

  it('masks what is created and what could not be compared', () => {
    const created: Change = { kind: 'create', object: 'cloud "edge"', before: null, after: { password: 'new1' } };
    expect(maskChange(created, none)).to.deep.equal({ ...created, after: { password: '********' } });
    const blind: Change = { kind: 'update', object: 'system configuration', before: null, after: { password: 'new1' } };
    expect(maskChange(blind, none)).to.deep.equal({ ...blind, after: { password: '********' } });
  });
});

describe('masking of events', () => {
  for (const [values, message, shown] of [
    [{ pin_password: 123 }, 'pin_password: 123', 'pin_password: ********'],
    [{ api_keys: ['a', 12] }, 'api_keys: [\n  "a",\n  12\n]', 'api_keys: [\n  "********",\n  "********"\n]'],
    [{ msg: { otp: 1, mtu: 2 } }, '{\n  "otp": 1,\n  "mtu": 2\n}', '{\n  "otp": "********",\n  "mtu": 2\n}'],
    [{ msg: 'pin is 123' }, 'pin is 123', 'pin is 123'],
  ] as const) {
    it(`shows ${JSON.stringify(values)} as ${shown}`, () => {
      const event = new EventMaker().taskFinished('lb1', 'ok', { spoken: true, message, values });
      const { message: said } = maskEvent(event, none) as TaskFinished;
      expect(said).to.equal(shown);
    });
  }

  it('leaves no secret in any event', () => {
    const make = new EventMaker();
    const secrets = knowing('hunter22');
    const source = { file: 'hunter22.yml', line: 1, column: 1 };
    const time = '2025-03-01T12:00:00.000Z';
    const underWay = {
      time,
      run: 'r1',
      play: 'hunter22',
      task: 'hunter22',
      controller: 'lb1',
      message: 'hunter22',
      source,
    };
    const change: Change = { kind: 'create', object: 'cloud "hunter22"', before: null, after: { note: 'hunter22' } };
    const task = {
      tenant: 'hunter22',
      address: 'https://x/hunter22',
      item: 'hunter22',
      task: 'hunter22',
      message: 'hunter22',
      hint: 'hunter22',
      values: { a: 'hunter22' },
      change,
    };
    const events: readonly Event[] = [
      make.runStarted({ playbooks: ['hunter22.yml', 'site.yml'], environment: 'prod' }),
      make.runFinished({ reason: 'hunter22' }),
      make.taskFinished('lb1', 'failed', { ...task, cause: source }),
      make.taskStarted('lb1', 'hunter22'),
      make.request('lb1', {
        url: 'https://x/hunter22',
        error: 'hunter22',
        requestBody: 'hunter22',
        responseBody: '"hunter22"',
      }),
      { type: 'warning', message: 'hunter22', source, time, run: 'r1' },
      make.playStarted(['lb1'], { play: 'hunter22', source }),
      make.taskFinished('lb1', 'ok', { source }),
      { ...underWay, type: 'task-retried', attempt: 2, attempts: 3 },
      { ...underWay, type: 'task-progressed' },
      {
        ...{ type: 'request-retried', time, run: 'r1', controller: 'lb1', attempt: 2, seconds: 1, left: 9 },
        ...{ awaited: 'hunter22', reason: 'hunter22' },
      },
      make.batchStarted(['lb1']),
      make.batchFinished(),
      make.playFinished(),
    ];
    for (const event of events)
      expect(maskEvent(event, secrets), event.type).to.deep.equal(
        JSON.parse(JSON.stringify(event).replaceAll('hunter22', '********')),
      );
  });
});

const OBJECT = 'pool web';

describe('a change with secrets', () => {
  let secrets: Secrets;
  beforeEach(() => {
    secrets = new Secrets();
    for (const secret of ['hunter22', 'hunter33']) secrets.add(secret);
  });

  it('of each kind is shown without them', () => {
    const object = 'pool hunter22';
    const [before, after] = [{ a: 'hunter22', password: 'x' }, { a: 'b' }];
    for (const [change, expected] of [
      [{ kind: 'none' }, { kind: 'none' }],
      [
        { kind: 'invoke', object },
        { kind: 'invoke', object: `pool ${MASK}` },
      ],
      [
        { kind: 'create', object, after: before },
        { kind: 'create', object: `pool ${MASK}`, after: { a: MASK, password: MASK } },
      ],
      [
        { kind: 'delete', object, before },
        { kind: 'delete', object: `pool ${MASK}`, before: { a: MASK, password: MASK } },
      ],
      [
        { kind: 'update', object, before: null, after: before },
        { kind: 'update', object: `pool ${MASK}`, before: null, after: { a: MASK, password: MASK } },
      ],
      [
        { kind: 'update', object, before, after },
        { kind: 'update', object: `pool ${MASK}`, before: { a: MASK, password: MASK }, after },
      ],
      [
        { kind: 'update', object: 'x', before: { a: 1, b: { c: 2 } }, after: { a: { d: 'hunter22' }, b: [3] } },
        { kind: 'update', object: 'x', before: { a: 1, b: { c: 2 } }, after: { a: { d: MASK }, b: [3] } },
      ],
    ] as unknown as readonly (readonly [Change, Change])[])
      expect(maskChange(change, secrets)).to.deep.equal(expected);
  });

  it('is itself if it has none', () => {
    for (const change of [
      { kind: 'none' },
      { kind: 'invoke', object: OBJECT, before: null, after: null },
      { kind: 'create', object: OBJECT, before: null, after: { a: 1 } },
      { kind: 'delete', object: OBJECT, before: { a: 1 }, after: null },
      { kind: 'update', object: OBJECT, before: null, after: { a: 1 } },
      { kind: 'update', object: OBJECT, before: { a: 1 }, after: { a: 2, b: [{ c: 'd' }] } },
    ] as unknown as readonly Change[]) {
      expect(isClearChange(change, secrets), change.kind).to.equal(true);
      expect(maskChange(change, secrets)).to.equal(change);
      expect(isClearChange(change, secrets), change.kind).to.equal(true);
    }
  });

  const update = (before: Mapping | null, after: Mapping): Change =>
    ({ kind: 'update', object: OBJECT, before, after }) as unknown as Change;
  const shown = (before: Mapping, after: Mapping): Value | undefined => {
    const masked = maskChange(update(before, after), secrets);
    return masked.kind === 'update' ? masked.after : undefined;
  };

  it('shows which of them change, at any depth', () => {
    const cases: readonly (readonly [before: Mapping, after: Mapping, expected: Mapping])[] = [
      [{ password: 'a' }, { password: 'b' }, { password: SECRET_CHANGED }],
      [{ password: 'a' }, { password: 'a' }, { password: MASK }],
      [{}, { password: 'b' }, { password: MASK }],
      [{ password: 5 }, { password: 6 }, { password: SECRET_CHANGED }],
      [{ password: 'a' }, { password: '' }, { password: '' }],
      [{ password: 'a' }, { password: '<sensitive>' }, { password: '<sensitive>' }],
      [{ password: 'a' }, { password: null }, { password: null }],
      [
        { a: { password: 'a', mtu: 1 }, b: { token: 'x' } },
        { a: { password: 'b', mtu: 2 }, b: { token: 'x' } },
        { a: { password: SECRET_CHANGED, mtu: 2 }, b: { token: MASK } },
      ],
      [
        { list: [{ token: 'a' }, { token: 'b' }] },
        { list: [{ token: 'a' }, { token: 'c' }, { token: 'd' }] },
        { list: [{ token: MASK }, { token: SECRET_CHANGED }, { token: MASK }] },
      ],
      [{ a: [1] }, { a: { password: 'x' } }, { a: { password: MASK } }],
      [{ a: { password: 'x' } }, { a: ['hunter22', 1] }, { a: [MASK, 1] }],
      [{ a: { 0: 'x' } }, { a: ['hunter22'] }, { a: [MASK] }],
      [{ a: 'hunter22 1' }, { a: 'hunter33 1' }, { a: `${SECRET_CHANGED} 1` }],
      [{ a: 'hunter22 1' }, { a: 'hunter33 2' }, { a: `${MASK} 2` }],
      [{ a: 'hunter22' }, { a: 'hunter22', b: 'hunter33' }, { a: MASK, b: MASK }],
      [{ a: 'plain' }, { a: 'hunter33' }, { a: MASK }],
      [{}, { hunter22: 'x', constructor: 'hunter33' }, { [MASK]: 'x', constructor: MASK }],
      [{ token: { a: 'x' } }, { token: { a: 'y', b: 'z' } }, { token: { a: SECRET_CHANGED, b: MASK } }],
    ];
    for (const [before, after, expected] of cases)
      expect(shown(before, after), JSON.stringify([before, after])).to.deep.equal(expected);
  });

  it('is shown as deeply as any value', () => {
    const nested = (levels: number, inner: Value): Value => {
      let value = inner;
      for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? { a: value } : [value];
      return value;
    };
    for (const levels of [97, 98, 99, 100, 101, 102, 103]) {
      const deep = { deep: nested(levels, { n: 'hunter22' }), also: nested(levels, 'hunter33') };
      const [before, after] = [{ ...deep, x: 'a' }, structuredClone({ ...deep, x: 'b' })];
      expect(shown(before, after), String(levels)).to.deep.equal(maskMapping(after, secrets));
      // A deeper value is shown as an ellipsis.
      if (levels > 99) continue;
      const other = { ...deep, also: nested(levels, 'hunter22') };
      expect(JSON.stringify(shown(other, after)), String(levels)).to.include(SECRET_CHANGED);
    }
  });

  it('is clear only if each part is', () => {
    const clear = (change: object): boolean => isClearChange(change as Change, secrets);
    const [plain, secret] = [{ a: 1 }, { a: 'hunter22' }];
    for (const [change, expected] of [
      [{ kind: 'invoke', object: 'hunter22' }, false],
      [{ kind: 'create', object: OBJECT, after: secret }, false],
      [{ kind: 'create', object: 'hunter22', after: plain }, false],
      [{ kind: 'delete', object: OBJECT, before: secret }, false],
      [{ kind: 'delete', object: 'hunter22', before: plain }, false],
      [update(null, secret), false],
      [update(secret, plain), false],
      [update(plain, secret), false],
      [update(plain, { a: 1, b: 'hunter33' }), false],
      [update(plain, { password: 'x' }), false],
      [update(plain, { password: '' }), true],
    ] as const)
      expect(clear(change), JSON.stringify(change)).to.equal(expected);
  });

  it('is judged by what was read where that is kept, unless its name means something else now', () => {
    const kept = { nested: ['x'] };
    expect(isClearChange(update({ name: 'mtu', value: kept }, { name: 'mtu', value: kept }), secrets)).to.equal(true);
    expect(isClearChange(update({ name: 'mtu', value: kept }, { name: 'password', value: kept }), secrets)).to.equal(
      false,
    );
    const unclear = { nested: ['hunter22'] };
    expect(isClearChange(update({ a: unclear }, { a: unclear }), secrets)).to.equal(false);
  });

  it('is judged again when another secret is learned', () => {
    const change = update({ a: 'horse77' }, { a: 'battery' });
    expect(isClearChange(change, secrets)).to.equal(true);
    secrets.add('horse77');
    expect(isClearChange(change, secrets)).to.equal(false);
    expect(maskChange(change, secrets)).to.deep.include({ before: { a: MASK }, after: { a: 'battery' } });
  });
});
