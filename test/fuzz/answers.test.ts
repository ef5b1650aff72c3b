import type { Connections } from '../../src/controller/connections.js';
import { ControllerError } from '../../src/controller/exchange/call.js';
import { connections, settingsOf } from '../rig/controllers.js';
import { answer, RudeServer } from '../rig/rude_server.js';
import { Fuzz } from './rig/fuzz.js';
import { mutated } from './rig/mutations.js';

const EDGE = '{"name": "edge", "uuid": "cloud-1", "mtu": 1500, "_last_modified": "1700000000000000"}';
const ANSWERS = [
  answer('200 OK', `{"count": 1, "results": [${EDGE}], "next": "/api/cloud/?page=2"}`),
  answer('200 OK', '{"count": 0, "results": []}'),
  answer('201 Created', EDGE),
  answer(
    '200 OK',
    '{"name": "system", "dns_configuration": {"server_list": ["10.0.0.1"]}, "big": 12345678901234567890}',
  ),
  answer('409 Conflict', '{"error": "it is there already"}'),
  answer('429 Too Many Requests', '{"detail": "slow down"}', ['retry-after: 0']),
  answer('302 Found', '', ['location: https://elsewhere.example.com/']),
  'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ncontent-type: application/json\r\n\r\n1d\r\n{"count": 0, "results": []}  \r\n0\r\n\r\n',
];

describe('fuzzed answers of controllers', () => {
  const fuzz = new Fuzz();
  let server: RudeServer;
  let all: Connections;
  let said = '';

  before(async () => {
    server = await RudeServer.start((socket) => socket.end(said), { secure: false });
    all = connections({ retry: { attempts: 2, baseMs: 1, capMs: 2, deadlineSeconds: 5 } });
  });
  after(async () => {
    await all.close();
    await server.close();
    await fuzz.stop();
  });

  it('are accepted or reported', () =>
    fuzz.try(
      mutated(ANSWERS),
      60,
      async (text) => {
        said = text;
        // Each on a separate connection, so that one answer cannot affect the next.
        const session = all.open(settingsOf(server.url, undefined, { timeout: 1 }));
        const asked = await Promise.allSettled([
          session.find('/api/cloud/', 'edge'),
          session.single('/api/systemconfiguration'),
          session.request({ method: 'POST', path: '/api/x', body: { a: 1 } }),
        ]);
        await session.close();
        for (const one of asked) {
          if (one.status === 'rejected' && !(one.reason instanceof ControllerError)) throw one.reason;
        }
      },
      [ControllerError],
    )).timeout(120_000);
});
