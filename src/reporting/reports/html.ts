import type { Event } from '../../core/model/run/event.js';
import { maskFile } from '../../core/secrets/mask_event.js';
import { maskText, maskTitle } from '../../core/secrets/mask_text.js';
import type { Secrets } from '../../core/secrets/secrets.js';
import { CUT_HERE, LONGEST_TEXTS } from '../page/fold/details.js';
import { PageData } from '../page/fold/page_data.js';
import { liveSources } from '../page/fold/sources.js';
import { packPage, type Page, type SourcePosition } from '../page/format/page.js';
import { pageHtml, readAssets } from '../page/html.js';
import { ClosingLines } from '../run/closing.js';
import { runTitle } from '../run/headings.js';
import { totalsLine } from '../run/recap.js';
import { UNCOLOURED } from '../text/palette.js';
import { keptStart, shownStart, withShortTexts } from '../text/shorten.js';
import { MOST_SHOWN_CHARACTERS } from '../text/words.js';
import type { Report, ReportOptions } from './report.js';

/** The page that `evenkeel report` writes. Here all secrets of the run are known, so it shows the tasks as they are written. */
export class HtmlReport implements Report {
  readonly #closing: ClosingLines;
  readonly #data: PageData;
  /** Read at the start, because an update during the run may replace the files. */
  readonly #assets = readAssets();
  readonly #secrets: Secrets;
  #title = 'run';

  constructor(options: ReportOptions) {
    this.#secrets = options.secrets;
    this.#closing = new ClosingLines(options, UNCOLOURED);
    const sources = liveSources(options.cwd, (text) => options.secrets.mask(text), options.hasChanged);
    this.#data = new PageData(sources, options.writtenArguments, keptStart);
  }

  take(whole: Event): Iterable<string> {
    const event = withShortTexts(whole, LONGEST_TEXTS.message);
    if (event.type === 'run-started') this.#title = runTitle(event);
    this.#closing.handle(event);
    this.#data.handle(event);
    if (event.type !== 'run-finished') return [];
    const title = maskText(this.#title, this.#secrets);
    const summary = `${title}: ${totalsLine(event, UNCOLOURED)}`;
    const page = masked(this.#data.page({ title, commands: this.#closing.commands(event) }), this.#secrets);
    return [pageHtml(packPage(page), { title: `${title}: ${event.status}`, summary }, this.#assets)];
  }
}

const TEXTS = ['name', 'task', 'message', 'hint', 'object', 'words', 'item', 'tenant'] as const;

type TextField = (typeof TEXTS)[number];
type Texts = Readonly<Partial<Record<TextField, string | undefined>>> & {
  readonly place?: SourcePosition | undefined;
};

/** Masked again, with the secrets that became known after the events, and only then cut. */
function masked(page: Page, secrets: Secrets): Page {
  const shown = <T extends Texts>(one: T, longest: Readonly<Partial<Record<TextField, number>>> = {}): T => {
    const texts = TEXTS.flatMap((field) => {
      const [text, most] = [one[field], longest[field]];
      const mask = field === 'name' || field === 'task' ? maskTitle : maskText;
      const all = (whole: string): string => mask(whole, secrets);
      if (text === undefined) return [];
      return [[field, most === undefined ? all(text) : shownStart(text, all, most, CUT_HERE)] as const];
    });
    return { ...one, ...Object.fromEntries(texts), ...(one.place && { place: maskFile(one.place, secrets) }) };
  };
  const detail = <T extends Texts>(one: T): T => shown(one, LONGEST_TEXTS);
  return {
    ...page,
    texts: page.texts.map((text) => maskText(text, secrets)),
    plays: page.plays.map((one) => shown(one)),
    columns: page.columns.map((one) => shown(one)),
    warnings: page.warnings.map((one) => shown(one, { message: MOST_SHOWN_CHARACTERS })),
    details: page.details.map((one) => ({ ...detail(one), ...(one.items && { items: one.items.map(detail) }) })),
  };
}
