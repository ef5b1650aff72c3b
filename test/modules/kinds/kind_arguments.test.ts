import { expect } from 'chai';
import type { TObject } from 'typebox';
import { KIND_ARGUMENTS } from '../../../modules/kinds/arguments.js';
import { fieldLines, ownFacts } from '../../rig/field_lines.js';

const CLOSED = 'additionalProperties false';
const NAME = 'name: string, minLength 1, expects a name';
const TENANT = 'tenant?: string, minLength 1, expects a name, connection controller_tenant';
const MATCH = 'match?: object';
const CONTROLS = [
  TENANT,
  'replace: boolean, default false',
  'secrets: on_create | always, default on_create',
  'merge?: {[string] | object, additionalProperties false (by: [string]; add?: boolean), expects a list of fields such as [ip.addr, port], or {by: [ip.addr, port], add: false}}',
  'without?: {array}',
];
/** Of every module of the vendor's collection. */
const CONNECTION = [
  'avi_credentials?: object, secret false',
  'avi_credentials.controller?: string',
  'avi_credentials.username?: string',
  'avi_credentials.password?: string, secret',
  'avi_credentials.api_version?: any',
  'avi_credentials.tenant?: string',
  'avi_credentials.tenant_uuid?: string',
  'avi_credentials.port?: any',
  'avi_credentials.timeout?: any',
  'avi_credentials.token?: string, secret',
  'avi_credentials.session_id?: string, secret',
  'avi_credentials.csrftoken?: string, secret',
  'avi_credentials.idp_class?: any',
  'avi_credentials.csp_host?: any',
  'avi_credentials.csp_token?: string, secret',
  'controller?: string',
  'username?: string',
  'password?: string, secret',
  'tenant?: string',
  'tenant_uuid?: string',
  'api_version?: any',
  'api_context?: any',
  'avi_deactivate_session_cache_as_fact?: any',
  'avi_disable_session_cache_as_fact?: any',
];
const REQUEST_CONNECTION = [...CONNECTION, 'port?: any', 'timeout?: any'];
const STATE = 'state: present | absent, default present';
const FILE_PATH = 'file_path: string, minLength 1';
const PATH = 'path: string, minLength 1, expects a path';

const DECLARED: Readonly<Record<keyof typeof KIND_ARGUMENTS, readonly [own: string, ...fields: readonly string[]]>> = {
  member: ['', NAME, ...CONTROLS, MATCH],
  single: ['', ...CONTROLS],
  vendor: [
    '',
    ...CONNECTION,
    STATE,
    'name?: string, minLength 1, expects a name',
    'secrets: on_create | always, default on_create',
    'uuid?: string',
    'avi_api_update_method: put | patch, default put',
    'avi_api_patch_op: add | replace | delete | remove, default add',
    'avi_patch_path?: string',
    'avi_patch_value?: any',
  ],
  session: [
    CLOSED,
    ...REQUEST_CONNECTION,
    'http_method: get | put | post | patch | delete',
    PATH,
    'params?: {string | number | boolean | null}',
    'data?: object | array | null',
  ],
  fileservice: [
    CLOSED,
    ...REQUEST_CONNECTION,
    'upload: boolean',
    PATH,
    FILE_PATH,
    'params?: {string | number | boolean}',
    'force_mode?: any',
  ],
  member_patch: [
    CLOSED,
    ...REQUEST_CONNECTION,
    NAME,
    STATE,
    'data: object',
    'data.group: object, additionalProperties',
    'data.group.name: string, minLength 1, expects a name',
    'params?: any',
  ],
  vnics: [
    CLOSED,
    ...REQUEST_CONNECTION,
    'se_name: string, minLength 1',
    'data_vnics_config: [object, additionalProperties]',
    'data_vnics_config.if_name: string, minLength 1',
  ],
  image: [CLOSED, ...REQUEST_CONNECTION, FILE_PATH, 'params?: any'],
  account: [
    CLOSED,
    ...REQUEST_CONNECTION,
    'old_password: string, minLength 1, secret',
    'full_name?: string',
    'email?: string',
    'force_change?: any',
  ],
  version: [CLOSED, ...REQUEST_CONNECTION],
  absent: [CLOSED, NAME, TENANT, MATCH],
};

describe('the arguments of the modules of kinds', () => {
  for (const [name, expected] of Object.entries(DECLARED)) {
    it(`have their types, bounds, choices and defaults: ${name}`, () => {
      const schema: TObject = KIND_ARGUMENTS[name as keyof typeof KIND_ARGUMENTS];
      expect([ownFacts(schema), ...fieldLines(schema)]).to.deep.equal(expected);
    });
  }
});
