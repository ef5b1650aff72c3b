import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import type { Terminal } from '../../src/cli/context.js';
import { fromTerminal } from '../../src/cli/questions.js';
import { Secrets } from '../../src/core/secrets/secrets.js';

/** Answers one question after the other. */
async function asked(question: { private: boolean; confirm: boolean }, typed: readonly string[], isTTY = true) {
  const [shown, left] = [[] as string[], [...typed]];
  const stdin = Object.assign(new PassThrough(), { isTTY, setRawMode: () => stdin });
  const say = (text: string): boolean => {
    shown.push(text);
    if (text.endsWith(': ')) setImmediate(() => stdin.write(`${left.shift() ?? '\u0003'}\r`));
    return true;
  };
  const stderr = new PassThrough();
  stderr.write = ((text: string) => say(text)) as typeof stderr.write;
  const terminal = {
    ...{ stdin, stderr: Object.assign(stderr, { unmasked: stderr }), secrets: new Secrets() },
    signals: { drain: new AbortController().signal },
  } as unknown as Terminal;
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
      ...[{ type: 'answered', answer: 'one' }, ['Word: ', 'confirm Word: '], ['two']],
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
