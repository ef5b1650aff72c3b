import type { Event, RunStarted } from '../../model/run/event.js';
import { PageData } from '../page/fold/page_data.js';
import { liveSources } from '../page/fold/sources.js';
import { pageHtml, readAssets } from '../page/html.js';
import { Closing } from '../run/closing.js';
import { totalsLine } from '../run/recap.js';
import { createPalette } from '../text/palette.js';
import { plain } from '../text/plain.js';
import type { Report, ReportOptions } from './report.js';

const uncoloured = createPalette(false);

/** The page that `evenkeel report` writes. Here all secrets of the run are known, so it shows the tasks as they are written. */
export class HtmlReport implements Report {
  readonly #closing: Closing;
  readonly #data: PageData;
  /** Read at the start: the files of a new version may be there at the end. */
  readonly #assets = readAssets();
  #title = 'run';

  constructor(options: ReportOptions) {
    this.#closing = new Closing(options, uncoloured);
    this.#data = new PageData(liveSources(options.cwd, (text) => options.secrets.mask(text)));
  }

  take(event: Event): Iterable<string> {
    if (event.type === 'run-started') this.#title = titleOf(event);
    this.#closing.handle(event);
    this.#data.handle(event);
    if (event.type !== 'run-finished') return [];
    const summary = `${this.#title}: ${totalsLine(event, uncoloured)}`;
    const facts = { title: this.#title, commands: this.#closing.commands(event) };
    return [pageHtml(this.#data.pack(facts), { title: `${this.#title}: ${event.status}`, summary }, this.#assets)];
  }
}

function titleOf({ playbooks, check, simulated }: RunStarted): string {
  const words = ['run', ...playbooks, ...(check ? ['(check)'] : []), ...(simulated ? ['(simulated)'] : [])];
  return plain(words.join(' '));
}
