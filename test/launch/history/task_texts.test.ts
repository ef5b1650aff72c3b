import { utimes } from 'node:fs/promises';
import { expect } from 'chai';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { keepTaskTexts, readTaskTexts, TaskTextFile } from '../../../src/launch/history/task_texts.js';
import { inFolder } from '../../rig/folder.js';

const SITE = '- hosts: all\n  tasks:\n    - name: One\n      debug: { msg: hunter22 }\n    - name: Two\n      debug:\n';
const at = (line: number) => ({ file: 'site.yml', line, column: 7 });
const noted = (task: string, line: number) => ({ task, module: 'debug', source: at(line) });

describe('the texts of the tasks of a run', () => {
  it('are added to those kept before, without secrets, where their file can be read', async () => {
    await inFolder({ 'site.yml': SITE }, async (cwd) => {
      const secrets = new Secrets();
      secrets.add('hunter22');
      expect(await readTaskTexts(cwd)).to.deep.equal(new Map());
      await keepTaskTexts(cwd, new Map([['a', noted('One', 3)]]), { cwd, secrets });
      await keepTaskTexts(
        cwd,
        new Map([
          ['b', noted('Two', 5)],
          ['c', { ...noted('Three', 1), source: { file: 'gone.yml', line: 1, column: 1 } }],
        ]),
        { cwd, secrets },
      );
      const texts = await readTaskTexts(cwd);
      expect([...texts.keys()]).to.deep.equal(['a', 'b']);
      expect(texts.get('a')).to.deep.include({ first: 3 });
      expect(texts.get('a')?.lines.join('\n')).to.include('msg: ********').and.not.to.include('hunter22');
      expect(texts.get('b')).to.deep.include({ first: 5 });
      await keepTaskTexts(`${cwd}/missing`, new Map([['a', noted('One', 3)]]), { cwd, secrets });
    });
  });

  it('are those of the file that have a line and lines', async () => {
    const good = { first: 3, lines: ['- name: One'] };
    const kept = {
      good,
      none: null,
      text: 'x',
      lineless: { first: 3 },
      firstless: { lines: [] },
      odd: { first: '3', lines: [] },
      mixed: { first: 3, lines: ['a', 1] },
      single: { first: 3, lines: 'a' },
    };
    for (const [content, keys] of [
      [JSON.stringify(kept), ['good']],
      ['{"a": ', []],
      ['null', []],
      ['3', []],
    ] as const)
      await inFolder({ 'tasks.json': content }, async (folder) => {
        expect([...(await readTaskTexts(folder)).keys()]).to.deep.equal(keys);
      });
  });

  it('are read again once their file has changed', async () => {
    await inFolder({}, async (folder) => {
      const file = new TaskTextFile(folder);
      expect([await file.update(), file.kept.size]).to.deep.equal([false, 0]);
      const keep = async (task: string, line: number, time: number) => {
        await keepTaskTexts(folder, new Map([[task, noted(task, line)]]), { cwd: folder, secrets: new Secrets() });
        await utimes(`${folder}/tasks.json`, time, time);
      };
      await inFolder({ 'site.yml': SITE }, async (cwd) => {
        await keepTaskTexts(folder, new Map([['One', noted('One', 3)]]), { cwd, secrets: new Secrets() });
      });
      expect([await file.update(), await file.update(), [...file.kept.keys()]]).to.deep.equal([true, false, ['One']]);
      expect(file.kept.get('One')).to.deep.equal({
        first: 3,
        lines: ['    - name: One', '      debug: { msg: hunter22 }'],
      });
      await keep('Two', 5, 1000);
      expect([await file.update(), await file.update()]).to.deep.equal([true, false]);
    });
  });
});
