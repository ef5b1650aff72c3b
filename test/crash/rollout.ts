import type { Behaviour } from '../../src/simulator/behaviour/behaviour.js';
import type { SimulatedController } from '../../src/simulator/controller/controller.js';
import type { TestedDialect } from '../rig/simulated.js';

/** A playbook that a run must be able to resume at any moment, and the controllers that it is for. Each of its tasks writes a separate object. */
export interface Rollout {
  readonly playbook: string;
  /** For each behaviour, some controllers have it. */
  readonly behaviours: readonly Behaviour[];
  /** What the run may write to. */
  readonly collections: readonly string[];
  readonly singles: readonly string[];
  /** Beside the playbook. */
  readonly files: Readonly<Record<string, string>>;
  /** The counts of each controller in the recap. */
  readonly tasks: { readonly ok: number; readonly changed: number };
  /** Creates the initial objects of a controller. */
  readonly prepare: (controller: SimulatedController) => void;
}

const GENERIC: Rollout = {
  playbook: `- name: Rollout
  hosts: fleet
  tasks:
    - name: Clouds exist
      cloud_present: { name: "{{ item }}", mtu: 1400 }
      loop: [edge, core]
      register: clouds
      notify: Monitoring knows the clouds
    - name: The size is known
      set_fact: { size: "{{ rack + (clouds.results | length) }}" }
    - name: The old cloud has it
      cloud_present: { name: old, mtu: "{{ 1500 + size }}" }
      register: old
    - name: The cloud that nobody needs is gone
      cloud_absent: { name: gone }
    - name: The system is configured
      system_config: { dns_configuration: { search_domain: "rack{{ size }}.example.com" } }
    - name: The pool refers to the cloud
      resource_present:
        path: /api/pool/
        name: web
        properties: { cloud_uuid: "{{ clouds.results[0].object.uuid }}", was_changed: "{{ old.changed }}" }
  handlers:
    - name: Monitoring knows the clouds
      resource_present:
        path: /api/monitoring
        properties: { clouds: "{{ clouds.results | map(attribute='object') | map(attribute='uuid') | list }}", size: "{{ size }}" }
`,
  behaviours: [
    {},
    { faults: [{ type: 'drop', applied: true, when: { method: 'POST', nth: 1 } }] },
    { faults: [{ type: 'drop', applied: true, when: { method: 'PUT', nth: 1 } }] },
    { faults: [{ type: 'drop', applied: true, when: { method: 'DELETE', nth: 1 } }] },
    { faults: [{ type: 'cut', when: { method: 'POST', nth: 2 } }] },
    { unreadable: 405 },
    { latency: 4 },
    { paging: { size: 1 }, filter: 'ignored' },
    { locking: true },
  ],
  collections: ['/api/cloud/', '/api/pool/'],
  singles: ['/api/systemconfiguration', '/api/monitoring'],
  files: {},
  tasks: { ok: 7, changed: 6 },
  prepare: (controller) => {
    controller.setObjects('/api/cloud/', [
      { name: 'old', uuid: 'cloud-00000000-0000-4000-8000-000000000000', mtu: 900, note: 'keep me' },
      { name: 'gone', uuid: 'cloud-00000000-0000-4000-8000-000000000001' },
    ]);
  },
};

/** A login is a POST, too: faults name the path of the write. */
const AVI: Rollout = {
  playbook: `- name: Rollout
  hosts: fleet
  tasks:
    - name: Clouds exist
      cloud_present: { name: "{{ item }}", vtype: CLOUD_NONE, mtu: 1400 }
      loop: [edge, core]
      register: clouds
      notify: A pool of the tenant knows the clouds
    - name: The size is known
      set_fact: { size: "{{ rack + (clouds.results | length) }}" }
    - name: The old monitor has it
      healthmonitor_present: { name: old, type: HEALTH_MONITOR_HTTP, send_interval: "{{ 10 + size }}" }
      register: old
    - name: The monitor that nobody needs is gone
      healthmonitor_absent: { name: gone }
    - name: The system is configured
      system_config: { dns_configuration: { search_domain: "rack{{ size }}.example.com" } }
    - name: The pool of the tenant refers to the cloud
      pool_present:
        name: web
        tenant: blue
        cloud_ref: /api/cloud?name=edge
        vrf_ref: global
        health_monitor_refs: [System-HTTP, /api/healthmonitor?name=System-TCP]
        description: "{{ clouds.results[0].object.uuid }} {{ old.changed }}"
    - name: The package is uploaded
      file_upload: { path: /api/fileservice/hsmpackages, src: hsm.tar }
    - name: The configuration is saved
      file_download: { path: /api/configuration/export, dest: "backup/{{ inventory_hostname }}.json" }
      changed_when: true
  handlers:
    - name: A pool of the tenant knows the clouds
      pool_present:
        name: known
        tenant: blue
        cloud_ref: "{{ clouds.results[1].object.url }}"
        default_server_port: "{{ 8000 + size }}"
`,
  behaviours: [
    {},
    { faults: [{ type: 'drop', applied: true, when: { method: 'POST', path: '/api/cloud', nth: 1 } }] },
    { faults: [{ type: 'drop', applied: true, when: { method: 'PUT', nth: 1 } }] },
    { faults: [{ type: 'drop', applied: true, when: { method: 'DELETE', nth: 1 } }] },
    { faults: [{ type: 'cut', when: { method: 'POST', path: '/api/pool', nth: 1 } }] },
    {
      faults: [{ type: 'drop', applied: true, when: { method: 'POST', path: '/api/fileservice/hsmpackages', nth: 1 } }],
    },
    { faults: [{ type: 'cut', when: { path: '/api/configuration/export', nth: 1 } }] },
    { faults: [{ type: 'expire', when: { method: 'POST', path: '/api/pool', nth: 1 } }] },
    { faults: [{ type: 'expire', when: { method: 'PUT', nth: 1 } }] },
    { faults: [{ type: 'expire', when: { method: 'DELETE', nth: 1 } }] },
    { faults: [{ type: 'touch', when: { method: 'PUT', nth: 1 } }] },
    {
      faults: [
        { type: 'drop', applied: true, when: { method: 'POST', path: '/api/pool', nth: 1 } },
        { type: 'expire', when: { method: 'GET', path: '/api/pool', nth: 2 } },
      ],
    },
    { latency: 4, faults: [{ type: 'expire', when: { path: '/api/healthmonitor', nth: 2 } }] },
    { paging: { size: 1 }, filter: 'ignored' },
  ],
  collections: ['/api/cloud/', '/api/vrfcontext/', '/api/healthmonitor/', '/api/pool/', '/api/tenant/'],
  singles: ['/api/systemconfiguration', '/api/fileservice'],
  files: { 'hsm.tar': 'the package '.repeat(20_000) },
  tasks: { ok: 9, changed: 8 },
  prepare: (controller) => {
    const monitor = { type: 'HEALTH_MONITOR_HTTP', tenant_ref: '/api/tenant/admin' };
    controller.setObjects('/api/healthmonitor/', [
      { name: 'old', uuid: 'healthmonitor-0', description: 'keep me', ...monitor },
      { name: 'gone', uuid: 'healthmonitor-1', ...monitor },
    ]);
  },
};

export const ROLLOUTS: Readonly<Record<TestedDialect, Rollout>> = { generic: GENERIC, avi: AVI };
