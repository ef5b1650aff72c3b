import { expect } from 'chai';
import * as Type from 'typebox';
import { CLOUD_FIELDS } from '../../../modules/fields/cloud.js';
import {
  SYSTEM_CONFIGURATION_FIELDS,
  SYSTEM_CONFIGURATION_MEMBERS,
} from '../../../modules/fields/system_configuration.js';
import { fieldLines } from '../../rig/field_lines.js';

/** What releases of real controllers are known to have, by what holds for the fields. */
const OF_CLOUDS: Readonly<Record<string, string>> = {
  'boolean, default false':
    'dhcp_enabled prefer_static_routes enable_vip_static_routes enable_vip_on_all_interfaces ip6_autocfg_enabled dns_resolution_on_se maintenance_mode resolve_fqdn_to_ipv6 vmc_deployment',
  'boolean, default true': 'state_based_dns_registration mgmt_ip_v4_enabled mgmt_ip_v6_enabled',
  string:
    'obj_name_prefix tenant_ref ipam_provider_ref dns_provider_ref east_west_ipam_provider_ref east_west_dns_provider_ref se_group_template_ref custom_tags.tag_val',
  object:
    'vcenter_configuration nsxt_configuration aws_configuration azure_configuration gcp_configuration openstack_configuration linuxserver_configuration docker_configuration rancher_configuration cloudstack_configuration vca_configuration proxy_configuration ntp_configuration',
  'string, secret':
    'vcenter_configuration.password aws_configuration.secret_access_key openstack_configuration.password openstack_configuration.nuage_password rancher_configuration.secret_key cloudstack_configuration.secret_access_key vca_configuration.vca_password proxy_configuration.password',
  '[object]': 'custom_tags dns_resolvers markers',
  'integer, default 1500': 'mtu',
  'integer, default 60, minimum 60, maximum 3600': 'autoscale_polling_interval',
  'integer, default 300': 'metrics_polling_interval',
  'CLOUD_NONE | CLOUD_VCENTER | CLOUD_OPENSTACK | CLOUD_AWS | CLOUD_VCA | CLOUD_APIC | CLOUD_MESOS | CLOUD_LINUXSERVER | CLOUD_DOCKER_UCP | CLOUD_RANCHER | CLOUD_OSHIFT_K8S | CLOUD_AZURE | CLOUD_GCP | CLOUD_NSXT, default CLOUD_NONE':
    'vtype',
  'LIC_BACKEND_SERVERS | LIC_SOCKETS | LIC_CORES | LIC_HOSTS | LIC_SE_BANDWIDTH | LIC_METERED_SE_BANDWIDTH':
    'license_type',
  'ENTERPRISE_16 | ENTERPRISE_18 | ENTERPRISE | BASIC | ESSENTIALS | ENTERPRISE_WITH_CLOUD_SERVICES': 'license_tier',
};

const OF_SYSTEM_CONFIGURATIONS: Readonly<Record<string, string>> = {
  object:
    'dns_configuration ntp_configuration portal_configuration admin_auth_configuration mgmt_ip_access_control email_configuration snmp_configuration secure_channel_configuration proxy_configuration linux_configuration global_tenant_config controller_analytics_policy',
  '[object]':
    'dns_configuration.server_list ntp_configuration.ntp_servers ntp_configuration.ntp_server_list ntp_configuration.ntp_authentication_keys',
  boolean: 'welcome_workflow_complete fips_mode common_criteria_mode docker_mode enable_cors',
  'boolean, default false': 'portal_configuration.disable_swagger',
  string:
    'portal_configuration.sslprofile_ref portal_configuration.pkiprofile_ref default_license_tier host_key_algorithm_exclude kex_algorithm_exclude',
  '[string]': 'portal_configuration.sslkeyandcertificate_refs ssh_ciphers ssh_hmacs dns_virtualservice_refs',
  'integer, minimum 1, maximum 65534': 'ntp_configuration.ntp_servers.key_number',
  'integer, minimum 1, maximum 65535': 'portal_configuration.http_port portal_configuration.https_port',
  'integer, minimum 1, maximum 24, default 24': 'portal_configuration.api_force_timeout',
  'integer, minimum 6, maximum 32, default 8': 'portal_configuration.minimum_password_length',
  'NTP_AUTH_ALGORITHM_MD5 | NTP_AUTH_ALGORITHM_SHA1': 'ntp_configuration.ntp_authentication_keys.algorithm',
};

const CLOUDS: Type.TObject = CLOUD_FIELDS;
const SYSTEM_CONFIGURATIONS: Type.TObject = SYSTEM_CONFIGURATION_FIELDS;
const MEMBERS: Type.TObject = Type.Object(SYSTEM_CONFIGURATION_MEMBERS);

/** The fields of addresses and keys that cannot be left out. */
const REQUIRED = [
  'dns_configuration.server_list.addr: string',
  'dns_configuration.server_list.type: V4 | V6 | DNS',
  'ntp_configuration.ntp_servers.server: object',
  'ntp_configuration.ntp_servers.server.addr: string',
  'ntp_configuration.ntp_servers.server.type: V4 | V6 | DNS',
  'ntp_configuration.ntp_server_list.addr: string',
  'ntp_configuration.ntp_server_list.type: V4 | V6 | DNS',
  'ntp_configuration.ntp_authentication_keys.key: string, secret',
  'ntp_configuration.ntp_authentication_keys.key_number: integer, minimum 1, maximum 65534',
];

function optional(table: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(table).flatMap(([facts, names]) => names.split(' ').map((name) => `${name}?: ${facts}`));
}

describe('the fields that modules know', () => {
  it('are those of clouds, with their defaults, bounds and choices', () => {
    expect([...fieldLines(CLOUDS)].sort()).to.deep.equal(
      [...optional(OF_CLOUDS), 'custom_tags.tag_key: string'].sort(),
    );
  });

  it('are those of system configurations, with their defaults, bounds and choices', () => {
    expect([...fieldLines(SYSTEM_CONFIGURATIONS)].sort()).to.deep.equal(
      [...optional(OF_SYSTEM_CONFIGURATIONS), ...REQUIRED].sort(),
    );
  });

  it('are those of the API document, of which only the types count, and whose members null may clear', () => {
    expect(fieldLines(MEMBERS)).to.deep.equal([
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
    ]);
  });
});
