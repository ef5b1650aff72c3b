import { orElse } from '../model/source/diagnostic.js';
import { HIDDEN } from '../model/values/value.js';
import { secretForms, findReadings, withoutSpace, type TextReading } from './readings.js';
import { SecretIndex, SHORTEST } from './text_index.js';

/** The mask, which replaces secrets in every output. */
export const MASK = '********';
/** A line of a longer secret may appear alone, but a short line such as `}` reveals nothing. */
const SHORTEST_LINE = 8;
/** A longer secret may be broken into lines where it is shown. */
const LONG = 40;
/** Names and values of fields are short, and repeat across a fleet, so those without a secret are cached. */
const REMEMBERED_LENGTH = 64;
const MOST_REMEMBERED = 10_000;
/** A placeholder of a secret, or a value that means "no secret". */
const NO_SECRETS: ReadonlySet<string> = new Set([HIDDEN, MASK, 'true', 'false', 'null', 'none']);

/**
 * The secret values of one command. Everything that is shown or written is masked with them: as they are, in upper and
 * lower case, in Base64 and hexadecimal digits, and with the escapes of JSON, YAML, HTML, URLs and shells. Only grows;
 * one instance per command, passed down, never global.
 */
export class Secrets {
  readonly #known = new Set<string>();
  readonly #index = new SecretIndex();
  /** Without white space, for secrets that may be reformatted. */
  readonly #spaceless = new SecretIndex();
  /** Secrets that are words of Evenkeel's messages, in lower case: masked only as a whole text. */
  readonly #words = new Set<string>();
  /** Texts without any known secret. */
  readonly #clean = new Set<string>();
  /** Values that masking would not change; they are immutable. */
  readonly #clearTexts = new Set<string>();
  #clearObjects: WeakSet<object> | undefined;
  #quotes = false;
  #later: (() => void)[] = [];
  #otherSpellings: (secret: string) => readonly string[] = () => [];

  add(secret: string): void {
    if (secret.length < SHORTEST || this.#known.has(secret) || NO_SECRETS.has(secret.toLowerCase())) return;
    this.#note(secret);
    this.#quotes ||= secret.includes("'");
    for (const form of [secret, ...this.#otherSpellings(secret)].flatMap(secretForms)) {
      if (isOwnWord(form)) this.#words.add(form.toLowerCase());
      else this.#index.add(form);
    }
    for (const form of spacelessForms(secret)) this.#spaceless.add(form);
    for (const part of splitIntoParts(secret)) this.add(part);
  }

  /** All that is known, for a plan that must mask the same later. */
  get all(): readonly string[] {
    if (this.#later.length > 0) this.#learnNow();
    return [...this.#known];
  }

  /** How outputs have changed texts in which a secret may be that becomes known from now on. */
  spellAlso(spellings: (secret: string) => readonly string[]): void {
    this.#otherSpellings = spellings;
  }

  /** Runs before the first text is shown: most commands never show anything. */
  learnLater(learn: () => void): void {
    this.#later.push(learn);
  }

  /** The value of the Basic header for these credentials reveals the password, too. */
  addCredentials(username: string, password: string): void {
    this.add(password);
    const header = Buffer.from(`${username}:${password}`).toString('base64');
    if (this.#known.has(`Basic ${header}`)) return;
    this.#note(`Basic ${header}`);
    for (const form of [header, header.replace(/=+$/, '')]) this.#index.add(form);
  }

  /**
   * The text with `********` in place of every secret. A secret that is one of Evenkeel's words is masked only if it is
   * the whole text.
   */
  mask(text: string): string {
    if (this.#later.length > 0) this.#learnNow();
    if (text.length < SHORTEST || this.#known.size === 0 || this.#clean.has(text)) return text;
    const spans = this.#spansIn(text);
    if (spans.length === 0) {
      remember(this.#clean, text);
      return text;
    }
    let masked = '';
    let kept = 0;
    for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
      // One mask for overlapping ones.
      if (from >= kept) masked += text.slice(kept, from) + MASK;
      kept = Math.max(kept, to);
    }
    return masked + text.slice(kept);
  }

  /** Like `mask`, for names of fields, options and tasks: Evenkeel's words stay readable. */
  maskName(name: string): string {
    if (this.#later.length === 0 && this.#clean.has(name)) return name;
    const masked = this.mask(name);
    return masked !== name && isOwnWord(name) ? name : masked;
  }

  /** Whether masking would not change it, given the secrets known so far. */
  isKnownClear(shown: string | object): boolean {
    if (this.#later.length > 0) this.#learnNow();
    return typeof shown === 'string' ? this.#clearTexts.has(shown) : this.#clearObjects?.has(shown) === true;
  }

  noteClear(shown: string | object): void {
    if (typeof shown === 'string') remember(this.#clearTexts, shown);
    else (this.#clearObjects ??= new WeakSet()).add(shown);
  }

  #note(secret: string): void {
    this.#known.add(secret);
    this.#forget();
  }

  #forget(): void {
    this.#clean.clear();
    this.#clearTexts.clear();
    this.#clearObjects = undefined;
  }

  #learnNow(): void {
    const all = this.#later;
    this.#later = [];
    for (const learn of all) learn();
  }

  #spansIn(text: string): readonly Span[] {
    const spans: Span[] = [];
    for (const reading of findReadings(text, this.#quotes)) {
      this.#addWord(reading, spans);
      search(this.#index, reading, spans);
      if (!this.#spaceless.isEmpty) search(this.#spaceless, withoutSpace(reading), spans);
    }
    return spans;
  }

  /** Masks one of Evenkeel's words if it is the whole text. */
  #addWord(reading: TextReading, spans: Span[]): void {
    if (this.#words.size === 0) return;
    // With the YAML and JSON punctuation around a value on its own line.
    const [, before = '', word = ''] = /^([\s"'-]*)(\p{L}+)[\s"',]*$/u.exec(reading.text) ?? [];
    if (this.#words.has(word.toLowerCase())) spans.push(spanIn(reading, before.length, before.length + word.length));
  }
}

function remember(texts: Set<string>, text: string): void {
  if (text.length > REMEMBERED_LENGTH) return;
  if (texts.size >= MOST_REMEMBERED) texts.clear();
  texts.add(text);
}

type Span = readonly [from: number, to: number];

function search(index: SecretIndex, reading: TextReading, spans: Span[]): void {
  index.search(reading.text, (from, to) => spans.push(spanIn(reading, from, to)));
}

/** As it was written. */
function spanIn({ offsets }: TextReading, from: number, to: number): Span {
  return offsets === undefined ? [from, to] : [offsets.starts[from] ?? from, offsets.ends[to - 1] ?? to];
}

function spacelessForms(secret: string): readonly string[] {
  const bare = secret.replaceAll(/\s+/g, '');
  const text = bare.length >= SHORTEST_LINE && (bare !== secret.trim() || bare.length >= LONG) ? [bare] : [];
  const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '');
  return base64.length >= LONG ? [...text, base64] : text;
}

/** The texts that result from trimming it, or from cutting it into lines. */
function splitIntoParts(secret: string): readonly string[] {
  const trimmed = secret.trim();
  const lines = trimmed.includes('\n') ? trimmed.split('\n').map((line) => line.trim()) : [];
  const shown = publicKey(trimmed);
  const isPublic = (line: string): boolean => shown?.includes(Buffer.from(line, 'base64')) === true;
  return [trimmed, ...lines.filter((line) => line.length >= SHORTEST_LINE && !isPublic(line))];
}

/** A private key contains the public one, which is in its certificates, often in the same lines. Undefined for any other secret. */
function publicKey(secret: string): Buffer | undefined {
  if (!secret.includes(' PRIVATE KEY-----')) return undefined;
  // Loaded only now: few commands have such a key.
  const { createPublicKey } = process.getBuiltinModule('node:crypto');
  return orElse(undefined, () => createPublicKey(secret).export({ format: 'der', type: 'spki' }));
}

/**
 * Words that Evenkeel itself prints: in messages, as keys and enumerated values of JSON, as names of modules and options. A secret
 * equal to one of them is masked only where it is the whole value; otherwise every message with the word would be garbled.
 */
const OWN_WORDS: ReadonlySet<string> = new Set(
  `
abort about above absent action added address admin administrator after again alive allow allows alone already always anew another ansible answer
answered answers anything application applied apply args argument arguments around asked asks assert attempt attempts attribute authentication back
backup base basic batch batches before begin beginning begins begun behind being belongs beside between block body bool boolean both braces break byte
bytes call calls cannot carried case cause certificate change changed changes character characters check checked checks child children choice choices
chosen circle clear close closed cloud cluster code collection collections colon color colours column comes command comment compared completed
condition config configuration confirm connect connection contacted content continue control controller controllers copy could count counts create
created credentials ctrl damaged data debug declared declined decrypted deep default defaults defined delay delegate delegated delete deleted
deprecated detail details dict diff digits document does domain done drain during each edge effect else elsewhere empty encoding encrypt encrypted
ended ends entry environment environments error errors evenkeel event events every example exec executable exist exists exit expected export
expression extra fact facts fail failed fails failure failures false field fields file files fill filter find fine finish finished first flag fleet
flush folder followed force forgotten forks form format found free from function gate gave give given gives goes gone group groups halted handler
handlers have head header headers helper here hidden hint hold holds host hostname hosts hostvars http https ignore ignored import include included
includes index info input inside instead integer intended interrupted into invalid inventory invoke item items itself join journal json keep kept
keyword kind known knows label large largest last later latin least leave left length letters levels library like limit line linear lines lint list
listen lists live load loaded local locate lockout login long longer look looked looks lookup loop lost machine made magic main make makes malformed
many mapping mappings match matches mean meaning means message meta method middle missing mode model module modules more most must name named names
needed needs neither nested network networks never newest next none noop nothing notified notify null number numbers object objects omit once ones
only open operator option options order other others outcome output over oversized palette parameter parameters params pass passed passes password
passwords patch path paths pattern pause percentage pinned pipe place plain plan play playbook playbooks plays pool port portal post prefix present
print prints private problem problems process program programs project prompt properties proto proxy public python query quiet quote reach reached
read reading reads reason recap record refused register registered relative remove removed repeat repeatable replace report request requests require
required rerun rescue rescued reset resource rest result results resume retried retry reverse right role roles rollback rollout root round rounds rule
running runs same says script search second seconds secret secrets seen sensitive sent sequence serial servers sets settings settled several severity
shared shell short show showed shows sign signal signs simulate simulated simulation since single singleton size skip skipped somebody something sort
sorted source sources speak spec stage stand stands start started starts state stats status stay stays stderr stdin step steps still stop stopped
strategy strict string succeeded success successful such supported system tags take takes target task tasks template tenant terminal test text texts
than that their them then there these they this those throttle throttled through time timeout title together token told total totals true trust twice
type typed under undo ungrouped unknown unless unreachable unsafe unstarted until untrusted update updated used user username users uuid valid
validate value values variable variables vars vault verbosity verified verify version wait waiting wants warning warnings were what when where whether
which while whole whose with within without words work would write writes written wrong wrote yaml your
`
    .trim()
    .split(/\s/),
);

export function isOwnWord(text: string): boolean {
  return OWN_WORDS.has(text.toLowerCase());
}
