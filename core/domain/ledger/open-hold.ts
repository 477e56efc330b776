import type { z } from 'zod';
import { address, amount, chainId, count, fieldsOf, message, seconds, text } from '../../base/message-schema.ts';

/** What is held in a gas tank for signatures of one operation, which may still land. */
export const OpenHoldSchema = message('OpenHold', {
  holdId: count,
  chainId,
  /** The paymaster contract. */
  contract: address,
  /** The funding wallet of the gas tank. */
  wallet: address,
  /** The paymaster that it was signed for. */
  paymasterId: text,
  sender: address,
  /** Nonce of the operation, including its key. */
  nonce: amount,
  /** Wei. */
  amount,
  createdAt: seconds,
  /** Expiry of the last signature, by chain time in Unix seconds; absent if they never expire. */
  validUntil: seconds.exactOptional(),
});
export type OpenHold = z.output<typeof OpenHoldSchema>;

/** A hold released by the operator, and the proof that nothing could land under it any more, in words. */
export const ReleasedHoldSchema = message('ReleasedHold', {
  ...fieldsOf(OpenHoldSchema, 'holdId', 'sender', 'nonce', 'amount'),
  /** The proof that nothing could land under it any more, in words. */
  ground: text,
});
export type ReleasedHold = z.output<typeof ReleasedHoldSchema>;
