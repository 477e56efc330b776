/** Thrown when the paymaster changes mid-decision, possibly by another process; the caller retries. */
export class PaymasterChanged extends Error {
  override readonly name = 'PaymasterChanged';
  readonly paymasterId: string;

  constructor(paymasterId: string) {
    super('The paymaster was changed during the request');
    this.paymasterId = paymasterId;
  }
}
