/** Python's methods that many Ansible playbooks use, with the equivalent helpers. */
const METHODS: ReadonlyMap<string, string> = new Map([
  ['center', 'center'],
  ['capitalize', 'capitalize'],
  ['changed', 'has_changed'],
  ['count', 'occurrences'],
  ['cycle', 'cycle'],
  ['endswith', 'endswith'],
  ['find', 'find'],
  ['format', 'fill'],
  ['get', 'get'],
  ['index', 'index'],
  ['isalnum', 'isalnum'],
  ['isalpha', 'isalpha'],
  ['isdigit', 'isdigit'],
  ['isdecimal', 'isdigit'],
  ['isnumeric', 'isdigit'],
  ['islower', 'islower'],
  ['isspace', 'isspace'],
  ['isupper', 'isupper'],
  ['items', 'items'],
  ['join', 'join'],
  ['keys', 'keys'],
  ['ljust', 'ljust'],
  ['lower', 'lower'],
  ['lstrip', 'lstrip'],
  ['next', 'next'],
  ['partition', 'partition'],
  ['replace', 'replace'],
  ['reset', 'reset'],
  ['rjust', 'rjust'],
  ['rpartition', 'rpartition'],
  ['rsplit', 'rsplit'],
  ['rstrip', 'rstrip'],
  ['split', 'split'],
  ['splitlines', 'splitlines'],
  ['startswith', 'startswith'],
  ['strftime', 'format_date'],
  ['strip', 'trim'],
  ['swapcase', 'swapcase'],
  // The filter leaves the letter after an apostrophe, a dot or a digit as it is.
  ['title', 'titlecase'],
  ['total_seconds', 'float'],
  ['upper', 'upper'],
  ['values', 'values'],
  ['casefold', 'casefold'],
  ['copy', 'safe'],
  ['expandtabs', 'expandtabs'],
  ['isascii', 'isascii'],
  ['isidentifier', 'isidentifier'],
  ['istitle', 'istitle'],
  ['removeprefix', 'removeprefix'],
  ['removesuffix', 'removesuffix'],
  ['rfind', 'rfind'],
  ['rindex', 'rindex'],
  ['zfill', 'zfill'],
]);

const HINTS: ReadonlyMap<string, string> = new Map([
  ['iteritems', 'write mapping.items()'],
  ['iterkeys', 'write mapping.keys()'],
  ['itervalues', 'write mapping.values()'],
  ['clear', 'write [] or {}'],
  ['popitem', 'write mapping | dict2items | last'],
  ['reverse', 'write list | reverse'],
  ['sort', 'write list | sort'],
]);

/** Methods that change the list or mapping that they belong to. */
const CHANGES: ReadonlySet<string> = new Set(['append', 'extend', 'insert', 'pop', 'remove', 'setdefault', 'update']);

export function isChange(method: string): boolean {
  return CHANGES.has(method);
}

export interface Method {
  readonly helper?: string | undefined;
  readonly hint?: string | undefined;
}

export function methodHelper(method: string): Method {
  const helper = METHODS.get(method);
  return helper ? { helper } : { hint: HINTS.get(method) ?? `write value | ${method} if there is such a filter` };
}
