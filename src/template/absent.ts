const WINDOWS = 'paths of Windows have no meaning here: write path | regex_replace(…)';

/** Filters and tests that Ansible users know and that do not exist here, with what to do instead. */
const ABSENT: ReadonlyMap<string, string> = new Map([
  ['attr', 'write value[name]'],
  ['callable', 'no value is a function here'],
  ['escaped', 'nothing is escaped here'],
  ['filter', 'a helper that does not exist is found before the run'],
  ['hash_salt', 'write hash.split("$")[2]'],
  ['pprint', 'write value | to_nice_json'],
  ['striptags', 'write text | regex_replace("<[^>]*>", "")'],
  ['test', 'a test that does not exist is found before the run'],
  ['unvault', 'write lookup("unvault", file)'],
  ['urlize', 'write the link yourself'],
  ['vault', 'encrypt beforehand: evenkeel vault encrypt-string'],
  ['vault_encrypted', 'values are decrypted when they are read'],
  ['xmlattr', 'write the attributes yourself'],
  ['win_basename', WINDOWS],
  ['win_dirname', WINDOWS],
  ['win_splitdrive', WINDOWS],
]);

export function absentHint(name: string): string | undefined {
  return ABSENT.get(name);
}
