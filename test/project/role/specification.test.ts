import { expect } from 'chai';
import type { Task } from '../../../src/core/model/playbook/step.js';
import type { Files } from '../../rig/folder.js';
import { load, mistakes, playOf, tasksOf } from '../../rig/loaded.js';

const SPECS = `
argument_specs:
  main:
    short_description: A web role.
    description: "{{ not a template }}"
    author: nobody
    options:
      mtu: { type: int, required: true, description: "the {{mtu}}" }
      color: { choices: [red, green] }
      key: { no_log: true, choices: [aa, bb], aliases: [secret] }
      vip: { type: dict, options: { port: { type: int, description: "{{x}}" } } }
    required_one_of: [[color, key]]
  other: {}
`;

const WEB: Files = {
  'roles/web/tasks/main.yml': '- { name: work, debug: }\n',
  'roles/web/tasks/other.yml': '- { name: other, debug: }\n',
  'roles/web/meta/argument_specs.yml': SPECS,
};

function placeOfTarget(entry: string): string {
  return `- hosts: all\n  roles:\n    - ${entry}\n`;
}

async function first(text: string, files: Files = WEB): Promise<Task> {
  const { plays, diagnostics } = await load(text, files);
  expect(diagnostics).to.deep.equal([]);
  const [task] = tasksOf(plays[0]);
  if (task?.type !== 'task') throw new Error('no task');
  return task;
}

describe('A role with an argument specification', () => {
  it('compares what it is given before the run, but nothing that is hidden, by its alias either, or inside', async () => {
    const options = `
      mtu: { type: int, required: true }
      phrase: { no_log: true, choices: [aa], aliases: [words] }
      site: { type: dict, options: { zone: { type: int }, code: { no_log: true } } }
      size: { type: int }
`;
    const files = {
      ...WEB,
      'roles/web/meta/argument_specs.yml': `argument_specs:\n  main:\n    options:${options}`,
    };
    const found = (given: string): Promise<readonly string[]> =>
      mistakes(placeOfTarget(`{ role: web, ${given} }`), files);
    for (const given of ['words: zz', 'phrase: zz', 'site: { zone: x }', 'size: 5', 'size: "{{ x }}"', 'mtu: 5'])
      expect(await found(given), given).to.deep.equal([]);
    for (const [given, name] of [
      ['size: x', 'size'],
      ['mtu: x', 'mtu'],
    ] as const)
      expect((await found(`words: zz, ${given}`)).map((one) => one.includes(name))).to.deep.equal([true]);
    expect(await found('size: x, when: later')).to.deep.equal([]);
  });

  it('begins with the check of its arguments', async () => {
    const text = placeOfTarget('{ role: web, mtu: "{{m}}", when: a, tags: [t] }');
    const task = await first(text);
    const { args, ...rest } = task;
    const path = (args as Record<string, Record<string, unknown>>)['validate_args_context']?.['path'];
    expect(args).to.deep.equal({
      argument_spec: {
        mtu: { type: 'int', required: true },
        color: { choices: ['red', 'green'] },
        key: { no_log: true, choices: ['aa', 'bb'], aliases: ['secret'] },
        vip: { type: 'dict', options: { port: { type: 'int' } } },
      },
      required_one_of: [['color', 'key']],
      provided_arguments: { mtu: '{{m}}' },
      validate_args_context: { type: 'role', name: 'web', argument_spec_name: 'main', path },
    });
    expect(rest.name?.value).to.equal("Validating arguments against arg spec 'main' - A web role.");
    expect([rest.role, rest.module, rest.tags]).to.deep.equal(['web', 'validate_argument_spec', ['t', 'always']]);
    expect(rest.when.map(({ expression }) => expression)).to.deep.equal(['a']);
    expect(rest.source).to.deep.equal({ file: 'site.yml', line: 3, column: 15 });
    const place = (...at: readonly string[]): string => {
      const { file, line, column } = task.locate(['validate_argument_spec', ...at]);
      return `${file}:${line}:${column}`;
    };
    expect(place('provided_arguments', 'mtu')).to.equal('site.yml:3:25');
    expect(place('argument_spec', 'mtu')).to.equal('roles/web/meta/argument_specs.yml:8:12');
    expect(place('validate_args_context')).to.equal('roles/web/meta/argument_specs.yml:8:7');
  });

  it('can have one for each of its task files', async () => {
    const specs = 'argument_specs:\n  other: { options: {} }\n';
    const files = { ...WEB, 'roles/web/meta/argument_specs.yml': specs };
    expect((await first(placeOfTarget('web'), files)).module).to.equal('debug');
    const other = await first(playOf('- import_role: { name: web, tasks_from: other }'), files);
    expect(other.name?.value).to.equal("Validating arguments against arg spec 'other'");
    const without = await first(
      playOf('- import_role: { name: web, tasks_from: other, rolespec_validate: false }'),
      files,
    );
    expect(without.module).to.equal('debug');
  });

  it('can have it in meta/main.yml, unless it has its own file', async () => {
    const main = 'argument_specs: { main: { short_description: in main } }\n';
    const inMain: Files = { 'roles/web/tasks/main.yml': '- debug:\n', 'roles/web/meta/main.yml': main };
    const title = async (files: Files): Promise<string | undefined> =>
      (await first(placeOfTarget('web'), files)).name?.value;
    expect(await title(inMain)).to.equal("Validating arguments against arg spec 'main' - in main");
    expect(await title({ ...WEB, ...inMain })).to.equal("Validating arguments against arg spec 'main' - A web role.");
    expect(
      (await first(placeOfTarget('web'), { ...inMain, 'roles/web/meta/argument_specs.yaml': '' })).name?.value,
    ).to.equal("Validating arguments against arg spec 'main' - in main");
  });

  it('checks parameters without templates before the run', async () => {
    expect(
      await mistakes(
        placeOfTarget('{ role: web, mtu: many, colr: red, color: "{{c}}", vip: { port: x }, key: zz, secret: yy }'),
        WEB,
      ),
    ).to.deep.equal([
      "site.yml:3:25 argument 'mtu' is of type str and we were unable to convert to int",
      'site.yml:3:37 unsupported parameter: colr (did you mean "color"?). Supported parameters include: color, key, mtu, vip (secret)',
      "site.yml:3:71 argument 'port' is of type str and we were unable to convert to int found in vip",
    ]);
  });

  it('does not quote the value of a parameter with a secret name', async () => {
    const spec =
      'options: { admin_password: { choices: [a] }, vip: { type: dict, options: { token: { choices: [a] } } } }';
    const files = { ...WEB, 'roles/web/meta/argument_specs.yml': `argument_specs: { main: { ${spec} } }\n` };
    expect(
      await mistakes(placeOfTarget('{ role: web, admin_password: zzz, vip: { token: zzz } }'), files),
    ).to.deep.equal([]);
  });

  it('checks roles with conditions, and missing parameters, only during the run', async () => {
    expect(await mistakes(placeOfTarget('{ role: web, mtu: many, when: a }'), WEB)).to.deep.equal([]);
    expect(await mistakes(placeOfTarget('web'), WEB)).to.deep.equal([]);
    expect(await mistakes(placeOfTarget('{ role: web, mtu: !unsafe "1" }'), WEB)).to.deep.equal([]);
  });

  it('reports every mistake in the specification', async () => {
    const mistakesIn = (text: string): Promise<readonly string[]> =>
      mistakes(placeOfTarget('web'), { ...WEB, 'roles/web/meta/argument_specs.yml': text });
    expect(await mistakesIn('argument_specs: []\n')).to.deep.equal([
      'roles/web/meta/argument_specs.yml:1:17 "argument_specs" must be a mapping, not a list',
    ]);
    expect(await mistakesIn('argument_specs:\n  main: text\n  other: { options: [], required_if: x }\n')).to.deep.equal(
      [
        'roles/web/meta/argument_specs.yml:2:9 the argument specification "main" must be a mapping, not text',
        'roles/web/meta/argument_specs.yml:3:21 "options" must be a mapping of names to what each must be, not a list',
        'roles/web/meta/argument_specs.yml:3:38 "required_if" must be a list',
      ],
    );
    expect(
      await mistakesIn(
        'argument_specs:\n  other:\n    options:\n      a: { type: strin }\n      b: { requierd: yes }\n',
      ),
    ).to.deep.equal([
      'roles/web/meta/argument_specs.yml:4:18 there is no type "strin" — did you mean "str"?',
      'warning: roles/web/meta/argument_specs.yml:5:12 "requierd" is not a key of an argument specification — did you mean "required"?',
    ]);
  });
});
