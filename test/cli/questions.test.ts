import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import type { CommandContext } from '../../src/cli/context.js';
import { ask, askSecret, loadingPorts, required, requiredSecret } from '../../src/cli/prompt.js';
import { askBeforeTasks, askInRun, confirmEnvironment, confirmWord, fromTerminal } from '../../src/cli/questions.js';
import { PromptInterrupted } from '../../src/core/model/exit_code.js';
import { Secrets } from '../../src/core/secrets/secrets.js';

interface Typing {
  readonly terminal: CommandContext;
  /** What was written to stderr. */
  readonly shown: string[];
  /** What was not yet typed. */
  readonly left: string[];
}

/** A terminal that answers one question after the other, each of which ends with `: ` or `? `; Ctrl-C when there are no answers left. */
function typing(typed: readonly string[], isTTY = true, drain = new AbortController().signal): Typing {
  const [shown, left] = [[] as string[], [...typed]];
  const stdin = Object.assign(new PassThrough(), { isTTY, setRawMode: () => stdin });
  const say = (text: string): boolean => {
    shown.push(text);
    if (/[:?] $/.test(text)) setImmediate(() => stdin.write(`${left.shift() ?? '\u0003'}\r`));
    return true;
  };
  const stderr = new PassThrough();
  stderr.write = ((text: string) => say(text)) as typeof stderr.write;
  const terminal = {
    stdin,
    stderr: Object.assign(stderr, { unmasked: stderr }),
    secrets: new Secrets(),
    signals: { drain },
  } as unknown as CommandContext;
  return { terminal, shown, left };
}

/** Answers one question after the other. */
async function asked(question: { private: boolean; confirm: boolean }, typed: readonly string[], isTTY = true) {
  const { terminal, shown, left } = typing(typed, isTTY);
  const answer = await fromTerminal(terminal)({ name: 'x', text: 'Word: ', ...question });
  const questions = shown.join('').match(/(?:confirm )?Word: /g) ?? [];
  return { answer, questions, differ: shown.join('').split('the two answers differ').length - 1, left };
}

describe('a question on the terminal', () => {
  const [once, twice] = [
    { private: true, confirm: false },
    { private: true, confirm: true },
  ];

  it('is asked once', async () => {
    const { answer, questions } = await asked(once, ['one']);
    expect([answer, questions]).to.deep.equal([{ type: 'answered', answer: 'one' }, ['Word: ']]);
  });

  it('is asked twice if it must be confirmed', async () => {
    const { answer, questions, left } = await asked(twice, ['one', 'one', 'two']);
    expect([answer, questions, left]).to.deep.equal([
      { type: 'answered', answer: 'one' },
      ['Word: ', 'confirm Word: '],
      ['two'],
    ]);
  });

  it('is asked again until both answers are equal, three times at most', async () => {
    const third = await asked(twice, ['a', 'b', 'c', 'd', 'e', 'e']);
    expect([third.answer, third.differ]).to.deep.equal([{ type: 'answered', answer: 'e' }, 2]);
    const never = await asked(twice, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'g']);
    expect([never.answer, never.differ, never.left]).to.deep.equal([{ type: 'refused' }, 3, ['g', 'g']]);
  });

  it('is not asked without a terminal', async () => {
    const { answer, questions } = await asked(twice, ['one', 'one'], false);
    expect([answer, questions]).to.deep.equal([{ type: 'unanswered' }, []]);
  });
});

describe('a question that is not answered', () => {
  it('interrupts the command, the first and the second time', async () => {
    for (const typed of [[], ['one']]) {
      const error: unknown = await asked({ private: true, confirm: true }, typed).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(PromptInterrupted);
    }
  });

  it('shows no control characters, and echoes what is not private', async () => {
    const open = typing(['one']);
    const question = { name: 'x', text: 'W\u001b[1mord: ', private: false, confirm: false };
    expect(await fromTerminal(open.terminal)(question)).to.deep.equal({ type: 'answered', answer: 'one' });
    const [hidden, shown] = [typing(['one']), open.shown.join('')];
    await fromTerminal(hidden.terminal)({ ...question, private: true });
    expect(shown).to.not.include('\u001b[1mord');
    expect([shown.includes('one'), hidden.shown.join('').includes('one')]).to.deep.equal([true, false]);
  });
});

describe('a terminal', () => {
  /** How often the command took over the signals, and let go of them. */
  function watched(typed: readonly string[], drain = new AbortController().signal) {
    const { terminal, shown } = typing(typed);
    const steps: string[] = [];
    const duringQuestion = () => {
      steps.push('taken');
      return () => void steps.push('let go');
    };
    return { terminal: { ...terminal, signals: { ...terminal.signals, drain, duringQuestion } }, shown, steps };
  }

  it('is left as it was after each question, also if it was interrupted', async () => {
    for (const typed of [['one'], []]) {
      const { terminal, steps } = watched(typed);
      expect(await ask('Word: ', terminal)).to.equal(typed[0]);
      expect(steps).to.deep.equal(['taken', 'let go']);
      expect(terminal.stdin.listenerCount('keypress')).to.equal(0);
    }
  });

  it('does not wait for an answer if the command is interrupted', async () => {
    const { terminal, steps } = watched(['one'], AbortSignal.abort());
    expect(await ask('Word: ', terminal)).to.equal(undefined);
    expect(steps).to.deep.equal(['taken', 'let go']);
  });

  it('shows a question again behind what is written meanwhile', async () => {
    for (const put of [ask, askSecret]) {
      const { terminal } = typing([]);
      const unmasked = { bytesWritten: 0 };
      let times = 0;
      let whole = '';
      const write = (text: string): boolean => {
        whole += text;
        if (text.endsWith('Go? '))
          setImmediate(() => {
            times += 1;
            if (times === 1) unmasked.bytesWritten = 9;
            else (terminal.stdin as unknown as PassThrough).write('yes\r');
          });
        return true;
      };
      Object.assign(terminal, { stdout: { isTTY: true, unmasked } });
      Object.assign(terminal.stderr, { write });
      expect([await put('A question of two lines.\nGo? ', terminal), times]).to.deep.equal(['yes', 2]);
      // It would erase what was written meanwhile.
      expect(whole).to.not.include('\u001B[1A');
    }
  });

  it('shows a question without secrets, and begins a line after a secret answer', async () => {
    const { terminal, shown } = watched(['one']);
    terminal.secrets.add('hunter22');
    await ask('Is it hunter22? ', terminal);
    expect(shown.join('')).to.include('Is it ********? ').and.not.include('hunter22');
    const secret = watched(['two']);
    expect(await askSecret('Password: ', secret.terminal)).to.equal('two');
    expect(secret.shown).to.deep.equal(['Password: ', '\n']);
  });

  it('is needed for what must be answered', async () => {
    const none = typing([], false).terminal;
    expect(await askSecret('Password: ', none)).to.equal(undefined);
    expect(required(undefined, none)).to.equal(undefined);
    expect(await requiredSecret(none)('Password: ')).to.equal(undefined);
    const { terminal } = typing(['', 'one']);
    expect(() => required(undefined, terminal)).to.throw(PromptInterrupted, 'interrupted');
    expect(required('', terminal)).to.equal('');
    expect(await requiredSecret(terminal)('Password: ')).to.equal('');
    const ports = loadingPorts(Object.assign(terminal, { cwd: '/here', env: { A: '1' } }));
    expect(ports).to.deep.include({ cwd: '/here', env: { A: '1' }, secrets: terminal.secrets });
    expect(await ports.askSecret('Password: ')).to.equal('one');
    const error: unknown = await ports.askSecret('Password: ').catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(PromptInterrupted).with.property('name', 'PromptInterrupted');
  });
});

describe('a run that must be confirmed', () => {
  const names = (prefix: string, number: number): readonly string[] =>
    Array.from({ length: number }, (_, at) => `${prefix}${at + 1}`);
  const run = {
    environment: 'prod',
    label: 'site.yml',
    controllers: new Set(['lb1', 'lb2']),
    delegates: { known: [] as readonly string[], unknown: [] as readonly string[] },
  };

  /** What was said before the question, and the objection. */
  async function confirmed(given: Partial<typeof run>, typed: readonly string[], isTTY = true) {
    const { terminal, shown } = typing(typed, isTTY);
    const objection = await confirmEnvironment({ ...run, ...given }, terminal);
    return { objection, lines: shown.filter((text) => text.endsWith('\n') && /^[A-Z]/.test(text)) };
  }

  it('shows what it is, and on which controllers it acts', async () => {
    const { objection, lines } = await confirmed(
      {
        controllers: new Set(names('lb', 7)),
        delegates: { known: names('dns\n', 6), unknown: ['roles/a.yml:3', 'b.yml:1', 'c:1', 'd:1', 'e\nf:1', 'g:1'] },
      },
      ['prod'],
    );
    expect(objection).to.equal(undefined);
    expect(lines).to.deep.equal([
      'About to run site.yml on 7 controllers of prod: lb1, lb2, lb3, lb4, lb5 and 2 more\n',
      'Its tasks also act on dns 1, dns 2, dns 3, dns 4, dns 5 and 1 more\n',
      'Tasks of files that are chosen during the run may act on others, too: roles/a.yml:3, b.yml:1, c:1, d:1, e f:1 and 1 more\n',
    ]);
  });

  it('says nothing of others if there are none', async () => {
    const { lines } = await confirmed({ controllers: new Set(['lb1']) }, ['prod']);
    expect(lines).to.deep.equal(['About to run site.yml on 1 controller of prod: lb1\n']);
  });

  for (const [typed, isTTY, status, message] of [
    [['prod2'], true, 'declined', 'not confirmed: nothing was contacted'],
    [[''], true, 'declined', 'not confirmed: nothing was contacted'],
    [[], true, 'interrupted', 'interrupted: nothing was contacted'],
    [
      ['prod'],
      false,
      'declined',
      'prod needs confirmation, but stdin is not a terminal: pass --yes, or run in a terminal',
    ],
  ] as const)
    it(`is ${status} ${isTTY ? 'in' : 'without'} a terminal after ${JSON.stringify(typed)}`, async () => {
      expect((await confirmed({}, typed, isTTY)).objection).to.deep.equal({ status, message });
    });

  it('names the word and its purpose', async () => {
    const { terminal, shown } = typing(['last']);
    expect(await confirmWord('last', 'roll it back', 'no terminal', terminal)).to.equal(undefined);
    expect(shown.join('')).to.include('Type "last" to roll it back: ');
  });
});

describe('--step', () => {
  it('asks before each task, and skips what is not answered by yes or continue', async () => {
    const typed = ['y', ' YES ', 'c', 'Continue', 'n', '', 'yess'];
    const { terminal, shown } = typing(typed);
    let stops = 0;
    const confirm = askBeforeTasks(terminal, () => stops++);
    const meant: string[] = [];
    for (const [at] of typed.entries()) meant.push(await confirm(`Task\n${at}`));
    expect(meant).to.deep.equal(['run', 'run', 'continue', 'continue', 'skip', 'skip', 'skip']);
    expect(stops).to.equal(0);
    expect(shown.join('')).to.include('Perform task: Task 6 (N)o/(y)es/(c)ontinue: ');
    expect(await confirm('last')).to.equal('skip');
    expect(stops).to.equal(1);
  });
});

describe('a question of a task', () => {
  it('waits for the question before it', async () => {
    const { terminal, shown } = typing(['one', 'two', 'three']);
    let stops = 0;
    const ask = askInRun(terminal, () => stops++, {});
    const { signal } = new AbortController();
    const questions = [
      { question: 'First?', hidden: false },
      { question: 'Second?', hidden: true },
      { question: 'Third?', hidden: false },
    ];
    expect(await Promise.all(questions.map((question) => ask(question, signal)))).to.deep.equal([
      'one',
      'two',
      'three',
    ]);
    const text = shown.join('');
    expect(text).to.include('First? ').and.to.include('Second? ');
    expect([text.includes('one'), text.includes('two'), text.includes('three')]).to.deep.equal([true, false, true]);
    expect(stops).to.equal(0);
    expect(await ask({ question: 'Fourth?', hidden: false }, signal)).to.equal(undefined);
    expect(stops).to.equal(1);
  });

  it('is not asked without a terminal, nor after the end of the run', async () => {
    const [never, ended] = [typing(['one'], false), typing(['one'])];
    const fail = (): never => expect.fail('stopped');
    const question = { question: 'First?', hidden: false };
    expect(await askInRun(never.terminal, fail, {})(question, new AbortController().signal)).to.equal(undefined);
    expect(await askInRun(ended.terminal, fail, {})(question, AbortSignal.abort())).to.equal(undefined);
    expect([never.shown, ended.shown]).to.deep.equal([[], []]);
  });

  it('is asked when nothing else is painted, and lets it be painted when it is answered or interrupted', async () => {
    for (const typed of [['one'], []]) {
      const { terminal, shown } = typing(typed);
      const steps: string[] = [];
      const giveWay = async () => {
        await Promise.resolve();
        steps.push(`gives way${shown.join('')}`);
        return () => void steps.push(shown.join('').includes('First? ') ? 'paints' : 'paints too early');
      };
      const ask = askInRun(terminal, () => steps.push('stops'), { giveWay });
      expect(await ask({ question: 'First?', hidden: false }, new AbortController().signal)).to.equal(typed[0]);
      expect(steps.slice(0, 2)).to.deep.equal(['gives way', 'paints']);
    }
  });

  it('is ended by the signal of its task, and by no other', async () => {
    const { terminal } = typing(['one'], true, AbortSignal.abort());
    const ask = askInRun(terminal, () => undefined, {});
    expect(await ask({ question: 'First?', hidden: false }, new AbortController().signal)).to.equal('one');
  });
});
