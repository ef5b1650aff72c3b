import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Diagnostic } from '../../../src/core/model/source/diagnostic.js';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { readPage } from '../../../src/reporting/page/format/page.js';
import { refusedText, type ReportedRefusal } from '../../../src/reporting/reports/refused.js';
import { loadReport } from '../../../src/reporting/reports/registry.js';
import { REPORT_KINDS, type ReportKind } from '../../../src/reporting/reports/report.js';
import { inFolder } from '../../rig/folder.js';

const SITE = '- hosts: all\n  tasks:\n    - debgu: x\n';

function report(kind: ReportKind, given: Partial<ReportedRefusal> = {}, colons = 7): Promise<string> {
  return inFolder({ 'site.yml': SITE }, (cwd) => {
    const secrets = new Secrets();
    secrets.add('hunter22');
    const source = { file: `${cwd}/site.yml`, line: 3, column: colons };
    const diagnostics: readonly Diagnostic[] = [
      {
        severity: 'error',
        message: 'there is no module "debgu" for hunter22',
        source,
        hint: 'did you mean "debug" of hunter22?',
      },
      { severity: 'error', message: `cannot read ${cwd}/other.yml\nat all` },
      { severity: 'warning', message: 'old', source: { ...source, line: 1 } },
    ];
    const refusal = {
      time: '2026-01-01T00:00:00.000Z',
      version: '1.2.3',
      playbooks: ['site.yml', 'a`b.yml'],
      exitCode: 1,
      diagnostics,
      ...given,
    };
    return Promise.resolve(refusedText(kind, refusal, { secrets, cwd }).replaceAll(cwd, 'DIR'));
  });
}

describe('the report of a run that did not start', () => {
  it('is one event for programs', async () => {
    const text = await report('json');
    expect(text.endsWith('}\n')).to.equal(true);
    expect(JSON.parse(text)).to.deep.equal({
      type: 'run-refused',
      time: '2026-01-01T00:00:00.000Z',
      exitCode: 1,
      diagnostics: [
        {
          severity: 'error',
          message: 'there is no module "debgu" for ********',
          hint: 'did you mean "debug" of ********?',
          source: { file: 'DIR/site.yml', line: 3, column: 7 },
        },
        { severity: 'error', message: 'cannot read DIR/other.yml\nat all' },
        { severity: 'warning', message: 'old', source: { file: 'DIR/site.yml', line: 1, column: 7 } },
      ],
    });
  });

  it('is a comment with the mistakes as on a terminal, cut if there is no room', async () => {
    const text = await report('markdown');
    expect(text.split('\n').slice(0, 12)).to.deep.equal([
      '<!-- evenkeel -->',
      '### ❌ nothing ran: 2 errors',
      '',
      '`site.yml` · ``a`b.yml``',
      '',
      '```text',
      'error: cannot read other.yml',
      'at all',
      '',
      'warning: old',
      '  --> site.yml:1:7',
      '    |',
    ]);
    expect(text).to.include('error: there is no module "debgu" for ********\n  --> site.yml:3:7\n');
    expect(
      text.endsWith('2 errors, 1 warning\n```\n\nno controller was contacted\n\n<sub>evenkeel 1.2.3</sub>\n'),
    ).to.equal(true);
    const none = await report('markdown', {
      exitCode: 0,
      playbooks: [],
      diagnostics: [{ severity: 'warning', message: 'none' }],
    });
    expect(none.split('\n').slice(0, 5)).to.deep.equal([
      '<!-- evenkeel -->',
      '### ✅ nothing ran: there was nothing to do',
      '',
      '```text',
      'warning: none',
    ]);
    const one = (length: number): Partial<ReportedRefusal> => ({
      diagnostics: Array.from({ length }, (_, at) => ({ severity: 'error', message: `${at} ${'x'.repeat(1900)}` })),
    });
    expect(await report('markdown', one(30))).to.not.include('cut here');
    const long = await report('markdown', one(40));
    expect(long.length).to.be.within(59_000, 60_000);
    expect(long).to.include('\n… cut here\n```');
    const ofLength = (length: number) => {
      const { diagnostics = [] } = one(30);
      return report('markdown', { diagnostics: [...diagnostics, { severity: 'error', message: 'x'.repeat(length) }] });
    };
    const shown = (text: string): number => /```text\n([^]*)\n```/.exec(text)?.[1]?.length ?? 0;
    const fitting = 59_000 - shown(await ofLength(0));
    expect(shown(await ofLength(fitting))).to.equal(59_000);
    expect(await ofLength(fitting)).to.not.include('cut here');
    expect(await ofLength(fitting + 1)).to.include('cut here');
  });

  it('is a suite of test cases', async () => {
    const text = await report('junit');
    expect(text).to.match(/<testsuites name="evenkeel" tests="3" failures="0" errors="2" skipped="1" time="0">/);
    expect(text).to.include('<property name="evenkeel" value="1.2.3"/>');
    expect(text).to.include('<testsuite name="before the run"');
    const cases = [...text.matchAll(/<testcase name="([^"]*)"[^>]*>/g)].map(([whole, name]) => [
      name,
      / file="([^"]*)"/.exec(whole)?.[1],
      / line="([^"]*)"/.exec(whole)?.[1],
    ]);
    expect(cases).to.deep.equal([
      ['there is no module &quot;debgu&quot; for ******** (site.yml:3:7)', 'site.yml', '3'],
      ['cannot read other.yml at all', undefined, undefined],
      ['old (site.yml:1:7)', 'site.yml', '1'],
    ]);
    expect(text).to
      .include(`<error message="there is no module &quot;debgu&quot; for ********" type="refused">there is no module "debgu" for ********
  --&gt; site.yml:3:7
    |
  1 | - hosts: all
  2 |   tasks:
  3 |     - debgu: x
    |       ^^^^^
  = hint: did you mean "debug" of ********?</error>`);
    expect(text).to.include(`<error message="cannot read other.yml&#10;at all" type="refused">cannot read other.yml
at all</error>`);
    expect(text).to.include('type="refused"').and.include('<skipped').and.not.include('hunter22');
  });

  it('has no secret in the names of files', async () => {
    const file = 'hunter22.yml';
    const source = { file, line: 1, column: 1 };
    for (const kind of REPORT_KINDS) {
      const text = await report(kind, {
        playbooks: [file],
        diagnostics: [{ severity: 'error', message: 'wrong', source }],
      });
      const [, data] = /<script[^>]*id="data"[^>]*>([^<]*)</.exec(text) ?? [];
      const page = data === undefined ? '' : gunzipSync(Buffer.from(data, 'base64')).toString();
      expect(text + page, kind)
        .to.include('********.yml')
        .and.not.include('hunter22');
    }
  });

  it('is a page, and begins as reports of its kind do', async () => {
    for (const kind of REPORT_KINDS) expect(await report(kind), kind).to.match((await loadReport(kind)).beginning);
    const html = await report('html');
    const [, data = ''] = /<script[^>]*id="data"[^>]*>([^<]*)</.exec(html) ?? [];
    const page = readPage(new Uint8Array(gunzipSync(Buffer.from(data, 'base64'))));
    expect(page.run).to.deep.equal({
      id: '',
      version: '1.2.3',
      started: '2026-01-01T00:00:00.000Z',
      environment: null,
      check: false,
      status: 'failed',
      reason: 'nothing ran: 2 errors; no controller was contacted',
      seconds: 0,
    });
    expect(page.warnings.map(({ place }) => place?.line)).to.deep.equal([3, undefined, 1]);
    expect(page.warnings.map(({ message }) => message.replace(/\/\S*\/other/, 'other'))).to.deep.equal([
      'there is no module "debgu" for ******** (did you mean "debug" of ********?)',
      'cannot read other.yml\nat all',
      'old',
    ]);
    expect(html).to.include('<title>run site.yml a`b.yml: failed</title>');
    expect(await report('html', { exitCode: 0, diagnostics: [] })).to.include(': ok</title>');
  });
});
