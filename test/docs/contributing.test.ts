import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../rig/command.js';

describe('CONTRIBUTING.md', () => {
  const page = readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const named = [...page.matchAll(/(?<![\w/])(?:src|modules|test|docs|bench|\.ci|\.github)\/[\w./-]*[\w/]/g)].map(
    ([name]) => name,
  );

  it('names only files and folders that exist', () => {
    const missing = named.filter((name) => !/NAME|dist/.test(name) && !existsSync(path.join(ROOT, name)));
    expect(missing).to.deep.equal([]);
    expect(named).to.have.length.above(25);
  });

  it('names only scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
      readonly scripts: object;
    };
    const used = [...page.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name ?? '');
    expect(Object.keys(scripts)).to.include.members(used);
  });
});
