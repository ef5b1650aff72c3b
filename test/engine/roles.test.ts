import { expect } from 'chai';
import { runText, type Ran } from '../rig/run_text.js';

const by = ({ lines }: Ran, controller: string): readonly string[] =>
  lines.filter((line) => line.startsWith(controller)).map((line) => line.slice(controller.length + 1));

describe('a role', () => {
  const ROLE = {
    'roles/web/tasks/main.yml': '- { name: work, debug: { msg: "{{ size }}" } , changed_when: true, notify: reload }\n',
    'roles/web/handlers/main.yml': '- { name: reload, debug: { msg: reloaded } }\n',
    'roles/web/defaults/main.yml': 'size: 80\n',
  };

  it('of a play runs before its tasks, and once for equal parameters', async () => {
    const ran = await runText(
      `
- hosts: lb1
  roles: [web, web, { role: web, size: 81 }]
  tasks:
    - { name: after, debug: }
`,
      { files: ROLE },
    );
    expect(by(ran, 'lb1')).to.deep.equal([
      'web : work: changed',
      'web : work: changed',
      'after: ok',
      'web : reload: ok',
    ]);
    expect(ran.said).to.deep.equal(['80', '81', 'Hello world!', 'reloaded']);
  });

  it('that is used twice has a handler for each name', async () => {
    const files = {
      'roles/web/tasks/main.yml': '- { debug: , changed_when: true, notify: "restart {{ inst }}" }\n',
      'roles/web/handlers/main.yml': '- { name: "restart {{ inst }}", debug: { msg: "{{ inst }} again" } }\n',
    };
    const restarted = async (plays: string): Promise<readonly string[]> =>
      (await runText(plays, { files })).said.filter((text) => text.endsWith(' again'));
    const [one, two] = ['a', 'b'];
    const included = (inst: string): string => `{ include_role: { name: web }, vars: { inst: ${inst} } }`;
    const listed = `- hosts: lb1\n  roles: [{ role: web, inst: ${one} }, { role: web, inst: ${two} }]\n`;
    const asTasks = `- hosts: lb1\n  tasks: [${included(one)}, ${included(two)}]\n`;
    expect(await restarted(listed)).to.deep.equal([`${one} again`, `${two} again`]);
    expect(await restarted(asTasks)).to.deep.equal([`${one} again`, `${two} again`]);
  });

  it('whose task fails is not part of the name that a rescue reads', async () => {
    const failing = (role: string) => `
- block: [{ name: "${role} fails", fail: { msg: "no" } }]
  rescue: [{ debug: { msg: "<{{ ansible_failed_task.name }}> {{ ansible_failed_task.action }}" } }]
`;
    const files = { 'roles/one/tasks/main.yml': failing('one'), 'roles/two/tasks/main.yml': failing('two : x') };
    const { said } = await runText('- hosts: all\n  roles: [one, two]\n', {
      files,
      inventory: 'all: { hosts: { lb1: , lb2: } }',
    });
    expect(said).to.have.members([
      '<one fails> fail',
      '<one fails> fail',
      '<two : x fails> fail',
      '<two : x fails> fail',
    ]);
  });

  it('that is included by a task without a name gives the task its name', async () => {
    const ran = await runText('- hosts: lb1\n  tasks:\n    - { include_role: { name: web } }\n', { files: ROLE });
    expect(by(ran, 'lb1')[0]).to.equal('include_role : web: ok');
  });

  it('that is repeated with other parameters runs the last of its handlers of one name', async () => {
    const ran = await runText('- hosts: lb1\n  roles: [web, { role: web, size: 81 }, web]\n  tasks: []\n', {
      files: { ...ROLE, 'roles/web/handlers/main.yml': '- { name: reload, debug: { msg: "{{ size }}" } }\n' },
    });
    expect(ran.said).to.deep.equal(['80', '81', '80']);
  });

  it('that is included again replaces its notified handlers that have a name, and reports each name once', async () => {
    const files = {
      'roles/web/tasks/main.yml': '- { debug: , changed_when: true, notify: [reload, restart] }\n',
      'roles/web/handlers/main.yml': `
- { name: reload, debug: { msg: "reload {{ size }}" } }
- { name: restart, debug: { msg: "restart {{ size }}" } }
- { listen: reload, debug: { msg: "unnamed {{ size }}" } }
`,
    };
    const included = (size: number) => `{ include_role: { name: web }, vars: { size: ${size} } }`;
    const { said, events } = await runText(`- hosts: lb1\n  tasks: [${included(80)}, ${included(81)}]\n`, { files });
    expect(said.slice(2)).to.deep.equal(['unnamed 80', 'reload 81', 'restart 81', 'unnamed 81']);
    const notified = events.flatMap((event) => (event.type === 'handler-notified' ? [event.handler] : []));
    expect(notified).to.deep.equal(['web : reload', 'web : debug', 'web : restart', 'web : debug']);
  });

  it('that is used again runs the latest of its handlers of one name that listen to a topic', async () => {
    const files = {
      'roles/web/tasks/main.yml': '- debug:\n',
      'roles/web/handlers/main.yml': `
- { name: reload, listen: [topic, reload], debug: { msg: "reload {{ size }}" } }
- { name: "restart {{ size }}", listen: topic, debug: { msg: "restart {{ size }}" } }
- { listen: topic, debug: { msg: "unnamed {{ size }}" } }
`,
    };
    const included = (size: number) => `{ include_role: { name: web }, vars: { size: ${size} } }`;
    const topic = ['restart 80', 'unnamed 80', 'reload 81', 'restart 81', 'unnamed 81'];
    for (const [notify, expected] of [
      ['topic', topic],
      ['web : topic', topic],
      ['reload', ['reload 81']],
    ] as const)
      for (const uses of [
        `roles: [{ role: web, size: 80 }, { role: web, size: 81 }]\n  tasks: [`,
        `tasks: [${included(80)}, ${included(81)}, `,
      ]) {
        const last = `{ debug: , changed_when: true, notify: "${notify}" }]\n`;
        const { said } = await runText(`- hosts: lb1\n  ${uses}${last}`, { files });
        expect(said.slice(3), `${uses} ${notify}`).to.deep.equal(expected);
      }
  });

  it('that is included brings its handlers', async () => {
    const ran = await runText('- hosts: lb1\n  tasks:\n    - { name: bring, include_role: { name: web } }\n', {
      files: ROLE,
    });
    expect(by(ran, 'lb1')).to.deep.equal(['bring: ok', 'web : work: changed', 'web : reload: ok']);
  });
});
