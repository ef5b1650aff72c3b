import type { Diagnostic } from '../../core/model/source/diagnostic.js';
import { type AnsibleConfig, isApplied } from '../../project/project/ansible_cfg.js';

/** The counterparts here of settings that change what a run does. */
const INSTEAD: Readonly<Record<string, string>> = {
  'defaults.any_errors_fatal': 'write "any_errors_fatal: true" in the plays',
  'defaults.ask_pass': 'pass -k',
  'defaults.ask_vault_pass': 'pass -J, or name the file of the password in evenkeel.yml: vault_password_file',
  'defaults.callbacks_enabled': 'pass --report junit=FILE for results, --profile for times',
  'defaults.callback_whitelist': 'pass --report junit=FILE for results, --profile for times',
  'defaults.force_handlers': 'write "force_handlers: true" in the plays, or pass --force-handlers',
  'defaults.hash_behaviour': 'merge mappings with the filter combine',
  'defaults.log_path': 'pass --log FILE; .evenkeel keeps the journals of runs, too',
  'defaults.module_name': 'pass -m MODULE to "evenkeel task"',
  'defaults.remote_user': 'write controller_username in the inventory, or pass -u',
  'defaults.strategy': 'it is "host_pinned" (or "free") or "linear"',
  'diff.always': 'pass --diff',
  'tags.run': 'pass --tags',
  'tags.skip': 'pass --skip-tags',
};

/** About SSH, privileges, facts of hosts, and what Ansible prints: nothing of this is here. */
const WITHOUT_EFFECT =
  /^(?:(?:ssh_connection|paramiko_connection|persistent_connection|connection|privilege_escalation|colors|selinux|galaxy)\.|defaults\.(?:host_key_checking|pipelining|gather\w*|fact_caching\w*|inject_facts_as_vars|interpreter_python|retry_files\w*|stdout_callback|bin_ansible_callbacks|transport|(?:remote|local)_(?:tmp|port)|private_key_file|executable|become\w*|ansible_managed|display_\w+|\w+_warnings|deprecation_\w+|no\w*cow\w*|cow\w*|poll_interval|internal_poll_interval|timeout|show_\w+|allow_world_readable_tmpfiles|nocolor|force_color)$)/;

const PLUGINS = /^defaults\.(?:(?:filter|test|lookup)_plugins|collections_paths?)$/;

/** How the project's own configuration of Ansible applies: a remark for each group, and what to do about the rest. */
export function configFindings(config: AnsibleConfig | undefined): readonly Diagnostic[] {
  return [...(config?.values ?? [])].flatMap(([name, { value, source }]): readonly Diagnostic[] => {
    const known = isApplied(name, value) || PLUGINS.test(name);
    if (value === '' || (!known && /^(?:false|no|off|0|replace)$/i.test(value))) return [];
    const hint = known ? undefined : INSTEAD[name];
    if (hint !== undefined)
      return [{ severity: 'error', message: `ansible.cfg: "${name}" does not apply here`, hint, source }];
    const group = known ? APPLIES : WITHOUT_EFFECT.test(name) ? HAS_NO_EFFECT : IS_IGNORED;
    return [{ severity: 'warning', message: `${group}: "${name}"`, source, group: { message: group, member: name } }];
  });
}

const APPLIES = 'ansible.cfg: settings that apply here as well';
const HAS_NO_EFFECT = "ansible.cfg: settings without effect, because they are about SSH, hosts or Ansible's output";
const IS_IGNORED = 'ansible.cfg: settings that Evenkeel does not read';
