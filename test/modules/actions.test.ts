import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import addHost from '../../modules/add_host.js';
import assertModule from '../../modules/assert.js';
import debug from '../../modules/debug.js';
import fail from '../../modules/fail.js';
import groupBy from '../../modules/group_by.js';
import includeVars from '../../modules/include_vars.js';
import { filesIn, type FolderChoice } from '../../modules/include_vars/folder.js';
import resourceFacts from '../../modules/resource_facts.js';
import { ensurePassword } from '../../modules/user_password.js';
import validateSpec from '../../modules/validate_argument_spec.js';
import { validateArguments } from '../../src/module/arguments/validation.js';
import type { ActionContext, ActionResult, Mapping, Module, RawAnswer, Value } from '../../src/module/contract.js';
import { inFolder } from '../rig/folder.js';

/** Runs an action with these parts of its context only. */
function run(module: Module, args: Value, context: Partial<ActionContext> = {}): Promise<ActionResult> {
  const checked = validateArguments(module, args, 'rendered');
  if ('problems' in checked) throw new Error(checked.problems.map(({ message }) => message).join());
  if (module.type !== 'action') throw new Error('no action');
  return module.run(checked.args as Parameters<typeof module.run>[0], context as ActionContext);
}

describe('add_host', () => {
  const added = async (args: Mapping) => {
    const result = await run(addHost, args);
    return 'effect' in result ? result.effect : result;
  };
  const host = (name: string, groups: readonly string[] = [], values: Mapping = {}) => ({
    type: 'host',
    name,
    groups,
    values,
  });

  it('takes its name, its groups and its variables from any of their arguments', async () => {
    expect(await added({ name: 'a', hostname: 'b', host: 'c' })).to.deep.equal(host('a'));
    expect(await added({ hostname: 'b', host: 'c' })).to.deep.equal(host('b'));
    expect(await added({ host: 'c', groups: 'g, h ,, g', group: 'i' })).to.deep.equal(host('c', ['g', 'h']));
    expect(await added({ name: 'a', group: 'i', groupname: 'j' })).to.deep.equal(host('a', ['i']));
    expect(await added({ name: 'a', groupname: ['j', ' k '] })).to.deep.equal(host('a', ['j', 'k']));
    expect(await added({ name: 'a:8443', x: 1, y: [2] })).to.deep.equal(
      host('a', [], { ansible_port: 8443, x: 1, y: [2] }),
    );
    expect(await added({ name: 'a b:1' })).to.deep.equal(host('a b:1'));
    expect(await added({ name: '' })).to.deep.equal({
      status: 'failed',
      message: 'add_host needs the name of the controller',
    });
    expect(await run(addHost, { name: 'a:1', group: 'g' })).to.have.deep.property('values', {
      add_host: { host_name: 'a', groups: ['g'], host_vars: { ansible_port: 1 } },
    });
  });
});

describe('group_by', () => {
  it('names groups without blanks', async () => {
    expect(await run(groupBy, { key: 'a b c', parents: ['x y', 'z'] })).to.deep.equal({
      status: 'ok',
      effect: { type: 'group', name: 'a-b-c', parents: ['x-y', 'z'] },
      values: { add_group: 'a-b-c', parent_groups: ['x-y', 'z'] },
    });
    expect(await run(groupBy, { key: 'a' }))
      .to.have.nested.property('effect.parents')
      .that.deep.equals(['all']);
    expect(await run(groupBy, { key: 'a', parents: 'x' })).to.have.nested.property('effect.parents[0]', 'x');
  });
});

describe('messages', () => {
  const isTrue = (value: Value): boolean => value === true;
  const evaluate = (expression: Value): Value => {
    if (expression === 'missing') throw Object.assign(new Error('no'), { undefinedName: 'missing' });
    if (expression === 'unnamed') throw Object.assign(new Error('no'), { undefinedName: undefined });
    if (expression === 'wrong') throw new Error('wrong');
    return expression === 'yes' ? true : 5;
  };

  it('of debug are those of its verbosity, and of variables that exist', async () => {
    const shown = (args: Mapping, verbosity = 0) => run(debug, args, { verbosity, evaluate });
    expect(await shown({})).to.deep.equal({
      status: 'ok',
      spoken: true,
      message: 'Hello world!',
      values: { msg: 'Hello world!' },
    });
    expect([await shown({ verbosity: 2 }, 1), (await shown({ verbosity: 2 }, 2)).status]).to.deep.equal([
      { status: 'skipped', message: 'verbosity threshold not met', values: {} },
      'ok',
    ]);
    expect(await shown({ var: 'x' })).to.deep.equal({ status: 'ok', spoken: true, message: 'x: 5', values: { x: 5 } });
    expect(await shown({ var: 'missing' })).to.have.deep.property('values', { missing: 'VARIABLE IS NOT DEFINED!' });
    for (const name of ['unnamed', 'wrong']) expect(() => shown({ var: name })).to.throw(/^(?:no|wrong)$/);
  });

  it('of fail are lines, or anything else as it is', async () => {
    expect(await run(fail, { msg: ['a', 5] })).to.have.property('message', '[\n  "a",\n  5\n]');
    expect(await run(fail, { msg: [] })).to.have.property('message', '');
  });

  it('of assert are those that are given, in lines', async () => {
    const judged = (args: Mapping) => run(assertModule, args, { evaluate, isTrue });
    expect(await judged({ that: ['yes', 'yes'] })).to.deep.equal({
      status: 'ok',
      message: 'All assertions passed',
      spoken: false,
      values: { msg: 'All assertions passed' },
    });
    expect(await judged({ that: 'yes', success_msg: ['a', 'b'] })).to.deep.include({ message: 'a\nb', spoken: true });
    expect(await judged({ that: 'yes', success_msg: 'a', quiet: true })).to.deep.include({
      message: 'a',
      spoken: false,
    });
    expect(await judged({ that: ['yes', 'five', 'other'] })).to.deep.equal({
      status: 'failed',
      message: 'Assertion failed: five',
      values: { assertion: 'five', evaluated_to: 5, msg: 'Assertion failed' },
    });
    expect(await judged({ that: 'five', msg: 'm' })).to.have.property('message', 'm\nAssertion failed: five');
    expect(await judged({ that: 'five', msg: 'm', fail_msg: ['a', 'b'] })).to.deep.include({
      message: 'a\nb\nAssertion failed: five',
      values: { assertion: 'five', evaluated_to: 5, msg: ['a', 'b'] },
    });
  });

  it('of validate_argument_spec name each problem, and secrets and warnings go to the run', async () => {
    const [hidden, warned]: [string[], string[]] = [[], []];
    const context: Partial<ActionContext> = {
      variable: (name) => ({ a: 'text', b: 'secret', c: 7 })[name],
      hide: (secret) => hidden.push(secret),
      warn: (message) => warned.push(message),
    };
    const spec = { a: { type: 'int' }, b: { no_log: true, removed_in_version: '2' }, d: { required: true } };
    const errors = [
      'missing required arguments: d',
      "argument 'a' is of type str and we were unable to convert to int",
    ];
    const msg = `Validation of arguments failed:\n${errors.join('\n')}`;
    const about = { role: 'x' };
    expect(await run(validateSpec, { argument_spec: spec, validate_args_context: about }, context)).to.deep.equal({
      status: 'failed',
      message: msg,
      values: { validate_args_context: about, msg, argument_spec_data: spec, argument_errors: errors },
    });
    expect([hidden, warned]).to.deep.equal([
      ['secret'],
      ['the argument "b" is deprecated and will be removed in version 2'],
    ]);
    const passed = { argument_spec: spec, provided_arguments: { a: 1, d: 2 } };
    const said = 'The arg spec validation passed';
    expect(await run(validateSpec, passed, context)).to.deep.equal({
      status: 'ok',
      message: said,
      values: { validate_args_context: {}, msg: said },
    });
    expect(await run(validateSpec, { argument_spec: { a: 5 } }, context)).to.deep.equal({
      status: 'failed',
      message: 'argument_spec.a: the option "a" must be a mapping, such as "type: str"',
    });
  });
});

describe('include_vars', () => {
  const included = (args: Mapping, folders: readonly string[], variables: Mapping = {}, read: Mapping = {}) =>
    run(includeVars, args, {
      searchPath: () => folders,
      variable: (name) => variables[name],
      readVariables: (file) => Promise.resolve((read[path.basename(file)] ?? undefined) as Mapping | undefined),
    });
  const filesRead = async (...of: Parameters<typeof included>) => {
    const { status, values, ...rest } = await included(...of);
    return status === 'ok' ? values?.['ansible_included_var_files'] : { status, ...rest };
  };

  it('looks in `vars` of each folder, then in the folder', () =>
    inFolder({ 'a/x.yml': '', 'b/vars/x.yml': '', 'b/y.yml': '', 'b/vars/z/q': '' }, async (folder) => {
      const [a = '', b = ''] = ['a', 'b'].map((name) => path.join(folder, name));
      expect(await filesRead({ file: ' x.yml ' }, [a, b])).to.deep.equal([path.join(a, 'x.yml')]);
      expect(await filesRead({ file: 'x.yml' }, [b, a])).to.deep.equal([path.join(b, 'vars/x.yml')]);
      expect(await filesRead({ file: 'vars/x.yml' }, [a, b])).to.deep.equal([path.join(b, 'vars/x.yml')]);
      expect(await filesRead({ file: path.join(b, 'y.yml') }, [a])).to.deep.equal([path.join(b, 'y.yml')]);
      expect(await filesRead({ file: 'none.yml' }, [a, a])).to.deep.equal({
        status: 'failed',
        message: `there is no variables file none.yml; looked in ${a}/vars/none.yml, ${a}/none.yml`,
        hint: undefined,
      });
      expect(await filesRead({ file: 'z' }, [a, b])).to.deep.equal({
        status: 'failed',
        message: `${b}/vars/z is a folder`,
        hint: 'to read all of its files, write "dir" instead of "file"',
      });
      expect(await filesRead({ file: ' ' }, [a])).to.deep.include({ message: 'include_vars needs "file" or "dir"' });
      expect(await filesRead({ dir: 'vars' }, [b])).to.deep.include({
        message: `${b}/vars/z/q does not end in one of yaml, yml, json`,
      });
      expect(await filesRead({ dir: 'vars', depth: 1 }, [b])).to.deep.equal([path.join(b, 'vars/x.yml')]);
      const role = { role_path: b };
      expect(await filesRead({ dir: 'vars', ignore_unknown_extensions: true }, [a], role)).to.deep.equal([
        `${b}/vars/x.yml`,
      ]);
      expect(await filesRead({ dir: 'z' }, [a], role)).to.deep.include({
        message: `${b}/vars/z/q does not end in one of yaml, yml, json`,
      });
    }));

  it('replaces variables, or merges mappings, also under a name', () =>
    inFolder({ 'one.yml': '', 'two.yml': '' }, async (folder) => {
      const read = { 'one.yml': { a: { x: { y: 1 } }, b: 1 }, 'two.yml': { b: { c: 2 } } };
      const before = { a: { x: { z: 3 }, w: 4 }, b: { d: 5 }, n: { a: { q: 6 } } };
      const values = async (args: Mapping) => {
        const { effect } = (await included({ dir: folder, ...args }, [folder], before, read)) as { effect?: unknown };
        return effect;
      };
      const variables = (of: Mapping) => ({ type: 'variables', values: of });
      expect(await values({})).to.deep.equal(variables({ a: { x: { y: 1 } }, b: { c: 2 } }));
      expect(await values({ hash_behaviour: 'merge' })).to.deep.equal(
        variables({ a: { x: { z: 3, y: 1 }, w: 4 }, b: { d: 5, c: 2 } }),
      );
      expect(await values({ hash_behaviour: 'merge', name: 'n' })).to.deep.equal(
        variables({ n: { a: { q: 6, x: { y: 1 } }, b: { c: 2 } } }),
      );
      expect(await values({ files_matching: 'two', name: 'n' })).to.deep.equal(variables({ n: { b: { c: 2 } } }));
      expect(await included({ file: 'two.yml' }, [folder], {}, {})).to.deep.equal({
        status: 'ok',
        effect: { type: 'variables', values: {} },
        values: { ansible_facts: {}, ansible_included_var_files: [path.join(folder, 'two.yml')] },
      });
    }));

  it('reads the chosen files of a folder, in order', () =>
    inFolder(
      { 'b.yml': '', 'a.yaml': '', 'c.txt': '', 'z/d.yml': '', 'y/e.yml': '', 'y/f.yml.bak': '', 'z/g/d.yml': '' },
      async (folder) => {
        await mkdir(path.join(folder, 'x'));
        const found = async (choice: Partial<FolderChoice>) => {
          const of = { depth: 0, matching: undefined, ignored: [], extensions: ['yml', 'yaml'] };
          const files = await filesIn(folder, { ...of, otherExtensions: 'leave out', ...choice });
          return typeof files === 'string' ? files : files.map((file) => path.relative(folder, file)).join(' ');
        };
        expect(await found({})).to.equal('a.yaml b.yml y/e.yml z/d.yml z/g/d.yml');
        expect([await found({ depth: 1 }), await found({ depth: 2 })]).to.deep.equal([
          'a.yaml b.yml',
          'a.yaml b.yml y/e.yml z/d.yml',
        ]);
        expect(await found({ matching: '^[be]' })).to.equal('b.yml y/e.yml');
        expect(await found({ ignored: ['b.yml', 'yaml|d.yml'] })).to.equal('y/e.yml');
        expect(await found({ ignored: ['b'] })).to.equal('a.yaml b.yml y/e.yml z/d.yml z/g/d.yml');
        expect(await found({ otherExtensions: 'refuse' })).to.equal(
          `${path.join(folder, 'c.txt')} does not end in one of yml, yaml`,
        );
        expect(await found({ otherExtensions: 'refuse', extensions: ['yml'], matching: '^[de]' })).to.equal(
          'y/e.yml z/d.yml z/g/d.yml',
        );
        expect([await found({ matching: '(' }), await found({ matching: 'a', ignored: ['b', '['] })]).to.deep.equal([
          '"(" is not a regular expression',
          '"[" is not a regular expression',
        ]);
        const choice: FolderChoice = {
          depth: 0,
          matching: undefined,
          ignored: [],
          extensions: [],
          otherExtensions: 'refuse',
        };
        expect(await filesIn(path.join(folder, 'none'), choice)).to.equal(`there is no folder ${folder}/none`);
        expect(await filesIn(path.join(folder, 'b.yml'), choice)).to.equal(`${folder}/b.yml is not a folder`);
      },
    ));
});

describe('resource_facts', () => {
  it('asks for a name beside a query, and lists objects by name where only one has it', async () => {
    const asked: unknown[] = [];
    const objects = [
      { name: 'a', x: 1, y: 2 },
      { name: 'b', x: 2 },
      { name: 'b', x: 3 },
      { name: 'aa', x: 4 },
      { x: 5 },
    ];
    const facts = async (args: Mapping) => {
      const list = (at: string, options: unknown) => {
        asked.push([at, options]);
        return Promise.resolve({ objects });
      };
      const { message, values } = (await run(resourceFacts, args, { list })) as { message?: string; values?: Mapping };
      return [message, values];
    };
    expect(await facts({ kind: 'pool', fields: ['x'], query: { n: 5 } })).to.deep.equal([
      '5 objects',
      {
        objects: [1, 2, 3, 4, 5].map((x) => ({ x })),
        count: 5,
        by_name: { a: { x: 1 }, aa: { x: 4 } },
        ambiguous: ['b'],
      },
    ]);
    expect((await facts({ path: '/api/pool/1', name: 'a' }))[0]).to.equal('1 object');
    expect((await facts({ kind: 'pool', name: 'none', query: { name: 'own' } }))[0]).to.equal('0 objects');
    expect(asked).to.deep.equal([
      ['/api/pool/', { query: { n: '5' }, paged: true }],
      ['/api/pool/1', { query: { name: 'a' }, paged: false }],
      ['/api/pool/', { query: { name: 'own' }, paged: true }],
    ]);
  });
});

describe('user_password', () => {
  const given = { password: 'new-1', old_password: 'old-1' };
  const account = (username: string, auth: 'basic' | 'session' = 'basic') => ({
    account: () => Promise.resolve({ username, auth, password: 'x' }),
  });
  const done = {
    status: 'changed',
    message: 'the password was changed',
    effect: { type: 'password' },
    change: { kind: 'invoke', object: 'password of "ann"', before: null, after: null },
  };

  /** @param accepted what each sign-in in turn says */
  async function changed(
    args: Parameters<typeof ensurePassword>[0],
    accepted: readonly boolean[],
    answer: RawAnswer | Error = { status: 200, body: null },
    more: Partial<ActionContext> = {},
  ) {
    const log: unknown[] = [];
    const context = {
      checkMode: false,
      ...account('ann'),
      aloneWithAccount: <T>(work: () => Promise<T>) => work(),
      signIn: (password: string, now?: 'changed') => {
        log.push(now === undefined ? password : `${password} ${now}`);
        return Promise.resolve(accepted[log.filter((one) => typeof one === 'string').length - 1] === true);
      },
      request: (request: unknown) => {
        log.push(request);
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
      ...more,
    } as unknown as ActionContext;
    return [await ensurePassword(args, context).catch((error: unknown) => String(error)), log];
  }
  const put = (more: Mapping = {}) => ({
    method: 'PUT',
    path: '/api/useraccount',
    body: { ...more, username: 'ann', password: 'new-1', old_password: 'old-1' },
    looked: true,
  });

  it('tries the new password, then the old one, then changes it', async () => {
    expect(await changed(given, [true])).to.deep.equal([
      { status: 'ok', message: 'the password is as declared', effect: { type: 'password' } },
      ['new-1'],
    ]);
    expect(await changed({ ...given, profile: { email: 'e', username: 'x' } }, [false, true, true])).to.deep.equal([
      done,
      ['new-1', 'old-1', put({ email: 'e' }), 'new-1 changed'],
    ]);
  });

  it('decides by a sign-in whether it was changed', async () => {
    for (const answer of [{ status: 400, body: null }, { status: 200, body: null, denied: true }, new Error('lost')])
      expect((await changed(given, [false, true, true], answer))[0]).to.deep.equal(done);
    const failed = async (answer: RawAnswer | Error) => (await changed(given, [false, true, false], answer))[0];
    expect([
      await failed({ status: 300, body: null, says: 'no' }),
      await failed({ status: 200, body: null, denied: true }),
      await failed({ status: 299, body: null }),
      await failed(new Error('lost')),
    ]).to.deep.equal([
      { status: 'failed', message: 'PUT /api/useraccount answered 300: no' },
      { status: 'failed', message: 'PUT /api/useraccount answered 200' },
      {
        status: 'failed',
        message: 'PUT /api/useraccount succeeded, but the controller still refuses the new password',
      },
      'Error: lost',
    ]);
  });

  it('changes nothing in check mode, and says whose passwords are refused', async () => {
    const { effect: _effect, ...would } = { ...done, message: 'the password would be changed' };
    expect(await changed(given, [false], undefined, { checkMode: true })).to.deep.equal([would, ['new-1']]);
    const refused = 'the controller refuses both passwords of "ann"; neither is tried again in this run';
    const hint = '; if Basic authentication is off at the controller, set controller_auth: session';
    expect(await changed(given, [false, false])).to.deep.equal([
      { status: 'failed', message: refused + hint },
      ['new-1', 'old-1'],
    ]);
    const session = account('ann', 'session');
    expect((await changed(given, [false, false], undefined, session))[0]).to.have.property('message', refused);
    expect((await changed({ password: 'new-1' }, [false], undefined, account('eve')))[0]).to.deep.equal({
      status: 'failed',
      message: 'the controller refuses the password of "eve", and there is no old_password',
    });
  });
});
