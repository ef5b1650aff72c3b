import * as Type from 'typebox';

/** The form of a server's address on controllers of this family. */
const ADDRESS = Type.Object({
  addr: Type.String({ description: 'an IP address or a host name' }),
  type: Type.Enum(['V4', 'V6', 'DNS'], { description: '`DNS` for a host name' }),
});

const object = () => Type.Optional(Type.Object({}));
const flag = () => Type.Optional(Type.Boolean());
const texts = () => Type.Optional(Type.Array(Type.String()));
const fields = (properties: Record<string, Type.TSchema>) => Type.Optional(Type.Object(properties));
const list = (properties: Record<string, Type.TSchema>) => Type.Optional(Type.Array(Type.Object(properties)));
const count = (minimum: number, maximum: number, rest: { default?: number; description?: string } = {}) =>
  Type.Optional(Type.Integer({ minimum, maximum, ...rest }));

const text = (description: string) => Type.Optional(Type.String({ description }));
const switched = (description: string) => Type.Optional(Type.Boolean({ description }));
const address = (type: string) => ({ type: text(type), addr: text('address of the server') });

const member = (properties: Record<string, Type.TSchema>) => Type.Optional(Type.Object(properties, { field: true }));

/** The members that the API document lists. */
export const SYSTEM_CONFIGURATION_MEMBERS = {
  dns_configuration: member({
    search_domain: text('domain in which short names are looked up'),
    server_list: Type.Optional(
      Type.Array(Type.Object(address('`V4` for an IPv4 address')), { description: 'DNS servers, in order' }),
    ),
  }),
  ntp_configuration: member({
    ntp_servers: Type.Optional(
      Type.Array(Type.Object({ server: Type.Optional(Type.Object(address('`DNS` for a host name'))) }), {
        description: 'time servers, in order',
      }),
    ),
  }),
  portal_configuration: member({
    password_strength_check: switched('refuse weak passwords'),
    use_uuid_from_input: switched('accept uuids from clients'),
    redirect_to_https: switched('send HTTP visitors to HTTPS'),
    enable_clickjacking_protection: switched('forbid showing the portal in frames'),
    enable_https: switched('enable HTTPS; Evenkeel needs it'),
    disable_remote_cli_shell: switched('no remote command line'),
    http_port: Type.Optional(Type.Integer({ description: 'HTTP port' })),
    enable_http: switched('enable HTTP'),
    allow_basic_authentication: switched('accept Basic authentication; Evenkeel needs it'),
  }),
};

const MD5_OR_SHA1 = Type.Enum(['NTP_AUTH_ALGORITHM_MD5', 'NTP_AUTH_ALGORITHM_SHA1']);

/**
 * Members of the system configuration that releases of real controllers are known to have, beyond the API document.
 * Only their types are enforced: bounds, choices and defaults are one release's.
 */
export const SYSTEM_CONFIGURATION_FIELDS = Type.Object({
  dns_configuration: fields({ server_list: Type.Optional(Type.Array(ADDRESS)) }),
  ntp_configuration: fields({
    ntp_servers: list({
      server: ADDRESS,
      key_number: count(1, 65534, { description: 'number of the authentication key' }),
    }),
    ntp_server_list: Type.Optional(Type.Array(ADDRESS, { description: 'older form of `ntp_servers`' })),
    ntp_authentication_keys: list({
      key: Type.String({ secret: true }),
      key_number: Type.Integer({ minimum: 1, maximum: 65534 }),
      algorithm: Type.Optional(MD5_OR_SHA1),
    }),
  }),
  portal_configuration: fields({
    http_port: count(1, 65535),
    https_port: count(1, 65535),
    disable_swagger: Type.Optional(Type.Boolean({ default: false })),
    api_force_timeout: count(1, 24, { default: 24, description: 'hours' }),
    minimum_password_length: count(6, 32, { default: 8 }),
    sslkeyandcertificate_refs: Type.Optional(Type.Array(Type.String(), { description: 'at most two' })),
    sslprofile_ref: Type.Optional(Type.String()),
    pkiprofile_ref: Type.Optional(Type.String()),
  }),
  admin_auth_configuration: object(),
  mgmt_ip_access_control: object(),
  email_configuration: object(),
  snmp_configuration: object(),
  secure_channel_configuration: object(),
  proxy_configuration: object(),
  linux_configuration: object(),
  global_tenant_config: object(),
  controller_analytics_policy: object(),
  default_license_tier: Type.Optional(Type.String()),
  welcome_workflow_complete: flag(),
  fips_mode: flag(),
  common_criteria_mode: flag(),
  docker_mode: flag(),
  enable_cors: flag(),
  ssh_ciphers: texts(),
  ssh_hmacs: texts(),
  host_key_algorithm_exclude: Type.Optional(Type.String()),
  kex_algorithm_exclude: Type.Optional(Type.String()),
  dns_virtualservice_refs: texts(),
});
