import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../rig/command.js';

describe('docs/troubleshooting.md', () => {
  it('quotes messages that exist', () => {
    const files = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
    const sources = files
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(path.join(ROOT, 'src', file), 'utf8'))
      .join('\n');
    const page = readFileSync(path.join(ROOT, 'docs/troubleshooting.md'), 'utf8');
    const quoted = [...page.matchAll(/^\| `([^`]+)`/gm)].map(([, message = '']) => message);
    expect(quoted).to.have.length.above(10);
    expect(quoted.filter((message) => !sources.includes(message))).to.deep.equal([]);
  });
});
