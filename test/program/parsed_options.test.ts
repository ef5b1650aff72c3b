import { expect } from 'chai';
import type { DefineCommand } from '../../src/cli/options/define.js';
import { defineInit } from '../../src/init/options.js';
import { defineLint } from '../../src/lint/options.js';
import { defineVault } from '../../src/vault/options.js';
import { parsed } from '../rig/parsed.js';

const VAULT = '--vault-id a@b --vault-id prompt --vault-password-file f --vault-password-file g -J';
const GIVEN = { vaultId: ['a@b', 'prompt'], vaultPasswordFile: ['f', 'g'], askVaultPass: true };

describe('the options that a command takes', () => {
  const lines: readonly (readonly [define: DefineCommand, line: string, ...taken: readonly unknown[]])[] = [
    [defineLint, '', { color: true }, []],
    [
      defineLint,
      `a.yml b.yml -l --json --strict -i x -i y -E prod -e a=1 -e b=2 ${VAULT} -M m -M n --no-color --from-ansible d`,
      {
        color: false,
        list: true,
        json: true,
        strict: true,
        inventory: ['x', 'y'],
        env: 'prod',
        extraVars: ['a=1', 'b=2'],
        ...GIVEN,
        modulePath: ['m', 'n'],
        fromAnsible: 'd',
      },
      ['a.yml', 'b.yml'],
    ],
    [defineInit, '', {}, undefined],
    [
      defineInit,
      'lab -E a,b -E c --confirm a --confirm b --controllers x,y --controllers c=z --dialect avi --yes',
      {
        env: ['a', 'b', 'c'],
        confirm: ['a', 'b'],
        controllers: ['x,y', 'c=z'],
        dialect: 'avi',
        yes: true,
      },
      'lab',
    ],
    [defineVault, `create f ${VAULT} -E e --encrypt-vault-id l`, { ...GIVEN, env: 'e', encryptVaultId: 'l' }, 'f'],
    [defineVault, 'encrypt', {}, []],
    [
      defineVault,
      `encrypt f g --out o ${VAULT} -E e --encrypt-vault-id l`,
      { out: 'o', ...GIVEN, env: 'e', encryptVaultId: 'l' },
      ['f', 'g'],
    ],
    [defineVault, `decrypt f - --out o ${VAULT} -E e`, { out: 'o', ...GIVEN, env: 'e' }, ['f', '-']],
    [defineVault, `view f g ${VAULT} -E e`, { ...GIVEN, env: 'e' }, ['f', 'g']],
    [defineVault, `edit f g ${VAULT} -E e`, { ...GIVEN, env: 'e' }, ['f', 'g']],
    [
      defineVault,
      'rekey f --new-vault-id n@p --new-vault-password-file q --encrypt-vault-id l',
      { newVaultId: 'n@p', newVaultPasswordFile: 'q', encryptVaultId: 'l' },
      ['f'],
    ],
    [
      defineVault,
      'encrypt-string s t -n a -n b --stdin-name c -p --show-input --out o --encrypt-vault-id l',
      { name: ['a', 'b'], stdinName: 'c', prompt: true, showInput: true, out: 'o', encryptVaultId: 'l' },
      ['s', 't'],
    ],
    [defineVault, 'encrypt_string -', {}, ['-']],
  ];
  for (const [define, line, ...taken] of lines)
    it(`are those of its line: ${line}`, () => {
      expect(parsed(define, line)).to.deep.equal(taken);
    });

  for (const [define, line] of [
    [defineInit, '--dialect other'],
    [defineVault, 'view'],
    [defineVault, 'edit'],
    [defineVault, 'rekey'],
    [defineVault, 'create'],
    [defineVault, 'view f --encrypt-vault-id l'],
    [defineVault, 'decrypt f --encrypt-vault-id l'],
    [defineLint, '--fix'],
  ] as const)
    it(`are refused: ${line}`, () => {
      expect(() => parsed(define, line)).to.throw();
    });
});
