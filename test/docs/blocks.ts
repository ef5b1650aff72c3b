export interface Block {
  readonly language: string;
  readonly text: string;
  /** The first line inside the fence, counted from 1. */
  readonly line: number;
}

/** The fenced code blocks of a Markdown page. */
export function blocksOf(markdown: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: { language: string; line: number; lines: string[]; indent: string } | undefined;
  markdown.split('\n').forEach((line, index) => {
    const fence = /^(\s*)```(\w*)/.exec(line);
    if (open === undefined) {
      if (fence !== null) open = { language: fence[2] ?? '', line: index + 2, lines: [], indent: fence[1] ?? '' };
    } else if (fence === null) open.lines.push(line.replace(open.indent, ''));
    else {
      blocks.push({ language: open.language, line: open.line, text: open.lines.join('\n') });
      open = undefined;
    }
  });
  return blocks;
}
