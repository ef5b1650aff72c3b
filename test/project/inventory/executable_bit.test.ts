import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { classifySource } from '../../../src/project/inventory/source.js';
import { inFolder } from '../../rig/folder.js';

const CASES = [
  { name: 'a script', text: '#!/bin/sh\n', mode: 0o755, type: 'executable' },
  { name: 'a binary', text: '\u007fELF\0\0', mode: 0o755, type: 'executable' },
  { name: 'text that only looks executable, as on shared folders', text: 'all:\n', mode: 0o755, type: 'file' },
  { name: 'text', text: '[g]\n', mode: 0o644, type: 'file' },
] as const;

describe('the format of an inventory file', () => {
  for (const { name, text, mode, type } of CASES) {
    it(`${name}: ${type}`, () =>
      inFolder({ inv: text }, async (cwd) => {
        const file = path.join(cwd, 'inv');
        await chmod(file, mode);
        expect(await classifySource('inv', cwd)).to.deep.equal({ type, path: file });
      }));
  }

  it('is an error with a hint for a script that is not executable', () =>
    inFolder({ inv: '#!/bin/sh\n', 'my fleet': '#!/bin/sh\n', '-fleet': '#!/bin/sh\n' }, async (cwd) => {
      expect(await classifySource('inv', cwd)).to.deep.equal({
        type: 'problem',
        message: 'the inventory inv is a script, but not executable',
        hint: 'make it executable: chmod +x inv',
      });
      expect(await classifySource('my fleet', cwd)).to.include({
        hint: "make it executable: chmod +x 'my fleet'",
      });
      expect(await classifySource('-fleet', cwd)).to.include({ hint: 'make it executable: chmod +x ./-fleet' });
    }));

  it('is an error for what is neither text nor executable', () =>
    inFolder({ inv: 'lb1\0' }, async (cwd) => {
      expect(await classifySource('inv', cwd)).to.deep.equal({
        type: 'problem',
        message: 'the inventory inv is neither text nor executable',
      });
    }));
});
