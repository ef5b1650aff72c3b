const ESCAPE = '\u001b';
const INCOMPLETE = new RegExp(String.raw`${ESCAPE}(?:\[[0-9;?]*)?$`);
const TOKEN = new RegExp(String.raw`${ESCAPE}\[([0-9;?]*)([A-Za-z])|[\r\n]|[^${ESCAPE}\r\n]+`, 'g');

/**
 * The screen of a terminal, computed from what was written to it. Interprets what our output uses: text, line breaks, colours (ignored), cursor
 * up and left, erasing lines and everything below. Never scrolls, so lines that left a real screen remain.
 */
export class Screen {
  readonly #lines: string[] = [''];
  #row = 0;
  #column = 0;
  #rest = '';
  #cursor = true;

  write(data: string): void {
    const text = this.#rest + data;
    const incomplete = INCOMPLETE.exec(text)?.[0] ?? '';
    this.#rest = incomplete;
    const tokens = text.slice(0, text.length - incomplete.length).matchAll(TOKEN);
    for (const [token, parameters, command] of tokens) {
      if (command !== undefined) this.#control(command, parameters ?? '');
      else if (token === '\r') this.#column = 0;
      else if (token === '\n') this.#feed();
      else this.#put(token);
    }
  }

  get cursorShown(): boolean {
    return this.#cursor;
  }

  /** The lines without spaces and empty lines at the end. */
  get text(): string {
    return this.#lines
      .map((line) => line.trimEnd())
      .join('\n')
      .trimEnd();
  }

  #control(command: string, parameters: string): void {
    const number = Math.max(1, Number.parseInt(parameters, 10) || 1);
    if (command === 'A') this.#row = Math.max(0, this.#row - number);
    else if (command === 'G') this.#column = number - 1;
    else if (command === 'K') this.#lines[this.#row] = '';
    else if (command === 'J') this.#eraseBelow();
    else if (command === 'h' && parameters === '?25') this.#cursor = true;
    else if (command === 'l' && parameters === '?25') this.#cursor = false;
    // Synchronised output changes when a terminal shows something, not what it shows.
    else if (command !== 'm' && parameters !== '?2026')
      throw new Error(`the screen does not know ${JSON.stringify(parameters + command)}`);
  }

  #eraseBelow(): void {
    this.#lines[this.#row] = (this.#lines[this.#row] ?? '').slice(0, this.#column);
    this.#lines.length = this.#row + 1;
  }

  #feed(): void {
    this.#row++;
    while (this.#lines.length <= this.#row) this.#lines.push('');
  }

  #put(text: string): void {
    const line = (this.#lines[this.#row] ?? '').padEnd(this.#column);
    this.#lines[this.#row] = line.slice(0, this.#column) + text + line.slice(this.#column + text.length);
    this.#column += text.length;
  }
}
