import { expect } from 'chai';
import { DIALECTS } from '../../../src/core/model/dialect.js';
import type { Construct, KeywordValueKind } from '../../../src/project/keywords/keyword.js';
import { KEYWORDS } from '../../../src/project/keywords/keyword_table.js';
import {
  ENVIRONMENT_SETTINGS,
  LINT_SETTINGS,
  MACHINE_VARIABLES,
  PROJECT_SETTINGS,
  VARIABLES,
  type Setting,
} from '../../../src/project/project/table.js';
import { TRAITS } from '../../../src/project/project/traits.js';

const LOOPS =
  'loop loop_control with_file with_unvault with_password with_fileglob with_first_found with_template with_csvfile with_ini with_env with_pipe with_lines with_url with_avi with_items with_list with_flattened with_dict with_indexed_items with_nested with_cartesian with_together with_subelements with_sequence with_vars with_varnames with_inventory_hostnames with_random_choice';
/** Of every step that is no meta. */
const STEP =
  'name vars connection become become_user environment collections when tags ignore_errors no_log run_once timeout';
const INSIDE =
  'notify ignore_unreachable any_errors_fatal check_mode diff throttle delegate_to delegate_facts module_defaults';
const TASK = `${STEP} ${INSIDE} ${LOOPS} action local_action args register until retries delay backoff changed_when failed_when`;

/** What each construct can say. */
const PLACES: Readonly<Record<Construct, string>> = {
  play: 'name hosts vars vars_files vars_prompt pre_tasks roles tasks post_tasks handlers serial max_fail_percentage force_handlers order strategy forks gate gather_facts connection become become_user environment collections tags ignore_errors ignore_unreachable any_errors_fatal no_log check_mode diff run_once throttle timeout module_defaults',
  task: TASK,
  handler: `${TASK} listen`,
  include_tasks: `${STEP} ${LOOPS} action args register`,
  include_role: `${STEP} ${LOOPS} action args register`,
  block: `${STEP} ${INSIDE} ${LOOPS} block rescue always`,
  apply: `${STEP} ${INSIDE}`,
  role: `${STEP} ${INSIDE} role`,
  import_tasks: `${STEP} ${INSIDE} action args import_tasks`,
  import_role: `${STEP} ${INSIDE} action args import_role`,
  meta: 'name vars become become_user environment action local_action when tags ignore_errors any_errors_fatal run_once meta',
  import_playbook: 'name vars when tags import_playbook',
  gate: 'checks interval passes failures on_fail',
  loop_control: 'loop_var index_var label pause extended extended_allitems break_when parallel',
  vars_prompt: 'name prompt default private confirm unsafe',
};

/** What the value of a keyword is. Those of lookups take anything. */
const VALUES: Readonly<Record<KeywordValueKind, string>> = {
  text: 'name connection become_user delegate_to import_playbook import_tasks role prompt',
  texts: 'hosts collections notify listen',
  variables: 'vars',
  files: 'vars_files',
  prompts: 'vars_prompt',
  steps: 'pre_tasks tasks post_tasks checks block rescue always',
  roles: 'roles',
  handlers: 'handlers',
  sizes: 'serial',
  percentage: 'max_fail_percentage',
  flag: 'force_handlers become ignore_errors ignore_unreachable any_errors_fatal no_log check_mode diff run_once delegate_facts',
  choice: 'order strategy on_fail meta',
  'whole number': 'forks passes failures retries throttle parallel',
  gate: 'gate',
  boolean: 'gather_facts extended extended_allitems private confirm unsafe',
  any: 'environment loop label default',
  number: 'interval delay backoff timeout pause',
  call: 'action local_action',
  arguments: 'args import_role',
  variable: 'register name',
  conditions: 'when until changed_when failed_when break_when',
  'loop control': 'loop_control',
  names: 'tags',
  defaults: 'module_defaults',
  'variable or template': 'loop_var index_var',
};

const sorted = (words: readonly string[]): string => [...words].sort().join(' ');

describe('the keywords of the playbook language', () => {
  it('say in their own words what a loop goes through, unless it is what a lookup finds', () => {
    const found = KEYWORDS.filter(({ description }) => description.startsWith('Once for each result of the lookup'));
    const LOOKUPS = 'file unvault password template csvfile ini env pipe lines avi cartesian vars varnames';
    expect(found.map(({ name }) => name)).to.deep.equal(
      `${LOOKUPS} inventory_hostnames random_choice`.split(' ').map((name) => `with_${name}`),
    );
  });

  for (const [construct, words] of Object.entries(PLACES))
    it(`are these in ${construct}`, () => {
      const found = KEYWORDS.filter(({ constructs }) => constructs.some((one) => one === construct));
      expect(sorted(found.map(({ name }) => name))).to.equal(sorted(words.split(' ')));
    });

  for (const [kind, words] of Object.entries(VALUES))
    it(`take ${kind}: ${words}`, () => {
      const found = KEYWORDS.filter(({ value, name }) => value === kind && !name.startsWith('with_'));
      expect(sorted(found.map(({ name }) => name))).to.equal(sorted(words.split(' ')));
    });

  it('take anything as a loop, and have the choices that there are', () => {
    expect(KEYWORDS.filter(({ name, value }) => name.startsWith('with_') && value !== 'any')).to.deep.equal([]);
    const choices = KEYWORDS.filter((one) => one.choices !== undefined).map((one) => [
      one.name,
      one.choices?.join(' '),
    ]);
    expect(choices).to.deep.equal([
      ['order', 'inventory reverse_inventory sorted reverse_sorted shuffle'],
      ['strategy', 'host_pinned linear free ansible.builtin.linear ansible.builtin.free'],
      ['on_fail', 'stop rollback pause'],
      [
        'meta',
        'flush_handlers end_host end_role end_batch end_play clear_host_errors clear_facts reset_connection noop',
      ],
    ]);
  });
});

describe('the settings of a project', () => {
  const kinds = (settings: readonly Setting[]) =>
    settings.map(
      ({ name, value, choices }) => `${name}: ${value}${choices === undefined ? '' : ` ${choices.join(' ')}`}`,
    );

  it('are these, of a project, an environment and lint', () => {
    expect(kinds(PROJECT_SETTINGS)).to.deep.equal([
      'inventory: sources',
      'forks: forks',
      'max_registered: size',
      'strategy: choice host_pinned linear free',
      'state_dir: folder',
      'modules_path: folders',
      'roles_path: folders',
      'collections: collections',
      'output: choice live grouped lines json quiet',
      'vault_ids: vault ids',
      'vault_password_file: file',
      'environments: environments',
      'dialects: dialects',
      'routes: routes',
      'lint: lint',
    ]);
    expect(kinds(ENVIRONMENT_SETTINGS)).to.deep.equal([
      'inventory: sources',
      'extra_vars: files',
      'limit: text',
      'vault_ids: vault ids',
      'vault_password_file: file',
      'confirm: boolean',
      'require_plan: boolean',
    ]);
    expect(kinds(LINT_SETTINGS)).to.deep.equal(['skip: rules', 'warn: rules']);
  });

  it('have variables of the environment of their names', () => {
    expect(VARIABLES).to.deep.equal({
      inventory: 'EVENKEEL_INVENTORY',
      forks: 'EVENKEEL_FORKS',
      max_registered: 'EVENKEEL_MAX_REGISTERED',
      strategy: 'EVENKEEL_STRATEGY',
      state_dir: 'EVENKEEL_STATE_DIR',
      modules_path: 'EVENKEEL_MODULE_PATH',
      roles_path: 'EVENKEEL_ROLES_PATH',
      output: 'EVENKEEL_OUTPUT',
      vault_password_file: 'EVENKEEL_VAULT_PASSWORD_FILE',
    });
    expect(Object.keys(MACHINE_VARIABLES)).to.deep.equal([
      'EVENKEEL_CONFIG',
      'EVENKEEL_LOCK_DIR',
      'EVENKEEL_TRUSTED_FOLDERS',
      'EVENKEEL_PLUGIN_TIMEOUT',
      'EVENKEEL_PYTHON',
      'EVENKEEL_NO_EXEC',
    ]);
  });
});

describe('the traits of a dialect', () => {
  it('have their kinds, what they need, and their values in both built-in dialects', () => {
    const [avi, generic] = ['avi', 'generic'].map((name) => DIALECTS.get(name));
    if (avi === undefined || generic === undefined) return expect.fail('both dialects');
    const shown = TRAITS.map(({ name, value, presence, partOf = '-', valueIn }) =>
      [
        name,
        value,
        presence,
        partOf,
        JSON.stringify(valueIn(avi)),
        valueIn(generic) === undefined ? '-' : JSON.stringify(valueIn(generic)),
      ].join(' | '),
    );
    expect(shown).to.deep.equal([
      'version_header | header | always | - | "X-Avi-Version" | "X-Vendor-Version"',
      'version_path | path | optional | - | "/api/initial-data" | -',
      'tenant_header | header | optional | - | "X-Avi-Tenant" | -',
      'default_tenant | header value | needed | tenant_header | "admin" | -',
      'all_tenants | header value | needed | tenant_header | "*" | -',
      'tenant_collection | path | needed | tenant_header | "/api/tenant/" | -',
      'login_path | path | optional | - | "/login" | -',
      'logout_path | path | needed | login_path | "/logout" | -',
      'session_cookies | cookies | needed | login_path | ["avi-sessionid","sessionid"] | -',
      'csrf_cookie | cookie | needed | login_path | "csrftoken" | -',
      'csrf_header | header | needed | login_path | "X-CSRFToken" | -',
      'collection_slash | boolean | always | - | false | true',
      'singles_readable | boolean | always | - | true | false',
      'placeholder_keeps_secret | boolean | always | - | true | false',
      'page_size_parameter | parameter | optional | - | "page_size" | -',
      'most_per_page | whole number | needed | page_size_parameter | 200 | -',
      'cloud_field | field | optional | - | "cloud_ref" | -',
      'cloud_collection | path | needed | cloud_field | "/api/cloud/" | -',
      'default_cloud | name | needed | cloud_field | "Default-Cloud" | -',
      'references_by_name | boolean | optional | - | true | -',
      'reference_name_parameter | parameter | optional | references_by_name | "include_name" | -',
    ]);
  });
});
