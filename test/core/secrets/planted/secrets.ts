import { TraceSearch } from './trace_search.js';

/** Awkward in JSON, YAML, HTML, URLs, shells and regular expressions; and none of it is in any other. */
const AWKWARD = [
  (name: string) => `${name}-Pa$$w0rd "ü" & <more>/%?`,
  (name: string) => `it's ${name} 'quoted' + plus`,
  (name: string) => `${name}:{not: yaml} # [a-z]*(b)|c\\d`,
  (name: string) => `Grüße-${name}-日本-ΟΔΟΣ`,
  (name: string) => `${name}+slash/and==`,
  (name: string) => `  ${name} in blanks  `,
];

const KEY_BODY = Buffer.from('the body of a private key, long enough for several lines of sixty-four').toString(
  'base64',
);

/** Every place that a secret can come from, and the secret that is planted there. */
export const SECRETS = {
  ...numbered([
    'controllerPassword',
    'otherPassword',
    'inventoryHost',
    'inventoryGroup',
    'groupVarsFile',
    'hostVarsFile',
    'vaultValue',
    'vaultFile',
    'vaultPassword',
    'encryptedPlay',
    'encryptedTasks',
    'extraVar',
    'extraVarsFile',
    'prompted',
    'environment',
    'pipe',
    'file',
    'secretArgument',
    'nestedField',
    'noLogArgument',
    'noLogItem',
    'answered',
    'echoed',
    'header',
    'proxy',
    'roleDefault',
    'roleVariable',
    'roleParameter',
    'includeParameter',
    'factSet',
    'addedHost',
    'helper',
    'handler',
    'rescued',
    'loopItem',
    'taskVariable',
    'blockVariable',
    'playVariable',
    'variablesFile',
    'includedFile',
    'adHoc',
    'adHocFile',
    'mistyped',
    'argumentDefault',
    'statement',
    'errorJson',
    'errorNested',
    'errorCut',
    'memberPassword',
    'memberToken',
    'memberCsrf',
    'memberSession',
    'memberOther',
  ]),
  // In forms that have no escapes.
  errorCell: 'errorCell+slash/1',
  errorHtml: 'errorHtml+slash/2',
  errorElement: 'errorElement+slash/3',
  errorText: 'errorText+slash/4',
  errorPython: 'errorPython+slash/5',
  errorCommand: 'errorCommand+slash/6',
  errorProse: 'errorProse+slash/7',
  errorField: 'errorField+slash/8',
  errorKey: 'errorKey+slash/9',
  listed: 'listed #7 of {them}',
  number: '4839201756',
  headerNumber: '5127730984',
  listedNumber: '6650418237',
  privateKey: `-----BEGIN PRIVATE KEY-----\n${KEY_BODY.replaceAll(/(.{64})/g, '$1\n')}\n-----END PRIVATE KEY-----\n`,
} as const;

type Place = keyof typeof SECRETS;

function numbered<const Name extends string>(names: readonly Name[]): Readonly<Record<Name, string>> {
  const entries = names.map((name, index) => [name, AWKWARD[index % AWKWARD.length]?.(name) ?? name] as const);
  // Each name has its text.
  return Object.fromEntries(entries) as Readonly<Record<Name, string>>;
}

/** The pieces of a text that are searched for in output and files; of a longer text, the first line. */
function traces(secret: string): readonly string[] {
  const [text = ''] = secret.includes('BEGIN') ? secret.split('\n').slice(1) : [secret.trim()];
  const bytes = Buffer.from(text);
  const json = JSON.stringify(text).slice(1, -1);
  const base64 = bytes.toString('base64');
  return [
    text,
    text.toUpperCase(),
    json,
    JSON.stringify(json).slice(1, -1),
    json.replaceAll(/[^ -~]/g, (one) => String.raw`\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`),
    encodeURIComponent(text),
    encodeURIComponent(encodeURIComponent(text)),
    text.replaceAll("'", "''"),
    text.replaceAll("'", `'"'"'`),
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    base64,
    bytes.toString('base64url'),
    bytes.toString('hex'),
    Buffer.from(`admin:${text}`).toString('base64'),
  ];
}

const TRACES = Object.entries(SECRETS).flatMap(([place, secret]) =>
  [...new Set(traces(secret))].map((trace) => ({ place: place as Place, trace })),
);

const search = new TraceSearch(TRACES);

/** What a terminal or a reader leaves out, as it is and as JSON writes it. */
const INVISIBLE = new RegExp(String.raw`(?:\u001b|\\+u001b)\[1m|[\0\u202a]|\\+u(?:0000|202a)`, 'g');

/** The secrets in a text, each with its surroundings; also secrets that invisible characters split. */
export function found(text: string, except: readonly Place[] = []): readonly string[] {
  const visible = text.replaceAll(INVISIBLE, '');
  return visible === text ? foundIn(text, except) : [...foundIn(text, except), ...foundIn(visible, except)];
}

function foundIn(text: string, except: readonly Place[]): readonly string[] {
  return search.in(text).flatMap(({ place, trace, at }) => {
    const around = `${place}: …${text.slice(Math.max(0, at - 120), at + trace.length + 40)}…`;
    return except.includes(place) ? [] : [around];
  });
}

export type { Place };
