// A mocha reporter for all tests: which file has ended, how many are left, about how long that takes, and at once what fails and why.
// Mocha runs files side by side and tells the events of a file when it has ended.
const { readFileSync } = require('node:fs');
const { SourceMap } = require('node:module');
const path = require('node:path');
const { fileURLToPath } = require('node:url');
const { reporters, Runner } = require('mocha');
const { COMPILED, TEST_FILES, testName } = require('./test_files.cjs');
const { partOf } = require('./test_shares.cjs');

const { EVENT_RUN_BEGIN, EVENT_RUN_END, EVENT_TEST_BEGIN, EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } =
  Runner.constants;
/** Without a terminal, a line this often: a log stays short, and a person sees that it goes on. */
const LINE_EVERY_MS = 15_000;

module.exports = class Progress extends reporters.Base {
  static description = 'files that have ended, and the time left';
  #ended = new Set();
  #spent = 0;
  #tests = 0;
  #failures = 0;
  #started = 0;
  #lineAt = 0;
  #all = [...TEST_FILES.keys()].reduce((sum, file) => sum + secondsOf(file), 0);

  constructor(runner, options) {
    super(runner, options);
    runner.on(EVENT_RUN_BEGIN, () => {
      this.#started = Date.now();
    });
    for (const event of [EVENT_TEST_BEGIN, EVENT_TEST_PENDING])
      runner.on(event, ({ file }) => this.#end(testName(file)));
    runner.on(EVENT_TEST_PASS, () => (this.#tests += 1));
    runner.on(EVENT_TEST_FAIL, (test, error) => {
      this.#failures += 1;
      this.#clear();
      if (typeof error?.stack === 'string') error.stack = sourcePositions(error.stack);
      const why = String(error?.message ?? error).replace(/\n[^]*/, '');
      process.stdout.write(`  FAILED: ${testName(test.file)}: ${test.fullTitle()}\n    ${why}\n`);
    });
    runner.on(EVENT_RUN_END, () => {
      this.#clear();
      this.epilogue();
    });
  }

  /** The first event of a file: it has ended. */
  #end(name) {
    if (this.#ended.has(name)) return;
    this.#ended.add(name);
    this.#spent += secondsOf(name);
    const now = Date.now();
    if (!process.stdout.isTTY && now - this.#lineAt < LINE_EVERY_MS) return;
    this.#lineAt = now;
    this.#clear();
    process.stdout.write(`  ${this.#text(now, name)}${process.stdout.isTTY ? '' : '\n'}`);
  }

  #text(now, name) {
    const share = this.#all > 0 ? this.#spent / this.#all : 0;
    const left = share < 0.05 ? '' : ` · ${duration(((now - this.#started) * (1 - share)) / share)} left`;
    const failed = this.#failures > 0 ? ` · ${this.#failures} failed` : '';
    const files = `${this.#ended.size} of ${TEST_FILES.size} files`;
    return `${files} · ${this.#tests} tests${failed}${left} · ${name}`.slice(0, reporters.Base.window.width - 2);
  }

  #clear() {
    if (process.stdout.isTTY) process.stdout.write('\r\u001B[K');
  }
};

function secondsOf(name) {
  return (TEST_FILES.get(name) ?? 0) * partOf(name);
}

/** With `enableSourceMaps`, Node would read the maps of all files that a process loads. */
function sourcePositions(stack) {
  return stack.replace(/(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g, (place, url, line, column) => {
    const file = fileURLToPath(url);
    if (!file.startsWith(COMPILED)) return place;
    const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
    const { originalSource, originalLine, originalColumn } = map.findEntry(Number(line) - 1, Number(column) - 1);
    return originalSource === undefined
      ? place
      : `${path.relative('', path.resolve(path.dirname(file), originalSource))}:${originalLine + 1}:${originalColumn + 1}`;
  });
}

function duration(ms) {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
