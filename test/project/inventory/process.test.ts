import { expect } from 'chai';
import { executeProgram } from '../../../src/project/inventory/executable.js';
import { inFolder } from '../../rig/folder.js';

const SURROUNDINGS = { cwd: '/', env: { PATH: process.env['PATH'] } };
const MOST = 64 * 1024 * 1024;

const printing = (command: string): ReturnType<typeof executeProgram> =>
  executeProgram('/bin/sh', ['-c', command], SURROUNDINGS);

describe('An inventory program', () => {
  it('is killed if it does not end, even if a child process keeps its output open', async () => {
    const { failure } = await executeProgram('/bin/sh', ['-c', 'sleep 60 & echo begun; wait'], SURROUNDINGS, 300);
    expect(failure).to.equal('did not end within 0.3 seconds, and was ended');
  });

  it('prints to both of its outputs, and reads nothing', async () => {
    expect(await printing('cat; echo one; echo two >&2; pwd')).to.deep.equal({
      stdout: 'one\n/\n',
      stderr: 'two\n',
      failure: undefined,
    });
    expect(await printing('echo one; exit 7')).to.deep.equal({
      stdout: 'one\n',
      stderr: '',
      failure: 'ended with exit code 7',
    });
  });

  it('must print text, which is not asked of one that fails', async () => {
    expect(await printing("printf 'a\\n\\377'; echo why >&2")).to.deep.equal({
      stdout: '',
      stderr: 'why\n',
      failure: 'did not print UTF-8 text: line 2, column 1 has the byte 0xFF',
    });
    expect(await printing("printf '\\377'; kill -9 $$")).to.deep.equal({
      stdout: '',
      stderr: '',
      failure: 'was ended by signal SIGKILL',
    });
  });

  it('prints 64 MiB at most, to both together', async () => {
    const most = await printing(`head -c ${MOST - 1} /dev/zero; printf x >&2`);
    expect([most.failure, most.stdout.length, most.stderr]).to.deep.equal([undefined, MOST - 1, 'x']);
    const more = await printing(`printf xx >&2; head -c ${MOST - 1} /dev/zero`);
    expect(more.failure).to.equal('printed more than 64 MiB, and was ended');
  });

  it('may not be a program at all', () =>
    inFolder({ text: '' }, async (cwd) => {
      expect(await executeProgram(`${cwd}/text`, [], SURROUNDINGS)).to.deep.equal({
        stdout: '',
        stderr: '',
        failure: `could not be started (spawn ${cwd}/text EACCES)`,
      });
    }));
});
