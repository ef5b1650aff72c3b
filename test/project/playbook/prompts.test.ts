import { expect } from 'chai';
import { load, mistakes } from '../../rig/loaded.js';

describe('vars_prompt', () => {
  it('reads the questions of a play', async () => {
    const { plays, diagnostics } = await load(`- hosts: all
  vars_prompt:
    - name: password
    - {name: zone, prompt: Which zone?, default: lan, private: no, confirm: "yes", unsafe: true}
    - {name: n, default: 3, private: "off", encrypt: , salt: , salt_size: }
`);
    expect(diagnostics).to.deep.equal([]);
    const common = { prompt: undefined, default: undefined, private: true, confirm: false, unsafe: false };
    const source = (line: number) => ({ file: 'site.yml', line, column: 7 });
    expect(plays[0]?.prompts).to.deep.equal([
      { ...common, name: 'password', source: source(3) },
      {
        name: 'zone',
        source: source(4),
        prompt: 'Which zone?',
        default: 'lan',
        private: false,
        confirm: true,
        unsafe: true,
      },
      { ...common, name: 'n', source: source(5), default: 3, private: false },
    ]);
  });

  it('can be a single question', async () => {
    const { plays } = await load('- hosts: all\n  vars_prompt: {name: x}\n');
    expect(plays[0]?.prompts.map(({ name }) => name)).to.deep.equal(['x']);
  });

  it('reports its mistakes', async () => {
    expect(await mistakes('- hosts: all\n  vars_prompt: [{ name: x, salt: pepper }]\n')).to.deep.equal([
      'site.yml:2:28 "salt" is not supported: answers are not hashed — give the hash itself, as the answer or with -e',
    ]);
    expect(
      await mistakes(`- hosts: all
  vars_prompt:
    - prompt: What?
    - name: a-b
    - {name: x, privte: no, private: perhaps, confirm: "{{ y }}"}
    - {name: x, encrypt: sha512_crypt, salt_size: 7}
    - x
    - {name: x, prompt: [x], hosts: all}
    - {name: x, default: "{{ y", prompt: "{{ z"}
`),
    ).to.deep.equal([
      'site.yml:3:7 an entry of "vars_prompt" needs "name": the variable that is asked for',
      'site.yml:4:13 "a-b" is not a valid variable name: use letters, digits and "_", and do not start with a digit',
      'site.yml:5:17 "privte" is not a keyword of an entry of vars_prompt — did you mean "private"?',
      'site.yml:5:38 "private" must be true or false, not "perhaps"',
      'site.yml:5:56 "confirm" must be true or false: it is needed before the run',
      'site.yml:6:17 "encrypt" is not supported: answers are not hashed — give the hash itself, as the answer or with -e',
      'site.yml:6:40 "salt_size" is not supported: answers are not hashed — give the hash itself, as the answer or with -e',
      'site.yml:7:7 an entry of "vars_prompt" must be a mapping, not text — write "- name: VARIABLE"',
      'site.yml:8:25 "prompt" must be text, not a list',
      'site.yml:8:30 "hosts" is not a keyword of an entry of vars_prompt — it belongs to a play',
      'site.yml:9:26 "{{ y" is never closed — write }} where it ends, or {{ "{{" }} for braces that are text',
      'site.yml:9:42 "{{ z" is never closed — write }} where it ends, or {{ "{{" }} for braces that are text',
    ]);
    expect(await mistakes('- hosts: all\n  vars_prompt: x\n')).to.deep.equal([
      'site.yml:2:16 "vars_prompt" must be a mapping, not text — write "- name: VARIABLE"',
    ]);
  });
});
