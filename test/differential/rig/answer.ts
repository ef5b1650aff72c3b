import type { Stats } from '../../../src/core/model/run/result.js';

/** The answer of a tool to a case, in a normalised form. */
export interface Answer {
  /** Nothing ran: the input was refused. */
  readonly refused: boolean;
  readonly exit: number;
  /** What ran, in order: `PLAY name`, `TASK web : install | h1 ok "text" | h2 skipped`, `HANDLER …`. */
  readonly rounds: readonly string[];
  /** `ok=2 changed=1` by controller; without controllers that did nothing. */
  readonly recap: Readonly<Record<string, string>>;
}

/** The result of one task, or one item of its loop, on one controller. */
export interface Outcome {
  readonly kind: 'TASK' | 'HANDLER';
  readonly task: string;
  readonly host: string;
  readonly status: string;
  /** The message of `debug`, `fail` or `assert`, in normalised form. */
  readonly said?: string | undefined;
  readonly item?: string | undefined;
}

export type ToolEvent = { readonly type: 'play'; readonly name: string } | ({ readonly type: 'outcome' } & Outcome);

/**
 * Sorts the reported results into rounds. A round is one task, once for each controller, sorted because their order is random. Plays
 * without results are left out.
 */
export function roundsOf(events: readonly ToolEvent[]): readonly string[] {
  const rounds: string[] = [];
  let play: string | undefined;
  let round: Round | undefined;
  const close = (): void => {
    if (round !== undefined) rounds.push(round.text());
    round = undefined;
  };
  for (const one of events) {
    if (one.type === 'play') {
      close();
      play = one.name;
      continue;
    }
    if (play !== undefined) rounds.push(`PLAY ${play}`);
    play = undefined;
    if (round?.takes(one) !== true) {
      close();
      round = new Round(one);
    }
    round.add(one);
  }
  close();
  return rounds;
}

class Round {
  readonly #hosts = new Map<string, string>();
  readonly #items = new Map<string, string[]>();

  constructor(private readonly first: Outcome) {}

  takes({ kind, task, host }: Outcome): boolean {
    return kind === this.first.kind && task === this.first.task && !this.#hosts.has(host);
  }

  add({ host, status, said, item }: Outcome): void {
    const items = this.#items.get(host) ?? [];
    const text = [status, ...(said === undefined ? [] : [said])].join(' ');
    if (item !== undefined) this.#items.set(host, [...items, `${item}: ${text}`]);
    else this.#hosts.set(host, items.length === 0 ? text : `${status} [${items.join(', ')}]`);
  }

  text(): string {
    const hosts = [...this.#hosts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([host, text]) => `${host} ${text}`);
    return [`${this.first.kind} ${this.first.task.replaceAll(' | ', ' / ')}`, ...hosts].join(' | ');
  }
}

/** The results of each controller, regardless of the others; without plays. */
export function byController(rounds: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const walks: Record<string, string[]> = {};
  for (const round of rounds) {
    const [title = '', ...hosts] = round.split(' | ');
    for (const text of hosts) {
      const [host = ''] = text.split(' ', 1);
      (walks[host] ??= []).push(`${title} | ${text}`);
    }
  }
  return walks;
}

export function recapOf(stats: Readonly<Record<string, Stats>>): Readonly<Record<string, string>> {
  const lines = Object.entries(stats).map(([host, counts]) => [host, countsText(counts)] as const);
  return Object.fromEntries(lines.filter(([, text]) => text !== '').sort(([a], [b]) => (a < b ? -1 : 1)));
}

const COUNTS = ['ok', 'changed', 'unreachable', 'failed', 'skipped', 'rescued', 'ignored'] as const;

function countsText(stats: Stats): string {
  return COUNTS.flatMap((name) => (stats[name] > 0 ? [`${name}=${stats[name]}`] : [])).join(' ');
}
