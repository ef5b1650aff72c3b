import { expect } from 'chai';
import { evenkeel as builtEvenkeel, emptyProject, type Project } from '../rig/command.js';
import { evenkeel } from '../rig/in_process.js';

/** A reference whose field does not say its kind, a secret whose name does not say so, and a kind that exists once. */
const TABLE = {
  format: 'evenkeel-kinds-1',
  kinds: { gadget: 'Gadget', widget: 'Widget', motd: { structure: 'Motd', single: true } },
  structures: {
    Gadget: { fields: { name: 'string', tenant_ref: 'string', cloud_ref: { type: 'string', refers: 'cloud' } } },
    Widget: {
      required: ['name', 'mode'],
      fields: {
        name: 'string',
        tenant_ref: 'string',
        mode: { type: 'string', choices: ['FAST', 'SLOW'] },
        made_of_refs: { type: '[string]', refers: 'gadget' },
        opener: { type: 'string', secret: true },
        pages: { type: 'integer', range: [1, 9], default: 3 },
      },
    },
    Motd: { fields: { text: 'string' } },
  },
};

const INVENTORY = `all:
  hosts: { lb1: { controller_url: https://lb1.example.com } }
  vars: { controller_dialect: avi, controller_auth: session }
`;

const PLAY = `
- hosts: all
  tasks:
    - cloud_present: { name: edge, vtype: CLOUD_NONE }
    - gadget_present: { name: wheel, cloud_ref: Default-Cloud }
    - gadget_present: { name: wheel, cloud_ref: edge }
    - widget_present: { name: cart, mode: FAST, made_of_refs: [/api/gadget?name=wheel&cloud=edge], opener: sesame-42 }
    - resource_present: { kind: widget, name: van, properties: { mode: SLOW, opener: sesame-43 } }
    - motd_present: { text: hello }
    - resource_facts: { kind: widget, name: cart }
      register: widgets
    - resource_facts: { kind: motd }
      register: motd
    - assert:
        that:
          - widgets.objects[0].pages == 3
          - widgets.objects[0].opener == '<sensitive>'
          - widgets.objects[0].made_of_refs[0] is search('/api/gadget/.*#wheel$')
          - motd.objects[0].text == 'hello'
`;

describe("the kinds of a project's table", () => {
  let project: Project;

  beforeEach(async () => {
    project = await emptyProject({
      'modules/controller.kinds.json': JSON.stringify(TABLE),
      'inv.yml': INVENTORY,
      'p.yml': PLAY,
    });
  });
  afterEach(() => project.remove());

  const run = (...args: string[]) =>
    evenkeel(['run', 'p.yml', '-i', 'inv.yml', '--simulate', ...args], { cwd: project.directory });
  const runTasks = async (tasks: string, ...args: string[]) => {
    await project.write('p.yml', `- hosts: all\n  tasks:\n${tasks.replaceAll(/^/gm, '    ')}\n`);
    return run(...args);
  };

  it('behave like the built-in ones: scope, references, secrets, defaults, and a second run without changes', async () => {
    const first = await builtEvenkeel(['run', 'p.yml', '-i', 'inv.yml', '--simulate'], { cwd: project.directory });
    expect(first.stdout + first.stderr).to.match(/ok=9 +changed=6 .*failed=0/);
    expect(first.stdout + first.stderr).not.to.include('sesame');
    const second = await run();
    expect(second.stdout + second.stderr).to.match(/ok=9 +changed=0 .*failed=0/);
  });

  it('are what bare names of references mean', async () => {
    const made = await runTasks(`- gadget_present: { name: wheel }
- widget_present: { name: cart, mode: FAST, made_of_refs: [wheel] }
- resource_present: { path: /api/widget/, name: van, properties: { mode: FAST, made_of_refs: [wheel] } }`);
    expect(made.stdout + made.stderr).to.match(/changed=3 .*failed=0/);
    const missing = await runTasks('- widget_present: { name: bus, mode: FAST, made_of_refs: [weel] }');
    expect(missing.stdout).to.include('made_of_refs[0] refers to the gadget "weel"').and.to.include('"wheel"');
  });

  it('are updated, deleted, and restored by a rollback', async () => {
    await runTasks('- widget_present: { name: cart, mode: FAST }');
    const changed = await runTasks(`- widget_present: { name: cart, pages: 5 }
- resource_absent: { kind: widget, name: van }
- motd_present: { text: bye }`);
    expect(changed.stdout + changed.stderr).to.match(/changed=2 .*failed=0/);
    const back = await evenkeel(['rollback', 'last', '--yes', '-i', 'inv.yml'], { cwd: project.directory });
    expect(back.stdout + back.stderr).to.match(/failed=0/);
    const shown = await runTasks(`- resource_facts: { kind: widget, name: cart }
  register: widgets
- assert: { that: 'widgets.objects[0].pages == 3' }
- widget_absent: { name: cart }`);
    expect(shown.stdout + shown.stderr).to.match(/ok=3 +changed=1 .*failed=0/);
  });

  it('are checked before the run, and by the simulated controller', async () => {
    const slips = await runTasks(`- widget_present: { name: cart, mode: FSAT }
- resource_present: { kind: widget, name: cart, properties: { paegs: 4 } }`);
    expect(slips.code).to.equal(1);
    expect(slips.stderr).to.include('"FAST"').and.to.include('"pages"');
    for (const task of ['resource_facts: { kind: wigdet }', 'wait_until: { kind: wigdet, field: a }']) {
      const { stderr } = await runTasks(`- ${task}`);
      expect(stderr).to.include('"kind" must be a known kind, not "wigdet"').and.to.include('did you mean "widget"?');
    }
    const wrong = await runTasks(
      '- api_request: { method: POST, path: /api/widget, body: { name: cart, mode: FASTER } }',
    );
    expect(wrong.stdout).to.include('Invalid enum value FASTER for mode.');
    const refused = await runTasks(
      '- api_request: { method: POST, path: /api/widget, body: { name: cart, mode: FAST, weels: 4 } }',
    );
    expect(refused.stdout).to.include('Message type "Widget" has no field named "weels".');
  });
});
