/**
 * A paymaster was changed, by another process perhaps, while something was decided on it: that is to be decided again.
 */
export class PaymasterChanged extends Error {
  override readonly name = 'PaymasterChanged';
  readonly paymasterId: string;

  constructor(paymasterId: string) {
    super('The paymaster was changed during the request');
    this.paymasterId = paymasterId;
  }
}
