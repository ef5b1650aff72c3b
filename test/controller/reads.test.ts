import { expect } from 'chai';
import { connections, errorOf } from '../rig/controllers.js';
import { OneController } from '../rig/one_controller.js';

const EDGE = { name: 'edge', uuid: 'cloud-1', mtu: 1500 };

describe('reads', () => {
  const lb1 = new OneController();
  const { behave } = lb1;

  beforeEach(() => {
    lb1.simulated.setObjects('/api/cloud/', [EDGE]);
  });

  function hold(...names: readonly string[]): void {
    const objects = names.map((name, index) => ({ name, uuid: `cloud-${index + 1}` }));
    lb1.simulated.setObjects('/api/cloud/', objects);
  }

  const find = (name = 'edge') => lb1.session.find('/api/cloud/', name);

  it('find the object of that name', async () => {
    expect(await find()).to.deep.equal(EDGE);
    expect(await find('core')).to.equal(undefined);
  });

  it('send credentials at once, the version header, and the exact paths of the document', async () => {
    await find('a b&c=ü/?');
    await lb1.session.single('/api/systemconfiguration');
    const seen = lb1.simulated.requests;
    expect(seen.map(({ method, path, query, status }) => ({ method, path, query, status }))).to.deep.equal([
      { method: 'GET', path: '/api/cloud/', query: { name: 'a b&c=ü/?' }, status: 200 },
      { method: 'GET', path: '/api/systemconfiguration', query: {}, status: 200 },
    ]);
    for (const { headers } of seen) {
      expect(headers.authorization).to.equal(`Basic ${Buffer.from('admin:simulated').toString('base64')}`);
      expect(headers['x-vendor-version']).to.equal('22.1.3');
      expect(headers.accept).to.equal('application/json');
    }
  });

  describe('of a list', () => {
    it('match the name exactly where the filter is a substring', async () => {
      hold('edge-1', 'edge', 'the edge');
      behave({ filter: 'substring' });
      expect(await find()).to.deep.equal({ name: 'edge', uuid: 'cloud-2' });
    });

    it('match the name exactly even if the filter ignores case or does not exist', async () => {
      hold('EDGE');
      behave({ filter: 'case-insensitive' });
      expect(await find()).to.equal(undefined);
      hold('core', 'edge');
      behave({ filter: 'ignored' });
      expect(await find()).to.deep.equal({ name: 'edge', uuid: 'cloud-2' });
    });

    it('fail when several objects have the name', async () => {
      hold('edge', 'edge');
      const error = await errorOf(find());
      expect(error.message).to.equal('GET /api/cloud/?name=edge: 2 objects are named "edge": cloud-1, cloud-2');
      expect(error.hint).to.equal(
        'declare what only one of them has: its cloud_ref, or fields such as uuid under "match"',
      );
      expect(error.outcome).to.equal('failed');
    });

    it('fail when the controller counts more than it sent and the name was not among them', async () => {
      hold('edge-1', 'edge-2', 'edge');
      behave({ filter: 'substring', paging: { size: 2, next: 'missing' } });
      expect((await errorOf(find())).message).to.equal(
        'GET /api/cloud/?name=edge: the controller counts 3 objects but sent 2, so it is unknown whether this object is among the missing ones',
      );
    });

    it('find the object even if the controller counts more than it sent', async () => {
      hold('edge', 'edge-1', 'edge-2');
      behave({ filter: 'substring', paging: { size: 2, next: 'missing' } });
      expect(await find()).to.deep.equal({ name: 'edge', uuid: 'cloud-1' });
    });

    it('fail when the object has no uuid', async () => {
      lb1.simulated.setObjects('/api/cloud/', [{ name: 'edge' }]);
      expect((await errorOf(find())).message).to.equal(
        'GET /api/cloud/?name=edge: the object named "edge" has no uuid',
      );
    });

    it('fail when the uuid cannot be the end of a path', async () => {
      for (const uuid of ['', '.', '..', 7]) {
        lb1.simulated.setObjects('/api/cloud/', [{ name: 'edge', uuid }]);
        expect((await errorOf(find())).message).to.equal(
          'GET /api/cloud/?name=edge: the object named "edge" has no uuid',
        );
      }
    });

    const invalid = [
      [{ count: '1', results: [] }, 'with a list whose "count" is not a number'],
      [{ count: 0, results: [], next: { page: 2 } }, 'with a list whose "next" is not an address'],
    ] as const;
    for (const [body, what] of invalid) {
      it(`never treat as empty an answer ${what}`, async () => {
        behave({ faults: [{ type: 'answer', status: 200, body }] });
        expect((await errorOf(find())).message).to.equal(
          `GET /api/cloud/?name=edge: the controller answered 200, but ${what}: ${JSON.stringify(body)}`,
        );
      });
    }

    it('treat null as an absent count or next page', async () => {
      behave({ faults: [{ type: 'answer', status: 200, body: { count: null, results: [], next: null } }] });
      expect(await find()).to.equal(undefined);
    });

    const garbage = [
      ['html', '<!doctype html><title>Sign in</title><p>Please sign in.</p>', 'not with JSON'],
      ['truncated', '{"count": 1, "results": [{"name": "ed', 'not with JSON'],
      ['list', '[]', 'not with a JSON object'],
      [
        'shape',
        '{"count": 1, "results": {"name": "edge"}}',
        'not with a list (an object whose "results" is a list of objects)',
      ],
    ] as const;
    for (const [form, text, what] of garbage) {
      it(`never treat an invalid answer as an empty list: ${form}`, async () => {
        behave({ faults: [{ type: 'garbage', form }] });
        const error = await errorOf(find());
        expect(error.message).to.equal(`GET /api/cloud/?name=edge: the controller answered 200, but ${what}: ${text}`);
        expect(error.outcome).to.equal('failed');
      });
    }

    it('never treat an empty answer or another success as an empty list', async () => {
      behave({ faults: [{ type: 'garbage', form: 'empty' }] });
      expect((await errorOf(find())).message).to.equal(
        'GET /api/cloud/?name=edge: the controller answered 200, but not with JSON',
      );
      behave({ faults: [{ type: 'answer', status: 202, body: { count: 0, results: [] } }] });
      expect((await errorOf(find())).message).to.equal(
        'GET /api/cloud/?name=edge: the controller answered 202: {"count":0,"results":[]}',
      );
    });

    it('never treat a refusal as an empty list', async () => {
      for (const status of [400, 403, 404, 409, 422, 500]) {
        behave({ faults: [{ type: 'answer', status }] });
        lb1.simulated.clearRequests();
        const error = await errorOf(find());
        expect(error.message).to.equal(
          `GET /api/cloud/?name=edge: the controller answered ${status}: Configured to answer ${status}.`,
        );
        expect(error).to.include({ outcome: 'failed', status });
        expect(lb1.simulated.requests, 'not repeated').to.have.length(1);
      }
    });
  });

  describe('of pages', () => {
    const pages = (next: 'absolute' | 'relative' | 'foreign' | 'loop', size = 1) => {
      behave({ filter: 'substring', paging: { size, next } });
    };

    for (const next of ['absolute', 'relative'] as const) {
      it(`follow ${next} links to the last`, async () => {
        hold('edge-1', 'edge-2', 'edge');
        pages(next);
        expect(await find()).to.deep.equal({ name: 'edge', uuid: 'cloud-3' });
        hold('edge-1', 'edge-2');
        expect(await find()).to.equal(undefined);
      });
    }

    it('find a duplicate on a later page', async () => {
      hold('edge', 'edge-2', 'edge');
      pages('absolute');
      expect((await errorOf(find())).message).to.equal(
        'GET /api/cloud/?name=edge: 2 objects are named "edge": cloud-1, cloud-3',
      );
    });

    it('stay on the controller', async () => {
      hold('edge-1', 'edge-2');
      pages('foreign');
      const error = await errorOf(find());
      expect(error.message).to.equal(
        'GET /api/cloud/?name=edge: the next page is at another address (https://elsewhere.invalid/api/cloud/?name=edge&page=2), which is not followed',
      );
      expect(error.hint).to.equal('does controller_url have the address that the controller uses in its links?');
    });

    it('fail when they form a loop or never end', async () => {
      hold('edge-1', 'edge-2', 'edge-3');
      pages('loop');
      expect((await errorOf(find())).message).to.equal('GET /api/cloud/?name=edge: the pages of the list form a loop');
      pages('absolute');
      const few = connections({ limits: { pages: 2 } });
      const error = await errorOf(few.open(lb1.session.settings).find('/api/cloud/', 'edge'));
      expect(error.message).to.equal('GET /api/cloud/?name=edge: the list has more than 2 pages');
      await few.close();
    });
  });

  describe('of an object without a uuid', () => {
    const single = () => lb1.session.single('/api/systemconfiguration');

    it('return the object', async () => {
      lb1.simulated.setObject('/api/systemconfiguration', { dns_configuration: { search_domain: 'x' } });
      expect(await single()).to.deep.equal({ status: 'found', object: { dns_configuration: { search_domain: 'x' } } });
    });

    for (const code of [404, 405, 501] as const) {
      it(`treat ${code} as "cannot be read", and remember it for the run`, async () => {
        behave({ unreadable: code });
        expect(await single()).to.deep.equal({ status: 'unreadable', code });
        const alias = lb1.open(lb1.settings({ controller: 'alias' }));
        expect(await alias.single('/api/systemconfiguration')).to.deep.equal({ status: 'unreadable', code });
        expect(lb1.simulated.requests).to.have.length(1);
        expect(await find(), 'lists are unaffected').to.deep.equal(EDGE);
      });
    }

    it('fail if the dialect says that such objects can always be read', async () => {
      const dialect = { ...lb1.settings().dialect, singlesReadable: true };
      const strict = lb1.open(lb1.settings({ dialect }));
      for (const code of [404, 405, 501] as const) {
        behave({ unreadable: code });
        const error = await errorOf(strict.single('/api/systemconfiguration'));
        expect(error).to.include({ outcome: 'failed', status: code });
      }
      behave({ unreadable: 404 });
      expect(await errorOf(strict.single('/api/systemconfiguration'))).to.include({
        message: 'GET /api/systemconfiguration: the controller answered 404: Method "GET" not allowed.',
        hint: 'check controller_url, and the path',
      });
    });

    it('never treat any other answer as "cannot be read"', async () => {
      for (const status of [400, 403, 410, 422, 429, 500, 503]) {
        behave({ faults: [{ type: 'answer', status }] });
        expect(await errorOf(single()), String(status)).to.include({ outcome: 'failed', status });
      }
      behave({ faults: [{ type: 'garbage', form: 'list' }] });
      expect((await errorOf(single())).message).to.equal(
        'GET /api/systemconfiguration: the controller answered 200, but not with a JSON object: []',
      );
    });
  });
});
