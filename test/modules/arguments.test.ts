import { expect } from 'chai';
import { builtinModules } from '../../modules/index.js';
import type { Module } from '../../src/module/contract.js';
import { fieldLines, ownFacts } from '../rig/field_lines.js';

const PATH =
  'path: string, pattern ^/api(/(?!\\.{1,2}(/|$))[A-Za-z0-9._~-]+)+/?$, expects a path under /api/, such as /api/cloud/';
const MAY_PATH = PATH.replace(':', '?:');
const KIND = 'kind?: string, pattern ^[a-z0-9]+$, expects a kind of object, such as pool';
const TENANT = 'tenant?: string, minLength 1, expects a name, connection controller_tenant';
const NAME = 'name: string, minLength 1, expects a name';
const MAY_NAME = NAME.replace(':', '?:');
const QUERY = 'query?: {string | number | boolean}';
const REPLACE = 'replace: boolean, default false';
const SECRETS = 'secrets: on_create | always, default on_create';
const MERGE =
  'merge?: {[string] | object, additionalProperties false (by: [string]; add?: boolean), expects a list of fields such as [ip.addr, port], or {by: [ip.addr, port], add: false}}';
const WITHOUT = 'without?: {array}';
const MATCH = 'match?: object';

/** What holds for all arguments and for the module, and then each argument, without `?` if it is required or has a default. */
const DECLARED: Readonly<Record<string, readonly string[]>> = {
  add_host: [
    'needsOne ["name","hostname","host"]; check true; once true',
    'name?: string',
    'hostname?: string',
    'host?: string',
    'groups?: string | [string]',
    'group?: string | [string]',
    'groupname?: string | [string]',
  ],
  api_request: [
    'additionalProperties false; check by arguments',
    PATH,
    'method: GET | HEAD | POST | PUT | PATCH | DELETE, default GET',
    QUERY,
    'body?: object | array | null',
    TENANT,
    'status_code?: integer | [integer]',
  ],
  assert: [
    'additionalProperties false; check true',
    'that: expression',
    'fail_msg?: string | [string], prose',
    'msg?: string | [string], prose',
    'success_msg?: string | [string], prose',
    'quiet: boolean, default false',
  ],
  cloud_absent: ['additionalProperties false', NAME, TENANT],
  cloud_present: ['', NAME, TENANT, REPLACE, SECRETS, MERGE, WITHOUT, MATCH],
  debug: [
    'additionalProperties false, exclusive [["msg","var"]]; check true',
    'msg?: prose',
    'var?: string, expression',
    'verbosity: integer, default 0, minimum 0',
  ],
  fail: [
    'additionalProperties false; check true',
    'msg: string | [] | object, default Failed as requested from task, prose',
  ],
  file_download: [
    'additionalProperties false; check false',
    PATH,
    'dest: string, minLength 1',
    QUERY,
    'max_size: integer, default 4096, minimum 1',
    TENANT,
  ],
  file_upload: [
    'additionalProperties false; check true',
    PATH,
    'src: string, minLength 1',
    'field: string, minLength 1, default file',
    'fields?: {string | number | boolean}',
    'filename?: string, minLength 1',
    QUERY,
    'compare: boolean, default true',
    TENANT,
  ],
  group_by: [
    'additionalProperties false; check true',
    'key: string, minLength 1, expects a name, secret false',
    'parents: string | [string], default ["all"]',
  ],
  include_role: [
    'additionalProperties false; check true',
    'name?: string',
    'role?: string',
    'tasks_from?: string, minLength 1',
    'vars_from?: string, minLength 1',
    'defaults_from?: string, minLength 1',
    'handlers_from?: string, minLength 1',
    'allow_duplicates: boolean, default true',
    'rolespec_validate: boolean, default true',
    'public: boolean, default false',
    'apply?: object, additionalProperties',
  ],
  include_tasks: [
    'additionalProperties false; check true; free form file',
    'file: string, minLength 1',
    'apply?: object, additionalProperties',
  ],
  include_vars: [
    'additionalProperties false, needsOne ["file","dir"], exclusive [["file","dir"],["file","depth"],["file","files_matching"],["file","ignore_files"]]; check true; free form file',
    'file?: string, minLength 1',
    'dir?: string, minLength 1',
    'depth?: integer, minimum 0',
    'files_matching?: string',
    'ignore_files?: string | [string]',
    'extensions: [string], default ["yaml","yml","json"]',
    'ignore_unknown_extensions: boolean, default false',
    'name?: string, minLength 1',
    'hash_behaviour?: replace | merge',
  ],
  pause: [
    'additionalProperties false; check true; once depends',
    'seconds?: number, minimum 0',
    'minutes?: number, minimum 0',
    'prompt?: string, prose',
    'echo?: boolean',
  ],
  ping: ['additionalProperties false; check true', 'data: string, default pong'],
  resource_absent: [
    'additionalProperties false, exclusive [["path","kind"]], needsOne ["path","kind"]',
    MAY_PATH,
    KIND,
    NAME,
    TENANT,
    MATCH,
  ],
  resource_facts: [
    'additionalProperties false, exclusive [["path","kind"]], needsOne ["path","kind"]; check true',
    MAY_PATH,
    KIND,
    MAY_NAME,
    TENANT,
    QUERY,
    'fields?: [string]',
  ],
  resource_present: [
    'additionalProperties false, exclusive [["path","kind"]], needsOne ["path","kind"]',
    MAY_PATH,
    KIND,
    MAY_NAME,
    'properties: object, default {}',
    TENANT,
    REPLACE,
    SECRETS,
    MERGE,
    WITHOUT,
    MATCH,
    'allow_lockout: boolean, default false',
  ],
  set_fact: [
    'minProperties 1, propertyNames {"pattern":"^[A-Za-z_][A-Za-z0-9_]*$","expects":"letters, digits and underscores, and do not begin with a digit"}; check true',
    'cacheable?: boolean',
  ],
  system_config: [
    '',
    'dns_configuration?: object, field',
    'dns_configuration.search_domain?: string',
    'dns_configuration.server_list?: [object]',
    'dns_configuration.server_list.type?: string',
    'dns_configuration.server_list.addr?: string',
    'ntp_configuration?: object, field',
    'ntp_configuration.ntp_servers?: [object]',
    'ntp_configuration.ntp_servers.server?: object',
    'ntp_configuration.ntp_servers.server.type?: string',
    'ntp_configuration.ntp_servers.server.addr?: string',
    'portal_configuration?: object, field',
    'portal_configuration.password_strength_check?: boolean',
    'portal_configuration.use_uuid_from_input?: boolean',
    'portal_configuration.redirect_to_https?: boolean',
    'portal_configuration.enable_clickjacking_protection?: boolean',
    'portal_configuration.enable_https?: boolean',
    'portal_configuration.disable_remote_cli_shell?: boolean',
    'portal_configuration.http_port?: integer',
    'portal_configuration.enable_http?: boolean',
    'portal_configuration.allow_basic_authentication?: boolean',
    TENANT,
    REPLACE,
    SECRETS,
    MERGE,
    WITHOUT,
    'allow_lockout: boolean, default false',
  ],
  user_password: [
    'additionalProperties false; check true',
    'password: string, minLength 1, secret, expects text',
    'old_password?: string, minLength 1, secret, expects text',
    'username?: string, minLength 1, expects a name, connection controller_username',
  ],
  validate_argument_spec: [
    'additionalProperties false; check true',
    'argument_spec: object',
    'provided_arguments?: object',
    'validate_args_context?: object',
    'mutually_exclusive?: []',
    'required_together?: []',
    'required_one_of?: []',
    'required_if?: []',
    'required_by?: object',
  ],
  wait_for: [
    'additionalProperties false; check true',
    'host?: string, minLength 1',
    'port?: integer, minimum 1, maximum 65535',
    'state: started | present | stopped | absent, default started',
    'search_regex?: string',
    'timeout: number, default 300, minimum 0',
    'connect_timeout: number, default 5, minimum 0',
    'delay: number, default 0, minimum 0',
    'sleep: number, default 1, minimum 0',
    'msg?: string, prose',
  ],
  wait_until: [
    'additionalProperties false, exclusive [["path","kind"],["all","any"]], needsOne ["path","kind"]; check true',
    MAY_PATH,
    KIND,
    MAY_NAME,
    TENANT,
    QUERY,
    MATCH,
    'field?: string, minLength 1',
    'value?: string | number | boolean | [string | number | boolean]',
    'fail_on?: string | number | boolean | [string | number | boolean]',
    'all?: string, minLength 1',
    'any?: string, minLength 1',
    'status: integer, default 200',
    'unavailable: fail | wait, default fail',
    'interval: number, default 5, minimum 0.1',
    'timeout: number, default 600, minimum 0',
  ],
};

function declared(module: Module): readonly string[] {
  return [
    [ownFacts(module.args), ...aboutAction(module)].filter((fact) => fact !== '').join('; '),
    ...fieldLines(module.args),
  ];
}

function aboutAction(module: Module): readonly string[] {
  if (module.type === 'resource') return [];
  const { check, once, freeForm, fieldsIn } = module;
  return [
    `check ${typeof check === 'function' ? 'by arguments' : check}`,
    once === undefined ? '' : `once ${typeof once === 'function' ? 'depends' : once}`,
    freeForm === undefined ? '' : `free form ${freeForm}`,
    fieldsIn === undefined ? '' : `fields in ${fieldsIn}`,
  ];
}

describe('the arguments of the built-in modules', () => {
  it('are those of every module', () => {
    expect(Object.keys(builtinModules)).to.deep.equal(Object.keys(DECLARED));
  });

  for (const [name, expected] of Object.entries(DECLARED)) {
    it(`have their types, bounds, choices and defaults: ${name}`, async () => {
      expect(declared((await builtinModules[name]?.())?.default ?? expect.fail(name))).to.deep.equal(expected);
    });
  }
});
