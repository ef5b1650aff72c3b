/** A plan cannot be read, or must not be applied. A sentence for the user, and what to do next. */
export class PlanError extends Error {
  override readonly name = 'PlanError';

  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}
