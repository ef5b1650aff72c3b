import type { Question, Reply, Respond } from './answers.js';
import type { SavedAnswer } from '../request/invocation.js';

/** Answers questions as in an earlier run, asks the others, and keeps all answers. */
export class RememberedAnswers {
  readonly #known: readonly SavedAnswer[];
  readonly #ask: Respond;
  readonly #given: SavedAnswer[] = [];

  constructor(known: readonly SavedAnswer[], ask: Respond) {
    this.#known = known;
    this.#ask = ask;
  }

  get given(): readonly SavedAnswer[] {
    return this.#given;
  }

  readonly respond: Respond = async (question): Promise<Reply> => {
    const saved = this.#known.find((one) => isSame(one, question));
    const reply: Reply = saved === undefined ? await this.#ask(question) : { type: 'answered', answer: saved.answer };
    const { name, text } = question;
    if (reply.type === 'answered') this.#given.push({ name, question: text, answer: reply.answer });
    return reply;
  };
}

function isSame({ name, question }: SavedAnswer, asked: Question): boolean {
  return name === asked.name && question === asked.text;
}
