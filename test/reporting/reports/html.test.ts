import { expect } from 'chai';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { loadReport } from '../../../src/reporting/reports/registry.js';
import { EventMaker } from '../../rig/events.js';
import { inFolder } from '../../rig/folder.js';
import { pageIn } from '../../rig/page_run.js';

describe('the HTML report', () => {
  it('has the run, what to do next, and no secret that was learned after its events', async () => {
    const make = new EventMaker();
    const secrets = new Secrets();
    const loaded = await loadReport('html');
    const report = loaded.make({ secrets, cwd: '/nowhere', commandFor: (way) => `evenkeel ${way} 1` });
    const texts = (name: string) => ({ message: `${name} hunter22`, hint: `hint hunter22` });
    const object = 'pool "hunter22"';
    const change = { kind: 'update', object, before: { a: 1 }, after: { a: 'hunter22' } } as const;
    const source = { file: 'hunter22.yml', line: 1, column: 1 };
    const before = [
      make.runStarted({ playbooks: ['hunter22.yml'], check: true, shard: '1/2' }),
      make.playStarted(['lb1', 'lb2'], { play: 'Play hunter22' }),
      make.taskFinished('lb1', 'failed', {
        item: 'item hunter22',
        message: 'of hunter22',
        task: 'Task hunter22',
        source,
      }),
      make.taskFinished('lb1', 'failed', {
        ...texts('no'),
        task: 'Task hunter22',
        source,
        cause: source,
        tenant: 'of hunter22',
      }),
      make.taskFinished('lb2', 'changed', { task: 'Set hunter22', source, change, check: true }),
      make.warning('odd hunter22'),
    ];
    expect(before.flatMap((event) => [...report.take(event)])).to.deep.equal([]);
    secrets.add('hunter22');
    const [html = '', ...more] = report.take(make.runFinished({ status: 'failed', exitCode: 2, seconds: 4 }));
    expect(more).to.deep.equal([]);
    const title = 'run ********.yml (shard 1/2) (check)';
    expect(html).to.include(`<title>${title}: failed</title>`);
    expect(html).to.include(`<noscript><p>${title}: 2 controllers · 1 changed · 1 failed · 4.0 s</p>`);
    const page = pageIn(html);
    expect(page.facts).to.deep.equal({
      title,
      commands: [{ purpose: 'continue with', command: 'evenkeel rerun 1' }],
    });
    expect(page.details).to.deep.equal([
      {},
      {
        message: 'no ********',
        group: 1,
        hint: 'hint ********',
        place: { file: '********.yml', line: 1, column: 1 },
        tenant: 'of ********',
        items: [{ item: 'item ********', status: 'failed', message: 'of ********', group: 0 }],
      },
      {
        task: 'Set ********',
        words: 'would update pool "********": a',
        diff: 0,
        group: 2,
        object: 'pool "********"',
        check: true,
      },
    ]);
    expect(page.plays.map(({ name }) => name)).to.deep.equal(['Play ********']);
    expect(page.columns.map(({ task, place }) => [task, place.file])).to.deep.equal([
      ['Task ********', '********.yml'],
    ]);
    expect(page.texts).to.deep.equal(['pool "********"\n- a: 1\n+ a: ********']);
    expect(page.warnings).to.deep.equal([{ message: 'odd ********' }]);
  });

  it('has as much of a long message as the page of a kept run, however long it is', async () => {
    for (const length of [7_999, 8_000, 50_000]) {
      const [make, secrets] = [new EventMaker(), new Secrets()];
      const report = (await loadReport('html')).make({ secrets, cwd: '/', commandFor: (way) => `evenkeel ${way} 1` });
      const text = 'so it is '.repeat(6_000).slice(0, length);
      const events = [
        make.runStarted(),
        make.playStarted(['lb1']),
        make.taskFinished('lb1', 'failed', { message: text, hint: text }),
        make.taskFinished('lb1', 'ok', { message: text, spoken: true }),
        make.runFinished(),
      ];
      const [html = ''] = events.flatMap((event) => [...report.take(event)]);
      const { message, hint } = pageIn(html).details.at(-2) ?? {};
      const shown = `${text.slice(0, 4_000)}… (cut here)`;
      expect([message, hint, pageIn(html).details.at(-1)?.message], `of ${length}`).to.deep.equal([
        shown,
        shown,
        shown,
      ]);
    }
  });

  it('has no half of such a secret where it cut a text', async () => {
    const [make, secrets] = [new EventMaker(), new Secrets()];
    const report = (await loadReport('html')).make({ secrets, cwd: '/', commandFor: (way) => `evenkeel ${way} 1` });
    const cut = (start: string): string => start + 'learned-late '.repeat(600);
    const change = {
      kind: 'update',
      object: cut('pool '),
      before: { n: 1 },
      after: { n: cut('').repeat(2), o: cut(''), p: cut('') },
    } as const;
    const differentEnd = { before: { n: cut('') }, after: { n: `${cut('')}and more` } };
    const { length } = [
      make.runStarted(),
      make.playStarted(['lb1', 'lb2']),
      make.taskFinished('lb1', 'changed', { change, item: cut('an item ') }),
      make.taskFinished('lb1', 'changed', { change, message: cut('to '), hint: cut('or ') }),
      make.taskFinished('lb1', 'changed', { change: { ...change, object: 'pool', ...differentEnd } }),
      ...['lb1', 'lb2'].map((name) => make.warning(cut(`${name} `), { controller: name })),
    ].flatMap((event) => [...report.take(event)]);
    expect(length).to.equal(0);
    secrets.add('learned-late');
    const [html = ''] = report.take(make.runFinished());
    const { details, texts, warnings } = pageIn(html);
    const { message, hint, words, items: [item] = [] } = details.at(-2) ?? {};
    const [diff, other] = texts;
    expect(other).to.match(/^pool\n- n: "…\*{8} .*\*{8} "\n\+ n: "…\*{8} .*\*{8} and more"$/);
    const shown = [message, hint, words, item?.item, warnings[0]?.message, diff].map(String);
    for (const text of shown)
      expect(text)
        .to.match(/\*\s?… (?:\(cut here\)|cut here)$/)
        .and.not.to.include('lear');
    expect(shown).to.have.length(6);
  });

  it('has no part of such a secret of several words where it cut a line from a diff', async () => {
    const secret = 'correct horse battery staple';
    const line = `a line with ${secret} in it\n`;
    const lines = (most: number): string => line.repeat(Math.floor(most / line.length));
    const changes = Array.from({ length: line.length }, (_, at) => {
      const begin = 'x'.repeat(at) + '\n';
      const cutBefore = { before: { n: `${begin}${lines(6_000)}a` }, after: { n: `${begin}${lines(6_000)}b` } };
      const cutBehind = { before: { n: 1 }, after: { n: begin + lines(11_000) } };
      const fields = Object.fromEntries(['n', 'o', 'p'].map((name) => [name, begin + lines(8_000)]));
      return [cutBefore, cutBehind, { before: { q: 1 }, after: fields }];
    }).flat();
    const [make, secrets] = [new EventMaker(), new Secrets()];
    const report = (await loadReport('html')).make({ secrets, cwd: '/', commandFor: (way) => `evenkeel ${way} 1` });
    const { length } = [
      make.runStarted(),
      make.playStarted(['lb1']),
      ...changes.map((one) =>
        make.taskFinished('lb1', 'changed', { change: { kind: 'update', object: 'pool', ...one } }),
      ),
    ].flatMap((event) => [...report.take(event)]);
    expect(length).to.equal(0);
    secrets.add(secret);
    const [html = ''] = report.take(make.runFinished());
    const { texts } = pageIn(html);
    expect(texts).to.have.length.above(2 * line.length);
    for (const word of secret.split(' ')) expect(texts.filter((text) => text.includes(word)).length).to.equal(0);
  });

  it('has the tasks as they are written, changes by their templates, and what undoes the run', async () => {
    const site = '- hosts: all\n  tasks:\n    - name: One\n      debug:\n        msg: hunter22 {{ a }}\n';
    await inFolder({ 'site.yml': site }, async (cwd) => {
      const make = new EventMaker();
      const secrets = new Secrets();
      secrets.add('hunter22');
      const report = (await loadReport('html')).make({
        secrets,
        cwd,
        commandFor: (way) => `evenkeel ${way} 1`,
        writtenArguments: () => ({ n: '{{ port }}' }),
      });
      const source = { file: `${cwd}/site.yml`, line: 3, column: 7 };
      const change = (n: number) => ({ kind: 'update', object: 'pool "a"', before: { n: 1 }, after: { n } }) as const;
      const [html = ''] = [
        make.runStarted(),
        make.playStarted(['lb1', 'lb2']),
        ...[2, 3].map((n) =>
          make.taskFinished(`lb${n - 1}`, 'changed', { task: 'One', module: 'debug', source, change: change(n) }),
        ),
        make.runFinished({ status: 'failed', exitCode: 6 }),
      ].flatMap((event) => [...report.take(event)]);
      const { yaml, columns, details, texts, facts } = pageIn(html);
      expect(yaml).to.deep.equal([
        { first: 3, lines: ['    - name: One', '      debug:', '        msg: ******** {{ a }}'] },
      ]);
      expect(columns.map(({ place }) => place)).to.deep.equal([{ ...source, file: 'site.yml' }]);
      expect(details.slice(1).map(({ diff, template, group }) => [diff, template, group])).to.deep.equal([
        [0, 1, 0],
        [2, 1, 0],
      ]);
      expect(texts[1]).to.equal('pool "a"\n- n: 1\n+ n: "{{ port }}"');
      expect(facts.commands).to.deep.equal([
        { purpose: 'continue with', command: 'evenkeel resume 1' },
        { purpose: 'or roll back with', command: 'evenkeel rollback 1' },
      ]);
    });
  });
});
