import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../rig/command.js';

interface Rules {
  readonly forbidden: readonly { readonly name: string; readonly comment?: string }[];
}

const { forbidden } = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as Rules;

describe('docs/architecture.md', () => {
  const page = readFileSync(path.join(ROOT, 'docs/architecture.md'), 'utf8');

  it('names only files and folders that exist', () => {
    const named = [...page.matchAll(/(?<![\w/])(?:src|modules|test|\.ci)\/[\w./-]*[\w/]/g)].map(([name]) => name);
    expect(named.filter((name) => !existsSync(path.join(ROOT, name)))).to.deep.equal([]);
    expect(named).to.have.length.above(15);
  });

  it('has every folder of src in its map, in at most 25 lines', async () => {
    const [, map = ''] = /```text\n([\s\S]*?)```/.exec(page) ?? [];
    const folders = (await readdir(path.join(ROOT, 'src'), { withFileTypes: true })).filter((one) => one.isDirectory());
    expect(folders.map(({ name }) => name).filter((name) => !new RegExp(`\\b${name}\\b`).test(map))).to.deep.equal([]);
    expect(map.trim().split('\n').length).to.be.at.most(25);
  });

  it('says for each folder what .dependency-cruiser.cjs lets it import', () => {
    const rows = [...page.matchAll(/^\| `(src\/\w+|modules)\/` *\| ([^|]*) *\|$/gm)]
      .map(([, folder = '', imports = '']) => `${folder} may import ${namesIn(imports)}`)
      .filter((row) => !row.endsWith('everything'));
    expect(rows).to.have.members(allowedImports());
  });

  it('names the functions of one task where they are', () => {
    const rows = [...page.matchAll(/^\| `(\w+)` *\| `(\w+\/\w+\.ts)` *\|/gm)];
    expect(rows).to.have.length(8);
    for (const [, name = '', file = ''] of rows)
      expect(readFileSync(path.join(ROOT, 'src/engine', file), 'utf8')).to.match(
        new RegExp(`^export (?:async )?function ${name}\\b`, 'm'),
      );
  });

  it('lists stages in the order that .dependency-cruiser.cjs demands', () => {
    const lists = [...page.matchAll(/`(project|launch|engine)\/\{([\w,]+)\}`/g)];
    expect(lists).to.have.length(3);
    for (const [, folder = '', stages = ''] of lists) {
      const names = stages.split(',');
      expect(floorsOf(folder).filter((name) => names.includes(name))).to.deep.equal(names);
    }
  });
});

/** The folders of a folder, lowest first. */
function floorsOf(folder: string): readonly string[] {
  const name = new RegExp(`^src-${folder}-(\\w+)-floor$`);
  return forbidden.flatMap((rule) => name.exec(rule.name)?.[1] ?? []);
}

/** The rules for top folders: `src/project may import module, template`. */
function allowedImports(): readonly string[] {
  return forbidden
    .map(({ comment = '' }) => comment)
    .filter((comment) => /^(src\/\w+|modules) may import /.test(comment))
    .map((comment) => comment.replace(' of ours', '').replaceAll(/(?<=(?:import|,) )src\//g, ''));
}

/** The folders in a cell: "`model`; nothing imports it" names one. */
function namesIn(cell: string): string {
  const folders = [...(cell.split(';')[0] ?? '').matchAll(/`([\w/]+)`/g)].map(([, name]) => name);
  if (cell.startsWith('everything')) return 'everything';
  return folders.length === 0 ? 'nothing' : folders.join(', ');
}
