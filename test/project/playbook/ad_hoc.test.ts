import { expect } from 'chai';
import type { Playbook } from '../../../src/core/model/playbook/playbook.js';
import { Diagnostics } from '../../../src/core/model/source/diagnostic.js';
import { isMapping } from '../../../src/core/model/values/value.js';
import { adHocPlaybook } from '../../../src/project/playbook/ad_hoc.js';
import { inFolder, type Files } from '../../rig/folder.js';
import { catalogue, tasksOf, worded } from '../../rig/loaded.js';
import { ENCRYPTED_FILE, ENCRYPTED_VALUE, PASSWORD, TEXT, vaultOf } from '../../rig/vault.js';

interface Result {
  readonly playbook: Playbook | undefined;
  readonly diagnostics: readonly string[];
}

function adHoc(module: string, args?: string, files: Files = {}): Promise<Result> {
  return inFolder(files, async (cwd) => {
    const diagnostics = new Diagnostics();
    const playbook = await adHocPlaybook({ pattern: 'emea:!lb02', module, args, cwd, catalogue, diagnostics });
    return { playbook, diagnostics: diagnostics.list.map(worded) };
  });
}

describe('An ad-hoc task', () => {
  const accepted: readonly (readonly [string | undefined, unknown])[] = [
    [undefined, {}],
    ['msg="a b" verbosity=1', { msg: 'a b', verbosity: '1' }],
    ['msg={{ a + b }}', { msg: '{{ a + b }}' }],
    ['{"msg": "x", "verbosity": 1}', { msg: 'x', verbosity: 1 }],
    ['{msg: x}', { msg: 'x' }],
    ['msg: x\nverbosity: 2', { msg: 'x', verbosity: 2 }],
    ['@args.yml', { msg: 'from a file' }],
    ['{{ arguments }}', '{{ arguments }}'],
  ];
  for (const [args, expected] of accepted) {
    it(`accepts ${args ?? 'no arguments'}`, async () => {
      const { playbook, diagnostics } = await adHoc('debug', args, { 'args.yml': 'msg: from a file\n' });
      expect(diagnostics).to.deep.equal([]);
      const [play] = playbook?.plays ?? [];
      expect(play?.hosts.value).to.equal('emea:!lb02');
      expect(tasksOf(play).map((step) => [step.module, step.args])).to.deep.equal([['debug', expected]]);
    });
  }

  const refused: readonly (readonly [string, string | undefined, readonly string[]])[] = [
    ['debgu', 'msg=x', ['there is no module "debgu" — did you mean "debug"?']],
    [
      'shell',
      'ls',
      [
        '"shell" cannot run on a controller: it handles programs on a host — use api_request for what the controller should do, and lookup("pipe", …) for a program on this machine',
      ],
    ],
    [
      'ansible.builtin.include_role',
      'name=web',
      ['ansible.builtin.include_role works only in a playbook — write a playbook, and "evenkeel run" it'],
    ],
    ...['block', 'import_playbook', 'import_role', 'import_tasks', 'include', 'include_tasks', 'roles'].map(
      (word) =>
        [word, undefined, [`${word} works only in a playbook — write a playbook, and "evenkeel run" it`]] as const,
    ),
    ['meta', 'noop', ['meta works only in a playbook — write a playbook, and "evenkeel run" it']],
    ['debug', 'msgg=x', ['"msgg" is not an argument of debug — did you mean "msg"?']],
    ['debug', 'hello', ['debug takes arguments by name; "hello" has none — write name=value']],
    ['debug', 'msg="x', ['a quote or "{{" is not closed in: msg="…']],
    ['debug', '{msg: }x', ['--args: unexpected text after the closing "}", in: {msg: }x — quote the whole value']],
    ['debug', '@', ['--args: "@" must be followed by the name of a file']],
    ['debug', '@none.yml', ['--args: cannot read none.yml: there is no such file']],
    ['debug', '@args.yml', ['args.yml:2:1 "msgg" is not an argument of debug — did you mean "msg"?']],
  ];
  for (const [module, args, expected] of refused) {
    it(`refuses ${module} ${args ?? ''}`, async () => {
      const { diagnostics } = await adHoc(module, args, { 'args.yml': '# arguments\nmsgg: x\n' });
      expect(diagnostics).to.deep.equal(expected);
    });
  }

  it('has its arguments at their places in a file', async () => {
    const { playbook } = await adHoc('debug', '@args.yml', { 'args.yml': 'verbosity: 1\nmsg: hi\n' });
    const [task] = tasksOf(playbook?.plays[0]);
    expect(task?.locate([...task.argsPath, 'msg'])).to.deep.equal({ file: 'args.yml', line: 2, column: 6 });
  });

  it('keeps fields that are passed on as text: they get their types when the task runs', async () => {
    const { playbook, diagnostics } = await adHoc('cloud_present', 'name=1500 mtu=1500 dhcp_enabled=yes other=5');
    expect(diagnostics).to.deep.equal([]);
    expect(tasksOf(playbook?.plays[0])[0]?.args).to.deep.equal({
      name: '1500',
      mtu: '1500',
      dhcp_enabled: 'yes',
      other: '5',
    });
  });

  it('needs a pattern, also where the task is wrong', async () => {
    const diagnostics = new Diagnostics();
    const given = { module: 'debgu', cwd: '.', catalogue, diagnostics };
    expect(await adHocPlaybook({ ...given, pattern: ' ' })).to.equal(undefined);
    expect(await adHocPlaybook({ ...given, module: 'debug', pattern: '' })).to.equal(undefined);
    const empty = 'the pattern is empty — for every controller, write "all"';
    expect(diagnostics.list.map(worded)).to.deep.equal([
      'there is no module "debgu" — did you mean "debug"?',
      empty,
      empty,
    ]);
  });

  it('reads encrypted arguments, and hides all texts of an encrypted file', async () => {
    const { vault, secrets } = vaultOf({ default: PASSWORD });
    const diagnostics = new Diagnostics();
    const run = (args: string, files: Files) =>
      inFolder(files, async (cwd) => {
        const given = { pattern: 'all', module: 'debug', args, cwd, catalogue, diagnostics, vault };
        const [task] = tasksOf((await adHocPlaybook(given))?.plays[0]);
        return task?.args;
      });
    const inline = await run(JSON.stringify({ msg: { __ansible_vault: ENCRYPTED_VALUE } }), {});
    expect(isMapping(inline) && inline['msg']).to.have.property('text', TEXT);
    await run('@plain.yml', { 'plain.yml': 'msg: plainly-shown\n' });
    expect(secrets.mask('plainly-shown')).to.equal('plainly-shown');
    await run('@args.yml', { 'args.yml': ENCRYPTED_FILE });
    expect(diagnostics.list.map(worded)[0]).to.match(/^args.yml:1:1 "token" is not an argument of debug/);
    expect(secrets.mask('a s3cr3t-t0ken')).to.equal('a ********');
  });
});
