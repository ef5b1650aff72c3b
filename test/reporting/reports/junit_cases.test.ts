import { expect } from 'chai';
import { Secrets } from '../../../src/core/secrets/secrets.js';
import { TestCases, type Case, type CaseVerdict } from '../../../src/reporting/reports/junit_cases.js';
import { junitText } from '../../../src/reporting/reports/junit_xml.js';

const MOST = 100_000;
const [STARTED, LATER] = ['2025-03-01T12:00:00.000Z', '2025-03-01T13:00:00.000Z'];

function testCase(controller: string, verdict: CaseVerdict, task = 'A', line = 1): Case {
  return { task, controller, verdict, seconds: 0.5, place: { file: 'a.yml', line }, message: '', details: '' };
}

describe('the test cases of a report', () => {
  it('are kept up to 100,000, those of each play apart, and have failed if one has', () => {
    const cases = new TestCases();
    // Before the first play there is nothing to test.
    cases.add(testCase('lb1', 'failure'));
    expect([cases.suites, cases.failed, cases.merging]).to.deep.equal([[], false, false]);
    cases.startPlay('One', STARTED);
    cases.startPlay('Two', LATER);
    for (let count = 1; count < MOST; count++) cases.add(testCase('lb1', 'passed'));
    cases.startPlay('Three', LATER);
    cases.add(testCase('lb2', 'skipped'));
    expect([cases.failed, cases.merging]).to.deep.equal([false, false]);
    const [one, two, three, ...more] = cases.suites;
    expect(more).to.deep.equal([]);
    expect(one).to.deep.equal({ play: 'One', started: STARTED, cases: [] });
    expect([two?.play, two?.started, two?.cases.length]).to.deep.equal(['Two', LATER, MOST - 1]);
    expect(three).to.deep.equal({ play: 'Three', started: LATER, cases: [testCase('lb2', 'skipped')] });
    cases.add(testCase('lb2', 'error'));
    expect([cases.failed, cases.merging]).to.deep.equal([true, true]);
  });

  it('are merged beyond that, for each controller and play, but failures stay', () => {
    const cases = new TestCases();
    cases.startPlay('One', STARTED);
    cases.add(testCase('lb1', 'passed', 'First', 4));
    cases.add(testCase('lb2', 'skipped', 'First', 4));
    cases.add(testCase('lb1', 'failure', 'Second', 9));
    cases.add(testCase('lb3', 'passed', 'First', 4));
    cases.startPlay('Two', LATER);
    for (let count = 0; count < MOST; count++) cases.add(testCase('lb1', count % 4 === 0 ? 'skipped' : 'passed'));
    cases.add(testCase('lb2', 'skipped', 'Third', 12));
    cases.add(testCase('lb3', 'error', 'Third', 12));
    cases.add(testCase('lb3', 'failure', 'Fourth', 15));
    const merged = (
      controller: string,
      task: string,
      verdict: CaseVerdict,
      message: string,
      line: number,
      seconds = 0.5,
    ) => ({
      ...testCase(controller, verdict, task, line),
      message,
      seconds,
    });
    expect(cases.suites).to.deep.equal([
      {
        play: 'One',
        started: STARTED,
        cases: [
          testCase('lb1', 'failure', 'Second', 9),
          merged('lb1', 'other tasks', 'passed', '1 passed', 4),
          merged('lb2', 'all tasks', 'skipped', '1 skipped', 4),
          merged('lb3', 'all tasks', 'passed', '1 passed', 4),
        ],
      },
      {
        play: 'Two',
        started: LATER,
        cases: [
          testCase('lb3', 'error', 'Third', 12),
          testCase('lb3', 'failure', 'Fourth', 15),
          merged('lb1', 'all tasks', 'passed', '75,000 passed, 25,000 skipped', 1, MOST / 2),
          merged('lb2', 'all tasks', 'skipped', '1 skipped', 12),
        ],
      },
    ]);
  });
});

describe('the text of test cases', () => {
  it('has attributes and texts as XML, and totals of all suites', () => {
    const [passed, failed] = [testCase('lb1', 'passed', 'a\tb & <c> "d"'), testCase('', 'failure', 'x')];
    const suites = [
      {
        play: 'One\nmore',
        started: STARTED,
        cases: [passed, passed, { ...passed, message: '<1 & 2>', place: { file: '', line: 1 } }],
      },
      {
        play: 'Two',
        started: LATER,
        cases: [
          { ...failed, seconds: 1.23456, message: 'a\n\tb "c"', details: 'why <&>', type: 'refused' },
          { ...testCase('lb2', 'error'), message: 'gone' },
          { ...testCase('lb2', 'skipped'), message: 'off "now"' },
        ],
      },
    ];
    const about = { properties: { run: '"1"', check: 'true' }, seconds: 9.87654, secrets: new Secrets() };
    expect([...junitText(suites, about)].join('')).to.equal(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="evenkeel" tests="6" failures="1" errors="1" skipped="1" time="9.877">
<testsuite name="One more" tests="3" failures="0" errors="0" skipped="0" time="1.5" timestamp="2025-03-01T12:00:00">
<properties>
<property name="run" value="&quot;1&quot;"/>
<property name="check" value="true"/>
</properties>
<testcase name="lb1: a b &amp; &lt;c&gt; &quot;d&quot;" classname="One more" time="0.5" file="a.yml" line="1"/>
<testcase name="lb1: a b &amp; &lt;c&gt; &quot;d&quot; (2)" classname="One more" time="0.5" file="a.yml" line="1"/>
<testcase name="lb1: a b &amp; &lt;c&gt; &quot;d&quot; (3)" classname="One more" time="0.5">
<system-out>&lt;1 &amp; 2&gt;</system-out>
</testcase>
</testsuite>
<testsuite name="Two" tests="3" failures="1" errors="1" skipped="1" time="2.235" timestamp="2025-03-01T13:00:00">
<properties>
<property name="run" value="&quot;1&quot;"/>
<property name="check" value="true"/>
</properties>
<testcase name="x" classname="Two" time="1.235" file="a.yml" line="1">
<failure message="a&#10;&#9;b &quot;c&quot;" type="refused">a
	b "c"
why &lt;&amp;&gt;</failure>
</testcase>
<testcase name="lb2: A" classname="Two" time="0.5" file="a.yml" line="1">
<error message="gone" type="unreachable">gone</error>
</testcase>
<testcase name="lb2: A (2)" classname="Two" time="0.5" file="a.yml" line="1">
<skipped message="off &quot;now&quot;"/>
</testcase>
</testsuite>
</testsuites>
`);
  });
});
