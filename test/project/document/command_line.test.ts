import { expect } from 'chai';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { Vaulted } from '../../../src/core/model/values/value.js';
import { parseOption, passOn, TYPED } from '../../../src/project/document/command_line.js';
import { worded } from '../../rig/loaded.js';
import { ENCRYPTED_VALUE, PASSWORD, TEXT, vaultOf } from '../../rig/vault.js';

describe('text of an option', () => {
  it('is YAML or JSON, with encrypted values', () => {
    const diagnostics = new Diagnostics();
    expect(parseOption('{"a": [1, x]}', '-e', diagnostics)).to.deep.equal({ a: [1, 'x'] });
    const secret = parseOption(
      JSON.stringify({ a: { __ansible_vault: ENCRYPTED_VALUE } }),
      '-e',
      diagnostics,
      vaultOf({ default: PASSWORD }).vault,
    );
    expect(diagnostics.list.map(worded)).to.deep.equal([]);
    expect(secret).to.have.property('a').that.is.instanceOf(Vaulted).and.has.property('text', TEXT);
  });

  it('is refused with the option and the whole text, and is nothing then', () => {
    const diagnostics = new Diagnostics();
    expect(parseOption('a: {{ b }}', '--extra-vars', diagnostics)).to.equal(undefined);
    expect(parseOption('[1', '-e', diagnostics)).to.equal(undefined);
    expect(parseOption('{a: 1, a: 2}', '-e', diagnostics)).to.equal(undefined);
    expect(parseOption('{a_password: hush-hush', '-e', diagnostics)).to.equal(undefined);
    expect(diagnostics.list.map(worded)[0]).to.equal(
      '--extra-vars: a value that starts with "{{" must be quoted, in: a: {{ b }} — write "{{ b }}"',
    );
    const ends = diagnostics.list.slice(1).map(({ message }) => message.replace(/^.*, in: /, ''));
    expect(ends).to.deep.equal(['[1', '{a: 1, a: 2}', '{a_password: ********']);
  });

  it('is a value in spite of a warning', () => {
    const diagnostics = new Diagnostics();
    expect(parseOption('{a_password: 007}', '-e', diagnostics)).to.deep.equal({ a_password: 7 });
    expect(diagnostics.list.map(worded)).to.deep.equal([
      'warning: -e: "a_password" is read as a number, whose digits differ from what is written, in: {a_password: ********} — quote it',
    ]);
  });

  it('has no place in a file, which others have', () => {
    const [found, to] = [new Diagnostics(), new Diagnostics()];
    found.error('typed', TYPED, 'hint');
    found.error('in a file', { file: 'a.yml', line: 2, column: 3 });
    found.error('nowhere');
    passOn(found, to);
    expect(to.list.map(worded)).to.deep.equal(['typed — hint', 'a.yml:2:3 in a file', 'nowhere']);
    expect(to.list[0]).to.have.property('source', undefined);
  });
});
