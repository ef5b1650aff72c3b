import { expect } from 'chai';
import { connections, errorOf, settingsOf } from '../rig/controllers.js';
import { answer, RudeServer } from '../rig/rude_server.js';

describe('answers that are not UTF-8', () => {
  it('are never read as objects, because a PUT would write their replacement characters back', async () => {
    const name = Buffer.from('Zürich', 'latin1');
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
    const body = Buffer.concat([Buffer.from('{"banner": "'), name, Buffer.from('"}')]);
    const server = await RudeServer.start((socket) => {
      socket.write(Buffer.concat([Buffer.from(`${head}content-length: ${body.length}\r\n\r\n`), body]));
    });
    const all = connections();
    const session = all.open(settingsOf(server.url, server.certificate.ca));
    const raw = { method: 'GET', path: '/api/x' };
    for (const read of [session.single('/api/x'), session.request({ ...raw, exact: true })]) {
      const error = await errorOf(read);
      expect(error.message).to.equal(
        'GET /api/x: the controller answered 200, but not with UTF-8: {"banner": "Z\ufffdrich"}',
      );
      expect(error.outcome).to.equal('failed');
    }
    expect((await session.request(raw)).status, 'others may be read').to.equal(200);
    await all.close();
    await server.close();
  });

  it('are distinguished from a replacement character that the controller sent', async () => {
    const server = await RudeServer.start((socket) => socket.write(answer('200 OK', '{"banner": "Z\ufffdrich"}')));
    const all = connections();
    expect(await all.open(settingsOf(server.url, server.certificate.ca)).single('/api/x')).to.deep.equal({
      status: 'found',
      object: { banner: 'Z\ufffdrich' },
    });
    await all.close();
    await server.close();
  });
});
