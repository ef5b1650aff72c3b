const NO_FILES = 'files are not tested here: lookup("first_found", files, skip=true) looks for one';
const WINDOWS = 'paths of Windows have no meaning here: write path | regex_replace(…)';

/** Filters and tests that Ansible users know and that do not exist here, with what to do instead. */
const ABSENT: ReadonlyMap<string, string> = new Map([
  ['attr', 'write value[name]'],
  ['callable', 'no value is a function here'],
  ['escaped', 'nothing is escaped here'],
  ['filter', 'a helper that does not exist is found before the run'],
  [
    'json_query',
    'write list | selectattr("name", "eq", x) | map(attribute="field"), or a helper of your own in helpers/',
  ],
  ['password_hash', 'hash the password beforehand, or write {{pipe("openssl passwd -6 …")}}'],
  ['pprint', 'write value | to_nice_json'],
  ['realpath', 'links are not followed here: write ["folder", "name"] | path_join'],
  ['striptags', 'write text | regex_replace("<[^>]*>", "")'],
  ['test', 'a test that does not exist is found before the run'],
  ['unvault', 'vault files are read as vars_files, and by include_vars'],
  ['urlize', 'write the link yourself'],
  ['vault', 'encrypt beforehand: evenkeel vault encrypt-string'],
  ['vault_encrypted', 'values are decrypted when they are read'],
  ['xmlattr', 'write the attributes yourself'],
  ['win_basename', WINDOWS],
  ['win_dirname', WINDOWS],
  ['win_splitdrive', WINDOWS],
  ['exists', NO_FILES],
  ['file', NO_FILES],
  ['is_file', NO_FILES],
  ['directory', NO_FILES],
  ['is_dir', NO_FILES],
  ['link', NO_FILES],
  ['is_link', NO_FILES],
  ['link_exists', NO_FILES],
  ['mount', NO_FILES],
  ['is_mount', NO_FILES],
  ['same_file', NO_FILES],
  ['is_same_file', NO_FILES],
]);

export function absentHint(name: string): string | undefined {
  return ABSENT.get(name);
}
