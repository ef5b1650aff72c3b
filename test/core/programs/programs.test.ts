import path from 'node:path';
import { expect } from 'chai';
import { findProgram, mayExecute, programs } from '../../../src/core/programs/programs.js';
import { inFolder } from '../../rig/folder.js';

describe('programs', () => {
  it('are started unless --no-exec forbids it', () => {
    const values = [undefined, '', '0', 'false', 'No', 'OFF', '1', 'yes', ' '];
    expect(values.map((EVENKEEL_NO_EXEC) => mayExecute({ EVENKEEL_NO_EXEC }))).to.deep.equal([
      true,
      true,
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(() => programs(false)).to.throw(Error, /^--no-exec does not start programs or load code$/);
  });

  it('are found in the first absolute folder of PATH that has one', () =>
    inFolder({ 'a/other': '', 'b/tool': '', 'c/tool': '' }, (folder) => {
      const PATH = ['a', 'b', 'c'].map((name) => path.join(folder, name)).join(path.delimiter);
      const relative = path.relative(process.cwd(), path.join(folder, 'c'));
      expect([
        findProgram('tool', { PATH }),
        findProgram('none', { PATH }),
        findProgram('tool', {}),
        findProgram('tool', { PATH: relative }),
      ]).to.deep.equal([path.join(folder, 'b/tool'), undefined, undefined, undefined]);
      return Promise.resolve();
    }));

  it('give the output of a command in its folder, or why it failed', () =>
    inFolder({ 'file with text': 'text' }, (folder) => {
      const { shellOutput } = programs(true);
      const output = (command: string) => Buffer.from(shellOutput(command, folder)).toString();
      expect([output('cat file*'), output('pwd; echo hidden >&2')]).to.deep.equal(['text', `${folder}\n`]);
      const failure = (command: string, cwd = folder): readonly unknown[] => {
        try {
          return [shellOutput(command, cwd)];
        } catch (error) {
          const { message, status, stderr } = error as Error & { status: unknown; stderr: Buffer };
          return [message, status, stderr.toString()];
        }
      };
      expect(failure('echo wrong >&2; exit 3')).to.deep.equal(['it ended by null', 3, 'wrong\n']);
      expect(failure('true', path.join(folder, 'none'))).to.deep.equal(['spawn /bin/sh ENOENT', 'ENOENT', '']);
      return Promise.resolve();
    }));

  it('may be code of the project, with other modules in place of those that it imports', () =>
    inFolder(
      {
        'own.ts':
          "import { n } from 'packed';\nconst all: readonly number[] = [n];\nexport default all;\nexport const x = 1;\n",
        'packed.mjs': 'export const n = 7;\n',
      },
      async (folder) => {
        const packed = `file://${path.join(folder, 'packed.mjs')}`;
        expect(await programs(true).importCode(path.join(folder, 'own.ts'), { packed })).to.deep.equal([7]);
      },
    ));
});
