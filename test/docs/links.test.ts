import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../rig/command.js';

const pages = readdirSync(ROOT)
  .concat(readdirSync(path.join(ROOT, 'docs')).map((name) => `docs/${name}`))
  .filter((name) => name.endsWith('.md'));

describe('links between the pages', () => {
  for (const page of pages) {
    it(`of ${page} lead to files and headings that exist`, () => {
      const broken = linksOf(read(page)).filter((link) => !leadsSomewhere(page, link));
      expect(broken).to.deep.equal([]);
    });
  }

  it('lead from the README to every page', () => {
    const linked = new Set(linksOf(read('README.md')).map((link) => link.split('#')[0]));
    expect(pages.filter((page) => page.startsWith('docs/') && !linked.has(page))).to.deep.equal([]);
  });
});

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8').replaceAll(/^\s*```.*?^\s*```/gms, '');
}

function linksOf(text: string): readonly string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link).filter((link) => !/^https?:/.test(link));
}

function leadsSomewhere(page: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? page : path.join(path.dirname(page), file);
  if (!existsSync(path.join(ROOT, target))) return false;
  return anchor === undefined || anchorsOf(read(target)).includes(anchor);
}

/** The anchors of a page's headings on GitHub. */
function anchorsOf(text: string): readonly string[] {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
