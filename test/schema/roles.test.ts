import { expect } from 'chai';
import { METADATA } from '../../src/project/role/metadata.js';
import { roleMetaSchema } from '../../src/schema/role_meta.js';
import { mistakes } from '../rig/loaded.js';
import { judge, type Judge } from '../rig/schemas.js';

const METADATA_FILES: readonly (readonly [text: string, fine: boolean])[] = [
  ['', true],
  ['dependencies: [base, {role: net, mtu: 9000, when: a}]\nallow_duplicates: yes', true],
  ['galaxy_info: {author: me}\ncollections: [a.b]', true],
  ['argument_specs: {main: {options: {mtu: {type: int, required: true}}}}', true],
  ['dependency: [base]', false],
  ['dependencies: base', false],
  ['dependencies: [{mtu: 9000}]', false],
  ['allow_duplicates: perhaps', false],
  ['- base', false],
];

const SPECIFICATIONS: readonly (readonly [text: string, fine: boolean])[] = [
  ['argument_specs: {main: {short_description: x, options: {a: {type: dict, options: {b: {type: str}}}}}}', true],
  ['argument_specs: {main: {options: {a: {type: str, choices: [x, y]}}, mutually_exclusive: [[a, b]]}}', true],
  ['argument_specs: {main: {options: {a: {type: integer}}}}', false],
  ['argument_specs: {main: {options: {a: {required: perhaps}}}}', false],
  ['argument_specs: {main: {options: {a: {choices: x}}}}', false],
  ['argument_specs: {main: {options: [a]}}', false],
  ['argument_specs: {main: {required_together: a}}', false],
];

const PLAYBOOK = '- hosts: all\n  roles: [edge]\n';
const BESIDE = { 'roles/base/tasks/main.yml': '', 'roles/net/tasks/main.yml': '', 'roles/edge/tasks/main.yml': '' };

describe('The schemas of roles', () => {
  let errors: Judge;
  before(async () => {
    errors = await judge();
  });
  const refused = async (file: string, text: string): Promise<boolean> => {
    const said = await mistakes(PLAYBOOK, { ...BESIDE, [`roles/edge/meta/${file}`]: text });
    return said.some((one) => !one.startsWith('warning'));
  };

  for (const [text, fine] of METADATA_FILES) {
    it(`${fine ? 'take' : 'refuse'} metadata ${JSON.stringify(text)}, as the loader does`, async () => {
      expect(await refused('main.yml', text)).to.equal(!fine);
      expect(errors('role-meta', text).length > 0).to.equal(!fine);
    });
  }

  for (const [text, fine] of SPECIFICATIONS) {
    it(`${fine ? 'take' : 'refuse'} ${JSON.stringify(text)}, as the loader does`, async () => {
      expect(await refused('argument_specs.yml', text)).to.equal(!fine);
      expect(errors('argument-specs', text).length > 0).to.equal(!fine);
    });
  }

  it('know all keys of metadata', () => {
    expect(Object.keys(roleMetaSchema().properties ?? {})).to.have.members([...METADATA]);
  });
});
