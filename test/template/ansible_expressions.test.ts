import { expect } from 'chai';
import { mkdir } from 'node:fs/promises';
import type { Mapping, Value } from '../../src/model/value.js';
import { settle } from '../../src/template/access.js';
import { evaluate, isTrue } from '../../src/template/condition.js';
import { TemplateError } from '../../src/template/errors.js';
import { Library } from '../../src/template/library.js';
import { BUILT_IN } from '../../src/template/library/index.js';
import { renderText } from '../../src/template/render.js';
import { Variables } from '../../src/template/scope.js';
import { hasAnsible } from '../rig/ansible.js';
import { inFolder } from '../rig/folder.js';
import { CASES, KINDS, type Kind } from './ansible/cases.js';
import { differences } from './ansible/differences.js';
import { askAnsible, FOLDER, isRecorded, record, recording, type Recording } from './ansible/recording.js';
import { ENVIRONMENT, FILES, variables } from './ansible/surroundings.js';
import { HERE, layer } from './scopes.js';

/**
 * Every case is one line of a file in `ansible/`, and its value is what ansible-core 2.14 gave for it, in
 * `recorded/ansible_expressions.json`. Where Ansible is installed, the recording must still be what it says; a case that is
 * not recorded yet is added. To record all anew, delete the recording and run this file.
 */
describe('what ansible-core 2.14 makes of a text', () => {
  let recorded: Recording;
  let installed: Recording | undefined;
  let ours: Readonly<Record<Kind, Readonly<Record<string, Value>>>>;

  before(async function () {
    this.timeout(60_000);
    if (hasAnsible()) await complete((installed = await askAnsible()));
    recorded = await recording();
    ours = await withEnvironment(() => inFolder(FILES, evaluateAll));
  });

  for (const kind of KINDS) {
    describe(kind, () => {
      const different = differences(kind);
      for (const text of CASES[kind]) {
        it(text, () => {
          const found = ours[kind][text];
          const difference = different.get(text);
          const outcome = recorded[kind][text] ?? { fails: 'it is not recorded' };
          const theirs = 'value' in outcome ? outcome.value : FAILS;
          if (difference === undefined) expect(found).to.deep.equal(theirs);
          else {
            expect(found).to.deep.equal(difference);
            expect(found, 'there is no difference any more').to.not.deep.equal(theirs);
          }
        });
      }
    });
  }

  it('has no difference for what is not compared', () => {
    for (const kind of KINDS) expect(CASES[kind]).to.include.members([...differences(kind).keys()]);
  });

  it('is what the installed Ansible says', function () {
    if (installed === undefined) this.skip();
    expect(installed).to.deep.equal(recorded);
  });
});

const FAILS = 'FAILS';

/** Adds what is not recorded yet. */
async function complete(found: Recording): Promise<void> {
  const known: Recording = isRecorded() ? await recording() : { expressions: {}, templates: {}, conditions: {} };
  const missing = KINDS.some((kind) => CASES[kind].some((text) => known[kind][text] === undefined));
  if (!missing) return;
  await mkdir(new URL('recorded', import.meta.url), { recursive: true });
  await record({
    expressions: { ...found.expressions, ...known.expressions },
    templates: { ...found.templates, ...known.templates },
    conditions: { ...found.conditions, ...known.conditions },
  });
}

async function withEnvironment<T>(act: () => Promise<T>): Promise<T> {
  Object.assign(process.env, ENVIRONMENT);
  try {
    return await act();
  } finally {
    for (const name of Object.keys(ENVIRONMENT)) Reflect.deleteProperty(process.env, name);
  }
}

type Values = Readonly<Record<string, Value>>;

// eslint-disable-next-line @typescript-eslint/require-await -- what a folder is used for may take its time
async function evaluateAll(folder: string): Promise<Record<Kind, Values>> {
  const scope = new Variables([layer(variables()), magic(folder)], undefined, undefined, new Library(BUILT_IN));
  return {
    expressions: outcomes('expressions', folder, (text) => renderText(`{{ ${text} }}`, scope, HERE)),
    templates: outcomes('templates', folder, (text) => renderText(text, scope, HERE)),
    conditions: outcomes('conditions', folder, (text) => isTrue(evaluate(text, scope, HERE))),
  };
}

function magic(folder: string): ReturnType<typeof layer> {
  const values: Mapping = {
    inventory_hostname: 'localhost',
    group_names: ['ungrouped'],
    groups: { all: ['localhost'], ungrouped: ['localhost'] },
    hostvars: { localhost: { inventory_hostname: 'localhost' } },
    playbook_dir: folder,
    ansible_play_hosts: ['localhost'],
    ansible_check_mode: false,
    ansible_version: { major: 2, minor: 14 },
  };
  return { ...layer(values, 'magic'), literal: true };
}

function outcomes(kind: Kind, folder: string, value: (text: string) => Value): Values {
  return Object.fromEntries(CASES[kind].map((text) => [text, outcome(folder, () => value(text))]));
}

function outcome(folder: string, value: () => Value): Value {
  try {
    return JSON.parse(JSON.stringify(settle(value())).replaceAll(folder, FOLDER)) as Value;
  } catch (error) {
    if (error instanceof TemplateError) return FAILS;
    throw error;
  }
}
