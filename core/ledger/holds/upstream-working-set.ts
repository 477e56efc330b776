import type { Transaction } from 'kysely';
import { windowStart } from '../../policies/limit-window.ts';
import type { Database } from '../../store/database.ts';
import { fixedStatement, type RowOf, type Statement } from '../../store/statements/fixed-statement.ts';
import { insertRows } from '../../store/statements/row-statements.ts';
import type { DraftHold } from './draft-hold.ts';
import type { HoldRequest, UpstreamReservation } from './hold-request.ts';

/** The key of the sums that include every reservation of the chain. */
export const ofChain = '';
export const ofClient = (client: string) => `client:${client}`;

/** What is stored for a hold that a second paymaster was asked about. Amounts in millionths of a USD. */
type UpstreamHold = {
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

/** What a batch uses to decide about a second paymaster, including what it has decided. */
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

/** Statements that read what a batch is decided with; none when no request of it goes to a second paymaster. */
export function upstreamReads(
  requests: readonly HoldRequest[],
  { holds, now }: { readonly holds: ReadonlyMap<string, DraftHold>; readonly now: number },
) {
  const asking = requests.filter(({ upstream }) => upstream !== undefined);
  const clients = asking.flatMap(({ client }) => (client === undefined ? [] : [ofClient(client)]));
  const asked = {
    chainIds: [...new Set(asking.map(({ tank }) => tank.chainId))],
    whose: [ofChain, ...new Set(clients)],
    since: windowStart('month', now),
    holdIds: [...holds.values()].flatMap(({ holdId }) => holdId ?? []),
  };
  return [sumsOf(asking.length === 0 ? undefined : asked), holdsOf(asking.length === 0 ? [] : asked.holdIds)] as const;
}

type AskedSums = {
  readonly chainIds: readonly number[];
  readonly whose: readonly string[];
  readonly since: number;
};

const sumsOf = fixedStatement<AskedSums>()(({ db, value, texts, numbers }) =>
  db
    .selectFrom('upstream_sums')
    .select(['chain_id', 'whose', 'day', 'usd_micros'])
    .where('chain_id', 'in', numbers('chainIds'))
    .where('whose', 'in', texts('whose'))
    .where('day', '>=', value('since')),
);

const holdsOf = fixedStatement<readonly number[]>()(({ db, numbers }) =>
  db.selectFrom('upstream_holds').selectAll().where('hold_id', 'in', numbers()),
);

export function toUpstreamWorkingSet(
  sums: readonly RowOf<typeof sumsOf>[],
  holds: readonly RowOf<typeof holdsOf>[],
  now: number,
): UpstreamWorkingSet {
  return {
    sums: new Map(
      sums.map(({ chain_id: chainId, whose, day, usd_micros }) => [
        sumIdentity({ chainId, whose, day }),
        BigInt(usd_micros),
      ]),
    ),
    holds: new Map(
      holds.map((row) => [
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

const keepHolds = insertRows(
  'upstream_holds',
  {
    ...{ hold_id: 'number', chain_id: 'number', paymaster_id: 'text', reserved: 'number', answered: 'number' },
    ...{ asked_until: 'number', request_key: 'text', answer: 'text', valid_until: 'number' },
  },
  {
    onConflict: `(hold_id) DO UPDATE SET
      reserved = upstream_holds.reserved + excluded.reserved, asked_until = excluded.asked_until`,
  },
);
const addSums = insertRows(
  'upstream_sums',
  { chain_id: 'number', whose: 'text', day: 'number', operations: 'number', usd_micros: 'number' },
  { onConflict: '(chain_id, whose, day) DO UPDATE SET usd_micros = upstream_sums.usd_micros + excluded.usd_micros' },
);

/** Statements that write the questions of a batch, once its holds have their ids. */
export function upstreamWrites({ asked }: UpstreamWorkingSet): readonly [Statement<unknown>, Statement<unknown>] {
  const holds: Parameters<typeof keepHolds>[0][number][] = [];
  const sums = new Map<string, SumKey & { usdMicros: number }>();
  for (const { request, hold, reservation } of asked) {
    const { upstream, tank, paymasterId, client, validUntil } = request;
    if (hold.holdId === undefined || upstream === undefined || reservation.answer !== undefined) continue;
    const added = Number(reservation.added);
    holds.push({
      ...{ hold_id: hold.holdId, chain_id: tank.chainId, paymaster_id: paymasterId },
      ...{ reserved: added, answered: 0, asked_until: upstream.askedUntil, request_key: null, answer: null },
      valid_until: validUntil,
    });
    for (const whose of [ofChain, paymasterId, ...(client === undefined ? [] : [ofClient(client)])]) {
      const key = { chainId: tank.chainId, whose, day: reservation.day };
      const before = sums.get(sumIdentity(key))?.usdMicros ?? 0;
      sums.set(sumIdentity(key), { ...key, usdMicros: before + added });
    }
  }
  const sumRows = [...sums.values()].map(({ chainId, whose, day, usdMicros }) => {
    return { chain_id: chainId, whose, day, operations: 0, usd_micros: usdMicros };
  });
  return [keepHolds(holds), addSums(sumRows)];
}

/** Adds to sums of a day, or subtracts where the numbers are below 0. */
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
