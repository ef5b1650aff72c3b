import { randomBytes } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import path from 'node:path';
import { expect } from 'chai';
import type { Mapping } from '../../../src/core/model/values/value.js';
import { emptyProject, type Project } from '../../rig/command.js';
import { tasksOf } from '../../rig/events_of.js';
import { evenkeel } from '../../rig/in_process.js';
import { RudeServer, type Manners } from '../../rig/rude_server.js';

const MIB = 2 ** 20;
const OK = 'HTTP/1.1 200 OK\r\n';
const DOWNLOAD = { file_download: { path: '/api/export', dest: 'x.json' } };
const UPLOAD = { file_upload: { path: '/api/files', src: 'big.bin', compare: false } };

describe('transfers with misbehaving controllers', () => {
  let project: Project;
  let rude: RudeServer;

  beforeEach(async () => {
    project = await emptyProject();
  });
  afterEach(async () => {
    await rude.close();
    await project.remove();
  });

  /** @param seconds how long a transfer may pause */
  async function run(manners: Manners, task: Mapping, seconds = 5): Promise<string> {
    rude = await RudeServer.start(manners);
    const vars = {
      controller_url: rude.url,
      controller_username: 'a',
      controller_password: 'b',
      controller_api_version: '22.1.3',
      controller_verify_tls: false,
      controller_timeout: seconds,
    };
    await project.write('inventory.yml', JSON.stringify({ all: { hosts: { lb1: vars } } }));
    await project.write('p.yml', JSON.stringify([{ hosts: 'all', tasks: [task] }]));
    const { stdout } = await evenkeel(['run', 'p.yml', '-i', 'inventory.yml', '-o', 'json'], {
      cwd: project.directory,
    });
    const [ended] = tasksOf(stdout);
    return `${ended?.status ?? ''}: ${ended?.message ?? ''}`;
  }

  const size = async (): Promise<number> => (await stat(path.join(project.directory, 'x.json'))).size;
  const left = async (): Promise<readonly string[]> =>
    (await readdir(project.directory)).filter((name) => name.includes('x.json'));
  const later = (ms: number, work: () => void): void => void setTimeout(work, ms);

  it('refuse an answer that does not say how long it is', async () => {
    const said = await run((socket) => socket.end(`${OK}connection: close\r\n\r\nhalf`), DOWNLOAD);
    expect(said).to.include('the answer does not say how long it is, so it may be cut off');
    expect(await left()).to.deep.equal([]);
  });

  it('refuse an answer with unrequested compression', async () => {
    const said = await run(
      (socket) => socket.write(`${OK}content-encoding: gzip\r\ncontent-length: 4\r\n\r\nhalf`),
      DOWNLOAD,
    );
    expect(said).to.include('the answer is compressed (gzip), which was not requested');
    expect(await left()).to.deep.equal([]);
  });

  it('save an answer in tens of thousands of tiny chunks', async () => {
    const said = await run((socket) => {
      socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`);
      socket.write('5\r\nhello\r\n'.repeat(100_000));
      socket.write('0\r\n\r\n');
    }, DOWNLOAD);
    expect(said).to.match(/^changed: /);
    expect(await readFile(path.join(project.directory, 'x.json'), 'utf8')).to.equal('hello'.repeat(100_000));
  });

  it('save neither a web page nor truncated JSON of the right length', async () => {
    for (const [type, body, problem] of [
      ['text/html', '<html></html>', 'GET /api/export: the controller answered with a web page, not with a file'],
      ['application/json', '{"a": [1', 'GET /api/export answered with JSON that is cut off'],
      ['application/json', '', 'GET /api/export answered with JSON that is cut off'],
    ] as const) {
      const head = `${OK}content-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n`;
      expect(await run((socket) => socket.write(head + body), DOWNLOAD)).to.equal(`failed: ${problem}`);
      expect(await left()).to.deep.equal([]);
      await rude.close();
    }
  });

  it('save an empty answer', async () => {
    expect(await run((socket) => socket.write(`${OK}content-length: 0\r\n\r\n`), DOWNLOAD)).to.match(/^changed: /);
    expect(await size()).to.equal(0);
  });

  it('may take longer than controller_timeout while data arrives', async () => {
    const drip = (socket: Socket, count: number): void => {
      socket.write('x');
      if (count > 1)
        later(300, () => {
          drip(socket, count - 1);
        });
    };
    const said = await run(
      (socket) => {
        socket.write(`${OK}content-length: 6\r\n\r\n`);
        drip(socket, 6);
      },
      DOWNLOAD,
      1,
    );
    expect(said).to.match(/^changed: /);
    expect(await size()).to.equal(6);
  });

  it('start again from the first byte when an answer stops', async () => {
    const said = await run(
      (socket, _head, nth) => {
        socket.write(`${OK}content-length: 6\r\n\r\n${nth === 1 ? 'old' : 'newest'}`);
      },
      DOWNLOAD,
      1,
    );
    expect(said).to.match(/^changed: /);
    expect(await readFile(path.join(project.directory, 'x.json'), 'utf8')).to.equal('newest');
  });

  it('fail if an upload is not read for longer than controller_timeout, and do not repeat it', async () => {
    await writeFile(path.join(project.directory, 'big.bin'), randomBytes(40 * MIB));
    const said = await run((socket) => socket.pause(), UPLOAD, 1);
    expect(said).to.match(
      /^unreachable: POST \/api\/files: no data was sent or received for 1 s; .*it may have taken effect/,
    );
    expect(rude.requests).to.have.length(1);
  });

  it('report what a controller answers before it has read an upload', async () => {
    await writeFile(path.join(project.directory, 'big.bin'), randomBytes(40 * MIB));
    const body = JSON.stringify({ error: 'too large' });
    const said = await run(
      (socket) => socket.write(`HTTP/1.1 413 Too Large\r\ncontent-length: ${body.length}\r\n\r\n${body}`),
      UPLOAD,
    );
    expect(said).to.equal('failed: POST /api/files answered 413: too large');
    expect(rude.requests).to.have.length(1);
  });
});
