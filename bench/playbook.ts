/** What every program of the comparison brings about on each controller. */
export const CLOUD = { name: 'floor', vtype: 'CLOUD_NONE' };

export const SYSTEM = {
  dns_configuration: { search_domain: 'example.com', server_list: [{ type: 'V4', addr: '10.0.0.53' }] },
  ntp_configuration: { ntp_servers: [{ server: { type: 'DNS', addr: 'ntp.example.com' } }] },
  portal_configuration: { password_strength_check: true, enable_https: true, allow_basic_authentication: true },
};

/** Templated like a real one: rendering is part of a run. */
export const PLAYBOOK = `- name: Bench
  hosts: all
  gather_facts: false
  tasks:
    - name: A cloud
      cloud_present:
        name: "{{ cloud_name }}"
        vtype: ${CLOUD.vtype}
    - name: The system configuration
      system_config:
        dns_configuration:
          search_domain: "{{ search_domain }}"
          server_list: ${JSON.stringify(SYSTEM.dns_configuration.server_list)}
        ntp_configuration: ${JSON.stringify(SYSTEM.ntp_configuration)}
        portal_configuration: ${JSON.stringify(SYSTEM.portal_configuration)}
`;

/** The same requests as an Ansible user writes them; the verifying reads included. */
export const ANSIBLE_PLAYBOOK = `- name: Bench
  hosts: all
  gather_facts: false
  connection: local
  module_defaults:
    uri: &signed_in
      url_username: "{{ controller_username }}"
      url_password: "{{ controller_password }}"
      force_basic_auth: true
      ca_path: "{{ controller_ca_file }}"
      headers: { X-Vendor-Version: "{{ controller_api_version }}" }
      body_format: json
      status_code: [200, 201]
      return_content: true
  tasks:
    - uri: { url: "{{ controller_url }}/api/cloud/?name={{ cloud_name }}" }
      register: found
    - uri:
        url: "{{ controller_url }}/api/cloud/"
        method: POST
        body: { name: "{{ cloud_name }}", vtype: ${CLOUD.vtype} }
      when: found.json.count == 0
    - uri: { url: "{{ controller_url }}/api/cloud/?name={{ cloud_name }}" }
    - uri: { url: "{{ controller_url }}/api/systemconfiguration" }
      register: current
    - uri:
        url: "{{ controller_url }}/api/systemconfiguration"
        method: PUT
        body: "{{ current.json | combine(wanted) }}"
    - uri: { url: "{{ controller_url }}/api/systemconfiguration" }
  vars:
    wanted: ${JSON.stringify(SYSTEM)}
`;
