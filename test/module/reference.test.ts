import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { format, type FormatConfig } from 'oxfmt';
import { ROOT } from '../rig/command.js';
import { moduleReference } from '../rig/module_reference.js';

const FILE = path.resolve(import.meta.dirname, '../../docs/modules.md');
const START = '## Reference\n';
const OPTIONS = JSON.parse(readFileSync(path.join(ROOT, '.oxfmtrc.json'), 'utf8')) as FormatConfig;

describe('the reference in docs/modules.md', () => {
  it('matches the declarations of the modules (UPDATE_DOCS=1 npx mocha test/module/reference.test.ts writes it)', async () => {
    const text = await readFile(FILE, 'utf8');
    const intro = text.slice(0, text.indexOf(START) + START.length);
    const { code: expected } = await format(FILE, `${intro}\n${await moduleReference()}`, OPTIONS);
    if (process.env['UPDATE_DOCS'] === '1') await writeFile(FILE, expected);
    else expect(text).to.equal(expected);
  });
});
