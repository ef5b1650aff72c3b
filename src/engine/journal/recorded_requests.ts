import { isGate } from '../../core/model/playbook/step_place.js';
import type { PastWrite } from '../../core/model/run/past.js';
import { isRead, mayBeRepeated } from '../../core/model/run/session.js';
import { pathWithQuery } from '../../core/model/values/uri.js';
import type { RawAnswer, RawRequest } from '../../module/contract.js';
import { TaskProblem } from '../keywords/failed_result.js';
import type { StepJournal } from './step_journal.js';
import { endOfAnswer, outcomeOfAnswer, type WriteRecorder } from './write_recorder.js';

type Send = (request: RawRequest) => Promise<RawAnswer>;

interface Recording {
  readonly openRecorder: () => Promise<WriteRecorder | undefined>;
  /** Rejects if the write went to another controller than the task's connection now. */
  readonly requireSame: (write: PastWrite) => Promise<void>;
  /** A write is not sent again: neither does another attempt of the task, or another round of a gate. */
  readonly onUnknownOutcome: () => void;
}

/**
 * Sends the requests of an action and records those that may write. Replays answers from before the interrupt without
 * contacting the controller. Of writes with an unknown outcome, sends only PUT again, and what the action has looked
 * for.
 */
export function recordingRequests(stepJournal: StepJournal, recording: Recording, send: Send): Send {
  const { openRecorder, requireSame } = recording;
  return async (request) => {
    if (isRead(request.method)) return send(request);
    const method = request.method.toUpperCase();
    const path = pathWithQuery(request.path, new URLSearchParams(request.query).toString());
    const known = stepJournal.openWrites.find(({ intent }) => intent.method === method && intent.path === path);
    if (known !== undefined) await requireSame(known);
    const answer = known && recordedAnswer(stepJournal, known, request.looked === true, recording);
    if (answer !== undefined) return answer;
    const recorder = await openRecorder();
    if (recorder === undefined) return send(request);
    if (request.looked === true) stepJournal.confirmLooked = () => recorder.confirm();
    const change = { kind: 'invoke', object: `${method} ${request.path}`, before: null, after: null } as const;
    const intent = { object: change.object, method, path, change, body: request.body ?? null };
    return recorder.write(
      intent,
      () => send(request),
      (given) => {
        const outcome = outcomeOfAnswer(given);
        // The attempt before may be under way.
        const end = given.uncertain === true ? { outcome } : endOfAnswer(outcome, given.status);
        return { ...end, answer: given };
      },
    );
  };
}

/** The recorded answer of a write; undefined if the write must be sent again. */
function recordedAnswer(
  stepJournal: StepJournal,
  known: PastWrite,
  looked: boolean,
  { onUnknownOutcome }: Recording,
): RawAnswer | undefined {
  const { answer, outcome, intent } = known;
  const isRepeatable = outcome === 'refused' || mayBeRepeated({ method: intent.method, looked });
  if (answer === undefined && !isRepeatable) {
    onUnknownOutcome();
    throw unknown(known);
  }
  stepJournal.closeWrites([known]);
  if (answer === undefined) return undefined;
  const { status, body, says, denied, uncertain, outcomeUnknown } = answer;
  if (outcomeUnknown === true) onUnknownOutcome();
  return {
    status,
    body,
    ...(says !== undefined && { says }),
    ...(denied && { denied }),
    ...(uncertain && { uncertain }),
    ...(outcomeUnknown && { outcomeUnknown }),
  };
}

function unknown({ intent: { method, path, place } }: PastWrite): TaskProblem {
  const again = isGate(place)
    ? 'it is sent again when the gate starts again'
    : 'run the playbook again for this controller';
  const message = `it is unknown whether ${method} ${path} took effect when the run was cut off, so it is not sent again`;
  return new TaskProblem(message, undefined, `look at the controller; if it did not take effect, ${again}`);
}
