import type { Event } from '../../core/model/run/event.js';
import { maskText } from '../../core/secrets/mask_text.js';
import type { Secrets } from '../../core/secrets/secrets.js';
import { PageData } from '../page/fold/page_data.js';
import { liveSources } from '../page/fold/sources.js';
import { packPage, type Page } from '../page/format/page.js';
import { pageHtml, readAssets } from '../page/html.js';
import { ClosingLines } from '../run/closing.js';
import { runTitle } from '../run/headings.js';
import { totalsLine } from '../run/recap.js';
import { createPalette } from '../text/palette.js';
import type { Report, ReportOptions } from './report.js';

const uncoloured = createPalette(false);

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
    this.#closing = new ClosingLines(options, uncoloured);
    const sources = liveSources(options.cwd, (text) => options.secrets.mask(text), options.hasChanged);
    this.#data = new PageData(sources, options.writtenArguments);
  }

  take(event: Event): Iterable<string> {
    if (event.type === 'run-started') this.#title = runTitle(event);
    this.#closing.handle(event);
    this.#data.handle(event);
    if (event.type !== 'run-finished') return [];
    const summary = `${this.#title}: ${totalsLine(event, uncoloured)}`;
    const facts = { title: this.#title, commands: this.#closing.commands(event) };
    const page = masked(this.#data.page(facts), (text) => maskText(text, this.#secrets));
    return [pageHtml(packPage(page), { title: `${this.#title}: ${event.status}`, summary }, this.#assets)];
  }
}

const TEXTS = ['task', 'message', 'hint', 'object', 'words', 'item'] as const;

type Texts = Readonly<Partial<Record<(typeof TEXTS)[number], string | undefined>>>;

/** Masked again, with the secrets that became known after the events. */
function masked(page: Page, mask: (text: string) => string): Page {
  const shown = <T extends Texts>(one: T): T => {
    const texts = TEXTS.flatMap((field) => {
      const text = one[field];
      return text === undefined ? [] : [[field, mask(text)] as const];
    });
    return { ...one, ...Object.fromEntries(texts) };
  };
  return {
    ...page,
    texts: page.texts.map(mask),
    warnings: page.warnings.map(shown),
    details: page.details.map((one) => ({ ...shown(one), ...(one.items && { items: one.items.map(shown) }) })),
  };
}
