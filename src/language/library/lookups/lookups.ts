import { didYouMean } from '../../../core/model/source/suggestion.js';
import { jsonText, isList, type Value } from '../../../core/model/values/value.js';
import type { CallableArguments } from '../../runtime/arguments.js';
import { callable, MOST_REDIRECTS, withoutCollection, type Family } from '../../runtime/callable.js';
import { Interrupted, TemplateError } from '../../runtime/errors.js';
import type { Plugin, Plugins } from '../../runtime/plugins.js';
import { asText, describe, requireDefined, type Result } from '../../runtime/result.js';
import { aviLookups } from './avi.js';
import { fileLookups } from './files.js';
import { listLookups } from './lists.js';
import type { LookupCall, LookupFunction } from './lookup.js';
import { urlLookups } from './url.js';
import { processLookups, valueLookups } from './values.js';

const LOOKUPS: ReadonlyMap<string, LookupFunction> = new Map(
  Object.entries({ ...fileLookups, ...processLookups, ...urlLookups, ...aviLookups, ...listLookups, ...valueLookups }),
);

/** Those that find the same on this machine whatever the variables are. */
const OF_MACHINE: ReadonlySet<LookupFunction> = new Set(
  Object.entries({ ...fileLookups, ...processLookups, ...urlLookups, ...aviLookups }).flatMap(([name, lookup]) =>
    name === 'template' ? [] : [lookup],
  ),
);

/** Calls a lookup, or recalls what it found when a plan was made. */
export function runLookup(lookup: LookupFunction, call: LookupCall): readonly Value[] {
  const { recall } = call.args.invoke.services;
  if (recall === undefined || !OF_MACHINE.has(lookup)) return lookup.run(call);
  const { terms, options, args, folder = '' } = call;
  const searched = args.scope.get('ansible_search_path') ?? null;
  const asked = jsonText([args.called, args.given(), terms, [...options], folder, searched]);
  return recall('lookup', asked, () => lookup.run(call));
}

/** The lookup of that name, for `lookup`, `query` and `with_NAME`. As in Ansible, a plugin of the project replaces a built-in one. */
export function findLookup(qualified: string, plugins?: Plugins, redirects = 0): LookupFunction | undefined {
  const known = LOOKUPS.get(withoutCollection(qualified));
  const plugin = plugins?.find('lookup', qualified, known !== undefined);
  if (plugin !== undefined) return { options: 'any', run: (call) => plugged(plugin, call) };
  const other = known === undefined && redirects < MOST_REDIRECTS ? plugins?.redirect('lookup', qualified) : undefined;
  return other === undefined ? known : findLookup(other, plugins, redirects + 1);
}

function plugged(plugin: Plugin, { terms, options, args }: LookupCall): readonly Value[] {
  const found = requireDefined(plugin.call({ args: terms, named: options, frame: args.frame }));
  if (isList(found)) return found;
  throw args.error(`a lookup must return a list, not ${describe(found)}`);
}

/** Those that loops can have: `with_NAME`. */
export const LOOKUP_NAMES: readonly string[] = [...LOOKUPS.keys()].filter((name) => !name.includes('.'));

const REFUSED_WITHOUT_EXEC: ReadonlyMap<string, string> = new Map([
  ['pipe', 'runs a command'],
  ['lines', 'runs a command'],
  ['url', 'sends a request'],
  ['vmware.alb.avi', 'sends a request'],
  ['avi', 'sends a request'],
]);

/** Describes the action of a lookup or filter that `--no-exec` refuses; undefined if it is allowed. */
export function refusedWithoutExec(name: string): string | undefined {
  return REFUSED_WITHOUT_EXEC.get(name);
}

/**
 * Lookups use the environment, files and commands of the machine that evenkeel runs on. They run only while their template is
 * rendered, each time. Both `env("HOME")` and Ansible's `lookup("env", "HOME")` work.
 */
export const lookups = {
  env: callable('name, default?', (args) => one(args, processLookups.env, ['default'])),
  /** The text of a file, without the white space at its end. Relative to the playbook's `files/`, then to the playbook. */
  file: callable('path, rstrip?, lstrip?', (args) => one(args, fileLookups.file, ['rstrip', 'lstrip'])),
  /** A variable with a computed name: `vars("port_" ~ zone)`. */
  vars: callable('name, default?', variable),
  /** The output of a command, run by `/bin/sh` in the playbook's folder. */
  pipe: callable('command', (args) => one(args, processLookups.pipe, [])),
  /** The path of the first file that exists. */
  first_found: callable('files, paths?, skip?', (args) => {
    const call = { terms: [args.value(0)], options: options(args, ['paths', 'skip']), args };
    return runLookup(fileLookups.first_found, call)[0] ?? [];
  }),
  /** The files that match: `"vips/*.yml" | fileglob`. */
  fileglob: callable('pattern', (args) =>
    runLookup(fileLookups.fileglob, { terms: [args.text(0)], options: new Map(), args }),
  ),
  lookup: callable('name, ...terms, **', (args) => (wantsList(args) ? lookUp(args, []) : joined(lookUp(args, null)))),
  query: callable('name, ...terms, **', (args) => lookUp(args, [])),
  q: callable('name, ...terms, **', (args) => lookUp(args, [])),
} satisfies Family;

function one(args: CallableArguments, lookup: LookupFunction, names: readonly string[]): Value {
  return runLookup(lookup, { terms: [args.value(0)], options: options(args, names), args })[0] ?? null;
}

/** The arguments after the first, as a lookup's options of these names. */
function options(args: CallableArguments, names: readonly string[]): ReadonlyMap<string, Value> {
  return new Map(
    names.flatMap((name, index) => {
      const value = args.optional(index + 1);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** Undefined if there is no such variable, so that `vars("x") | default(1)` works. */
function variable(args: CallableArguments): Result {
  const name = args.text(0);
  const value = args.scope.get(name);
  if (value !== undefined) return value;
  const hint = 'write vars(name, default) where it may be missing';
  const fallback = args.optional(1);
  return fallback === undefined ? args.missing(`variable "${name}" is not defined`, hint) : fallback;
}

/** Problems of the name of a lookup. */
export function unknownLookup(
  qualified: string,
  plugins?: Plugins,
): readonly { readonly message: string; readonly hint: string }[] {
  const name = withoutCollection(qualified);
  return findLookup(qualified, plugins) !== undefined
    ? []
    : [{ message: `there is no lookup "${name}"`, hint: absentLookup(name) }];
}

/** Options of every lookup. */
const COMMON: ReadonlySet<string> = new Set(['wantlist', 'errors', 'allow_unsafe']);

function wantsList(args: CallableArguments): boolean {
  return args.named.get('wantlist') === true;
}

/** `failed` is the result of a failure that `errors` ignores. */
function lookUp(args: CallableArguments, failed: Value): Value {
  const lookup = lookupNamed(args);
  const name = withoutCollection(args.text(0));
  const given = new Map([...args.named].filter(([option]) => !COMMON.has(option)));
  const { options } = lookup;
  const declared = options === 'any' ? [...given.keys()] : options;
  const unknown = [...given.keys()].find((option) => !declared.includes(option));
  if (unknown !== undefined)
    throw args.error(`"${name}" has no option "${unknown}"`, didYouMean(unknown, [...declared, ...COMMON]));
  try {
    return runLookup(lookup, { terms: args.rest, options: given, args });
  } catch (error) {
    const forbidden = (options === 'any' || REFUSED_WITHOUT_EXEC.has(name)) && !args.invoke.commands.allowed;
    if (
      !(error instanceof TemplateError) ||
      error instanceof Interrupted ||
      !mayFail(args) ||
      name === 'vars' ||
      forbidden
    )
      throw error;
    return failed;
  }
}

/** The lookup that the first argument names. */
export function lookupNamed(args: CallableArguments): LookupFunction {
  const name = withoutCollection(args.text(0));
  const lookup = findLookup(args.text(0), args.invoke.plugins);
  if (lookup === undefined) throw args.error(`there is no lookup "${name}"`, absentLookup(name));
  return lookup;
}

function mayFail(args: CallableArguments): boolean {
  const errors = args.named.get('errors') ?? 'strict';
  if (errors !== 'strict' && errors !== 'warn' && errors !== 'ignore')
    throw args.error(`errors cannot be "${asText(errors)}"`, 'it is strict, warn or ignore');
  return errors !== 'strict';
}

/** Several results as Ansible combines them: texts joined by commas. */
function joined(found: Value): Value {
  if (!isList(found) || found.length === 0) return found;
  if (found.every((one) => typeof one === 'string')) return found.join(',');
  return found.length === 1 ? (found[0] ?? null) : found;
}

export function absentLookup(name: string): string {
  const names = LOOKUP_NAMES.toSorted();
  return insteadOfLookup(name) ?? didYouMean(name, names) ?? `use one of ${names.join(', ')}`;
}

const SECRETS_MANAGER =
  'write pipe("aws secretsmanager get-secret-value --secret-id NAME --query SecretString --output text")';
const SYSTEMS_MANAGER =
  'write pipe("aws ssm get-parameter --name NAME --with-decryption --query Parameter.Value --output text")';
const VAULT_SERVER = 'write pipe("vault kv get -field=FIELD PATH")';
const ONE_PASSWORD = 'write pipe("op read op://VAULT/ITEM/FIELD")';

/** Lookups of Ansible or its well-known collections that do not exist here, with what to write instead. */
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
  ['config', 'write the value, or a variable such as ansible_forks'],
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

/** Undefined if the name is unknown. `community.hashi_vault.hashi_vault` is known as `hashi_vault`. */
function insteadOfLookup(name: string): string | undefined {
  return INSTEAD.get(name.slice(name.lastIndexOf('.') + 1)) ?? (name.includes('.') ? OF_A_COLLECTION : undefined);
}

const OF_A_COLLECTION = 'install its collection: ansible-galaxy collection install -p collections NAMESPACE.COLLECTION';
