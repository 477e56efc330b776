import type { Refusal } from '../../domain/result/refusal.ts';

/** Takes back the transaction of a change whose author may not make it, or may no longer. */
export class NotStandingError extends Error {
  override readonly name = 'NotStandingError';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}
