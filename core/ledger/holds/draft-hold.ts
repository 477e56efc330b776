import { fixedStatement, type RowOf, type Statement } from '../../store/statements/fixed-statement.ts';
import { fromWeiSum, sumWei } from '../../store/wei.ts';
import type { WithLegs } from '../accounts/legs.ts';
import { freshValues, type JoinedValues } from './hold-fields.ts';
import { type HoldRequest, holdIdentity, policyOf, slotOf } from './hold-request.ts';

/** A hold that is being made; `holdId` is set once it is in the store. */
export type DraftHold = JoinedValues &
  Pick<WithLegs, 'isLive' | 'isGivenBack'> & {
    holdId: number | undefined;
    readonly tankId: number;
    readonly chainId: number;
    readonly contract: string;
    readonly paymasterId: string;
    readonly policyId: string;
    readonly sender: string;
    readonly createdAt: number;
    readonly request: HoldRequest;
    /** The paymaster's key that requested it first: what is added to it counts for that key. */
    readonly keyNumber: number;
    /** An operation in this batch creates its account, with known code. */
    deploys: boolean;
    changed: boolean;
  };

/** A hold as it is stored, without what only its request says. */
type KnownHold = { readonly holdId: number; readonly createdAt: number; readonly keyNumber: number };

/** The draft of a hold with these values; one that is not stored yet is of the request's key and, in Unix seconds, of `now`. */
export function draftOf(
  request: HoldRequest,
  tankId: number,
  { now, known, values }: { readonly now: number; readonly known?: KnownHold; readonly values: JoinedValues },
): DraftHold {
  const { tank, sender, paymasterId, policyId = '', key } = request;
  return Object.assign(values, {
    holdId: known?.holdId,
    tankId,
    chainId: tank.chainId,
    contract: tank.contract,
    paymasterId,
    policyId,
    sender,
    request,
    createdAt: known?.createdAt ?? now,
    keyNumber: known?.keyNumber ?? key?.keyNumber ?? 0,
    isLive: true,
    isGivenBack: false,
    deploys: false,
    changed: known === undefined,
  });
}

/** The hold of a request that joins none, with nothing in it yet. `now` in Unix seconds. */
export function freshHold(request: HoldRequest, tankId: number, now: number): DraftHold {
  const values = freshValues();
  values.client = request.client;
  values.validUntil = request.validUntil;
  return draftOf(request, tankId, { now, values });
}

/** The live hold that a request would join. */
export function identityOf(tankId: number, request: HoldRequest): string {
  return holdIdentity(tankId, policyOf(request), slotOf(request));
}

/** How long an unpaid operation counts, in seconds. */
const countedSeconds = 86_400;

/**
 * What operations have cost in the last 24 hours without being paid for, in wei: of a paymaster, and of one of its senders, no
 * matter who requested them.
 */
export type Unpaid = (request: Pick<HoldRequest, 'paymasterId' | 'sender'>) => {
  readonly ofPaymaster: bigint;
  readonly ofSender: bigint;
};

/** A statement that reads that for the requests of a batch which may end unpaid. `now` in Unix seconds. */
export function unpaidBefore(requests: readonly HoldRequest[], now: number): Statement<RowOf<typeof unpaidSince>> {
  const risky = requests.filter(({ unpaidBudget }) => unpaidBudget !== undefined);
  const paymasters = [...new Set(risky.map(({ paymasterId }) => paymasterId))];
  return unpaidSince(paymasters.length === 0 ? undefined : { paymasters, since: now - countedSeconds });
}

const unpaidSince = fixedStatement<{ readonly paymasters: readonly string[]; readonly since: number }>()(
  ({ db, value, texts }) =>
    db
      .selectFrom('holds')
      .select(['paymaster_id', 'sender', sumWei('unpaid').as('sum')])
      .where('paymaster_id', 'in', texts('paymasters'))
      .where('unpaid', 'is not', null)
      .where('unpaid_at', '>', value('since'))
      .groupBy(['paymaster_id', 'sender']),
);

/** The rows of {@link unpaidBefore}. */
export function toUnpaid(rows: readonly RowOf<typeof unpaidSince>[]): Unpaid {
  return ({ paymasterId, sender }) => {
    const own = rows.filter(({ paymaster_id }) => paymaster_id === paymasterId);
    const add = (sum: bigint, row: RowOf<typeof unpaidSince>) => sum + fromWeiSum(row.sum);
    return {
      ofPaymaster: own.reduce(add, 0n),
      ofSender: own.filter((row) => row.sender === sender).reduce(add, 0n),
    };
  };
}
