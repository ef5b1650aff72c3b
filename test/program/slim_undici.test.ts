import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';

const require = createRequire(import.meta.url);

describe('the build of undici', () => {
  it('has each diagnostic channel that its client asks for', () => {
    const { channels } = require('../../scripts/bundle/no_diagnostics.cjs') as { channels: object };
    const files = ['dispatcher/client.js', 'dispatcher/client-h1.js', 'core/request.js'];
    const sources = files.map((file) => readFileSync(require.resolve(`../../node_modules/undici/lib/${file}`), 'utf8'));
    const used = [...sources.join('').matchAll(/\bchannels\.(\w+)/g)].map(([, name = '']) => name);
    expect(used).to.not.be.empty;
    expect(channels).to.include.keys(...new Set(used));
  });
});
