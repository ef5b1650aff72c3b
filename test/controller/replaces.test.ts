import { expect } from 'chai';
import { StaleObjectError } from '../../src/controller/exchange/call.js';
import { errorOf } from '../rig/controllers.js';
import { OneController } from '../rig/one_controller.js';

const PATH = '/api/systemconfiguration';
const WANTED = { dns_configuration: { search_domain: 'example.com' } };

describe('replaces', () => {
  const lb1 = new OneController();
  const { behave, wire } = lb1;

  it('send the body as it is', async () => {
    await lb1.session.replace(PATH, WANTED);
    expect(lb1.simulated.requests.map(({ body }) => JSON.parse(body) as unknown)).to.deep.equal([WANTED]);
    expect(lb1.simulated.object(PATH)).to.deep.include(WANTED);
  });

  it('never contain the placeholder of a secret, nor do creates and raw requests', async () => {
    const body = { name: 'x', keys: [{ password: '<sensitive>' }], text: 'the "<sensitive>" one' };
    const said = 'not sent: the body contains "<sensitive>", which a controller shows in place of a secret';
    expect((await errorOf(lb1.session.replace(PATH, body))).message).to.equal(`PUT ${PATH}: ${said}`);
    expect((await errorOf(lb1.session.create('/api/x/', 'x', body))).message).to.equal(`POST /api/x/: ${said}`);
    const raw = lb1.session.request({ method: 'PUT', path: '/api/x/1', body });
    expect((await errorOf(raw)).message).to.equal(`PUT /api/x/1: ${said}`);
    expect(wire()).to.deep.equal([]);
    await lb1.session.replace(PATH, { text: body.text });
  });

  it('treat 200 and 201 as success', async () => {
    for (const status of [200, 201]) {
      behave({ faults: [{ type: 'answer', status, body: WANTED }] });
      await lb1.session.replace(PATH, WANTED);
    }
  });

  it('are repeated unchanged after a lost reply or "not now"', async () => {
    behave({
      faults: [
        { type: 'drop', when: { method: 'PUT', nth: 1 }, applied: true },
        { type: 'answer', status: 503, when: { method: 'PUT', nth: 2 } },
      ],
    });
    await lb1.session.replace(PATH, WANTED);
    expect(wire()).to.deep.equal(['PUT lost', 'PUT 503', 'PUT 200']);
    expect(new Set(lb1.simulated.requests.map(({ body }) => body))).to.have.length(1);
  });

  it("fail with the controller's message, and are not repeated then", async () => {
    for (const status of [400, 403, 404, 409, 422, 500]) {
      behave({ faults: [{ type: 'answer', status }] });
      lb1.simulated.clearRequests();
      expect((await errorOf(lb1.session.replace(PATH, WANTED))).message).to.equal(
        `PUT /api/systemconfiguration: the controller answered ${status}: Configured to answer ${status}.`,
      );
      expect(wire()).to.have.length(1);
    }
  });

  it('do not treat an HTML page as success', async () => {
    behave({ faults: [{ type: 'garbage', form: 'html' }] });
    const error = await errorOf(lb1.session.replace(PATH, WANTED));
    expect(error.message).to.equal(
      'PUT /api/systemconfiguration: the controller answered 200, but not with JSON: <!doctype html><title>Sign in</title><p>Please sign in.</p>; it may have taken effect',
    );
    expect(error.hint).to.equal('does controller_url lead to the controller itself?');
  });

  it('report if the object changed in between, so that it is read and planned again', async () => {
    behave({ locking: true });
    const error = await errorOf(lb1.session.replace(PATH, { ...WANTED, _last_modified: '1' }));
    expect(error).to.be.instanceOf(StaleObjectError);
    expect(error.message).to.equal('PUT /api/systemconfiguration: changed by someone else since it was read (412)');
    expect(error).to.include({ outcome: 'failed', status: 412, uncertain: false });
  });

  for (const lost of [{ type: 'drop' }, { type: 'answer', status: 408 }, { type: 'answer', status: 504 }] as const)
    it(`report if the change in between may be their own, by an attempt that ended with ${JSON.stringify(lost)}`, async () => {
      behave({ locking: true, faults: [{ ...lost, when: { method: 'PUT', nth: 1 }, applied: true }] });
      const read = await lb1.session.single(PATH);
      if (read.status !== 'found') throw new Error('unreadable');
      const error = await errorOf(
        lb1.session.replace(PATH, { ...read.object, dns_configuration: { search_domain: 'new' } }),
      );
      expect(error).to.be.instanceOf(StaleObjectError);
      expect(error).to.include({ uncertain: true });
      expect(wire()).to.deep.equal(['GET 200', `PUT ${'status' in lost ? lost.status : 'lost'}`, 'PUT 412']);
    });
});
