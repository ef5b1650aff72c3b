import * as Type from 'typebox';
import { CONTROLS, MATCH, SINGLE_CONTROLS, TENANT } from '../../src/module/comparison/desired.js';
import type { Value } from '../../src/module/contract.js';
import { closedObject, filledText, nameText, optionalRecord, textRecord } from '../../src/module/schema.js';

const text = (description: string) => Type.Optional(Type.String({ description }));
const secret = (description: string) => Type.Optional(Type.String({ secret: true, description }));
const ignored = (description: string) => Type.Optional(Type.Unsafe<Value>({ description }));

/** Connection arguments of the vendor's modules, which replace connection variables. */
const VENDOR_CONNECTION = {
  avi_credentials: Type.Optional(
    Type.Object(
      {
        controller: text('Address of the controller.'),
        username: text('The user who signs in.'),
        password: secret('Their password.'),
        api_version: ignored('The API version to speak.'),
        tenant: text('The tenant in which the task acts.'),
        tenant_uuid: text('The same by its uuid.'),
        port: ignored('Port of the controller.'),
        timeout: ignored('Seconds that a request may take.'),
        token: secret('A token instead of the password.'),
        session_id: secret('Ignored: a run signs in once.'),
        csrftoken: secret('Ignored: a run signs in once.'),
        idp_class: ignored('Not supported.'),
        csp_host: ignored('Not supported.'),
        csp_token: secret('Not supported.'),
      },
      { secret: false, description: 'The connection arguments in one.' },
    ),
  ),
  controller: text('Address of the controller; without one, the connection variables of the inventory count.'),
  username: text('The user who signs in.'),
  password: secret('Their password.'),
  tenant: text('The tenant in which the task acts.'),
  tenant_uuid: text('The same by its uuid.'),
  api_version: ignored('The API version to speak.'),
  api_context: ignored('Ignored: a run signs in once.'),
  avi_deactivate_session_cache_as_fact: ignored('Ignored: a run signs in once.'),
  avi_disable_session_cache_as_fact: ignored('Ignored: a run signs in once.'),
};

/** Those of modules without fields: a controller site has a `port`, and an alert script a `timeout`. */
const REQUEST_CONNECTION = {
  ...VENDOR_CONNECTION,
  port: ignored('Port of the controller.'),
  timeout: ignored('Seconds that a request may take.'),
};

const name = nameText('Exact name of the object.');

const FILE_PATH = filledText('The local file.');

/**
 * Arguments that modules of all kinds have, besides the known fields of the kind. Shared, so that their
 * checks are compiled only once.
 */
export const KIND_ARGUMENTS = {
  member: Type.Object({ name, ...CONTROLS }),
  single: Type.Object({ ...SINGLE_CONTROLS }),
  vendor: Type.Object({
    ...VENDOR_CONNECTION,
    state: Type.Enum(['present', 'absent'], { default: 'present', description: 'Whether the object should exist.' }),
    name: Type.Optional(name),
    secrets: SINGLE_CONTROLS.secrets,
    uuid: text('Finds the object in place of its name, which can then be a new one.'),
    avi_api_update_method: Type.Enum(['put', 'patch'], {
      default: 'put',
      description: '`patch` adds to lists or takes from them, as `avi_api_patch_op` says.',
    }),
    avi_api_patch_op: Type.Enum(['add', 'replace', 'delete', 'remove'], {
      default: 'add',
      description:
        '`add` adds what a list lacks, `replace` replaces lists, `delete` and `remove` take away the elements that match.',
    }),
    avi_patch_path: text(
      'With `patch`: only the value at this place of the object changes, as in JSON Patch: `/servers/0/enabled`. `/servers/-` is the end of a list.',
    ),
    avi_patch_value: ignored('Its value, or YAML text of it. `add` inserts into a list what it lacks.'),
  }),
  session: closedObject({
    ...REQUEST_CONNECTION,
    http_method: Type.Enum(['get', 'put', 'post', 'patch', 'delete'], { description: 'HTTP method.' }),
    path: Type.String({ minLength: 1, expects: 'a path', description: 'Path below `/api/`: `pool` or `pool/UUID`.' }),
    params: optionalRecord(
      Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
      'Query parameters.',
    ),
    data: Type.Optional(Type.Unsafe<Value>({ type: ['object', 'array', 'null'], description: 'Sent as JSON.' })),
  }),
  fileservice: closedObject({
    ...REQUEST_CONNECTION,
    upload: Type.Boolean({ description: 'Whether to upload the file; `false` downloads it.' }),
    path: Type.String({ minLength: 1, expects: 'a path', description: 'Path below `/api/fileservice/`.' }),
    file_path: FILE_PATH,
    params: textRecord('Query parameters of a download.'),
    force_mode: ignored('Ignored: a download replaces the file when it is complete.'),
  }),
  member_patch: closedObject({
    ...REQUEST_CONNECTION,
    name,
    state: Type.Enum(['present', 'absent'], { default: 'present', description: 'Whether the members should exist.' }),
    data: Type.Object(
      { group: Type.Object({ name }, { additionalProperties: true, description: 'The group with the members.' }) },
      { description: 'What is added or taken away.' },
    ),
    params: ignored('Ignored.'),
  }),
  vnics: closedObject({
    ...REQUEST_CONNECTION,
    se_name: filledText('Name of the service engine.'),
    data_vnics_config: Type.Array(
      Type.Object({ if_name: Type.String({ minLength: 1 }) }, { additionalProperties: true }),
      { description: 'Fields of network interfaces, which are found by `if_name`.' },
    ),
  }),
  image: closedObject({
    ...REQUEST_CONNECTION,
    file_path: FILE_PATH,
    params: ignored("Ignored, as by the vendor's module."),
  }),
  account: closedObject({
    ...REQUEST_CONNECTION,
    old_password: Type.String({ minLength: 1, secret: true, description: 'The current password.' }),
    full_name: text('Full name of the user.'),
    email: text('Address of the user.'),
    force_change: ignored('Ignored: the new password is always tried first.'),
  }),
  version: closedObject({ ...REQUEST_CONNECTION }),
  absent: closedObject({ name, ...TENANT, ...MATCH }),
};
