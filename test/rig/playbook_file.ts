import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The playbook that hand-made events refer to, in its own folder. */
const ROLLOUT = `- name: Roll out
  hosts: all
  tasks:
    - name: Create the cloud
      cloud_present:
        name: edge
        mtu: '{{mtu}}'
    - name: Configure
      system_config:
        dns_configuration:
          search_domain: '{{domain}}'
`;

const VARIABLES = `mtu: 1500
controller_password: hunter22
domain: '{{zone}}.example.com'
`;

export interface PlaybookFolder {
  readonly cwd: string;
  dispose(): Promise<void>;
}

/** `playbooks/rollout.yml` and `group_vars/all.yml` in a new folder. */
export async function playbookFolder(): Promise<PlaybookFolder> {
  const cwd = await mkdtemp(path.join(tmpdir(), 'evenkeel-report-'));
  await mkdir(path.join(cwd, 'playbooks'));
  await mkdir(path.join(cwd, 'group_vars'));
  await writeFile(path.join(cwd, 'playbooks/rollout.yml'), ROLLOUT);
  await writeFile(path.join(cwd, 'group_vars/all.yml'), VARIABLES);
  return { cwd, dispose: () => rm(cwd, { recursive: true }) };
}
