import type { Source } from '../../model/source/source.js';
import { exemptionsIn } from './noqa.js';

type Lines = (file: string) => readonly string[] | undefined;

/** A comment with text: `# noqa` alone gives no reason. */
const COMMENT = /(?:^|\s)[#;](?!\s*noqa\b)\s*\S/;

/** Whether a comment gives a reason, on the line of one of these places or on the line above. */
export function hasReason(lines: Lines, ...places: readonly Source[]): boolean {
  return places.some(({ file, line }) => {
    const text = lines(file);
    return comments(text?.[line - 1]) || isComment(text?.[line - 2]);
  });
}

function comments(line: string | undefined): boolean {
  return line !== undefined && exemptionsIn(line) === undefined && COMMENT.test(line);
}

function isComment(line: string | undefined): boolean {
  return line !== undefined && /^\s*[#;]/.test(line) && comments(line);
}
