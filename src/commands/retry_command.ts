/** Beyond this many names a command line is no longer something to copy. */
const MOST_NAMES = 20;

/** The same command for the controllers that did not make it, or nothing if they are too many to name. */
export function retryCommand(argv: readonly string[]): (controllers: readonly string[]) => string | undefined {
  return (controllers) =>
    controllers.length === 0 || controllers.length > MOST_NAMES
      ? undefined
      : ['evenkeel', ...withoutLimit(argv), '--limit', controllers.join(',')].map(quoted).join(' ');
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
