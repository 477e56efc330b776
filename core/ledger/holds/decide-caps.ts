import type { Refusal } from '../../domain/result/refusal.ts';
import { endOfTime } from '../../evm/entry-point/entry-point-abi.ts';
import type { Ruling } from '../../policies/rules/ruling.ts';
import { clientAccount, lastingLongAccount, senderAccount } from '../accounts/open-accounts.ts';
import type { DraftHold } from './draft-hold.ts';
import type { HoldRequest } from './hold-request.ts';
import type { HoldWorkingSet } from './hold-working-set.ts';
import { shareOf } from './share-of.ts';

/** The tank a request is for. Amounts in wei. */
type Tank = { readonly tankId: number; readonly held: bigint };
type Asked = Pick<CappedHold, 'added' | 'spendable'> & { readonly counted: CountedForClient };

/**
 * If the request is sent again, the operation signed meanwhile is found, and the bundler of this one is not paid for an
 * authorization.
 */
const authorizedTwice: Ruling = {
  rule: 'operator-holds',
  finding: ['authorized-twice'],
  refusal: {
    reason: 'RATE_LIMITED',
    message: 'Another operation of this sender was signed at the same time. Request this one again.',
  },
};

/**
 * Whether another operation, signed before or decided earlier in the batch, gives the sender its code, no matter who
 * requested it.
 */
function isAuthorizedTwice({ authorizedBefore, holds }: HoldWorkingSet, request: HoldRequest): boolean {
  if (authorizedBefore.has(request)) return true;
  const { sender, nonce, tank } = request;
  for (const { deploys, request: other } of holds.values()) {
    const isOfSender = other.sender === sender && other.tank.chainId === tank.chainId;
    if (deploys && isOfSender && other.nonce !== nonce) return true;
  }
  return false;
}

/** The operator's caps on what is open at the tank, if the request has any. The first that refuses decides. */
export function decideCaps(
  workingSet: HoldWorkingSet,
  request: HoldRequest,
  tank: Tank,
  live: DraftHold | undefined,
  { added, spendable, counted }: Asked,
): readonly Ruling[] {
  const { validUntil, paysAuthorization } = request;
  if (request.caps === undefined) return [];
  const { client, most: caps } = request.caps;
  const isRelayed = request.landing?.relayed !== undefined;
  const { tankId } = tank;
  const ofSender = workingSet.accounts.of(senderAccount(tankId, { sender: request.sender, client }));
  const hold = { spendable, added: counted.amount, joins: counted.joins };
  if (paysAuthorization) {
    const isNextOfClient = !counted.joins && ofSender.count > 0;
    if (isNextOfClient || isAuthorizedTwice(workingSet, request)) return [authorizedTwice];
  }
  const { maxOpenHoldsPerSender: maxCount, maxShareOfTankPerSender: maxShare } = caps;
  const rulings = [capOpenHolds({ of: 'sender', maxCount, maxShare, open: ofSender, ...hold })];
  if (client !== undefined) {
    const { maxOpenHoldsPerClient: maxCount, maxShareOfTankPerClient: maxShare } = caps;
    rulings.push(
      capOpenHolds({
        of: 'client',
        maxCount,
        maxShare,
        open: workingSet.accounts.of(clientAccount(tankId, client)),
        ...hold,
      }),
    );
  }
  if (validUntil === endOfTime || isRelayed) {
    // All holds of such a contract, or of a relay, are alike; of their number it only matters whether there are any.
    const open = { count: tank.held === (live?.amount ?? 0n) ? 0 : 2, amount: tank.held };
    const maxShare = caps.maxShareOfTankWithoutExpiry;
    const of = isRelayed ? 'relayed' : 'withoutExpiry';
    rulings.push(capOpenHolds({ spendable, added, joins: false, of, maxCount: Infinity, maxShare, open }));
  }
  const lasting = lastingLong(request, live, added);
  if (lasting !== undefined) {
    // A single one does not get it all either: it would occupy the tank for a day.
    const open = { count: 2, amount: workingSet.accounts.of(lastingLongAccount(tankId)).amount };
    const maxShare = caps.maxShareOfTankLastingLong;
    const asked = { spendable, added: lasting, joins: false, maxCount: Infinity };
    rulings.push(capOpenHolds({ ...asked, of: 'lastingLong', maxShare, open }));
  }
  return rulings;
}

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
  relayed: {
    has: 'The gas tank has relayed',
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
type CappedHold = {
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
const landOrWait = 'Land the signed operations, or wait until they expire.';

/** One of the operator's caps on what is open at a tank. A single operation may be worth any share of it. */
function capOpenHolds({ of, maxCount, maxShare, open, joins, added, spendable }: CappedHold): Ruling {
  const names = capped[of];
  const count = joins ? open.count : open.count + 1;
  const isCounted = Number.isFinite(maxCount);
  const counted = isCounted ? ([count, maxCount] as const) : ([undefined, undefined] as const);
  const finding = [rule, of, open.amount + added, ...counted] as const;
  if (!joins && count > maxCount) return { rule, finding, refusal: refuseCount(names, maxCount) };
  const highest = shareOf(spendable, maxShare);
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

/** What a request adds, in wei: to what is held, and to the part of it that may end unpaid. */
type AddedWei = { readonly amount: bigint; readonly atRisk: bigint };

/** What a request adds to its own client's open holds. */
export type CountedForClient = AddedWei & {
  /** It adds no hold to these: the live one counts for the client already, or still counts for another. */
  readonly joins: boolean;
  /** It raises a live hold of another client; from then on the whole hold counts for this one. */
  readonly takesOver: boolean;
  /** How much of the live hold's {@link DraftHold.atRisk} counted for its client before, in wei. */
  readonly atRiskBefore: bigint;
};

/**
 * A hold counts for the client that requested most of it. A signature can be requested without a key of the account, so what
 * a stranger requests for it, and how much a stranger raises its holds, counts for the stranger.
 */
export function countForClient(
  { caps }: Pick<HoldRequest, 'caps'>,
  live: Pick<DraftHold, 'client' | 'amount' | 'atRisk'> | undefined,
  added: AddedWei,
): CountedForClient {
  const fresh = { joins: false, takesOver: false, atRiskBefore: 0n, ...added };
  if (live === undefined) return fresh;
  const atRisk = live.atRisk ?? 0n;
  if (live.client === caps?.client) return { ...fresh, joins: true, atRiskBefore: atRisk };
  if (added.amount === 0n && added.atRisk === 0n) return { ...fresh, joins: true };
  return { ...fresh, amount: live.amount + added.amount, atRisk: atRisk + added.atRisk, takesOver: true };
}

/**
 * What a request adds to the holds of its tank that last long, in wei. Undefined where neither it nor the hold that it joins does;
 * the whole of a hold that lasts long from now on.
 */
function lastingLong(
  { lastsLong }: Pick<HoldRequest, 'lastsLong'>,
  live: Pick<DraftHold, 'amount' | 'lastsLong'> | undefined,
  added: bigint,
): bigint | undefined {
  if (live?.lastsLong === true) return added;
  return lastsLong ? added + (live?.amount ?? 0n) : undefined;
}
