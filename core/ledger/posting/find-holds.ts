import type { Transaction } from 'kysely';
import { groupBy } from '../../base/values/group-by.ts';
import type { UserOperationLanded } from '../../node/chain-event.ts';
import type { Database } from '../../store/database.ts';
import { fixedStatement, type RowOf } from '../../store/statements/fixed-statement.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { fromWeiText } from '../../store/wei.ts';
import { operationKeyOf } from '../holds/hold-request.ts';
import { isLive } from '../holds/live-holds.ts';

/** A live hold of the operation's sender and nonce, and the paymaster it was made for. */
type OwnHold = {
  readonly holdId: number;
  readonly tankId: number;
  /** Wei. */
  readonly amount: bigint;
  readonly wallet: string;
  readonly paymasterId: string;
  readonly atRisk: boolean;
};

/** The hold of an operation that has landed, and whether its user was to be charged after the call. */
export type LandedHold = Pick<OwnHold, 'holdId' | 'tankId' | 'amount' | 'paymasterId'> & {
  readonly owesTokens: boolean;
};

/** Which of the live holds of a sender and nonce is that of an operation, and all of them, the newest first. */
export type FoundHolds = { readonly landed: LandedHold | undefined; readonly holds: readonly OwnHold[] };

const holdsAt = fixedStatement<{
  readonly operationKeys: readonly string[];
  readonly chainId: number;
  readonly contract: string;
}>()(({ db, value, isOneOf }) =>
  db
    .selectFrom('holds')
    .innerJoin('tanks', 'tanks.tank_id', 'holds.tank_id')
    .select(['operation_key', 'hold_id', 'holds.tank_id', 'amount', 'paymaster_id', 'at_risk', 'tanks.wallet'])
    .where(isOneOf('operation_key', 'operationKeys'))
    .where(isLive)
    .where('tanks.chain_id', '=', value('chainId'))
    .where('tanks.contract', '=', value('contract'))
    .orderBy('hold_id', 'desc'),
);

/** What was signed under live holds of these senders and nonces with one of these names. */
const signedUnder = fixedStatement<{ readonly operationKeys: readonly string[]; readonly names: readonly string[] }>()(
  ({ db, texts, isOneOf }) =>
    db
      .selectFrom('holds')
      .innerJoin('signatures', 'signatures.hold_id', 'holds.hold_id')
      .select(['signatures.hold_id', 'signatures.user_operation_hash', 'signatures.at_risk'])
      .where(isOneOf('operation_key', 'operationKeys'))
      .where(isLive)
      .where('signatures.user_operation_hash', 'in', texts('names')),
);

/** For each operation of one contract the live holds of its sender and nonce, and which of them is its own. */
export async function findHolds(
  transaction: Transaction<Database>,
  chainId: number,
  events: readonly UserOperationLanded[],
): Promise<readonly FoundHolds[]> {
  const [first] = events;
  if (first === undefined) return [];
  const operationKeys = [...new Set(events.map(operationKeyOf))];
  const [rows, signed] = await runTogether(
    transaction,
    holdsAt({ operationKeys, chainId, contract: first.contract }),
    signedUnder({ operationKeys, names: [...new Set(events.flatMap(namesOf))] }),
  );
  const byOperationKey = groupBy(rows, ({ operation_key }) => operation_key);
  const byHold = groupBy(signed, ({ hold_id }) => `${hold_id}`);
  return events.map((event) => findOwn(event, byOperationKey.get(operationKeyOf(event)) ?? [], byHold));
}

function namesOf({ userOperationHash, contentIds = [] }: UserOperationLanded): readonly string[] {
  return [userOperationHash, ...contentIds];
}

function findOwn(
  event: UserOperationLanded,
  rows: readonly RowOf<typeof holdsAt>[],
  signed: ReadonlyMap<string, readonly RowOf<typeof signedUnder>[]>,
): FoundHolds {
  const holds = rows.map((row) => ({
    holdId: row.hold_id,
    tankId: row.tank_id,
    amount: fromWeiText(row.amount),
    wallet: row.wallet,
    paymasterId: row.paymaster_id,
    atRisk: row.at_risk !== null,
  }));
  const { charge } = event;
  // The charge on the contract says who paid: a hold of any other wallet cannot be the operation's.
  const possible = charge === undefined ? holds : holds.filter(({ wallet }) => wallet === charge.wallet);
  const names = new Set(namesOf(event));
  const signatureOf = ({ holdId }: OwnHold) => {
    return signed.get(`${holdId}`)?.find(({ user_operation_hash: name }) => names.has(name));
  };
  // Nothing in a relayed operation says who pays: the tank of the paymaster that accepted it first does.
  const inOrder = event.relayed === true ? possible.toReversed() : possible;
  const own = inOrder.find((hold) => signatureOf(hold) !== undefined);
  const found = own ?? (event.relayed === true ? undefined : findOnlySigner(possible, event));
  if (found === undefined) return { landed: undefined, holds };
  const signature = signatureOf(found);
  const owesTokens = signature === undefined ? found.atRisk : signature.at_risk === 1;
  return { landed: { ...found, owesTokens }, holds };
}

/**
 * The newest hold that covers the cost, if only one tank can have signed: either the contract names the customer that it
 * charged, or the transaction does not show what the operation carries and only one tank holds for its nonce. A tank never
 * pays for what it did not sign: without such a hold the cost is posted to no tank, and the sponsor of the whole deposit
 * bears it.
 */
function findOnlySigner<H extends OwnHold>(
  possible: readonly H[],
  { contentIds, charge, actualGasCost }: UserOperationLanded,
): H | undefined {
  if (charge === undefined && contentIds !== undefined) return undefined;
  if (new Set(possible.map(({ tankId }) => tankId)).size > 1) return undefined;
  const cost = charge?.amount ?? actualGasCost;
  return possible.find(({ amount }) => amount >= cost) ?? possible[0];
}
