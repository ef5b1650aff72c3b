import { rm } from 'node:fs/promises';
import { expect } from 'chai';
import { parseJson } from '../../src/core/model/values/json.js';
import { jsonText, type Mapping, type Value } from '../../src/core/model/values/value.js';
import { Library } from '../../src/language/library.js';
import { BUILT_IN } from '../../src/language/library/index.js';
import { evaluate, isTrue, renderText } from '../../src/language/render.js';
import { TemplateError } from '../../src/language/runtime/errors.js';
import { evaluateLazy } from '../../src/language/runtime/result.js';
import { Variables } from '../../src/language/scope.js';
import { followed } from '../differential/older.js';
import { COLUMN } from '../rig/ansible.js';
import type { Columns } from '../rig/columns.js';
import { Confirmed } from '../rig/confirmed.js';
import { makeFolder } from '../rig/folder.js';
import { CASES, KINDS, type Kind } from './ansible/cases.js';
import { differences } from './ansible/differences.js';
import { askAnsible, FOLDER, isLike, record, recorded, type Recording } from './ansible/recording.js';
import { ENVIRONMENT, FILES, variables, VARIABLES_FILE } from './ansible/surroundings.js';
import { HERE, layer } from './scopes.js';

/**
 * Every case is one line of a file in `ansible/`. Its value is recorded from Ansible 2.14 in `recorded/ansible_expressions.json`; if
 * the newest Ansible returns another value, the file beside it has this one. If Ansible is installed, the test compares it with the
 * recording, and records new cases for 2.14. `npm run record -- expressions` records all cases again.
 */
describe('The value of a text in Ansible', () => {
  let columns: Columns<Recording>;
  let confirmed: Confirmed;
  const questions = (): unknown => [CASES, FILES, VARIABLES_FILE, ENVIRONMENT, columns[COLUMN]];
  let theirs: Recording;
  let installed: Recording | undefined;
  let folder: string;
  let ours: Evaluators;

  before(async function () {
    this.timeout(600_000);
    columns = await recorded();
    confirmed = await Confirmed.of('expressions');
    if (confirmed.asked([questions()]).length > 0) installed = await askAnsible();
    if (COLUMN === 'reference' && installed !== undefined) await complete(installed);
    columns = await recorded();
    theirs = followedKinds(columns);
    folder = await makeFolder(FILES);
    Object.assign(process.env, ENVIRONMENT);
    ours = evaluators(folder);
  });
  after(async () => {
    for (const name of Object.keys(ENVIRONMENT)) Reflect.deleteProperty(process.env, name);
    await rm(folder, { recursive: true });
  });

  for (const kind of KINDS) {
    describe(kind, () => {
      const different = differences(kind);
      for (const text of CASES[kind]) {
        it(text, () => {
          const found = ourOutcome(folder, () => ours[kind](text));
          const difference = different.get(text);
          const outcome = theirs[kind][text] ?? { fails: 'it is not recorded' };
          const wanted = 'value' in outcome ? outcome.value : FAILS;
          if (difference === undefined) expect(found).to.deep.equal(wanted);
          else {
            expect(found).to.deep.equal(difference);
            expect(found, 'there is no difference any more').to.not.deep.equal(wanted);
          }
        });
      }
    });
  }

  it('is compared for every listed difference', () => {
    for (const kind of KINDS) expect(CASES[kind]).to.include.members([...differences(kind).keys()]);
  });

  it('is the same in the recording and the installed Ansible', async () => {
    if (installed === undefined) return;
    for (const kind of KINDS) {
      for (const text of CASES[kind]) {
        const [now, then] = [installed[kind][text], columns[COLUMN][kind][text]];
        if (!isLike(now, then)) expect(now, text).to.deep.equal(then);
      }
    }
    await confirmed.keep([questions()]);
  });
});

const FAILS = 'FAILS';

function followedKinds({ reference, newest }: Columns<Recording>): Recording {
  const of = (kind: Kind): Recording[Kind] => followed(kind, { reference: reference[kind], newest: newest[kind] });
  return { expressions: of('expressions'), templates: of('templates'), conditions: of('conditions') };
}

/** Records new cases. */
async function complete(found: Recording): Promise<void> {
  const { reference: known } = await recorded();
  const missing = KINDS.some((kind) => CASES[kind].some((text) => known[kind][text] === undefined));
  if (!missing) return;
  await record({
    expressions: { ...found.expressions, ...known.expressions },
    templates: { ...found.templates, ...known.templates },
    conditions: { ...found.conditions, ...known.conditions },
  });
}

type Evaluators = Readonly<Record<Kind, (text: string) => Value>>;

function evaluators(folder: string): Evaluators {
  const scope = new Variables([layer(variables()), magic(folder)], undefined, undefined, new Library(BUILT_IN));
  return {
    expressions: (text) => renderText(`{{ ${text} }}`, scope, HERE),
    templates: (text) => renderText(text, scope, HERE),
    conditions: (text) => isTrue(evaluate(text, scope, HERE)),
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

function ourOutcome(folder: string, value: () => Value): Value {
  try {
    return parseJson(jsonText(evaluateLazy(value())).replaceAll(folder, FOLDER));
  } catch (error) {
    if (error instanceof TemplateError) return FAILS;
    throw error;
  }
}
