/** Filters and tests that Ansible users know and that do not exist here, with what to do instead. */
const ABSENT: ReadonlyMap<string, string> = new Map([
  ['attr', 'write value[name]'],
  ['escape', 'nothing is escaped here: leave it out'],
  ['e', 'nothing is escaped here: leave it out'],
  ['safe', 'nothing is escaped here: leave it out'],
  ['json_query', 'write list | selectattr("name", "eq", x) | map(attribute="field")'],
  ['password_hash', 'hash the password beforehand: write {{pipe("openssl passwd -6 …")}}'],
  ['random', 'a run must give the same again: pick by name, list[n % (list | length)]'],
  ['shuffle', 'a run must give the same again: sort instead'],
  ['slice', 'write list[1:3], or list | batch(n)'],
  ['tojson', 'write value | to_json'],
  ['type_debug', 'test the type: x is string, x is number, x is mapping, x is sequence'],
  ['exists', 'files are not tested here: first_found(files, skip=true) looks for one'],
  ['file', 'files are not tested here: first_found(files, skip=true) looks for one'],
  ['directory', 'files are not tested here: first_found(files, skip=true) looks for one'],
]);

export function absentHint(name: string): string | undefined {
  return ABSENT.get(name);
}
