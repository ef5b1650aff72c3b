import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import type { CommandContext } from '../../src/cli/context.js';
import { MaskedStream } from '../../src/cli/masked_stream.js';
import { Secrets } from '../../src/core/secrets/secrets.js';
import { askForAnswers, type InitAnswers } from '../../src/init/answers.js';

const asked = (options: InitAnswers, ...answers: readonly (string | undefined)[]) => askedAt(true, options, answers);

/** Answers the questions in turn. `undefined` closes the terminal. */
async function askedAt(isTTY: boolean, options: InitAnswers, answers: readonly (string | undefined)[] = []) {
  const [stdin, shown, secrets] = [new PassThrough(), new PassThrough(), new Secrets()];
  const text: string[] = [];
  const questions: string[] = [];
  const left = [...answers];
  shown.on('data', (chunk: Buffer) => {
    const said = chunk.toString();
    text.push(said);
    if (!said.endsWith(']: ')) return;
    questions.push(said.replace(/^.*\n/s, ''));
    const answer = left.shift();
    setImmediate(() => {
      if (answer === undefined) stdin.end();
      else stdin.write(`${answer}\r`);
    });
  });
  const stderr = new MaskedStream(shown as unknown as NodeJS.WriteStream, secrets);
  const context = {
    stdin: Object.assign(stdin, { isTTY }),
    stderr,
    secrets,
    signals: { drain: new AbortController().signal },
  };
  const answered = await askForAnswers(options, context as unknown as CommandContext);
  const lines = text.join('').split(/\r?\n/);
  return { answered, questions, lines, left };
}

describe('the questions of init', () => {
  it('are about the environments, then their controllers, each with what it means', async () => {
    const { answered, questions, lines } = await asked({}, ' lab  eu-Prod2 ', 'lab', 'lb1, lb2', ' ', ' avi ');
    expect(answered).to.deep.equal({
      status: 'answered',
      project: {
        environments: [
          { name: 'lab', confirm: true, controllers: ['lb1', 'lb2'] },
          { name: 'eu-Prod2', confirm: false, controllers: ['lb[01:03].eu-Prod2.example.com'] },
        ],
        dialect: 'avi',
      },
    });
    expect(questions.map((one) => one.replace(/ \[.*/, ''))).to.deep.equal([
      'Environments',
      'Environments in which a run asks before it writes',
      'Controllers of lab',
      'Controllers of eu-Prod2',
      'Dialect of the controllers: generic or avi',
    ]);
    expect(questions[1]).to.include('[eu-Prod2]');
    const about = lines.map((line) => line.trim()).filter((line) => /^[A-Z].*\.$/.test(line));
    expect(about).to.deep.equal([
      'Environments have an inventory each; --env NAME picks one.',
      'In these, a run shows its controllers and waits until you type the name.',
      'Host names, IPv4 addresses or ranges such as lb[01:12].example.com, with commas between them.',
      'Host names, IPv4 addresses or ranges such as lb[01:12].example.com, with commas between them.',
      'How controllers sign in and answer: avi for Avi and NSX ALB controllers, generic for others.',
    ]);
  });

  it('are asked again after a wrong answer', async () => {
    const { answered, lines, left } = await asked(
      { env: ['a', 'b'], dialect: 'generic' },
      'c',
      'none, a',
      'a,b',
      '10.0.0.300',
      'lb1 lb2',
      'lb1,lb1',
      ',',
      'lb1',
      'lb2',
    );
    expect(left).to.deep.equal([]);
    expect(answered).to.deep.include({
      project: {
        environments: [
          { name: 'a', confirm: true, controllers: ['lb1'] },
          { name: 'b', confirm: true, controllers: ['lb2'] },
        ],
        dialect: 'generic',
      },
    });
    const problems = lines.map((line) => line.trim()).filter((line) => /^(?:"|two|name at)/.test(line));
    expect(problems).to.deep.equal([
      '"c" is not an environment of the project: use a, b or none',
      '"none" is not an environment of the project: use a, b or none',
      '"10.0.0.300" is neither a host name nor an IPv4 address',
      '"lb1 lb2" has a space: put commas between controllers',
      'two controllers have the same name',
      'name at least one controller',
    ]);
  });

  it('take each dialect that there is, and no other', async () => {
    for (const dialect of ['generic', 'avi']) {
      const { answered, lines, left } = await asked(
        { env: ['a'], controllers: ['lb1'], confirm: ['none'] },
        'ovi',
        dialect,
      );
      expect(left).to.deep.equal([]);
      expect(answered).to.have.nested.property('project.dialect', dialect);
      expect(lines.map((line) => line.trim())).to.include('"ovi" is not a dialect: use generic or avi');
    }
  });

  it('have defaults without a terminal, which is said unless the options leave none open', async () => {
    const all = { env: ['a'], controllers: ['lb1'], confirm: ['a'], dialect: 'avi' } as const;
    const open = (['controllers', 'confirm', 'dialect'] as const).map((name) => ({ ...all, [name]: undefined }));
    const note = [
      'stdin is not a terminal, so init reads no answers and uses defaults; set them with --env, --controllers, --confirm and --dialect',
      '',
    ];
    const said = async (isTTY: boolean, options: InitAnswers) => (await askedAt(isTTY, options)).lines;
    for (const options of open) {
      expect(await said(false, options)).to.deep.equal(note);
      expect(await said(false, { ...options, yes: true })).to.deep.equal(['']);
    }
    const { controllers, dialect } = all;
    expect(await said(false, { controllers, dialect, confirm: ['production'] })).to.deep.equal(note);
    expect([await said(false, all), await said(true, all)]).to.deep.equal([[''], ['']]);
    const { answered } = await askedAt(false, {});
    expect(answered).to.deep.include({
      project: {
        environments: [
          { name: 'development', confirm: false, controllers: ['lb[01:03].development.example.com'] },
          { name: 'production', confirm: true, controllers: ['lb[01:03].production.example.com'] },
        ],
        dialect: 'generic',
      },
    });
  });

  it('leave out what options say, and end at once if one is interrupted', async () => {
    const options = { env: ['a', 'b'], confirm: ['b'], controllers: ['lb1', 'lb2', 'b=lb3'], dialect: 'avi' } as const;
    const given = await asked(options);
    expect(given.questions).to.deep.equal([]);
    expect(given.answered).to.deep.include({
      project: {
        environments: [
          { name: 'a', confirm: false, controllers: ['lb1', 'lb2'] },
          { name: 'b', confirm: true, controllers: ['lb3'] },
        ],
        dialect: 'avi',
      },
    });
    expect((await asked({ yes: true, env: ['a', 'b', 'c'] })).answered).to.have.nested.property(
      'project.environments[2].confirm',
      true,
    );
    expect((await asked({ yes: true, env: ['a', 'b', 'c'] })).answered).to.have.nested.property(
      'project.environments[0].confirm',
      false,
    );
    for (const [interrupted, count] of [
      [{}, 1],
      [{ env: ['a'] }, 1],
      [{ env: ['a'], confirm: ['a'] }, 1],
      [{ env: ['a'], confirm: ['a'], controllers: ['lb1'] }, 1],
    ] as const) {
      const { answered, questions } = await asked(interrupted, undefined);
      expect(answered).to.deep.equal({ status: 'interrupted' });
      expect(questions).to.have.length(count);
    }
  });
});

describe('the answers that options give to init', () => {
  const given = async (options: InitAnswers) => {
    const { answered } = await asked({ yes: true, ...options });
    return answered;
  };
  const refused = async (options: InitAnswers): Promise<string> => {
    const answered = await given(options);
    return answered.status === 'refused' ? `${answered.message} — ${answered.hint}` : answered.status;
  };

  const letters = 'begin with a letter, and use letters, digits, "-" and "_" — such as: --env development';
  for (const [options, message] of [
    [{ env: ['a', '1b', '2c'] }, `"1b" cannot name an environment: ${letters}`],
    [{ env: ['a b! c!'] }, `"b!" cannot name an environment: ${letters}`],
    [{ env: ['a', 'A'] }, 'two environments have the same name — such as: --env development'],
    [{ env: [' ,'] }, 'name at least one environment — such as: --env development'],
    [
      { env: ['a-b', 'a_b'] },
      'the environments "a-b" and "a_b" would both read their password from A_B_CONTROLLER_PASSWORD: rename one of them — such as: --env development',
    ],
    [
      { env: ['a', 'b'], confirm: ['c', 'd'] },
      '--confirm: "c" is not an environment of the project: use a, b or none — such as: --confirm production, or --confirm none',
    ],
    [
      { env: ['a'], confirm: [''] },
      '--confirm: name an environment, or answer none — such as: --confirm production, or --confirm none',
    ],
    [
      { env: ['a', 'b'], controllers: ['c=lb1'] },
      '--controllers names the environment "c", which the project does not have — environments: a, b',
    ],
    [
      { env: ['a'], controllers: ['lb1', 'a=lb1'] },
      '--controllers: two controllers have the same name — such as: --controllers production=lb1,lb2',
    ],
    [
      { env: ['a'], controllers: ['-lb1'] },
      '--controllers: "-lb1" cannot name a controller: use a host name, an IPv4 address or a range — such as: --controllers production=lb1,lb2',
    ],
    [
      { env: ['a'], controllers: ['lb[5:1]'] },
      '--controllers: the range [5:1] in "lb[5:1]" goes backwards; write [1:5] — such as: --controllers production=lb1,lb2',
    ],
    [
      { env: ['a'], controllers: ['10.0.0.[254:300]'] },
      '--controllers: "10.0.0.256" is neither a host name nor an IPv4 address — such as: --controllers production=lb1,lb2',
    ],
    [
      { env: ['a'], controllers: ['b=lb1', 'a=10.0.0.[1:300]'] },
      '--controllers names the environment "b", which the project does not have — environments: a',
    ],
  ] as const)
    it(`are refused: ${message}`, async () => {
      expect(await refused(options)).to.equal(message);
    });

  it('protect the environments whose names say that they are live, else all but the first', async () => {
    const confirmed = async (...env: readonly string[]): Promise<readonly string[]> => {
      const answered = await given({ env });
      if (answered.status !== 'answered') return expect.fail(answered.status);
      return answered.project.environments.filter(({ confirm }) => confirm).map(({ name }) => name);
    };
    expect(await confirmed('lab', 'prod-eu', 'EuProd2', 'reproduce')).to.deep.equal(['prod-eu', 'EuProd2']);
    expect(await confirmed('PRD', 'live', 'DR-site', 'test')).to.deep.equal(['PRD', 'live', 'DR-site']);
    expect(await confirmed('eu-production', 'lab')).to.deep.equal(['eu-production']);
    expect(await confirmed('one', 'two', 'three')).to.deep.equal(['two', 'three']);
    expect(await confirmed('one')).to.deep.equal([]);
  });

  it('confirm in none, and have names, addresses and ranges', async () => {
    const answered = await given({ env: ['a', 'b'], confirm: ['none'], controllers: ['b=10.0.0.1, lb[01:03].x'] });
    expect(answered).to.deep.equal({
      status: 'answered',
      project: {
        environments: [
          { name: 'a', confirm: false, controllers: ['lb[01:03].a.example.com'] },
          { name: 'b', confirm: false, controllers: ['10.0.0.1', 'lb[01:03].x'] },
        ],
        dialect: 'generic',
      },
    });
  });
});
