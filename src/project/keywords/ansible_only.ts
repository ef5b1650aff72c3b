import type { Diagnostic } from '../../core/model/source/diagnostic.js';
import { isList, isMapping, type Value } from '../../core/model/values/value.js';
import type { Cursor } from '../document/cursor.js';

/** Ansible modules and keywords that do not apply to controllers, and what to use instead. */

interface ForeignModules {
  /** What the modules handle: `"copy" cannot run on a controller: it handles …`. */
  readonly handles: string;
  readonly hint: string;
  readonly modules: string;
}

const FOREIGN_MODULES: readonly ForeignModules[] = [
  {
    handles: 'programs on a host',
    hint: 'use api_request for what the controller should do, and lookup("pipe", …) for a program on this machine',
    modules: 'command expect psexec raw script shell telnet win_command win_powershell win_shell async_status',
  },
  {
    handles: 'files on a host',
    hint: 'lookup("file", …) and lookup("template", …) read files of this machine; api_request or resource_present sends what they hold',
    modules:
      'acl archive assemble blockinfile copy fetch file filesystem find ini_file iso_extract lineinfile mount patch read_csv replace ' +
      'slurp stat synchronize tempfile template unarchive win_copy win_file win_template xml',
  },
  {
    handles: 'services and settings of a host',
    hint: 'use system_config for DNS, NTP and the portal, and resource_present for other objects of the controller',
    modules:
      'alternatives at cron cronvar debconf firewalld hostname interfaces_file iptables kernel_blacklist locale_gen lvg lvol modprobe nmcli ' +
      'openssl_certificate openssl_csr openssl_dhparam openssl_privatekey pam_limits parted reboot runit seboolean sefcontext selinux service ' +
      'service_facts supervisorctl sysctl systemd systemd_service sysvinit timezone ufw win_reboot win_service',
  },
  {
    handles: 'software and downloads on a host',
    hint: 'software of a controller goes through its API: use api_request; lookup("url", …) reads from a web server',
    modules:
      'apk apt apt_key apt_repo apt_repository bower bundler composer cpanm deb822_repository dnf dnf5 dpkg_selections easy_install flatpak gem get_url git ' +
      'github_release hg homebrew homebrew_cask make maven_artifact npm opkg package pacman pear pip pipx portage rhsm_repository redhat_subscription ' +
      'rpm_key snap subversion win_chocolatey yarn yum yum_repository zypper zypper_repository',
  },
  {
    handles: 'users of a host',
    hint: 'use resource_present for the accounts of a controller',
    modules: 'authorized_key getent group htpasswd known_hosts openssh_keypair sudoers user win_user',
  },
  {
    handles: 'facts of a host',
    hint: 'ask the controller with api_request and "register"',
    modules: 'facter gather_facts mount_facts ohai package_facts ping setup',
  },
  {
    handles: 'results for a workflow of AWX',
    hint: 'use set_fact, which later plays and playbooks of the run see; --report json=FILE has the results for other programs',
    modules: 'set_stats',
  },
  {
    handles: 'databases, containers and clouds',
    hint: 'keep these tasks in Ansible, or write a project module: docs/writing-a-module.md',
    modules:
      'cloudformation docker_compose docker_container docker_image docker_login docker_network docker_volume ec2 ec2_instance helm k8s k8s_info ' +
      'kube lxd_container mail mongodb_user mysql_db mysql_replication mysql_user mysql_variables nagios podman_container postgresql_db ' +
      'postgresql_ext postgresql_privs postgresql_user proxysql_query rabbitmq_user redis route53 s3 s3_bucket slack virt wait_for_connection',
  },
];

const FOREIGN_BY_NAME: ReadonlyMap<string, ForeignModules> = new Map(
  FOREIGN_MODULES.flatMap((foreign) => foreign.modules.split(' ').map((name) => [name, foreign] as const)),
);

/** Collections that now contain these modules. */
const COLLECTION = /^(?:ansible|amazon|community|containers|kubernetes)\.\w+\./;

/** The error for a module that cannot work on a controller; undefined for other modules. */
export function ansibleOnlyModule(name: string): Pick<Diagnostic, 'message' | 'hint' | 'rule' | 'group'> | undefined {
  const short = name.replace(COLLECTION, '');
  const foreign = FOREIGN_BY_NAME.get(short);
  return (
    foreign && {
      message: `"${short}" cannot run on a controller: it handles ${foreign.handles}`,
      hint: foreign.hint,
      rule: 'foreign-module',
      group: { message: `modules that handle ${foreign.handles} cannot run on a controller`, member: short },
    }
  );
}

const RIGHTS = {
  why: 'the account that signs in decides what a task may do',
  hint: 'controller_username in the inventory names the account',
};
const FACTS = { why: 'a controller has no facts to gather', hint: 'ask it with api_request and "register"' };
const PROGRAM = { why: 'no program runs on a controller', hint: 'for a proxy, set controller_proxy in the inventory' };

/** Keywords without effect, and the reasons. */
const EFFECTLESS: ReadonlyMap<string, { readonly why: string; readonly hint: string }> = new Map([
  ...['become', 'become_exe', 'become_flags', 'become_method', 'become_user', 'remote_user'].map(
    (name) => [name, RIGHTS] as const,
  ),
  ...['gather_facts', 'gather_subset', 'gather_timeout', 'fact_path'].map((name) => [name, FACTS] as const),
  ['environment', PROGRAM],
  ['connection', { why: 'every connection uses HTTPS', hint: 'controller_url in the inventory sets the address' }],
  ['debugger', { why: 'there is no debugger', hint: '--step asks before each task' }],
]);

/** Keywords that change the behaviour of Ansible. Ignoring them would mislead users, so they are errors. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ['async', 'use "timeout" to limit the time; a controller that is slow does not hold up the others'],
  ['poll', 'use "until", "retries" and "delay" to ask again'],
  ['port', 'set ansible_port or controller_url in the inventory'],
]);

export function isAnsibleOnlyKeyword(name: string): boolean {
  return EFFECTLESS.has(name) || REFUSED.has(name);
}

/** Reports a keyword that has no effect on a controller, unless its value matches what Evenkeel does anyway. @param meant the newer name of the keyword */
export function checkAnsibleOnlyKeyword(
  { name, value, keySource: source, diagnostics }: Cursor,
  meant: string = name,
): void {
  if (saysNothing(name, value)) return;
  const effectless = EFFECTLESS.get(meant);
  if (effectless === undefined)
    return diagnostics.error(`"${name}" has no meaning for a REST controller`, source, REFUSED.get(name));
  const { why, hint } = effectless;
  const group = { message: `keywords without effect: ${why}`, member: name };
  const message = `"${name}" has no effect: ${why}`;
  diagnostics.add([{ severity: 'warning', rule: 'no-effect', message, source, hint, group }]);
}

const NO: ReadonlySet<Value> = new Set([false, 0, null, '', 'no', 'No', 'false', 'False', 'never', 'local', '0']);

/** `gather_facts: false`, `connection: local`, `environment: {}`: the values match what Evenkeel does anyway. */
function saysNothing(name: string, value: Value): boolean {
  if (name === 'connection' && typeof value === 'string' && /(?:^|\.)(?:httpapi|local)$/.test(value)) return true;
  if (isList(value)) return value.length === 0;
  return isMapping(value) ? Object.keys(value).length === 0 : NO.has(value);
}
