/** Python's methods that stand in many Ansible playbooks, and the helpers that do the same. */
const METHODS: ReadonlyMap<string, string> = new Map([
  ['capitalize', 'capitalize'],
  ['count', 'occurrences'],
  ['endswith', 'endswith'],
  ['find', 'find'],
  ['get', 'get'],
  ['index', 'index'],
  ['items', 'items'],
  ['join', 'join'],
  ['keys', 'keys'],
  ['lower', 'lower'],
  ['lstrip', 'lstrip'],
  ['replace', 'replace'],
  ['rstrip', 'rstrip'],
  ['split', 'split'],
  ['splitlines', 'splitlines'],
  ['startswith', 'startswith'],
  ['strftime', 'format_date'],
  ['strip', 'trim'],
  ['title', 'title'],
  ['upper', 'upper'],
  ['values', 'values'],
]);

const HINTS: ReadonlyMap<string, string> = new Map([
  ['append', 'write list + [item]'],
  ['extend', 'write list + other'],
  ['insert', 'write [item] + list'],
  ['pop', 'write list[:-1] for the rest, list | last for the item'],
  ['remove', 'write list | reject("eq", item)'],
  ['update', 'write mapping | combine(other)'],
  ['format', 'write "%s" | format(value), or join texts with ~'],
  ['isdigit', 'write text is match("[0-9]+$")'],
  ['sort', 'write list | sort'],
  ['total_seconds', 'to_datetime gives seconds: leave it out'],
  ['zfill', 'write "%05d" | format(number)'],
]);

export interface Method {
  readonly helper?: string | undefined;
  readonly hint?: string | undefined;
}

export function methodHelper(method: string): Method {
  const helper = METHODS.get(method);
  return helper ? { helper } : { hint: HINTS.get(method) ?? `write value | ${method} if there is such a filter` };
}

/** Collections whose filters, tests and lookups are built in here. */
const COLLECTION = /^(?:ansible\.(?:builtin|utils|netcommon|legacy)|community\.general)\./;

/** `ansible.utils.ipaddr` → `ipaddr` */
export function withoutCollection(name: string): string {
  return name.replace(COLLECTION, '');
}
