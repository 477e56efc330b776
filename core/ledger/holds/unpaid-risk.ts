import { sql, type Transaction } from 'kysely';
import type { Database } from '../../store/database.ts';
import { fromWeiSum, sumWei } from '../../store/wei/sum-wei.ts';
import type { HoldRequest } from './hold-request.ts';

/** How long an unpaid operation counts, in seconds. */
const countedSeconds = 86_400;

/**
 * What operations in token mode that are charged after the call can cost without being paid for, and have cost so in
 * the last 24 hours, in wei: by {@link riskIdentities}.
 */
export type UnpaidRisks = Map<string, bigint>;

/** Whose operation may end unpaid, and who asks for it. */
export type RiskSubject = {
  readonly paymasterId: string;
  readonly sender: string;
  readonly client?: string | undefined;
};

/**
 * Whose risk: a paymaster's, that of one of its senders as far as a client asks for it, and what the client has open.
 */
export function riskIdentities({ paymasterId, sender, client }: RiskSubject): {
  readonly paymaster: string;
  readonly sender: string;
  readonly client?: string;
} {
  const ofClient = client === undefined ? {} : { client: `${paymasterId}:client:${client}` };
  return { paymaster: paymasterId, sender: `${paymasterId}:${sender}:${client ?? ''}`, ...ofClient };
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
    const { paymaster, sender, client } = riskIdentities(request);
    const { paymasterId } = request;
    const ofSender = { paymasterId, sender: request.sender };
    const ofClient = { client: request.client ?? null };
    const read = async (identity: string, sum: () => Promise<bigint>) => {
      if (!risks.has(identity)) risks.set(identity, await sum());
    };
    const day = now - countedSeconds;
    await read(paymaster, async () => {
      const open = await sumOpen(transaction, { paymasterId });
      return open + (await sumUnpaid(transaction, { paymasterId }, day));
    });
    await read(sender, async () => {
      const open = await sumOpen(transaction, { ...ofSender, ...ofClient });
      return open + (await sumUnpaid(transaction, ofSender, day));
    });
    if (client !== undefined) await read(client, () => sumOpen(transaction, { paymasterId, ...ofClient }));
  }
  return risks;
}

type Subject = { readonly paymasterId: string; readonly sender?: string };

/** What live holds can cost; with `client`, those that count for it, or for no one where it is null. */
async function sumOpen(
  transaction: Transaction<Database>,
  { paymasterId, sender, client }: Subject & { readonly client?: string | null },
): Promise<bigint> {
  let query = transaction
    .selectFrom('holds')
    .select(sumWei('at_risk').as('sum'))
    .where('paymaster_id', '=', paymasterId)
    .where('at_risk', 'is not', null)
    .where('state', '=', sql.lit('live'));
  if (sender !== undefined) query = query.where('sender', '=', sender);
  if (client !== undefined)
    query = client === null ? query.where('client', 'is', null) : query.where('client', '=', client);
  return fromWeiSum((await query.executeTakeFirstOrThrow()).sum);
}

/** What operations have cost without being paid for since then, no matter who asked for them. */
async function sumUnpaid(
  transaction: Transaction<Database>,
  { paymasterId, sender }: Subject,
  since: number,
): Promise<bigint> {
  let query = transaction
    .selectFrom('holds')
    .select(sumWei('unpaid').as('sum'))
    .where('paymaster_id', '=', paymasterId)
    .where('unpaid', 'is not', null)
    .where('unpaid_at', '>', since);
  if (sender !== undefined) query = query.where('sender', '=', sender);
  return fromWeiSum((await query.executeTakeFirstOrThrow()).sum);
}
