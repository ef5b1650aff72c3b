import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { Diagnostics, LoadError } from '../../../src/core/model/source/diagnostic.js';
import { Cursor } from '../../../src/project/document/cursor.js';
import { beginReading, findAhead, loadError } from '../../../src/project/task/step_call.js';
import { TaskFiles } from '../../../src/project/task/task_files.js';
import { inFolder } from '../../rig/folder.js';
import { worded } from '../../rig/loaded.js';
import { ENCRYPTED_FILE, PASSWORD, vaultOf } from '../../rig/vault.js';

describe('the files of tasks and roles', () => {
  it('are shown as the user would type them: in the working directory, or beside what was named', () => {
    const files = new TaskFiles('/work', {});
    expect(['/work/a/b.yml', '/work', '/other/x.yml'].map((file) => files.show(file))).to.deep.equal([
      'a/b.yml',
      '.',
      '/other/x.yml',
    ]);
    files.name('/other/plays/site.yml', '../other/plays/site.yml');
    expect(
      ['/other/plays/site.yml', '/other/plays/t/a.yml', '/other/b.yml'].map((file) => files.show(file)),
    ).to.deep.equal(['../other/plays/site.yml', '../other/plays/t/a.yml', '/other/b.yml']);
    files.name('/other/plays/deep/two.yml', '/link/two.yml');
    expect([files.show('/other/plays/deep/x.yml'), files.show('/other/plays/x.yml')]).to.deep.equal([
      '/link/x.yml',
      '../other/plays/x.yml',
    ]);
    files.name('/work/p.yml', 'p.yml');
    expect([files.show('/work/p.yml'), files.show('/work/q.yml')]).to.deep.equal(['p.yml', 'q.yml']);
    files.name('/work/in/p.yml', '/work/in/p.yml');
    expect([files.show('/work/in/q.yml'), files.show('/work/q.yml')]).to.deep.equal(['/work/in/q.yml', 'q.yml']);
  });

  it('are counted for each play, and each include during a run', () => {
    const files = new TaskFiles('/work', {});
    expect(files.most).to.equal(10_000);
    files.allow('include');
    expect(files.most).to.equal(1000);
    for (let at = 0; at < 999; at++) files.take();
    expect([files.isSpent(), files.take(), files.isSpent()]).to.deep.equal([false, 'fine', true]);
    expect([files.take(), files.take(), files.take()]).to.deep.equal(['too many now', 'too many', 'too many']);
    files.allow('play');
    expect([files.most, files.isSpent(), files.take()]).to.deep.equal([10_000, false, 'fine']);
  });

  it('are read once, with their mistakes each time', () =>
    inFolder({ 'a.yml': '- a: 1\n  a: 2\n', 'v.yml': 'x: 1\n', 'bad.yml': '- 1\n' }, async (cwd) => {
      const files = new TaskFiles(cwd, {});
      const said = async (work: (diagnostics: Diagnostics) => Promise<unknown>) => {
        const diagnostics = new Diagnostics();
        return [await work(diagnostics), diagnostics.list.map(worded)];
      };
      const file = (name: string) => path.join(cwd, name);
      const tasks = () => said(async (diagnostics) => (await files.read(file('a.yml'), diagnostics))?.value);
      const variables = (name: string) =>
        said(async (diagnostics) => (await files.variables(file(name), 'role vars', diagnostics))?.values);
      const twice = 'a.yml:2:3 duplicate key "a": first defined on line 1 — keep one of them';
      const list =
        'bad.yml:1:1 a file of variables must be a mapping of names to values, not a list — write "name: value"';
      const before = [await tasks(), await variables('v.yml'), await variables('bad.yml'), await variables('none.yml')];
      expect(before).to.deep.equal([
        [[{ a: 2 }], [twice]],
        [{ x: 1 }, []],
        [undefined, [list]],
        [undefined, []],
      ]);
      await writeFile(file('a.yml'), '- b: 1\n');
      await writeFile(file('v.yml'), 'y: 1\n');
      expect([await tasks(), await variables('v.yml'), await variables('bad.yml')]).to.deep.equal(before.slice(0, 3));
      const missing = await said((diagnostics) => files.read(file('none.yml'), diagnostics));
      expect(missing).to.deep.equal([undefined, ['cannot read none.yml: there is no such file']]);
    }));

  it('hide what they have if they are encrypted', () =>
    inFolder({ 'tasks.yml': ENCRYPTED_FILE }, async (cwd) => {
      const { vault, secrets } = vaultOf({ default: PASSWORD });
      const cursor = await new TaskFiles(cwd, { vault }).read(path.join(cwd, 'tasks.yml'), new Diagnostics());
      expect(cursor?.get('token')?.value).to.equal('s3cr3t-t0ken');
      expect(secrets.mask('a s3cr3t-t0ken')).to.equal('a ********');
    }));
});

describe('reading ahead of a run', () => {
  const at = () => {
    const diagnostics = new Diagnostics();
    const place = () => ({ file: 'p.yml', line: 1, column: 1 });
    return { diagnostics, cursor: new Cursor('x', { diagnostics, locate: place, locateKey: place }) };
  };
  type Loop = Parameters<typeof findAhead>[1];
  const over = (value: unknown) => ({ over: { value } }) as unknown as Loop;
  const find = (loop: Loop) => {
    const { diagnostics, cursor } = at();
    let asked = 0;
    const found = findAhead(cursor, loop, (one) => {
      asked++;
      one.error('missing');
      return 'found';
    });
    return [found, asked, ...diagnostics.list.map(worded)];
  };

  it('looks for what an include names, only with a warning if its loop is not known yet', () => {
    const error = 'p.yml:1:1 missing';
    expect(find(undefined)).to.deep.equal(['found', 1, error]);
    expect(find(over([1]))).to.deep.equal(['found', 1, error]);
    expect(find(over('{{ items }}'))).to.deep.equal(['found', 1, `warning: ${error}`]);
    expect(find(over([]))).to.deep.equal([undefined, 0]);
  });

  it('is limited to a hundred includes in each other', () => {
    const { cursor } = at();
    const files = new TaskFiles('/work', {});
    type Context = Parameters<typeof beginReading>[0];
    const context = (depth: number) =>
      ({ file: { chain: Array<string>(depth).fill('x') }, reader: { files } }) as unknown as Context;
    beginReading(context(99), cursor);
    expect(files.most).to.equal(1000);
    expect(() => {
      beginReading(context(100), cursor);
    })
      .to.throw(LoadError, 'includes are nested more than 100 deep')
      .that.includes({ hint: 'a file that includes itself needs a condition that ends it' });
  });

  it('fails with the first error, which names the others', () => {
    const { diagnostics, cursor } = at();
    cursor.diagnostics.warn('careful', undefined);
    cursor.error('one', 'hint');
    cursor.error('two');
    cursor.error('three');
    const error = loadError(diagnostics);
    expect([error.message, error.hint, error.source?.file]).to.deep.equal(['one; two; three', 'hint', 'p.yml']);
  });
});
