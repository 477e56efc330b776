import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { fromWeiSum, sumWei } from '../../store/sum-wei.ts';
import type { HoldRequest } from './hold-request.ts';

/** How long an unpaid operation counts, in seconds. */
const countedSeconds = 86_400;

/**
 * What operations in token mode that are charged after the call can cost without being paid for, and have cost so in the
 * last 24 hours, in wei: by paymaster, and by paymaster and sender.
 */
export type UnpaidRisks = Map<string, bigint>;

/** Whose risk: a paymaster's, or that of one of its senders. */
export function riskIdentity({ paymasterId }: Pick<HoldRequest, 'paymasterId'>, sender = ''): string {
  return `${paymasterId}:${sender}`;
}

/** Reads what counts for those requests of a batch that may end unpaid. `now` in Unix seconds. */
export async function readUnpaidRisks(
  transaction: Transaction<Database>,
  requests: readonly HoldRequest[],
  now: number,
): Promise<UnpaidRisks> {
  const risks: UnpaidRisks = new Map();
  for (const request of requests) {
    if (request.unpaidBudget === undefined) continue;
    for (const sender of [undefined, request.sender]) {
      const identity = riskIdentity(request, sender);
      if (!risks.has(identity)) risks.set(identity, await sumRisk(transaction, { ...request, sender, now }));
    }
  }
  return risks;
}

async function sumRisk(
  transaction: Transaction<Database>,
  asked: { readonly paymasterId: string; readonly sender: string | undefined; readonly now: number },
): Promise<bigint> {
  const sum = async (column: 'at_risk' | 'unpaid', counted: RawBuilder<boolean>): Promise<bigint> => {
    let query = transaction
      .selectFrom('holds')
      .select(sumWei(column).as('sum'))
      .where('paymaster_id', '=', asked.paymasterId)
      .where(column, 'is not', null)
      .where(counted);
    if (asked.sender !== undefined) query = query.where('sender', '=', asked.sender);
    return fromWeiSum((await query.executeTakeFirstOrThrow()).sum);
  };
  const open = await sum('at_risk', sql<boolean>`state = ${sql.lit('live')}`);
  return open + (await sum('unpaid', sql<boolean>`unpaid_at > ${asked.now - countedSeconds}`));
}
