import type { InnerCall } from '../../evm/account-decoders/decoder.ts';
import type { DecodedCalls } from './decode-calls.ts';

/**
 * What an operation that is paid in a token calls, where its policy asks (`bindsPaid`); undefined where it does not.
 * `judged` leaves out approvals of the paymaster contract, which are how the user pays.
 */
export type PaidCalls = {
  readonly paidCalls: (DecodedCalls & { readonly judged: readonly InnerCall[] }) | undefined;
};
