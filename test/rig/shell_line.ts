/** The arguments of a line that starts `evenkeel` and needs no shell. */
export function wordsOf(line: string): readonly string[] | undefined {
  const words = line.match(/'[^']*'|"[^"$`\\]*"|[\w./=:,@+-]+/g) ?? [];
  const isPlain = words.join(' ') === line && words[0] === 'evenkeel';
  return isPlain ? words.slice(1).map((word) => word.replace(/^(['"])(.*)\1$/, '$2')) : undefined;
}
