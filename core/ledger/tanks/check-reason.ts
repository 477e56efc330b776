import { maxAdjustmentReason } from '@tollfree/contract/limits';
import { invalidField } from '../../domain/result/result.ts';

/** The reason that the operator gives, which is recorded in the ledger; refuses anything but a line of text. */
export function checkReason(reason: string): ReturnType<typeof invalidField> | undefined {
  const isReason = reason.trim() !== '' && reason.length <= maxAdjustmentReason && !/[\p{Cc}\p{Cs}]/u.test(reason);
  return isReason ? undefined : invalidField('reason', `must be 1 to ${maxAdjustmentReason} printable characters`);
}
