import { expect } from 'chai';
import { Diagnostics } from '../../src/core/model/source/diagnostic.js';
import { parseEnvelope } from '../../src/project/vault/cipher.js';
import { parseYaml } from '../../src/project/yaml/parse_yaml.js';
import { ENCRYPTED_FILE, ENCRYPTED_VALUE, LABELLED_FILE, PASSWORD, vaulted, vaultOf } from '../rig/vault.js';
import { Fuzz, requireSense } from './rig/fuzz.js';
import { mutated } from './rig/mutations.js';

describe('fuzzed vault envelopes', () => {
  const fuzz = new Fuzz();
  after(() => fuzz.stop());

  it('are opened or reported, and never decrypt to something else', () =>
    fuzz.try(mutated([ENCRYPTED_FILE, LABELLED_FILE, ENCRYPTED_VALUE]), 300, async (text) => {
      const parsed = parseEnvelope(text);
      if (parsed.status !== 'ok') expect(parsed.message).to.match(/\S/);
      const { vault } = vaultOf({ default: PASSWORD });
      const opened = await vault.open(text);
      if (opened.status === 'refused') expect(opened.message).to.match(/\S/);
      else expect(opened.content.toString()).to.match(/s3cr3t/);
    })).timeout(120_000);

  it('in YAML are reported with their position', () =>
    fuzz.try(mutated([`a: 1\n${vaulted('secret')}b: 2\n`]), 300, (text) => {
      const diagnostics = new Diagnostics();
      parseYaml(text, 'a.yml', diagnostics, vaultOf({ default: PASSWORD }).vault);
      requireSense(diagnostics.list, { 'a.yml': text });
    })).timeout(120_000);
});
