import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { format, resolveConfig } from 'prettier';
import { moduleReference } from '../rig/module_reference.js';

const FILE = path.resolve(import.meta.dirname, '../../docs/modules.md');
const START = '## Reference\n';

describe('the reference in docs/modules.md', () => {
  it('matches the declarations of the modules (UPDATE_DOCS=1 npx mocha test/module/reference.test.ts writes it)', async () => {
    const text = await readFile(FILE, 'utf8');
    const intro = text.slice(0, text.indexOf(START) + START.length);
    const options = { ...(await resolveConfig(FILE)), filepath: FILE };
    const expected = await format(`${intro}\n${await moduleReference()}`, options);
    if (process.env['UPDATE_DOCS'] === '1') await writeFile(FILE, expected);
    else expect(text).to.equal(expected);
  });
});
