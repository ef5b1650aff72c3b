import { expect } from 'chai';
import { Command } from 'commander';
import {
  addedExamples,
  apiVersions,
  collected,
  examples,
  forkCount,
  separated,
  showExamples,
  size,
  tags,
  wholeNumber,
} from '../../src/cli/options/define.js';
import { execution, explicitDiff, notStdout, REPORT, withExecution } from '../../src/cli/options/execution.js';
import { outputOptions } from '../../src/cli/run_reporter.js';

function refusal(act: () => unknown): string {
  try {
    return `no refusal: ${JSON.stringify(act())}`;
  } catch (error) {
    return (error as Error).message;
  }
}

const [, , report] = REPORT;

describe('the value of an option', () => {
  it('joins the values of several uses, in their order', () => {
    expect(collected('b', ['a'])).to.deep.equal(['a', 'b']);
    expect(collected('a,b', undefined)).to.deep.equal(['a,b']);
    expect(separated(' b, ,c ', ['a'])).to.deep.equal(['a', 'b', 'c']);
    expect(separated(',', undefined)).to.deep.equal([]);
    expect(tags('b,c', ['a'])).to.deep.equal(['a', 'b', 'c']);
    expect(apiVersions('22.1.4, 30.2.1', ['22.1.3'])).to.deep.equal(['22.1.3', '22.1.4', '30.2.1']);
    expect(report('junit=b.xml', [{ kind: 'json', file: 'a' }])).to.deep.equal([
      { kind: 'json', file: 'a' },
      { kind: 'junit', file: 'b.xml' },
    ]);
  });

  for (const [what, read, shown] of [
    ['tags', (text: string) => tags(text, ['a']), 'It names no tag; omit --tags to run all tasks.'],
    ['sizes', size, 'It takes a size such as 16MB, at most 1TB.'],
    ['forks', forkCount, 'It takes a whole number from 1, or auto.'],
    ['numbers', wholeNumber, 'It takes a whole number from 1.'],
  ] as const)
    it(`is refused for ${what} with what it takes`, () => {
      const texts = { tags: ['', ' , '], sizes: ['0', '2TB', 'x'], forks: ['0', '1.5', 'all'], numbers: ['0', 'auto'] };
      for (const text of texts[what])
        expect(
          refusal(() => read(text)),
          text,
        ).to.equal(shown);
    });

  it('is a whole number from 1, or auto for forks', () => {
    expect([wholeNumber('1'), forkCount('1'), forkCount('auto'), size('1TB'), size('16MB')]).to.deep.equal([
      1,
      1,
      'auto',
      1024 ** 4,
      16 * 1024 ** 2,
    ]);
  });

  it('names the version that is none, wherever it is in the list', () => {
    for (const [text, wrong] of [
      ['22.1.3,22.1', '22.1'],
      ['v22.1.3', 'v22.1.3'],
      ['22.1.3-rc1', '22.1.3-rc1'],
    ])
      expect(refusal(() => apiVersions(text ?? '', undefined))).to.equal(
        `"${wrong}" is not three numbers such as 22.1.3.`,
      );
  });

  it('is a kind and a file for a report', () => {
    const shown = 'It takes KIND=FILE, such as junit=report.xml; the kinds are junit, html, json, markdown.';
    for (const text of ['report.xml', 'xml=report.xml', 'junit=', '=report.xml'])
      expect(
        refusal(() => report(text, undefined)),
        text,
      ).to.equal(shown);
    expect(report('html=a=b.html', undefined)).to.deep.equal([{ kind: 'html', file: 'a=b.html' }]);
    for (const act of [() => report('junit=-', undefined), () => notStdout('-')])
      expect(refusal(act)).to.equal('It takes a file: stdout has the output of the run.');
    expect(notStdout('-a')).to.equal('-a');
  });

  it('of --diff is auto unless it is given', () => {
    expect(['--diff', '--diff=host', 'fleet', '-D'].map(explicitDiff)).to.deep.equal([
      '--diff=auto',
      '--diff=host',
      'fleet',
      '-D',
    ]);
    expect(execution({ verbose: 2, D: true, forks: 3 })).to.deep.equal({ forks: 3, verbosity: 2, diff: 'auto' });
    expect(execution({ verbose: 0, D: true, diff: 'fleet' })).to.deep.equal({ verbosity: 0, diff: 'fleet' });
    expect(execution({ verbose: 0, D: false })).to.deep.equal({ verbosity: 0 });
    expect(execution({ verbose: 0, diff: 'host' })).to.deep.equal({ verbosity: 0, diff: 'host' });
  });

  it('counts what is repeated', () => {
    const given = (...args: readonly string[]): Record<string, unknown> =>
      withExecution(new Command('run').exitOverride())
        .parse([...args], { from: 'user' })
        .opts();
    expect(given('-vv', '-v')['verbose']).to.equal(3);
    expect(given()).to.deep.equal({ verbose: 0, color: true });
    expect(given('-M', 'a', '-M', 'b', '--no-color', '--report', 'json=a', '--report', 'json=b')).to.deep.equal({
      verbose: 0,
      color: false,
      modulePath: ['a', 'b'],
      report: [
        { kind: 'json', file: 'a' },
        { kind: 'json', file: 'b' },
      ],
    });
  });
});

describe('the options of an output', () => {
  it('are those of the output alone', () => {
    const own = {
      output: 'json',
      color: false,
      detailedExitcode: true,
      report: [],
      log: 'a.log',
      profile: true,
    } as const;
    expect(outputOptions({ ...own, playbooks: ['site.yml'] })).to.deep.equal(own);
  });
});

describe('the examples of a command', () => {
  it('are all shown, or the first ones, and all are known', () => {
    const [one, two] = [new Command('one'), new Command('two')];
    const lines = [
      ['evenkeel one', 'first'],
      ['evenkeel two', 'second'],
    ] as const;
    for (const command of [one, two]) examples(command, lines);
    showExamples(two, 1);
    const help = (command: Command): string => {
      let text = '';
      command.configureOutput({ writeOut: (more) => (text += more) }).outputHelp();
      return text.slice(text.indexOf('\nExamples')).trimEnd();
    };
    const first = '\nExamples:\n  $ evenkeel one\n      first';
    expect(help(one)).to.equal(`${first}\n  $ evenkeel two\n      second`);
    expect(help(two)).to.equal(first);
    expect([one, two, new Command('three')].map(addedExamples)).to.deep.equal([lines, lines, []]);
  });
});
