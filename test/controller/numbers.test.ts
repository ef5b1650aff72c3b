import { expect } from 'chai';
import fc from 'fast-check';
import type { Connections } from '../../src/controller/connections.js';
import type { Session } from '../../src/controller/session.js';
import { inexactIn, parseMarked, parseWithDigits } from '../../src/core/model/values/json.js';
import { jsonText } from '../../src/core/model/values/value.js';
import { connections, errorOf, settingsOf } from '../rig/controllers.js';
import { answer, RudeServer } from '../rig/rude_server.js';

const HINT = 'the number is too large, so this object is left alone: change it by other means';

describe('numbers that a write would change', () => {
  let server: RudeServer;
  let all: Connections;
  let session: Session;
  let body = '';

  before(async () => {
    server = await RudeServer.start((socket) => socket.write(answer('200 OK', body)));
    all = connections();
    session = all.open(settingsOf(server.url, server.certificate.ca));
  });

  after(async () => {
    await all.close();
    await server.close();
  });

  it('fail the read of a single object, and name the field', async () => {
    body = '{"portal_configuration": {"ids": [7, 1e400]}}';
    const error = await errorOf(session.single('/api/systemconfiguration'));
    expect(error.message).to.equal(
      'GET /api/systemconfiguration: the field "portal_configuration.ids[1]" is 1e400, a number that cannot be read and written back unchanged',
    );
    expect(error).to.include({ outcome: 'failed', hint: HINT });
  });

  it('fail the read of their object, but not of others in the list', async () => {
    const big = '{"name": "core", "uuid": "2", "id": -1e400}';
    body = `{"count": 2, "results": [{"name": "edge", "uuid": "1", "id": 9007199254740992}, ${big}]}`;
    expect(await session.find('/api/cloud/', 'edge')).to.deep.equal({ name: 'edge', uuid: '1', id: 2 ** 53 });
    expect((await errorOf(session.find('/api/cloud/', 'core'))).message).to.equal(
      'GET /api/cloud/?name=core: the field "id" is -1e400, a number that cannot be read and written back unchanged',
    );
  });

  it('are text in the answer to a raw request', async () => {
    body = '{"big": -1e400, "small": 12, "text": "12345678901234567890"}';
    expect((await session.request({ method: 'GET', path: '/api/x' })).body).to.deep.equal({
      big: '-1e400',
      small: 12,
      text: '12345678901234567890',
    });
  });

  it('are distinguished from exact numbers, and from similar text', () => {
    const kept = ['9007199254740992', '-0', '1.5e3', '0.1234567890123456789', '123456789012345', '1E2', '-5e-324'];
    for (const number of kept) {
      for (const text of [number, `[${number}]`, `{"a":${number}}`, `{"a": [1 , ${number}\n]}`])
        expect(parseMarked(text), text).to.deep.equal(JSON.parse(text));
    }
    for (const number of ['1e400', '-1.5E+999'])
      for (const [text, path] of [
        [`[${number}]`, '[0]'],
        [`{"a":${number}}`, 'a'],
        [`{"a": {"b c": [1 ,\n${number}]}}`, 'a.b c[1]'],
      ] as const) {
        expect(inexactIn(parseMarked(text)), text).to.deep.equal({ path, digits: number });
        expect(JSON.stringify(parseWithDigits(text))).to.equal(
          JSON.stringify(JSON.parse(text.replace(number, `"${number}"`))),
        );
      }
  });

  it('keep all their digits if they are whole', async () => {
    for (const digits of [
      '9007199254740993',
      '-9223372036854775808',
      '18446744073709551615',
      '18446744073709551616',
      '100000000000000000000000',
    ]) {
      for (const text of [digits, `[${digits}]`, `{"a":{"b c":[1,${digits}]}}`]) {
        expect(jsonText(parseMarked(text))).to.equal(text);
        expect(jsonText(parseWithDigits(text))).to.equal(text);
        expect(inexactIn(parseMarked(text))).to.equal(undefined);
      }
      body = `{"name": "edge", "uuid": "1", "id": ${digits}}`;
      expect(jsonText(await session.single('/api/systemconfiguration'))).to.include(`"id":${digits}}`);
      expect(jsonText((await session.request({ method: 'GET', path: '/api/x' })).body)).to.include(`"id":${digits}`);
    }
  });

  it('do not change how other JSON is read', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const marked = parseMarked(text);
        if (inexactIn(marked) === undefined) expect(jsonText(marked)).to.equal(JSON.stringify(JSON.parse(text)));
        expect(parseMarked(JSON.stringify({ text }))).to.deep.equal({ text });
      }),
    );
  });
});
