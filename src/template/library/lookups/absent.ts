const SECRETS_MANAGER =
  'write pipe("aws secretsmanager get-secret-value --secret-id NAME --query SecretString --output text")';
const SYSTEMS_MANAGER =
  'write pipe("aws ssm get-parameter --name NAME --with-decryption --query Parameter.Value --output text")';
const VAULT_SERVER = 'write pipe("vault kv get -field=FIELD PATH")';
const ONE_PASSWORD = 'write pipe("op read op://VAULT/ITEM/FIELD")';

/** Lookups that Ansible or its well-known collections have and that do not exist here, with what to write instead. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ['aws_secret', SECRETS_MANAGER],
  ['secretsmanager_secret', SECRETS_MANAGER],
  ['aws_ssm', SYSTEMS_MANAGER],
  ['ssm_parameter', SYSTEMS_MANAGER],
  [
    'azure_keyvault_secret',
    'write pipe("az keyvault secret show --vault-name VAULT --name NAME --query value -o tsv")',
  ],
  ['bitwarden', 'write pipe("bw get password NAME")'],
  ['config', 'settings of Ansible have no meaning here: write the value, or a variable such as ansible_forks'],
  ['conjur_variable', 'write pipe("conjur variable get -i NAME")'],
  ['consul_kv', 'write pipe("consul kv get KEY")'],
  ['dig', 'write pipe("dig +short NAME TYPE")'],
  ['dnstxt', 'write pipe("dig +short NAME TXT")'],
  ['etcd', 'write pipe("etcdctl get --print-value-only KEY")'],
  ['etcd3', 'write pipe("etcdctl get --print-value-only KEY")'],
  ['filetree', 'write query("fileglob", "folder/*")'],
  ['gcp_secret_manager', 'write pipe("gcloud secrets versions access latest --secret=NAME")'],
  ['hashi_vault', VAULT_SERVER],
  ['vault_kv1_get', VAULT_SERVER],
  ['vault_kv2_get', VAULT_SERVER],
  ['vault_read', 'write pipe("vault read -field=FIELD PATH")'],
  ['k8s', 'write pipe("kubectl get KIND NAME -o json") | from_json'],
  ['keyring', 'write pipe("secret-tool lookup service NAME username USER")'],
  ['lastpass', 'write pipe("lpass show --password NAME")'],
  ['merge_variables', 'write a | combine(b)'],
  ['onepassword', ONE_PASSWORD],
  ['onepassword_raw', ONE_PASSWORD],
  ['passwordstore', 'write pipe("pass show NAME")'],
  ['redis', 'write pipe("redis-cli get KEY"), or with_pipe for items'],
]);

/** Undefined for a name that none of them has. `community.hashi_vault.hashi_vault` is known as `hashi_vault`. */
export function insteadOfLookup(name: string): string | undefined {
  return INSTEAD.get(name.slice(name.lastIndexOf('.') + 1)) ?? (name.includes('.') ? OF_A_COLLECTION : undefined);
}

const OF_A_COLLECTION = 'lookups of collections do not exist here: write pipe("COMMAND"), or your helper in helpers/';
