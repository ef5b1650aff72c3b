import { isJsonObject, type JsonObject, type SimulatedJson } from '../protocol/exchange.js';

/** What a controller adds to a cloud that does not say otherwise, as recorded from real ones. */
export const CLOUD_DEFAULTS: JsonObject = {
  vtype: 'CLOUD_NONE',
  mtu: 1500,
  autoscale_polling_interval: 60,
  metrics_polling_interval: 300,
  dhcp_enabled: false,
  prefer_static_routes: false,
  enable_vip_static_routes: false,
  enable_vip_on_all_interfaces: false,
  ip6_autocfg_enabled: false,
  dns_resolution_on_se: false,
  maintenance_mode: false,
  state_based_dns_registration: true,
  mgmt_ip_v4_enabled: true,
  license_type: 'LIC_CORES',
  license_tier: 'ENTERPRISE',
};

/**
 * Fields that a system configuration always has. `allow_basic_authentication` is true here, though releases differ, because a simulation
 * must allow sign-in. Setting it to false locks out, as on a real controller.
 */
export const SYSTEM_CONFIGURATION_DEFAULTS = {
  dns_configuration: { search_domain: '' },
  portal_configuration: {
    enable_https: true,
    enable_http: true,
    redirect_to_https: true,
    enable_clickjacking_protection: true,
    allow_basic_authentication: true,
    password_strength_check: false,
    use_uuid_from_input: false,
    disable_remote_cli_shell: false,
    disable_swagger: false,
    api_force_timeout: 24,
    minimum_password_length: 8,
  },
} satisfies JsonObject;

/** A controller that was never configured. A careless PUT loses members that have no default. */
export const FRESH_SYSTEM_CONFIGURATION = {
  ...SYSTEM_CONFIGURATION_DEFAULTS,
  ntp_configuration: {
    ntp_servers: [
      { server: { type: 'DNS', addr: '0.pool.ntp.org' } },
      { server: { type: 'DNS', addr: '1.pool.ntp.org' } },
    ],
  },
  email_configuration: { smtp_type: 'SMTP_LOCAL_HOST', from_email: 'admin@controller.example' },
  global_tenant_config: { tenant_vrf: false, se_in_provider_context: true, tenant_access_to_provider_se: true },
  linux_configuration: { motd: '', banner: 'Authorized use only' },
  default_license_tier: 'ENTERPRISE',
  ssh_ciphers: ['aes128-ctr', 'aes256-ctr'],
  welcome_workflow_complete: true,
} satisfies JsonObject;

/** The body with the defaults filled in: objects member by member; lists and scalars stay as in the body. */
export function withDefaults(body: JsonObject, defaults: JsonObject): JsonObject {
  const filled: Record<string, SimulatedJson> = { ...defaults, ...body };
  for (const [key, fallback] of Object.entries(defaults)) {
    const given = body[key];
    if (isJsonObject(given) && isJsonObject(fallback)) filled[key] = withDefaults(given, fallback);
  }
  return filled;
}
