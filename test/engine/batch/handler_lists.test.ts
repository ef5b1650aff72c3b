import { expect } from 'chai';
import { runText } from '../../rig/run_text.js';

describe('handlers of one name', () => {
  const handler = (said: string): string => `{ name: same, debug: { msg: ${said} } }`;
  const [first, second] = [handler('first'), handler('second')];

  for (const [written, handlers] of [
    ['one line', `[${first}, ${second}]`],
    ['a line each', `\n    - ${first}\n    - ${second}`],
  ] as const)
    it(`are the first of their list: ${written}`, async () => {
      const tasks = '[{ debug: { msg: hi }, changed_when: true, notify: same }]';
      const { said } = await runText(`- hosts: all\n  tasks: ${tasks}\n  handlers: ${handlers}\n`);
      expect(said).to.deep.equal(['hi', 'first']);
    });

  const FLEET = 'all: { hosts: { lb1: { sites: [a, b] }, lb2: { sites: [b, c] }, lb3: { sites: [] } } }';

  for (const strategy of ['linear', 'free'])
    it(`have the variables of the controller's own includes: ${strategy}`, async () => {
      const files = {
        'roles/web/tasks/main.yml': '- { debug: , changed_when: true, notify: [reload, topic, "do {{ site }}"] }\n',
        'roles/web/handlers/main.yml': `
- { name: reload, debug: { msg: "{{ inventory_hostname }} reload {{ site }}{{ index }}" } }
- { name: listen, listen: topic, debug: { msg: "{{ inventory_hostname }} topic {{ site }}{{ index }}" } }
- { name: "do {{ site }}", debug: { msg: "{{ inventory_hostname }} do {{ site }}{{ index }}" } }
`,
      };
      const included =
        "{ include_role: { name: web }, vars: { site: '{{ item }}', index: '{{ sites.index(item) }}' }, loop: '{{ sites }}' }";
      const others = '{ name: others, debug: , changed_when: true, notify: reload, when: not sites }';
      const { said, lines } = await runText(
        `- hosts: all\n  strategy: ${strategy}\n  tasks: [${included}, ${others}]\n`,
        { inventory: FLEET, files },
      );
      // It has no site. In lockstep, the handler fails before it does anything; else it has none, whatever the others have by then.
      expect(lines).to.include(`lb3 ${strategy === 'linear' ? 'web : reload' : 'others'}: failed`);
      expect(said.filter((one) => one.startsWith('lb')).toSorted()).to.deep.equal([
        'lb1 do a0',
        'lb1 do b1',
        'lb1 reload b1',
        'lb1 topic b1',
        'lb2 do b0',
        'lb2 do c1',
        'lb2 reload c1',
        'lb2 topic c1',
      ]);
    });

  it('differ if their items do, also items that are rendered when they are needed', async () => {
    const files = {
      'roles/web/tasks/main.yml': "- { debug: , changed_when: true, notify: 'do {{ site.inventory_hostname }}' }\n",
      'roles/web/handlers/main.yml':
        "- { name: 'do {{ site.inventory_hostname }}', debug: { msg: 'do {{ site.inventory_hostname }}' } }\n",
    };
    const included = `{ include_role: { name: web }, loop: "{{ groups.all | map('extract', hostvars) | list }}", loop_control: { loop_var: site } }`;
    const { said } = await runText(`- hosts: lb1\n  tasks: [${included}]\n`, { inventory: FLEET, files });
    expect(said.filter((one) => one.startsWith('do'))).to.deep.equal(['do lb1', 'do lb2', 'do lb3']);
  });

  it('are each rendered only a few times, however many items notify', async () => {
    let rendered = 0;
    const extraVars = {
      get verb() {
        rendered += 1;
        return 'do';
      },
    };
    const files = {
      'roles/web/tasks/main.yml': '- debug:\n',
      'roles/web/handlers/main.yml': "- { name: '{{ verb }} {{ site }}', debug: { msg: 'did {{ site }}' } }\n",
    };
    const loop = "loop: '{{ range(30) | list }}'";
    const included = `{ include_role: { name: web }, vars: { site: '{{ item }}' }, ${loop} }`;
    const notifying = `{ debug: , changed_when: true, notify: 'do {{ item }}', ${loop} }`;
    const { said } = await runText(`- hosts: lb1\n  tasks: [${included}, ${notifying}]\n`, { extraVars, files });
    expect(said.filter((one) => one.startsWith('did'))).to.have.lengthOf(30);
    expect(rendered).to.be.lessThan(30 * 6);
  });
});
