import type { z } from 'zod';
import { address, amount, chainId, count, fieldsOf, message, seconds, text } from '../../base/message-schema.ts';

/** What is set aside in a gas tank for signatures of one operation, which may land. */
export const OpenHoldSchema = message('OpenHold', {
  holdId: count,
  chainId,
  /** The paymaster contract. */
  contract: address,
  /** The funding wallet whose gas tank it is. */
  wallet: address,
  /** The paymaster that it was signed for. */
  paymasterId: text,
  sender: address,
  /** Nonce of the operation, its key included. */
  nonce: amount,
  /** Wei. */
  amount,
  createdAt: seconds,
  /** The end of the last signature, by chain time in Unix seconds; absent where they never end. */
  validUntil: seconds.exactOptional(),
});
export type OpenHold = z.output<typeof OpenHoldSchema>;

/** A hold that the operator released, and what showed that nothing could land under it any more, in words. */
export const ReleasedHoldSchema = message('ReleasedHold', {
  ...fieldsOf(OpenHoldSchema, 'holdId', 'sender', 'nonce', 'amount'),
  /** What showed that nothing could land under it any more, in words. */
  ground: text,
});
export type ReleasedHold = z.output<typeof ReleasedHoldSchema>;
