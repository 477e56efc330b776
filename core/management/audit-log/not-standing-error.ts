import type { Refusal } from '../../domain/result/refusal.ts';

/** Rolls back the transaction of a change whose author may not, or no longer, make it. */
export class NotStandingError extends Error {
  override readonly name = 'NotStandingError';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}
