import { expect } from 'chai';
import {
  isJsonObject,
  type JsonObject,
  type SimulatedAnswer,
  type SimulatedUpload,
  textOrEmpty,
} from '../../../src/simulator/protocol/exchange.js';
import { bareController, bareRequest } from '../../rig/bare_controller.js';

const said = ({ status, headers, body }: SimulatedAnswer): unknown => [
  status,
  isJsonObject(body) ? (body['error'] ?? body['detail']) : body,
  ...(headers['allow'] === undefined ? [] : [headers['allow']]),
];

describe('what a simulated controller refuses', () => {
  it('has a text, and the methods that are allowed', () => {
    const { ask } = bareController('avi');
    for (const [request, expected] of [
      ['GET /api/pool/none', [404, 'Pool object not found!']],
      ['DELETE /api/healthmonitor/none', [404, 'HealthMonitor object not found!']],
      ['GET /api/cloud/none/status', [404, 'Cloud object not found!']],
      ['GET /api/pool-inventory/none', [404, 'Pool object not found!']],
      ['GET /api/pool/none/runtime', [404, 'Pool object not found!']],
      ['POST /api/virtualservice/none/scaleout', [404, 'VirtualService object not found!']],
      ['GET /api/virtualservice/none/scaleout', [405, "Method 'GET' not allowed.", 'POST']],
      ['GET /api/upgrade', [405, "Method 'GET' not allowed.", 'POST']],
      ['POST /api/upgradestatusinfo', [405, "Method 'POST' not allowed.", 'GET']],
      ['DELETE /api/fileservice/x', [405, "Method 'DELETE' not allowed.", 'GET, POST']],
      ['PUT /api/pool', [405, "Method 'PUT' not allowed.", 'GET, POST']],
      ['DELETE /api/systemconfiguration', [405, "Method 'DELETE' not allowed.", 'GET, PUT, PATCH']],
      ['GET /api/a/b/c', [404, 'Not found.']],
      ['GET /api/pool?page=2', [404, 'Invalid page.']],
      ['GET /api/pool?page=x', [400, 'page must be a number from 1.']],
      ['GET /api/pool?page_size=201', [400, 'page_size must be from 1 to 200.']],
    ] as const) {
      const [method = '', path = ''] = request.split(' ');
      expect(said(ask(method, path)), request).to.deep.equal(expected);
    }
  });

  it('is different where the API is documented', () => {
    const { ask, object } = bareController();
    const { uuid } = object('POST', '/api/cloud/', { name: 'edge' });
    for (const [request, expected] of [
      ['GET /api/cloud/none', [404, 'cloud object none not found.']],
      [`GET /api/cloud/${textOrEmpty(uuid)}`, [405, 'Method "GET" not allowed.', 'PUT, DELETE']],
      [`PATCH /api/cloud/${textOrEmpty(uuid)}`, [405, 'Method "PATCH" not allowed.', 'PUT, DELETE']],
      ['PATCH /api/cloud/', [405, 'Method "PATCH" not allowed.', 'GET, POST']],
      ['PATCH /api/systemconfiguration', [405, 'Method "PATCH" not allowed.', 'GET, PUT']],
      ['GET /api/cloud', [404, 'Not found.']],
      ['GET /api/systemconfiguration/', [404, 'Not found.']],
    ] as const) {
      const [method = '', path = ''] = request.split(' ');
      expect(said(ask(method, path)), request).to.deep.equal(expected);
    }
  });
});

describe('the pages of a simulated list', () => {
  it('name the next one in each way that controllers do, and count as they say', () => {
    const { controller, object, state } = bareController('avi');
    state.setObjects(
      '/api/pool/',
      [1, 2, 3].map((at): JsonObject => ({ uuid: `pool-${at}`, name: `p${at}` })),
    );
    const page = (path: string): unknown => {
      const { count, next, results } = object('GET', path);
      return [count, next, (results as unknown as readonly JsonObject[]).map(({ name }) => name)];
    };
    const first = '/api/pool?name.contains=p';
    for (const [next, expected] of [
      [undefined, 'https://lb1/api/pool?name.contains=p&page=2'],
      ['absolute', 'https://lb1/api/pool?name.contains=p&page=2'],
      ['relative', '/api/pool?name.contains=p&page=2'],
      ['foreign', 'https://elsewhere.invalid/api/pool?name.contains=p&page=2'],
      ['loop', 'https://lb1/api/pool?name.contains=p&page=1'],
      ['missing', undefined],
    ] as const) {
      controller.behaviour = { basic: true, paging: { size: 2, ...(next !== undefined && { next }) } };
      expect(page(first), next).to.deep.equal([3, expected, ['p1', 'p2']]);
      expect(page(`${first}&page=2`), next).to.deep.equal([3, undefined, ['p3']]);
    }
    for (const [more, count] of [
      [2, 5],
      [-1, 2],
      [-9, 0],
    ] as const) {
      controller.behaviour = { basic: true, count: more };
      expect(page(first)).to.deep.equal([count, undefined, ['p1', 'p2', 'p3']]);
    }
  });
});

describe('the uploads of a simulated controller', () => {
  const made = () => {
    const { answer, object, list } = bareController('avi');
    const send = (path: string, name: string, given: Partial<SimulatedUpload> = {}): SimulatedAnswer => {
      const file = { name, size: 7, sha256: 'abc' };
      return answer({ ...bareRequest('POST', path), upload: { isComplete: true, file, ...given } });
    };
    return { answer, object, list, send };
  };

  it('name an image by the version in the name of its file', () => {
    const { send, list } = made();
    for (const [file, name, build] of [
      ['folder/controller-22.1.4-9196.pkg', '22.1.4-9196', { version: '22.1.4', build_no: 9196 }],
      ['controller-22.1.5.pkg', '22.1.5', { version: '22.1.5' }],
      ['se-22.1.6-2p3.pkg', '22.1.6', { version: '22.1.6' }],
      ['1.2.3.4.pkg', '1.2.3.4', undefined],
      ['hsm.tar', 'hsm', undefined],
    ] as const) {
      expect(send('/api/image', file).status, file).to.equal(201);
      expect(list(`/api/image?name=${name}`)[0], file).to.deep.include({
        name,
        type: 'IMAGE_TYPE_SYSTEM',
        progress: 100,
        controller_info: {
          path: file.replace('folder/', ''),
          hash: 'abc',
          ...(build !== undefined && { build }),
        },
      });
    }
    expect(said(send('/api/image', 'other-22.1.5.pkg'))).to.deep.equal([409, 'Image with name 22.1.5 already exists.']);
  });

  it('are refused if they are none, incomplete or without a file', () => {
    const { answer, send } = made();
    for (const path of ['/api/image', '/api/fileservice/x']) {
      expect(said(answer(bareRequest('POST', path)))).to.deep.equal([400, 'The body must be multipart/form-data.']);
      expect(said(send(path, 'a', { isComplete: false }))).to.deep.equal([400, 'The upload is incomplete.']);
      expect(said(send(path, 'a', { file: undefined }))).to.deep.equal([400, 'The upload has no file.']);
    }
  });

  it('of files are listed by their folder, each once', () => {
    const { object, send } = made();
    for (const [path, name] of [
      ['/api/fileservice/one', 'a.txt'],
      ['/api/fileservice/one', 'dir/b.txt'],
      ['/api/fileservice/one', 'a.txt'],
      ['/api/fileservice/onetwo', 'c.txt'],
      ['/api/fileservice?uri=controller://three', 'd.txt'],
    ] as const)
      expect(send(path, name).status).to.equal(201);
    const files = (query: string): readonly unknown[] => {
      const { count, results } = object('GET', `/api/fileservice${query}`);
      const shown = (results as unknown as readonly JsonObject[]).map(({ modified, ...file }) => {
        expect(Date.parse(textOrEmpty(modified))).to.be.above(0);
        return file;
      });
      return [count, ...shown];
    };
    const file = (folder: string, name: string) => ({
      uri: `controller://${folder}/${name}`,
      name,
      size: 7,
      sha256: 'abc',
    });
    expect(files('/one')).to.deep.equal([2, file('one', 'b.txt'), file('one', 'a.txt')]);
    expect(files('?uri=controller://onetwo')).to.deep.equal([1, file('onetwo', 'c.txt')]);
    expect(files('?uri=controller://three/d.txt')).to.deep.equal([1, file('three', 'd.txt')]);
    expect(files('?uri=controller://thre')).to.deep.equal([0]);
  });
});
