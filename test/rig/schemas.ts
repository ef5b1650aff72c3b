import { Ajv, type ValidateFunction } from 'ajv';
import { builtinModules } from '../../modules/index.js';
import { kindModules, loadKindModule, vendorModules } from '../../modules/kinds/index.js';
import { Diagnostics } from '../../src/core/model/source/diagnostic.js';
import { isList, isMapping, Unsafe, type Value } from '../../src/core/model/values/value.js';
import { builtInKinds } from '../../src/kinds/kind_table.js';
import { RULES } from '../../src/lint/rules/index.js';
import { parseYaml } from '../../src/project/yaml/parse_yaml.js';
import { SCHEMAS, type Declared, type SchemaKind } from '../../src/schema/index.js';
import { playbookSchema } from '../../src/schema/steps.js';
import { shareOf } from './random_seed.js';

const PLAYBOOK = 'playbook.schema.json';

const GENERATED = [...kindModules, ...vendorModules];

/** The generated modules that playbooks of tests and docs use. */
const USED = new Set(['pool_present', 'pool_absent', 'avi_pool', 'avi_user', 'avi_api_session', 'avi_api_version']);

/** The built-in modules, those of the vendor, and the rules of lint. */
export async function declarations(generated: readonly string[] = GENERATED): Promise<Declared> {
  const names = [...Object.keys(builtinModules), ...generated].sort();
  const loaded = await Promise.all(
    names.map(async (name) => (await builtinModules[name]?.())?.default ?? loadKindModule(name, builtInKinds())),
  );
  return { modules: loaded.filter((one) => one !== undefined), rules: RULES.map(({ name }) => name) };
}

/** The errors of a text against the schema of that name, as `place: message`. */
export type Judge = (name: string, text: string) => readonly string[];

/** One for all files of a process, and a schema is compiled when it is first needed: that takes seconds. */
export function judge(): Promise<Judge> {
  judging ??= judgeOf();
  return judging;
}

let judging: Promise<Judge> | undefined;

/** Knows few of the generated modules, because to compile all of them takes seconds; `.ci/nightly` does. */
async function judgeOf(): Promise<Judge> {
  const visited = new Set(shareOf(GENERATED, 24));
  const declared = await declarations(GENERATED.filter((name) => visited.has(name) || USED.has(name)));
  const ajv = new Ajv({
    // Optimising the generated code would take as long again.
    code: { optimize: false },
    allErrors: true,
    allowUnionTypes: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
  });
  ajv.addKeyword('errorMessage');
  const validators = new Map<string, ValidateFunction>();
  // What the schemas of steps share with that of playbooks is compiled once.
  const compile = (kind: SchemaKind): ValidateFunction => {
    if (kind.name !== 'playbook' && kind.makeBeside === undefined) return ajv.compile(kind.make(declared));
    if (ajv.schemas[PLAYBOOK] === undefined) ajv.addSchema(playbookSchema(declared.modules), PLAYBOOK);
    return ajv.compile(kind.makeBeside?.(PLAYBOOK) ?? { $ref: PLAYBOOK });
  };
  const validatorOf = (name: string): ValidateFunction => {
    const kind = SCHEMAS.find((one) => one.name === name);
    if (kind === undefined) throw new Error(`there is no schema ${name}`);
    const validate = validators.get(name) ?? compile(kind);
    validators.set(name, validate);
    return validate;
  };
  return (name, text) => {
    const validate = validatorOf(name);
    if (validate(plain(parseYaml(text, name, new Diagnostics())?.value ?? null))) return [];
    return (validate.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath}: ${message}`);
  };
}

/** The schemas that an editor takes for a file. */
export function schemasFor(file: string): readonly string[] {
  const matches = (glob: string): boolean => new RegExp(`^(?:.*/)?${pattern(glob)}$`).test(file);
  return SCHEMAS.filter(({ files }) => {
    const excluded = files.some((glob) => glob.startsWith('!') && matches(glob.slice(1)));
    return !excluded && files.some(matches);
  }).map(({ name }) => name);
}

function pattern(glob: string): string {
  const parts: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '.': String.raw`\.` };
  return glob.replaceAll(/\*\*\/|\*\*|\*|\./g, (part) => parts[part] ?? part);
}

/** As in an editor: tagged values are text. */
function plain(value: Value): unknown {
  if (value instanceof Unsafe) return 'text';
  if (isList(value)) return value.map(plain);
  if (!isMapping(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]));
}
