import { type FSWatcher, readdirSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import type { CommandContext } from '../../src/cli/context.js';
import { edit } from '../../src/vault/editor.js';
import { inFolder } from '../rig/folder.js';
import { inFolderWithScripts } from '../rig/scripts.js';

describe('a text in an editor', () => {
  const before = process.env['TMPDIR'];
  afterEach(() => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  });

  it('is on disk only while signals are watched', async () => {
    await inFolder({}, async (folder) => {
      process.env['TMPDIR'] = folder;
      const stages: string[] = [];
      const files = (): string => readdirSync(folder, { recursive: true, encoding: 'utf8' }).join(' ');
      const context = {
        env: { PATH: process.env['PATH'], EDITOR: 'true' },
        cwd: folder,
        stdin: new PassThrough(),
        signals: {
          onTermination: () => {
            stages.push(files());
            return () => stages.push(files());
          },
        },
      };
      const edited = await edit(Buffer.from('token: s3cr3t\n'), 'a.yml', context as unknown as CommandContext);
      expect(edited).to.deep.equal({ status: 'ok', content: Buffer.from('token: s3cr3t\n') });
      expect(stages[0]).to.match(/^evenkeel-vault-\w+$/);
      expect(stages[1]).to.equal('');
    });
  });

  it('is removed with its folder if the process ends meanwhile', async () => {
    await inFolder({}, async (folder) => {
      process.env['TMPDIR'] = folder;
      let leave = (): void => undefined;
      let left: readonly string[] | undefined;
      const context = {
        env: { PATH: process.env['PATH'], EDITOR: 'true' },
        signals: {
          atExit: (act: () => void) => (leave = act),
          onTermination: () => {
            writeFileSync(path.join(folder, readdirSync(folder)[0] ?? '', 'copy.yml'), 's3cr3t');
            leave();
            left = readdirSync(folder);
          },
        },
      };
      const edited = await edit(Buffer.from('s3cr3t'), 'a.yml', context as unknown as CommandContext);
      expect(edited).to.deep.equal({
        status: 'failed',
        message: `cannot write or read the copy for the editor in ${folder}: no such file or directory`,
        exitCode: 1,
      });
      expect(left).to.deep.equal([]);
    });
  });

  it('is what $EDITOR leaves, else $VISUAL, in a file with the extension of its own', async () => {
    const scripts = { first: 'basename "$1" > "$1"', second: 'echo second $1 > "$2"' };
    const files = Object.entries(scripts).map(([name, text]) => [name, `#!/bin/sh\n${text}\n`] as const);
    await inFolderWithScripts(Object.fromEntries(files), async (folder) => {
      process.env['TMPDIR'] = folder;
      for (const [EDITOR, VISUAL, expected] of [
        ['./first', './second 1', 'content.yml\n'],
        ['', './second 1', 'second 1\n'],
        [undefined, './first', 'content.yml\n'],
        ["sh -c 'exit 3'", './first', "the editor (sh -c 'exit 3') ended with exit code 3"],
        ['kill -KILL $$;', './first', 'the editor (kill -KILL $$;) was ended by signal SIGKILL'],
      ] as const) {
        const context = {
          env: { PATH: process.env['PATH'], EDITOR, VISUAL },
          cwd: folder,
          stdin: new PassThrough(),
          signals: {},
        };
        const edited = await edit(Buffer.from('a: b\n'), 'secrets.yml', context as unknown as CommandContext);
        const text = edited.status === 'ok' ? edited.content.toString() : edited.message;
        expect(text).to.equal(expected);
      }
      expect(readdirSync(folder).toSorted()).to.deep.equal(['first', 'second']);
    });
  });

  it('is discarded if a signal ends the editor, which the first one does', async () => {
    const files = { wait: '#!/bin/sh\nexec sleep 100\n' };
    await inFolderWithScripts(files, async (folder) => {
      process.env['TMPDIR'] = folder;
      for (const [signals, exitCode] of [
        [['SIGHUP', 'SIGTERM'], 129],
        [['SIGTERM'], 143],
      ] as const) {
        let isWatched = false;
        const context = {
          env: { PATH: process.env['PATH'], EDITOR: './wait' },
          cwd: folder,
          stdin: new PassThrough(),
          signals: {
            onTermination: (act: (signal: NodeJS.Signals) => void) => {
              isWatched = true;
              setImmediate(() => {
                for (const signal of signals) act(signal);
              });
              return () => (isWatched = false);
            },
          },
        };
        const edited = await edit(Buffer.from('a: b\n'), 'a.yml', context as unknown as CommandContext);
        expect([edited, isWatched]).to.deep.equal([
          { status: 'failed', message: `${signals[0]} ended the editor (./wait)`, exitCode },
          false,
        ]);
      }
    });
  });

  it('is discarded although the editor ends as it should at a signal, which it gets', async () => {
    const wait = '#!/bin/sh\ntrap "touch ended; exit 0" TERM\ntouch ready\nwhile :; do sleep 0.05; done\n';
    await inFolderWithScripts({ wait }, async (folder) => {
      process.env['TMPDIR'] = folder;
      let watcher: FSWatcher | undefined;
      const onTermination = (act: (signal: NodeJS.Signals) => void) => {
        watcher = watch(folder, (_, name) => {
          if (name === 'ready') act('SIGTERM');
        });
        return () => undefined;
      };
      const env = { PATH: process.env['PATH'], EDITOR: './wait' };
      const context = { env, cwd: folder, stdin: new PassThrough(), signals: { onTermination } };
      const edited = await edit(Buffer.from('a: b\n'), 'a.yml', context as unknown as CommandContext);
      watcher?.close();
      expect(edited).to.deep.include({ status: 'failed', exitCode: 143 });
      expect(readdirSync(folder)).to.include('ended');
    });
  });

  it('is not changed if the editor cannot be started, or must not be', async () => {
    await inFolder({}, async (folder) => {
      process.env['TMPDIR'] = folder;
      const said = async (cwd: string, env: Readonly<Record<string, string>> = {}) => {
        const all = { PATH: process.env['PATH'], EDITOR: 'true', ...env };
        const context = { env: all, cwd, stdin: new PassThrough(), signals: {} };
        const edited = await edit(Buffer.from('a: b\n'), 'a.yml', context as unknown as CommandContext);
        return edited.status === 'failed' ? [edited.message, edited.exitCode] : [];
      };
      expect(await said(folder)).to.deep.equal([]);
      expect((await said(path.join(folder, 'none')))[0]).to.match(/^the editor \(true\) cannot be started: /);
      expect(await said(folder, { EVENKEEL_NO_EXEC: '1' })).to.deep.equal(['--no-exec does not start an editor', 1]);
      expect(readdirSync(folder)).to.deep.equal([]);
    });
  });

  it('is not changed if the editor leaves no file, or there is no room for a copy', async () => {
    await inFolder({}, async (folder) => {
      for (const [EDITOR, TMPDIR] of [
        ['rm', folder],
        ['true', path.join(folder, 'none')],
      ] as const) {
        process.env['TMPDIR'] = TMPDIR;
        const context = {
          env: { PATH: process.env['PATH'], EDITOR },
          cwd: folder,
          stdin: new PassThrough(),
          signals: {},
        };
        expect(await edit(Buffer.from('a: b\n'), 'a.yml', context as unknown as CommandContext)).to.deep.equal({
          status: 'failed',
          message: `cannot write or read the copy for the editor in ${TMPDIR}: no such file or directory`,
          exitCode: 1,
        });
      }
    });
  });
});
