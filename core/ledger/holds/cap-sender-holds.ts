import type { HoldCaps } from '../../domain/hold-caps.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import type { Ruling } from '../../policies/rules/ruling.ts';
import type { SenderHolds } from './sender-holds.ts';

/** A hold that is asked for, beside what its sender has open at the tank and what the tank can spend. Amounts in wei. */
export type CappedHold = {
  readonly caps: HoldCaps;
  readonly open: SenderHolds;
  /** Held for the same nonce already: the request joins it. */
  readonly joined: bigint | undefined;
  readonly added: bigint;
  /** What the tank has for open holds and new ones. */
  readonly spendable: bigint;
};

const rule = 'operator-holds' as const;
/** Shares count in millionths. */
const millionths = 1_000_000;

/** The operator's caps on what one sender has open at a tank. A sender's only operation may be worth any share of it. */
export function capSenderHolds({ caps, open, joined, added, spendable }: CappedHold): Ruling {
  const count = joined === undefined ? open.count + 1 : open.count;
  const seen = { rule, checked: `open operations of this sender: ${count}, which hold ${open.amount + added} wei` };
  const { maxOpenHoldsPerSender: most, maxShareOfTankPerSender: share } = caps;
  if (joined === undefined && count > most) return { ...seen, limit: String(most), refusal: refuseCount(most) };
  const highest = (spendable * BigInt(Math.round(share * millionths))) / BigInt(millionths);
  const limited = { ...seen, limit: `${most}, and ${highest} wei` };
  const isOnly = open.count === 0 || (joined !== undefined && open.count === 1);
  if (isOnly || added === 0n || open.amount + added <= highest) return limited;
  return { ...limited, refusal: refuseShare(share) };
}

function refuseCount(most: number): Refusal {
  return {
    reason: 'LIMIT_EXCEEDED',
    limitKind: 'OPERATOR_CAP',
    message: `This sender has ${most} signed operations that have neither landed nor expired; more are not signed for it.`,
    details: {
      limit: 'maxOpenHoldsPerSender',
      max: String(most),
      frees: 'Land the operations that are signed, or wait until they expire.',
    },
  };
}

/** Says nothing of what the tank has: this is told to anybody. */
function refuseShare(share: number): Refusal {
  return {
    reason: 'LIMIT_EXCEEDED',
    limitKind: 'OPERATOR_CAP',
    message: `This sender's signed operations, which have neither landed nor expired, take its share of the gas tank.`,
    details: {
      limit: 'maxShareOfTankPerSender',
      max: String(share),
      frees: 'Land the operations that are signed, or wait until they expire.',
    },
  };
}
