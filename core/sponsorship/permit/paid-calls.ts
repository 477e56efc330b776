import type { InnerCall } from '../../evm/account-decoders/decoder.ts';
import type { DecodedCalls } from './decode-calls.ts';

/**
 *
 *
 * The calls of an operation paid in a token, if its policy binds them (`bindsPaid`); otherwise undefined. `judged` excludes
 * approvals of the paymaster contract, with which the user pays.
 */
export type PaidCalls = {
  readonly paidCalls: (DecodedCalls & { readonly judged: readonly InnerCall[] }) | undefined;
};
