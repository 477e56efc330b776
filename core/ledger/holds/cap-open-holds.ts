import type { Refusal } from '../../domain/result/refusal.ts';
import type { Ruling } from '../../policies/rules/ruling.ts';

/** What one sender or client has open at a tank: how many live holds, and their sum in wei. */
type OpenHolds = { readonly count: number; readonly amount: bigint };

/** How a refusal says whose open holds a cap limits, and which of the operator's settings it is. */
type Capped = {
  readonly has: string;
  readonly count: string;
  readonly share: string;
  readonly frees?: string;
};

const capped = {
  sender: {
    has: 'This sender has',
    count: 'maxOpenHoldsPerSender',
    share: 'maxShareOfTankPerSender',
  },
  client: {
    has: 'The address of this request has',
    count: 'maxOpenHoldsPerClient',
    share: 'maxShareOfTankPerClient',
  },
  withoutExpiry: {
    has: 'Signatures of this paymaster contract never expire, and it has',
    count: '',
    share: 'maxShareOfTankWithoutExpiry',
  },
  lastingLong: {
    has: 'The gas tank has long-lasting',
    count: '',
    share: 'maxShareOfTankLastingLong',
    frees: 'Request a shorter expiryDuration, or wait until long-lasting signatures have landed or expired.',
  },
} as const satisfies Record<string, Capped>;

/** A requested hold, and what is open at the tank already. Amounts in wei. */
export type CappedHold = {
  readonly of: keyof typeof capped;
  /** Infinity where the number of holds does not matter; then `open` only has to distinguish none, one and more. */
  readonly maxCount: number;
  readonly maxShare: number;
  readonly open: OpenHolds;
  /** Whether the request joins one of the open holds: the one for its nonce. */
  readonly joins: boolean;
  readonly added: bigint;
  /** What the tank has for open holds and new ones. */
  readonly spendable: bigint;
};

const rule = 'operator-holds' as const;
/** Shares count in millionths. */
const millionths = 1_000_000;
const landOrWait = 'Land the signed operations, or wait until they expire.';

/** One of the operator's caps on what is open at a tank. A single operation may be worth any share of it. */
export function capOpenHolds({ of, maxCount, maxShare, open, joins, added, spendable }: CappedHold): Ruling {
  const names = capped[of];
  const count = joins ? open.count : open.count + 1;
  const isCounted = Number.isFinite(maxCount);
  const counted = isCounted ? ([count, maxCount] as const) : ([undefined, undefined] as const);
  const finding = [rule, of, open.amount + added, ...counted] as const;
  if (!joins && count > maxCount) return { rule, finding, refusal: refuseCount(names, maxCount) };
  const highest = (spendable * BigInt(Math.round(maxShare * millionths))) / BigInt(millionths);
  const limited: Ruling = { rule, finding: [...finding, highest] };
  const isOnly = count === 1;
  if (isOnly || added === 0n || open.amount + added <= highest) return limited;
  return { ...limited, refusal: refuseShare(names, maxShare) };
}

function refuseCount({ has, count }: Capped, max: number): Refusal {
  return {
    reason: 'LIMIT_EXCEEDED',
    limitKind: 'OPERATOR_CAP',
    message: `${has} ${max} signed operations that have neither landed nor expired. No more are signed until then.`,
    details: { limit: count, max: String(max), frees: landOrWait },
  };
}

/** Says nothing about what the tank contains: anyone can see this message. */
function refuseShare({ has, share, frees }: Capped, max: number): Refusal {
  return {
    reason: 'LIMIT_EXCEEDED',
    limitKind: 'OPERATOR_CAP',
    message:
      `${has} signed operations that have neither landed nor expired and use up their share of the gas tank.` +
      (frees === undefined ? '' : ` ${frees}`),
    details: { limit: share, max: String(max), frees: frees ?? landOrWait },
  };
}
