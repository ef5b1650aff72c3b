/** Six tasks and a handler, which a run must be able to resume at any moment. Each writes a separate object. */
export const ROLLOUT = `- name: Rollout
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
`;

/** What is on each controller before. */
export const GONE_CLOUD = { name: 'gone', uuid: 'cloud-00000000-0000-4000-8000-000000000001' };
export const OLD_CLOUD = { name: 'old', uuid: 'cloud-00000000-0000-4000-8000-000000000000', mtu: 900, note: 'keep me' };
