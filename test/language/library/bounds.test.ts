import { expect } from 'chai';
import { absentHint } from '../../../src/language/evaluation/binding.js';
import { evaluate } from '../../../src/language/render.js';
import { failure, HERE, variables } from '../scopes.js';

const scope = variables({ long: Array.from({ length: 40 }, (_, index) => index) });

function messageOf(expression: string): unknown {
  const error = failure(() => evaluate(expression, scope, HERE));
  return error instanceof Error ? error.message : error;
}

describe('a filter', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['long | permutations(5)', 'permutations: the result has more than 100000 items'],
    ['long | combinations(20)', 'combinations: the result has more than 100000 items'],
    ['long | product(repeat=9)', 'product: the result has more than 100000 items'],
    ['long | product(repeat="x")', 'product: it takes lists, and repeat=number'],
    ['long * 100000', 'multiply: 4000000 items are too many'],
    ['"ab" * 1e9', 'multiply: 2000000000 characters are too many'],
    ['"ab" * 1.5', 'multiply: cannot repeat it 1.5 times'],
    ['long | slice(0)', 'slice: it needs a number of columns'],
    ['"x" | wordwrap(0)', 'wordwrap: the width must be at least 1'],
    ['"x" | comment("basic")', 'comment: there is no style "basic"'],
    ['"3 X" | human_to_bytes', 'human_to_bytes: there is no unit "X"'],
    ['"3 Mb" | human_to_bytes', 'human_to_bytes: there is no unit "Mb"'],
    ['"x" | human_to_bytes', 'human_to_bytes: "x" does not begin with a number'],
    ['"x" | human_readable', 'human_readable: a number is needed'],
    ['"x" | to_uuid("y")', 'to_uuid: "y" is not a UUID'],
    ['"x" | regex_escape("perl")', 'regex_escape: there is no re_type "perl"'],
    ['"{x}" | fill(1)', 'the format "{x}" has no value for "{x}"'],
    ['"{:q}" | fill(1)', '"q" is not a format'],
    ['"%(x)s" % {"y": 1}', 'the format "%(x)s" needs a value "x"'],
    ['"1.2" is version("1.2.0", ">", version_type="semver")', 'version: "1.2" is not a semver version'],
    ['"1.2" is version("1.2.0", ">", version_type="pep441")', 'version: there is no version_type "pep441"'],
    [
      String.raw`("a" * 40 ~ "b") is match("(a+)+\\1$")`,
      String.raw`match: the regular expression "^(?:(a+)+\1$)" takes too long on a text of 41 characters; avoid nested repetitions such as (a+)+`,
    ],
    ['9 ** 999999999', 'power: the result of 9 ** 999999999 is too large'],
    ['1e308 * 10', 'multiply: the result of 1e+308 * 10 is too large'],
    ['2 ** 5000', 'power: the result of 2 ** 5000 is too large'],
    ['(-8) ** 0.5', 'power: -8 ** 0.5 is not a number'],
    ['0 ** -1', 'power: division by zero'],
    ['range(10 ** 12)', 'range: 1000000000000 numbers are too many'],
    ['"a" | center(10 ** 9)', 'center: 1000000000 are too many'],
    ['"a".ljust(10 ** 9)', 'ljust: 1000000000 are too many'],
    ['"a" | indent(10 ** 9)', 'indent: 1000000000 are too many'],
    ['[1] | batch(10 ** 9, 0)', 'batch: 1000000000 are too many'],
    ['[1] | slice(10 ** 9)', 'slice: 1000000000 are too many'],
    ['long | to_nice_json(indent=10 ** 9)', 'to_nice_json: 1000000000 are too many'],
    ['long | to_nice_yaml(indent=10 ** 9)', 'to_nice_yaml: 1000000000 are too many'],
    ['query("sequence", "end=10000000000")', 'with_sequence: 10000000000 numbers are too many'],
    ['"%1000000000d" % 5', '"%1000000000d" makes a text of more than 1000000 characters'],
    ['"%.*f" % [10 ** 9, 5]', '"%.*f" makes a text of more than 1000000 characters'],
    ['"{:1000000000d}".format(5)', '"1000000000d" makes a text of more than 1000000 characters'],
    ['"50%" % 5', 'the format "50%" ends in the middle of "%"'],
    ['"%y" % 5', 'there is no format %y'],
    ['"%d %d" % [1]', 'the format "%d %d" needs more values: it has 1'],
    ['"%d %d" % [1, 2, 3]', 'the format "%d %d" uses only 2 of 3 values'],
    ['"%s" | format(1, 2)', 'the format "%s" uses only 1 of 2 values'],
    ['"abc" | format(1)', 'the format "abc" uses only 0 of 1 values'],
    ['"{:.2}".format(true)', '".2" is not a format for true'],
    ['"{:.2}".format([1])', '".2" is not a format for a list'],
    ['"abc" % none', 'the format "abc" uses only 0 of 1 values'],
    ['"%s" | format(1, a=2)', 'format takes values or named values, not both'],
    ['0 | log', 'log: the result for 0 is not a finite number'],
    ['"10.0.0.0/8" | usable_range', 'usable_range: 16777216 addresses are too many'],
    ['"10.0.0.1/8" | usable_range', 'usable_range: "10.0.0.1/8" is an address within a network'],
    ['["a"] | cidr_merge', 'cidr_merge: "a" is not an address or network'],
    ['["10.0.0.1"] | cidr_merge("x")', 'cidr_merge: there is no action "x"'],
    ['["10.0.0.1", "::1"] | cidr_merge("span")', 'cidr_merge: IPv4 and IPv6 have no common network'],
    ['"a" | hwaddr("linux")', 'hwaddr: "a" is not a hardware address of 48 bits'],
    ['"a" | macaddr("x")', 'macaddr: there is no query "x"'],
    ['[0] | vlan_parser', 'vlan_parser: VLANs have numbers from 1 to 4094'],
    ['[] | vlan_parser', 'vlan_parser: there is no VLAN in the list'],
    ['"1-x" | vlan_expander', 'vlan_expander: "1-x" is not the number of a VLAN, or a range of numbers'],
    ['"a" | hash_salt', 'hash_salt: the hash is not written as $METHOD$SALT$HASH'],
    ['{"a b": 1} | xmlattr', 'xmlattr: "a b" is not a valid attribute name'],
    ['[{"a": 1}] | rekey_on_member("a", "merge")', 'rekey_on_member: duplicates cannot be "merge"'],
  ];
  for (const [expression, message] of cases) {
    it(`refuses ${expression}`, () => {
      expect(messageOf(expression)).to.equal(message);
    });
  }

  it('is refused with a replacement if only Ansible has it', () => {
    expect(absentHint('pprint')).to.equal('write value | to_nice_json');
    const names = `attr comp_type5 consolidate fact_diff from_ini from_xml hashids_decode hashids_encode ipcut jc
      parse_cli parse_cli_textfsm parse_xml to_ini to_prettytable to_xml type5_pw validate callable escaped filter
      striptags test unvault urlize vault vault_encrypted`;
    expect(names.split(/\s+/).filter((name) => absentHint(name) === undefined)).to.deep.equal([]);
    expect(failure(() => evaluate('long is vault_encrypted', scope, HERE))).to.include({
      message: 'there is no test "vault_encrypted"',
      hint: 'values are decrypted when they are read',
    });
  });
});
