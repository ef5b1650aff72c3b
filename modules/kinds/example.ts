import type { Field, Kind, Structure } from '../../src/kinds/kind_table.js';

/** Fields that show the purpose of a kind, besides its required fields. YAML, indented like arguments. */
const PURPOSE_FIELDS: Readonly<Record<string, string>> = {
  pool: `
    default_server_port: 8080
    lb_algorithm: LB_ALGORITHM_ROUND_ROBIN
    health_monitor_refs: [/api/healthmonitor?name=System-HTTP]
    servers:
      - ip: { type: V4, addr: 10.0.0.11 }
      - ip: { type: V4, addr: 10.0.0.12 }`,
  virtualservice: `
    services:
      - port: 443
        enable_ssl: true
    vsvip_ref: /api/vsvip?name=web
    pool_ref: /api/pool?name=web
    ssl_key_and_certificate_refs: [/api/sslkeyandcertificate?name=web]`,
  vsvip: `
    vip:
      - vip_id: '1'
        ip_address: { type: V4, addr: 192.0.2.10 }
    dns_info:
      - fqdn: web.example.com`,
  poolgroup: `
    members:
      - pool_ref: /api/pool?name=blue
        ratio: 90
      - pool_ref: /api/pool?name=green
        ratio: 10`,
  sslkeyandcertificate: `
    type: SSL_CERTIFICATE_TYPE_VIRTUALSERVICE
    key: '{{vault_web_key}}'
    certificate:
      certificate: '{{web_certificate}}'`,
  network: `
    configured_subnets:
      - prefix: { ip_addr: { type: V4, addr: 192.0.2.0 }, mask: 24 }
        static_ip_ranges:
          - type: STATIC_IPS_FOR_VIP
            range: { begin: { type: V4, addr: 192.0.2.10 }, end: { type: V4, addr: 192.0.2.99 } }`,
  cluster: `
    nodes:
      - name: node1
        ip: { type: V4, addr: 10.0.0.1 }
      - name: node2
        ip: { type: V4, addr: 10.0.0.2 }
      - name: node3
        ip: { type: V4, addr: 10.0.0.3 }`,
};

/** A task with valid arguments. */
export function writeExample({ name: word, single, structure }: Kind, module: string): string {
  const name = single ? '' : '\n    name: web';
  const fields = PURPOSE_FIELDS[word] ?? requiredFields(structure);
  return `\n- name: ${single ? `The ${word} is configured` : `A ${word} exists`}\n  ${module}:${name}${fields}\n`;
}

function requiredFields({ required, fields }: Structure): string {
  const others = required.filter((one) => one !== 'name').map((one) => [one, sampleValue(fields.get(one))] as const);
  return others.map(([one, sample]) => `\n    ${one}: ${JSON.stringify(sample)}`).join('');
}

function sampleValue(field: Field | undefined): unknown {
  if (field === undefined) return 'text';
  const { list, type, structure, range, choices } = field;
  if (list) return [];
  if (structure !== undefined)
    return Object.fromEntries(structure.required.map((one) => [one, sampleValue(structure.fields.get(one))]));
  if (field.default !== undefined) return field.default;
  if (type === 'boolean') return true;
  return type === 'string' || type === 'any' ? (choices?.[0] ?? 'text') : type === 'mapping' ? {} : (range?.[0] ?? 1);
}
