import path from 'node:path';
import { expect } from 'chai';
import { userTables } from '../../../src/launch/user_code/kind_tables.js';
import { inFolder } from '../../rig/folder.js';

const table = (structures: object): string => JSON.stringify({ format: 'evenkeel-kinds-1', kinds: {}, structures });

describe('the tables of kinds in a folder', () => {
  it('are those files, with fields of each simple type, and of other structures', () => {
    const simple = { a: 'string', b: 'integer', c: 'number', d: 'boolean', e: 'mapping', f: 'any', g: '[string]' };
    const shared = { A: { fields: { b: 'B', c: { type: '[C]' } } }, B: { fields: { c: 'C' } }, C: { fields: simple } };
    return inFolder({ 'a.kinds.json': table({}), 'b.json': '{', 'c.kinds.json': table(shared) }, (cwd) => {
      const found = userTables(cwd).map(({ file, text, data }) => [path.relative(cwd, file), text, data]);
      expect(found).to.deep.equal([
        ['a.kinds.json', table({}), JSON.parse(table({}))],
        ['c.kinds.json', table(shared), JSON.parse(table(shared))],
      ]);
      return Promise.resolve();
    });
  });
});
