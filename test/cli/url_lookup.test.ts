import { spawn } from 'node:child_process';
import { expect } from 'chai';
import { emptyProject, type Ended, evenkeel, ownHome, type Project, STARTED } from '../rig/command.js';
import { finishedOf } from '../rig/events_of.js';
import { freePort } from '../rig/free_port.js';
import { ProxyServer } from '../rig/proxy_server.js';
import { answer, RudeServer } from '../rig/rude_server.js';

/** In the built command: the process waits for a thread, so a server in the same process could not answer. */
describe('the lookup url', () => {
  let server: RudeServer;
  let other: RudeServer;
  let closed: string;
  let project: Project;
  let whenSlow: () => void = () => undefined;

  before(async () => {
    other = await RudeServer.start((socket) => socket.write(answer('200 OK', 'other')));
    server = await RudeServer.start((socket, head) => {
      const path = head.split(' ')[1] ?? '';
      if (path === '/slow') {
        whenSlow();
        return;
      }
      if (path === '/big') {
        socket.write('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n');
        socket.write(Buffer.alloc((16 << 20) + 1, 'a'));
        return;
      }
      socket.write(ANSWERS[path] ?? answer('404 Not Found', ''));
    }, other);
    const ANSWERS: Readonly<Record<string, string>> = {
      '/lines': answer('200 OK', 'a\r\nb\n\nc\n'),
      '/redirect': answer('302 Found', '', ['location: /lines']),
      '/elsewhere': answer('307 Temporary Redirect', '', [`location: ${other.url}/`]),
      '/plain': answer('302 Found', '', ['location: http://127.0.0.1:1/']),
      '/circle': answer('302 Found', '', ['location: /circle']),
      ...Object.fromEntries(
        Array.from({ length: 11 }, (_, hop) => [
          `/hop${hop + 1}`,
          answer('302 Found', '', [`location: ${hop === 0 ? '/lines' : `/hop${hop}`}`]),
        ]),
      ),
      '/cut': 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n',
    };
    closed = `https://127.0.0.1:${await freePort()}`;
    project = await emptyProject({
      'inv.yml': `all: { hosts: { lb1: { controller_url: ${server.url}, controller_api_version: 22.1.3 } } }\n`,
      'ca.pem': server.certificate.ca,
    });
  });
  after(() => Promise.all([server.close(), other.close(), project.remove()]));
  beforeEach(() => {
    server.requests.length = 0;
    other.requests.length = 0;
  });

  /** One task for each expression; only the failure of the last one counts. */
  async function debug(
    expressions: readonly string[],
    more: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Ended> {
    const tasks = expressions.map((one, index) => {
      const ignored = index < expressions.length - 1;
      return `    - debug: { msg: ${JSON.stringify(`<{{ ${one} }}>`)} }\n      ignore_errors: ${ignored}\n`;
    });
    const vars = `  vars: { url: '${server.url}', other: '${other.url}', closed: '${closed}' }\n`;
    await project.write('p.yml', `- hosts: all\n${vars}  tasks:\n${tasks.join('')}`);
    const args = ['run', 'p.yml', '-i', 'inv.yml', '-o', 'lines', '-v', ...more];
    return evenkeel(args, { cwd: project.directory, env });
  }

  it('returns lines or the text, and follows redirects', async () => {
    const { code, stdout, stderr } = await debug([
      'lookup("url", url ~ "/lines", ca_path="ca.pem")',
      'query("ansible.builtin.url", url ~ "/redirect", ca_path="ca.pem") | length',
      'lookup("url", url ~ "/lines", split_lines=false, ca_path="ca.pem") | length',
      'lookup("url", url ~ "/gone", ca_path="ca.pem", errors="ignore") is none',
    ]);
    expect(code, stderr).to.equal(0);
    for (const text of ['<a,b,,c>', '<4>', '<8>', '<True>']) expect(stdout).to.include(text);
  });

  it('loops over lines with with_url', async () => {
    await project.write(
      'loop.yml',
      `- hosts: all
  vars: { ansible_lookup_url_ca_path: ca.pem }
  tasks:
    - debug: { msg: "<{{ item }}>" }
      with_url: ["${server.url}/lines"]
`,
    );
    const { stdout } = await evenkeel(['run', 'loop.yml', '-i', 'inv.yml', '-o', 'lines', '-v', '--check'], {
      cwd: project.directory,
    });
    for (const text of ['<a>', '<b>', '<>', '<c>']) expect(stdout).to.include(text);
  });

  it('reports what went wrong, and where', async () => {
    const { stdout, stderr } = await debug([
      'lookup("url", url ~ "/gone?token=hidden", ca_path="ca.pem")',
      'lookup("url", url ~ "/lines")',
      'lookup("url", url ~ "/slow", ca_path="ca.pem", timeout=0.3)',
      'lookup("url", url ~ "/big", ca_path="ca.pem")',
      'lookup("url", url ~ "/plain", ca_path="ca.pem")',
      'lookup("url", url ~ "/circle", ca_path="ca.pem")',
      'lookup("url", url ~ "/hop10", ca_path="ca.pem")',
      'lookup("url", url ~ "/hop11", ca_path="ca.pem")',
      'lookup("url", url ~ "/redirect", ca_path="ca.pem", follow_redirects="none")',
      'lookup("url", closed)',
      'lookup("url", "https://gone.invalid/")',
    ]);
    const said = stdout + stderr;
    for (const message of [
      `${server.url}/gone answered 404 Not Found`,
      `the certificate of ${server.url} is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)`,
      `${server.url}/slow did not answer within 0.3 s`,
      `the answer of ${server.url}/big is larger than 16 MiB`,
      `${server.url}/plain redirects to http://127.0.0.1:1/, which is not https`,
      `${server.url}/circle redirects more than 10 times`,
      `${server.url}/hop11 redirects more than 10 times`,
      `${server.url}/redirect answered 302 Found`,
      `no answer from ${closed} (ECONNREFUSED)`,
      'no connection to https://gone.invalid: the name is unknown (',
    ])
      expect(said).to.include(message);
    expect(said).to.include('<a,b,,c>').and.not.include('/hop10 redirects');
    expect(said).to.include('--> p.yml:24:21').and.not.include('hidden');
  });

  it('sends credentials only to their origin, and never shows them', async () => {
    const { stdout, stderr } = await debug(
      [
        'lookup("url", url ~ "/elsewhere", username="me", password="s3cret-word", headers={"X-Auth-Token": "t0ken-word"}, ca_path="ca.pem")',
        'lookup("url", url ~ "/lines", headers={"X-Own": "s3cret-word t0ken-word"}, ca_path="ca.pem") ~ "s3cret-word t0ken-word"',
      ],
      ['-vvvv'],
    );
    const authorization = `Basic ${Buffer.from('me:s3cret-word').toString('base64')}`;
    expect(stdout, stderr).to.include('<other>');
    expect(server.requests[0]).to.include(authorization).and.to.include('t0ken-word');
    expect(other.requests.join()).to.not.match(/authorization|t0ken/i);
    for (const secret of ['s3cret-word', 't0ken-word', authorization]) expect(stdout + stderr).to.not.include(secret);
  });

  it('uses the proxy of the environment, unless disabled', async () => {
    const proxy = await ProxyServer.start();
    try {
      const { stdout, stderr } = await debug(
        [
          'lookup("url", url ~ "/lines", ca_path="ca.pem")',
          'lookup("url", url ~ "/lines", ca_path="ca.pem", use_proxy=false)',
        ],
        [],
        { https_proxy: `http://relay:word@${proxy.address}` },
      );
      expect(stdout, stderr).to.match(/<a,b,,c>[^]*<a,b,,c>/);
      expect(proxy.tunnels).to.deep.equal([
        { to: new URL(server.url).host, authorization: `Basic ${Buffer.from('relay:word').toString('base64')}` },
      ]);
    } finally {
      await proxy.close();
    }
  });

  it('sends one request for equal lookups within two seconds', async () => {
    const { stdout } = await debug([
      '[lookup("url", url ~ "/lines", ca_path="ca.pem"), lookup("url", url ~ "/lines", ca_path="ca.pem")]',
    ]);
    expect(stdout).to.include('a,b,,c');
    expect(server.requests).to.have.lengthOf(1);
  });

  it('reaches nothing with --simulate, nor with --no-exec', async () => {
    const simulated = await debug(['lookup("url", other ~ "/lines", ca_path="ca.pem")'], ['--simulate']);
    expect(simulated.stdout + simulated.stderr).to.include(
      `${new URL(other.url).host} cannot be reached: with --simulate, only simulated controllers can`,
    );
    const refused = await debug(
      ['lookup("url", other ~ "/lines", errors="ignore")', '["x"] | select("url") | list', '"x" is url'],
      ['--no-exec'],
    );
    expect(refused.stdout + refused.stderr).to.include('"url" sends a request, which --no-exec refuses');
    const linted = await evenkeel(['lint', 'p.yml', '-i', 'inv.yml', '--no-exec'], { cwd: project.directory });
    const found = (linted.stdout + linted.stderr).match(/"url" sends a request, which --no-exec refuses/g);
    expect(found).to.have.lengthOf(1);
    expect(other.requests).to.deep.equal([]);
  });

  it('is interrupted by Ctrl-C', async () => {
    await debug([]);
    const asked = new Promise<void>((resolve) => {
      whenSlow = resolve;
    });
    await project.write(
      'p.yml',
      `- hosts: all\n  tasks:\n    - debug: { msg: "{{ lookup('url', '${server.url}/slow', ca_path='ca.pem', timeout=60, errors='ignore') }}" }\n`,
    );
    const child = spawn(process.execPath, [...STARTED, 'run', 'p.yml', '-i', 'inv.yml', '-o', 'json'], {
      cwd: project.directory,
      env: { ...ownHome(project.directory) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    const ended = new Promise((resolve) => child.on('close', resolve));
    await asked;
    child.kill('SIGINT');
    expect(await ended).to.equal(130);
    expect(finishedOf(stdout)).to.include({ status: 'interrupted' });
    expect(stdout).to.include(`interrupted during the request to ${server.url}/slow`);
  });
});
