import { expect } from 'chai';
import { linted } from '../../rig/linted.js';
import { found, foundIn } from '../../rig/rule.js';

describe('ignore-errors', () => {
  const HINT = 'list the acceptable failures in "failed_when", or write the reason in a comment above';

  it('finds failures that are hidden without a reason', async () => {
    expect(
      await foundIn('ignore-errors', '- fail:\n  ignore_errors: yes\n- fail:\n  failed_when: false'),
    ).to.deep.equal([
      `site.yml:4:22 "ignore_errors" hides every failure, and no comment says why — ${HINT}`,
      `site.yml:6:20 "failed_when: false" hides every failure, and no comment says why — ${HINT}`,
    ]);
  });

  it('finds keywords of blocks and plays, once', async () => {
    const tasks = '- block: [{fail: }, {fail: }]\n  ignore_errors: true';
    expect(await foundIn('ignore-errors', tasks)).to.have.length(1);
    expect(await found('ignore-errors', '- hosts: all\n  ignore_errors: true\n  tasks: [{fail: }]')).to.have.length(1);
  });

  const reasons = [
    '- fail:\n  ignore_errors: true # it may be gone',
    '- fail:\n  # it may be gone\n  ignore_errors: true',
    '# it may be gone\n- fail:\n  ignore_errors: true',
    '- fail:\n  ignore_errors: false',
    "- fail:\n  ignore_errors: '{{ lenient }}'",
    '- fail:\n  failed_when: r.status == 500',
  ];
  for (const tasks of reasons) {
    it(`accepts ${JSON.stringify(tasks)}`, async () => {
      expect(await foundIn('ignore-errors', tasks)).to.deep.equal([]);
    });
  }
});

describe('check-mode-off', () => {
  it('finds writes that run despite --check', async () => {
    const tasks =
      '- cloud_present: {name: a}\n  check_mode: false\n- api_request: {path: "/api/{{ a }}", method: PUT}\n  check_mode: no';
    expect(await foundIn('check-mode-off', tasks)).to.deep.equal([
      'site.yml:4:19 "check_mode: false" lets cloud_present write even under --check, and no comment says why — leave it out, or write the reason in a comment above',
      'site.yml:6:19 "check_mode: false" lets api_request write even under --check, and no comment says why — leave it out, or write the reason in a comment above',
    ]);
  });

  it('finds actions of the project that check mode skips, unless they say that they write nothing', async () => {
    const action = (name: string, parts: string): string =>
      `export default { type: 'action', name: '${name}', summary: 's', args: { type: 'object' }, examples: [], check: false, ${parts} run() {} };\n`;
    const found = await linted({
      'site.yml':
        '- hosts: localhost\n  tasks:\n    - deploy:\n      check_mode: false\n    - save:\n      check_mode: false\n',
      'modules/deploy.js': action('deploy', ''),
      'modules/save.js': action('save', 'writes: false,'),
    });
    expect(found.filter((one) => one.startsWith('check-mode-off'))).to.have.length(1);
  });

  const fine = [
    '- api_request: {path: /api/a}\n  check_mode: false',
    '- file_download: {path: /api/a, dest: a}\n  check_mode: false',
    '- debug:\n  check_mode: false',
    '- avi_api_fileservice: {upload: false, path: a, file_path: a}\n  check_mode: false',
    '- cloud_present: {name: a}\n  check_mode: true',
    '- cloud_present: {name: a}\n  check_mode: false # the lab needs it',
  ];
  for (const tasks of fine) {
    it(`accepts ${JSON.stringify(tasks)}`, async () => {
      expect(await foundIn('check-mode-off', tasks)).to.deep.equal([]);
    });
  }
});

describe('no-changed-when', () => {
  it('finds raw writes', async () => {
    expect(await foundIn('no-changed-when', '- api_request: {path: /api/a, method: DELETE}')).to.deep.equal([
      'site.yml:3:43 this DELETE is sent on every run, and always reported as changed — use resource_present, which compares first; or say when it is needed ("when") or changes something ("changed_when")',
    ]);
  });

  it('knows the methods that write', async () => {
    const tasks = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].map(
      (method) => `- api_request: {path: /api/a, method: ${method}}`,
    );
    const found = await foundIn('no-changed-when', tasks.join('\n'));
    expect(found.map((one) => / this (\w+) is sent/.exec(one)?.[1])).to.deep.equal(['POST', 'PUT', 'PATCH', 'DELETE']);
  });

  const fine = [
    '- api_request: {path: /api/a}',
    '- api_request: {path: /api/a, method: POST}\n  when: missing',
    '- api_request: {path: /api/a, method: POST}\n  changed_when: false',
    "- api_request: {path: /api/a, method: '{{ m }}'}",
  ];
  for (const tasks of fine) {
    it(`accepts ${JSON.stringify(tasks)}`, async () => {
      expect(await foundIn('no-changed-when', tasks)).to.deep.equal([]);
    });
  }
});

describe('insecure-connection', () => {
  const harmful = [
    'controller_verify_tls: false',
    'ansible_httpapi_validate_certs: "no"',
    'controller_allow_http: yes',
  ];
  for (const text of harmful) {
    it(`finds ${text}`, async () => {
      const files = { 'inventory/group_vars/all.yml': `stage: lab\n${text}\n` };
      const [first, ...others] = await found('insecure-connection', '- hosts: all\n  tasks: []', files);
      expect(others).to.deep.equal([]);
      expect(first).to.match(
        /^inventory\/group_vars\/all\.yml:2:\d+ ".*": .*, and nothing says why — name the authority/,
      );
    });
  }

  const fine = [
    'controller_verify_tls: true',
    'controller_verify_tls: false # a lab without names',
    'controller_verify_tls: "{{ v }}"',
  ];
  for (const text of fine) {
    it(`accepts ${text}`, async () => {
      const files = { 'inventory/group_vars/all.yml': `stage: lab\n${text}\n` };
      expect(await found('insecure-connection', '- hosts: all\n  tasks: []', files)).to.deep.equal([]);
    });
  }
});

describe('unquoted-text', () => {
  it('finds numbers and booleans where a message is wanted', async () => {
    const tasks = '- fail: {msg: no}\n- debug: {msg: 1.10}\n- assert: {that: true, fail_msg: 5}';
    expect(await foundIn('unquoted-text', tasks)).to.deep.equal([
      'warning: site.yml:3:19 "msg" is the boolean false, not text — put it in quotes',
      'warning: site.yml:4:20 "msg" is the number 1.1, not text — put it in quotes',
      'warning: site.yml:5:38 "fail_msg" is the number 5, not text — put it in quotes',
    ]);
  });

  it('accepts text, templates and lists', async () => {
    const tasks = "- fail: {msg: 'no'}\n- debug: {msg: '{{ 5 }}'}\n- debug: {msg: [1]}\n- pause: {seconds: 0}";
    expect(await foundIn('unquoted-text', tasks)).to.deep.equal([]);
  });
});
