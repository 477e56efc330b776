import type { Transaction } from 'kysely';
import { windowStart } from '../../policies/schedule/limit-window.ts';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import type { DraftHold } from './draft-hold.ts';
import type { HoldRequest } from './hold-request.ts';
import type { UpstreamReservation } from './upstream-ask.ts';

/** Whose sums a reservation is part of. */
export const ofChain = '';
export const ofClient = (client: string) => `client:${client}`;

/** What is kept of a hold that a second paymaster was asked about. Amounts in millionths of a USD. */
export type UpstreamHold = {
  readonly reserved: bigint;
  readonly askedUntil: number;
  readonly requestKey: string | undefined;
  readonly answer: string | undefined;
  readonly validUntil: number;
};

/** One question, as it was decided. */
export type AskedUpstream = {
  readonly request: HoldRequest;
  readonly hold: DraftHold;
  readonly reservation: UpstreamReservation;
};

/** What a batch decides on about a second paymaster, with what it has decided. */
export type UpstreamWorkingSet = {
  /** Millionths of a USD by chain, whose and day (`sumIdentity`). */
  readonly sums: Map<string, bigint>;
  /** By hold. */
  readonly holds: ReadonlyMap<number, UpstreamHold>;
  readonly asked: AskedUpstream[];
  /** Unix seconds. */
  readonly now: number;
};

type SumKey = { readonly chainId: number; readonly whose: string; readonly day: number };

export function sumIdentity({ chainId, whose, day }: SumKey): string {
  return `${chainId} ${day} ${whose}`;
}

/** Reads nothing while no request of the batch goes to a second paymaster. */
export async function readUpstreamWorkingSet(
  transaction: Transaction<Database>,
  requests: readonly HoldRequest[],
  { holds, now }: { readonly holds: ReadonlyMap<string, DraftHold>; readonly now: number },
): Promise<UpstreamWorkingSet> {
  const asking = requests.filter(({ upstream }) => upstream !== undefined);
  if (asking.length === 0) return { sums: new Map(), holds: new Map(), asked: [], now };
  const dialect = dialectOf(transaction);
  const clients = asking.flatMap(({ client }) => (client === undefined ? [] : [ofClient(client)]));
  const rows = await transaction
    .selectFrom('upstream_sums')
    .select(['chain_id', 'whose', 'day', 'usd_micros'])
    .where('chain_id', 'in', dialect.numbers([...new Set(asking.map(({ tank }) => tank.chainId))]))
    .where('whose', 'in', dialect.texts([ofChain, ...new Set(clients)]))
    .where('day', '>=', windowStart('month', now))
    .execute();
  const kept = await transaction
    .selectFrom('upstream_holds')
    .selectAll()
    .where('hold_id', 'in', dialect.numbers([...holds.values()].flatMap(({ holdId }) => holdId ?? [])))
    .execute();
  return {
    sums: new Map(
      rows.map(({ chain_id: chainId, whose, day, usd_micros }) => [
        sumIdentity({ chainId, whose, day }),
        BigInt(usd_micros),
      ]),
    ),
    holds: new Map(
      kept.map((row) => [
        row.hold_id,
        {
          reserved: BigInt(row.reserved),
          askedUntil: row.asked_until,
          requestKey: row.request_key ?? undefined,
          answer: row.answer ?? undefined,
          validUntil: row.valid_until,
        },
      ]),
    ),
    asked: [],
    now,
  };
}

/** Writes the questions of a batch, once its holds have their ids. */
export async function writeUpstream(transaction: Transaction<Database>, { asked }: UpstreamWorkingSet): Promise<void> {
  for (const { request, hold, reservation } of asked) {
    const { upstream, tank, paymasterId, client, validUntil } = request;
    if (hold.holdId === undefined || upstream === undefined || reservation.answer !== undefined) continue;
    const added = Number(reservation.added);
    await transaction
      .insertInto('upstream_holds')
      .values({
        ...{ hold_id: hold.holdId, chain_id: tank.chainId, paymaster_id: paymasterId },
        ...{ reserved: added, answered: 0, asked_until: upstream.askedUntil, request_key: null, answer: null },
        valid_until: validUntil,
      })
      .onConflict((conflict) =>
        conflict.column('hold_id').doUpdateSet(({ eb, ref }) => ({
          reserved: eb('upstream_holds.reserved', '+', ref('excluded.reserved')),
          asked_until: ref('excluded.asked_until'),
        })),
      )
      .execute();
    const sum = { chainId: tank.chainId, day: reservation.day, usdMicros: added, operations: 0 };
    const whose = [ofChain, paymasterId, ...(client === undefined ? [] : [ofClient(client)])];
    await addToUpstreamSums(transaction, whose, sum);
  }
}

/** Adds to sums of a day, or takes off where the numbers are below 0. */
export async function addToUpstreamSums(
  transaction: Transaction<Database>,
  whose: readonly string[],
  sum: { readonly chainId: number; readonly day: number; readonly usdMicros: number; readonly operations: number },
): Promise<void> {
  for (const one of whose) {
    const key = { chain_id: sum.chainId, whose: one, day: sum.day };
    await transaction
      .insertInto('upstream_sums')
      .values({ ...key, operations: 0, usd_micros: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await transaction
      .updateTable('upstream_sums')
      .set(({ eb }) => ({
        operations: eb('operations', '+', sum.operations),
        usd_micros: eb('usd_micros', '+', sum.usdMicros),
      }))
      .where('chain_id', '=', sum.chainId)
      .where('whose', '=', one)
      .where('day', '=', sum.day)
      .execute();
  }
}
