import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { command, ROOT } from '../rig/command.js';
import { connections, settingsOf } from '../rig/controllers.js';
import { inFolder } from '../rig/folder.js';
import { haveAll } from '../rig/programs.js';
import { EMPTY_LIST, RudeServer } from '../rig/rude_server.js';
import { blocksOf } from './blocks.js';

const PAGE = readFileSync(path.join(ROOT, 'docs/troubleshooting.md'), 'utf8');

describe('docs/troubleshooting.md', () => {
  it('quotes messages that exist', () => {
    const files = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
    const sources = files
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(path.join(ROOT, 'src', file), 'utf8'))
      .join('\n');
    const quoted = [...PAGE.matchAll(/^\| `([^`]+)`/gm)].map(([, message = '']) => message);
    expect(quoted).to.have.length.above(10);
    expect(quoted.filter((message) => !sources.includes(message))).to.deep.equal([]);
  });

  it('saves a certificate that signed itself, which is trusted then', async function () {
    if (!haveAll('the copy of a certificate', 'openssl')) this.skip();
    const server = await RudeServer.start((socket) => socket.write(EMPTY_LIST));
    const all = connections();
    try {
      const block = blocksOf(PAGE).find(({ text }) => text.startsWith('openssl s_client'))?.text ?? '';
      await inFolder({}, async (cwd) => {
        const script = block.replace('lb1.example.com:443', new URL(server.url).host);
        const { code, stdout, stderr } = await command('bash', ['-e', '-c', script], { cwd, env: {} });
        expect(code, stderr).to.equal(0);
        const pem = readFileSync(path.join(cwd, 'lb1.pem'), 'utf8');
        expect(stdout.trim().split('=')[1]).to.equal(new X509Certificate(pem).fingerprint256);
        expect(await all.open(settingsOf(server.url, pem)).find('/api/cloud/', 'edge')).to.equal(undefined);
      });
    } finally {
      await all.close();
      await server.close();
    }
  });
});
