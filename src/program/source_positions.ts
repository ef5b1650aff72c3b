import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { fileURLToPath } from 'node:url';

/** `file:///…/dist/chunks/run-AB12.js:1:2345`, in a stack of the built command. */
const BUILT = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g;

/**
 * A stack with the positions of the sources instead of those of the bundle: `src/engine/walk/walk.ts:31:7`. The maps are
 * read only now: with `enableSourceMaps`, each start would read them all. A position without a map stays.
 */
export function sourcePositions(stack: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  return stack.replaceAll(BUILT, (place, url: string, line: string, column: string) => {
    if (!maps.has(url)) maps.set(url, sourceMap(url));
    const entry = maps.get(url)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (entry === undefined || !('originalSource' in entry)) return place;
    const { originalSource, originalLine, originalColumn } = entry;
    return `${originalSource.replace(/^(?:\.\.\/)+/, '')}:${String(originalLine + 1)}:${String(originalColumn + 1)}`;
  });
}

function sourceMap(url: string): SourceMap | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the build
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')) as SourceMapPayload);
  } catch {
    return undefined;
  }
}
