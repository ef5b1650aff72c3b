import * as Type from 'typebox';

const off = (description?: string) =>
  Type.Optional(Type.Boolean({ default: false, ...(description === undefined ? {} : { description }) }));
const on = () => Type.Optional(Type.Boolean({ default: true }));
const text = (description: string) => Type.Optional(Type.String({ description }));
const settings = (fields: Record<string, Type.TSchema> = {}) => Type.Optional(Type.Object(fields));
const secret = () => Type.Optional(Type.String({ secret: true }));

const CLOUD_TYPES =
  'NONE VCENTER OPENSTACK AWS VCA APIC MESOS LINUXSERVER DOCKER_UCP RANCHER OSHIFT_K8S AZURE GCP NSXT';
const LICENSE_TYPES = 'BACKEND_SERVERS SOCKETS CORES HOSTS SE_BANDWIDTH METERED_SE_BANDWIDTH';
const LICENSE_TIERS = 'ENTERPRISE_16 ENTERPRISE_18 ENTERPRISE BASIC ESSENTIALS ENTERPRISE_WITH_CLOUD_SERVICES';
const prefixed = (prefix: string, words: string) => words.split(' ').map((word) => prefix + word);

/**
 * Fields of a cloud that releases of real controllers are known to have, beyond the API document. Only their types are enforced:
 * bounds, choices and defaults are one release's.
 */
export const CLOUD_FIELDS = Type.Object({
  vtype: Type.Optional(
    Type.Enum(prefixed('CLOUD_', CLOUD_TYPES), {
      default: 'CLOUD_NONE',
      description: 'kind of infrastructure; many releases require it',
    }),
  ),
  mtu: Type.Optional(Type.Integer({ default: 1500, description: 'largest packet, in bytes' })),
  autoscale_polling_interval: Type.Optional(
    Type.Integer({ default: 60, minimum: 60, maximum: 3600, description: 'seconds' }),
  ),
  metrics_polling_interval: Type.Optional(Type.Integer({ default: 300, description: 'seconds' })),
  dhcp_enabled: off('addresses of the management network come from DHCP'),
  prefer_static_routes: off(),
  enable_vip_static_routes: off(),
  enable_vip_on_all_interfaces: off(),
  ip6_autocfg_enabled: off(),
  dns_resolution_on_se: off(),
  maintenance_mode: off(),
  resolve_fqdn_to_ipv6: off(),
  vmc_deployment: off(),
  state_based_dns_registration: on(),
  mgmt_ip_v4_enabled: on(),
  mgmt_ip_v6_enabled: on(),
  license_type: Type.Optional(Type.Enum(prefixed('LIC_', LICENSE_TYPES))),
  license_tier: Type.Optional(
    Type.Enum(LICENSE_TIERS.split(' '), { description: 'default: that of the system configuration' }),
  ),
  obj_name_prefix: text('prefix for the names of objects created in the infrastructure'),
  tenant_ref: text('the tenant it belongs to'),
  ipam_provider_ref: text('where addresses come from'),
  dns_provider_ref: text('where names are registered'),
  east_west_ipam_provider_ref: text('as `ipam_provider_ref`, between services'),
  east_west_dns_provider_ref: text('as `dns_provider_ref`, between services'),
  se_group_template_ref: text('pattern of new service engine groups'),
  custom_tags: Type.Optional(
    Type.Array(Type.Object({ tag_key: Type.String(), tag_val: Type.Optional(Type.String()) })),
  ),
  dns_resolvers: Type.Optional(Type.Array(Type.Object({}), { description: 'at most one' })),
  markers: Type.Optional(Type.Array(Type.Object({}))),
  vcenter_configuration: settings({ password: secret() }),
  nsxt_configuration: settings(),
  aws_configuration: settings({ secret_access_key: secret() }),
  azure_configuration: settings(),
  gcp_configuration: settings(),
  openstack_configuration: settings({ password: secret(), nuage_password: secret() }),
  linuxserver_configuration: settings(),
  docker_configuration: settings(),
  rancher_configuration: settings({ secret_key: secret() }),
  cloudstack_configuration: settings({ secret_access_key: secret() }),
  vca_configuration: settings({ vca_password: secret() }),
  proxy_configuration: settings({ password: secret() }),
  ntp_configuration: settings(),
});
