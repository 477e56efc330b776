import type { Refusal } from '../../domain/result/refusal.ts';
import type { UnpaidBudget } from '../../domain/unpaid-budget.ts';
import type { Ruling } from '../../policies/rules/ruling.ts';

/** An operation that may end unpaid, beside what counts already. Amounts in wei. */
export type RiskyHold = {
  readonly budget: UnpaidBudget;
  /** Of the sender and of the paymaster, what is held for the same nonce included. */
  readonly ofSender: bigint;
  readonly ofPaymaster: bigint;
  /** What counts of the same nonce already. */
  readonly joined: bigint;
  readonly added: bigint;
  /** What the tank has for open holds and new ones. */
  readonly spendable: bigint;
};

const rule = 'operator-unpaid' as const;
/** Shares count in millionths. */
const millionths = 1_000_000;

/** The operator's budget for operations that can land without being paid for. */
export function capUnpaid({ budget, ofSender, ofPaymaster, joined, added, spendable }: RiskyHold): Ruling {
  const { maxUnpaidSharePerSender, maxUnpaidSharePerPaymaster } = budget;
  const senderMost = shareOf(spendable, maxUnpaidSharePerSender);
  const most = shareOf(spendable, maxUnpaidSharePerPaymaster);
  const seen = {
    rule,
    checked: `unpaid or not paid yet: ${ofSender + added} wei of this sender, ${ofPaymaster + added} wei of all`,
    limit: `${senderMost} wei and ${most} wei`,
  };
  if (added === 0n) return seen;
  if (ofPaymaster + added > most) return { ...seen, refusal: refuseShare('Paymaster', maxUnpaidSharePerPaymaster) };
  const isOnly = ofSender === joined && maxUnpaidSharePerSender > 0;
  if (isOnly || ofSender + added <= senderMost) return seen;
  return { ...seen, refusal: refuseShare('Sender', maxUnpaidSharePerSender) };
}

function shareOf(amount: bigint, share: number): bigint {
  return (amount * BigInt(Math.round(share * millionths))) / BigInt(millionths);
}

/** Says nothing of what the tank has: this is told to anybody. */
function refuseShare(whose: 'Sender' | 'Paymaster', share: number): Refusal {
  return {
    reason: 'LIMIT_EXCEEDED',
    limitKind: 'OPERATOR_CAP',
    message: `What operations of this ${whose.toLowerCase()} may cost before their tokens are taken is used up. An operation of an account that has approved the paymaster before is signed nevertheless, where the contract takes tokens in advance.`,
    details: {
      limit: `maxUnpaidSharePer${whose}`,
      max: String(share),
      frees:
        'Land the operations that are signed, approve the paymaster in an operation of its own, or try again within a day.',
    },
  };
}
