const OWN_HELPER = 'write a helper in helpers/, in TypeScript';
const XML = 'XML has no meaning here: write a helper in helpers/, in TypeScript';
const INI = 'write lookup("ini", key, section=…, file=…)';
const COMMAND = 'devices with a command line have no meaning here';
const MAC = 'write value | lower | regex_replace("[^0-9a-f]", "")';

const WINDOWS = 'paths of Windows have no meaning here: write path | regex_replace(…)';

/** Filters and tests that Ansible users know and that do not exist here, with what to do instead. */
const ABSENT: ReadonlyMap<string, string> = new Map([
  ['attr', 'write value[name]'],
  ['cidr_merge', OWN_HELPER],
  ['comp_type5', COMMAND],
  ['consolidate', OWN_HELPER],
  ['fact_diff', 'write value == other, or run with --diff'],
  ['from_ini', INI],
  ['from_xml', XML],
  ['hashids_decode', OWN_HELPER],
  ['hashids_encode', OWN_HELPER],
  ['hwaddr', MAC],
  ['ipcut', OWN_HELPER],
  ['jc', 'write pipe("… | jc …") | from_json'],
  ['macaddr', MAC],
  ['param_list_compare', 'write list | difference(other) or list | union(other)'],
  ['parse_cli', COMMAND],
  ['parse_cli_textfsm', COMMAND],
  ['parse_xml', XML],
  ['slaac', OWN_HELPER],
  ['to_ini', OWN_HELPER],
  ['to_prettytable', 'write value | to_nice_yaml'],
  ['to_xml', XML],
  ['type5_pw', COMMAND],
  ['usable_range', 'write network | ipaddr("range_usable")'],
  ['validate', 'write the task assert'],
  ['vlan_expander', OWN_HELPER],
  ['vlan_parser', OWN_HELPER],
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
