import type { Play, Playbook, Prompt } from '../../core/model/playbook/playbook.js';
import type { Diagnostics } from '../../core/model/source/diagnostic.js';
import { Unsafe, type Value } from '../../core/model/values/value.js';
import type { VariableLayer } from '../../core/model/values/variables.js';
import { MASK } from '../../core/secrets/secrets.js';
import { failedBecause } from '../../engine/keywords/failed_result.js';
import { renderText } from '../../language/render.js';
import { asText } from '../../language/runtime/result.js';
import { Variables } from '../../language/scope.js';
import type { SavedAnswer } from '../request/invocation.js';
import type { LoadedTarget } from './target.js';

/** A question of `vars_prompt`. */
export interface Question {
  readonly name: string;
  /** `Which version? [1.2]: ` */
  readonly text: string;
  readonly private: boolean;
  readonly confirm: boolean;
}

export type PromptReply =
  | { readonly type: 'answered'; readonly answer: Value }
  /** stdin is not a terminal, or a program has no answer. */
  | { readonly type: 'unanswered'; readonly program?: true }
  /** The user did not type the same answer twice. */
  | { readonly type: 'refused' };

export type Respond = (question: Question) => Promise<PromptReply>;

export interface PromptedPlaybooks {
  readonly playbooks: readonly Playbook[];
  readonly target: Pick<LoadedTarget, 'extraVars' | 'library' | 'secrets'>;
}

/**
 * The answers to `vars_prompt`, by play. Does not ask for variables that extra variables set (these are masked like
 * answers), and asks each question once. Without a terminal the default is used; a prompt without a default is an
 * error.
 */
export async function answersTo(
  { playbooks, target }: PromptedPlaybooks,
  respond: Respond,
  diagnostics: Diagnostics,
): Promise<ReadonlyMap<Play, VariableLayer>> {
  const set = new Map(target.extraVars.flatMap(({ values }) => Object.entries(values)));
  const answers = new Answers(target, respond, diagnostics);
  const layers = new Map<Play, VariableLayer>();
  for (const play of playbooks.flatMap(({ plays }) => plays)) {
    const values: Record<string, Value> = {};
    for (const prompt of play.prompts) {
      const given = set.get(prompt.name);
      const answer = given === undefined ? await answers.to(prompt, play) : undefined;
      if (answer !== undefined) values[prompt.name] = answer;
      if (prompt.private && typeof given === 'string') target.secrets.add(given);
    }
    if (Object.keys(values).length > 0) layers.set(play, { level: 'vars_prompt', origin: 'vars_prompt', values });
  }
  return layers;
}

class Answers {
  readonly #known = new Map<string, Value>();
  #refused = false;

  constructor(
    private readonly target: PromptedPlaybooks['target'],
    private readonly respond: Respond,
    private readonly diagnostics: Diagnostics,
  ) {}

  /** Undefined after an error, and after a refusal. */
  async to(prompt: Prompt, play: Play): Promise<Value | undefined> {
    const filled = this.#filledIn(prompt, play);
    if (filled === undefined) return undefined;
    const { question, fallback } = filled;
    const key = JSON.stringify([question, prompt.unsafe]);
    const answer = this.#known.get(key) ?? (await this.#ask(question, prompt, fallback));
    if (answer !== undefined) this.#known.set(key, answer);
    return answer;
  }

  #filledIn(prompt: Prompt, play: Play): { question: Question; fallback: string | undefined } | undefined {
    const { extraVars, library } = this.target;
    const scope = new Variables([...play.layers, ...extraVars], undefined, undefined, library);
    try {
      const { default: written = null } = prompt;
      const fallback = written === null ? undefined : asText(rendered(written, prompt, scope));
      return { question: toQuestion(prompt, scope, fallback), fallback };
    } catch (error) {
      const { message, source = prompt.source, hint } = failedBecause(error, 'vars_prompt').failure;
      this.diagnostics.error(message, source, hint);
      return undefined;
    }
  }

  async #ask(question: Question, prompt: Prompt, fallback: string | undefined): Promise<Value | undefined> {
    const reply: PromptReply = this.#refused ? { type: 'refused' } : await this.respond(question);
    const answer = this.#toAnswer(reply, prompt, fallback);
    // Do not mask the default: it is in the playbook anyway, and a word such as "admin" would be masked everywhere.
    if (prompt.private && reply.type === 'answered') this.target.secrets.add(asText(reply.answer));
    return prompt.unsafe && typeof answer === 'string' ? new Unsafe(answer) : answer;
  }

  #toAnswer(reply: PromptReply, { name, source }: Prompt, fallback: string | undefined): Value | undefined {
    switch (reply.type) {
      case 'answered':
        return reply.answer === '' ? (fallback ?? '') : reply.answer;
      case 'unanswered':
        if (fallback === undefined) {
          const [why, hint] =
            reply.program === true
              ? ['"answers" has no value for it', undefined]
              : ['stdin is not a terminal', `pass -e ${name}=…, or run in a terminal`];
          this.diagnostics.error(`vars_prompt asks for "${name}", but ${why}`, source, hint);
        }
        return fallback;
      case 'refused':
        if (!this.#refused) this.diagnostics.error(`"${name}" was not answered: nothing was contacted`, source);
        this.#refused = true;
        return undefined;
    }
  }
}

function toQuestion(prompt: Prompt, scope: Variables, fallback: string | undefined): Question {
  const { name, confirm } = prompt;
  const title = asText(rendered(prompt.prompt ?? name, prompt, scope));
  const shown = prompt.private && fallback !== undefined ? MASK : fallback;
  const text = shown === undefined ? `${title}: ` : `${title} [${shown}]: `;
  return { name, text, private: prompt.private, confirm };
}

/** Prompts and defaults can contain templates with the play's variables and extra variables. */
function rendered(value: Value, { source }: Prompt, scope: Variables): Value {
  return typeof value === 'string' ? renderText(value, scope, source) : value;
}

/** Answers questions as in an earlier run, asks the others, and keeps all answers. */
export class RememberedAnswers {
  readonly #given: SavedAnswer[] = [];

  constructor(
    private readonly known: readonly SavedAnswer[],
    private readonly ask: Respond,
  ) {}

  get given(): readonly SavedAnswer[] {
    return this.#given;
  }

  readonly respond: Respond = async (question): Promise<PromptReply> => {
    const saved = this.known.find((one) => one.name === question.name && one.question === question.text);
    const reply: PromptReply =
      saved === undefined ? await this.ask(question) : { type: 'answered', answer: saved.answer };
    const { name, text } = question;
    if (reply.type === 'answered') this.#given.push({ name, question: text, answer: reply.answer });
    return reply;
  };
}
