import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { NoAnswer, PythonProcess } from '../../../src/core/programs/python_process.js';
import { atHome, inFolder, type Files } from '../../rig/folder.js';

/** In place of Python: answers each line on its own descriptors, of which the first does not wait until it is opened again. */
const ECHO = `#!/bin/sh
exec 3</dev/fd/3
while read -r line <&3; do
  case $line in
    silent) ;;
    end) exit ;;
    two) printf 'one\\ntwo\\n' >&4 ;;
    pid) echo $$ >&4 ;;
    rest) printf 'be' >&4; echo fore >&4 ;;
    args) echo "$0 $1 \${2##*/} $PYTHONDONTWRITEBYTECODE $OWN" >&4 ;;
    *) echo "got $line" >&4 ;;
  esac
done
`;

/** With programs in the folder, which are executable. */
const withPrograms = (files: Files, use: (folder: string) => Promise<void> | void): Promise<void> =>
  inFolder(files, async (folder) => {
    await Promise.all(Object.keys(files).map((name) => chmod(path.join(folder, name), 0o755)));
    await use(folder);
  });

const started = (folder: string, timeout = 10_000, more: Readonly<Record<string, string>> = {}) =>
  new PythonProcess({ ...process.env, EVENKEEL_PYTHON: path.join(folder, 'python'), ...more }, timeout);

describe('a process of Python', () => {
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });

  it('answers one line after another, of any length', () =>
    withPrograms({ python: ECHO }, (folder) => {
      const python = started(folder, 10_000, { OWN: 'own' });
      // Longer than a pipe holds: it arrives in parts.
      const long = 'é'.repeat(200_000);
      const lines = ['a', 'two', 'b', 'rest', long, 'args'];
      expect(lines.map((line) => python.exchange(line))).to.deep.equal([
        'got a',
        'one',
        'two',
        'got b',
        'before',
        `got ${long}`,
      ]);
      expect(python.exchange('c')).to.equal(`${path.join(folder, 'python')} -B bridge.py 1 own`);
      expect(python.exchange('pid')).to.equal('got c');
      const pid = python.exchange('pid');
      expect([Number(pid) > 0, python.exchange('pid'), python.exchange('silent')]).to.deep.equal([true, pid, pid]);
      expect(() => python.exchange('end')).to.throw(NoAnswer);
    }));

  it('is the one that is named in the home folder', () =>
    withPrograms({ python: ECHO }, (folder) =>
      atHome(folder, () => {
        expect(started('~').exchange('a')).to.equal('got a');
      }),
    ));

  it('that does not answer is ended, and another one is started', () =>
    withPrograms({ python: ECHO }, (folder) => {
      const python = started(folder, 60);
      const pid = python.exchange('pid');
      expect(() => python.exchange('silent')).to.throw(NoAnswer, /^it took longer than 0.06 s$/);
      const next = python.exchange('pid');
      expect(next).not.to.equal(pid);
      expect(() => python.exchange('end')).to.throw(NoAnswer, /^python3 ended while it ran$/);
      expect(python.exchange('pid')).not.to.equal(next);
      expect(() => python.exchange('end')).to.throw(NoAnswer);
    }));

  it('is that of Ansible if there is one, else the first in PATH', () =>
    withPrograms(
      {
        'bin/python3': ECHO,
        'own/python3.11': ECHO,
        'ansible/ansible': '#!/nowhere/python3\n',
        'words/ansible': '#!/bin/sh\n',
        'empty/x': '',
      },
      (folder) => {
        const at = (name: string): string => path.join(folder, name);
        const used = (...names: readonly string[]): string => {
          const usual = (process.env['PATH'] ?? '').split(path.delimiter);
          const python = new PythonProcess({ PATH: [...names.map(at), ...usual].join(path.delimiter) }, 10_000);
          const [name = ''] = python.exchange('args').split(' ');
          expect(() => python.exchange('end')).to.throw(NoAnswer);
          return path.relative(folder, name);
        };
        expect([used('ansible', 'bin'), used('words', 'bin')]).to.deep.equal(['bin/python3', 'bin/python3']);
        expect(() => new PythonProcess({ PATH: at('empty') }, 1000).exchange('a')).to.throw(
          NoAnswer,
          /^there is no python3 in PATH to run it$/,
        );
      },
    ));
});
