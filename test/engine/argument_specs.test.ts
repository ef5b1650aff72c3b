import { expect } from 'chai';
import { runText } from '../rig/run_text.js';

const FILES = {
  'roles/web/meta/argument_specs.yml': `
argument_specs:
  main:
    short_description: A web role
    options:
      size: { type: int, required: true }
      phrase: { no_log: true, aliases: [words] }
`,
  'roles/web/tasks/main.yml': '- { name: work, debug: { msg: "{{ size }}" } }\n',
};

describe('a role with an argument specification', () => {
  it('begins with the check of its arguments, whatever tags are selected', async () => {
    const ran = await runText('- hosts: lb1\n  roles: [{ role: web, size: "{{ 7 * 6 }}" }]\n', {
      files: FILES,
      tags: ['other'],
    });
    expect(ran.lines).to.deep.equal(["lb1 web : Validating arguments against arg spec 'main' - A web role: ok"]);
    expect(ran.finished.stats).to.deep.equal({
      lb1: { ok: 1, changed: 0, unreachable: 0, failed: 0, skipped: 0, rescued: 0, ignored: 0 },
    });
  });

  it('reports all wrong arguments, at the place that names the role', async () => {
    const playbook = '- hosts: lb1\n  vars: { size: big }\n  roles: [{ role: web, sise: "{{ 1 }}" }]\n';
    const { tasks } = await runText(playbook, { files: FILES });
    expect(tasks.map(({ status, message, source }) => [status, message, source])).to.deep.equal([
      [
        'failed',
        'Validation of arguments failed:\n' +
          'unsupported parameter: sise (did you mean "size"?). Supported parameters include: phrase, size (words)\n' +
          "argument 'size' is of type str and we were unable to convert to int",
        { file: 'site.yml', line: 3, column: 19 },
      ],
    ]);
  });

  it('accepts variables of the controller, and masks no_log arguments from then on', async () => {
    const inventory = 'all: { hosts: { lb1: { size: 1, phrase: open sesame }, lb2: { size: x } } }';
    const ran = await runText('- hosts: all\n  roles: [web]\n', { files: FILES, inventory });
    expect(ran.tasks.map(({ controller, status }) => `${controller} ${status}`).sort()).to.deep.equal([
      'lb1 ok',
      'lb1 ok',
      'lb2 failed',
    ]);
    expect(ran.secrets.mask('he said open sesame')).to.equal('he said ********');
  });
});
