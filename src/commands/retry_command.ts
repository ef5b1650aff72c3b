/** Beyond this many names a command line is no longer something to copy. */
const MOST_NAMES = 20;

/**
 * The same command, for the controllers that did not make it. Too many to name go into a file, which `keep` writes; nothing if
 * it could not.
 */
export function retryCommand(
  argv: readonly string[],
  keep: (controllers: readonly string[]) => string | undefined,
): (controllers: readonly string[] | 'all') => string | undefined {
  return (controllers) => {
    if (controllers === 'all') return commandLine(argv);
    const limit = controllers.length > MOST_NAMES ? fileLimit(keep(controllers)) : controllers.join(',');
    return limit === undefined ? undefined : commandLine([...withoutLimit(argv), '--limit', limit]);
  };
}

function fileLimit(file: string | undefined): string | undefined {
  return file === undefined ? undefined : `@${file}`;
}

function commandLine(words: readonly string[]): string {
  return ['evenkeel', ...words].map(quoted).join(' ');
}

function withoutLimit(argv: readonly string[]): readonly string[] {
  return argv.filter((word, index) => {
    if (isLimit(argv[index - 1])) return false;
    return !isLimit(word) && !word.startsWith('--limit=') && !/^-l./.test(word);
  });
}

function isLimit(word: string | undefined): boolean {
  return word === '-l' || word === '--limit';
}

/** As a POSIX shell reads it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
