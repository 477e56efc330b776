import { type SqlBool, sql } from 'kysely';
import { newColumnNames, readNew } from '../../store/hold-fields.ts';
import { fixedStatement, type RowOf } from '../../store/statements/fixed-statement.ts';
import { fromWeiText } from '../../store/wei.ts';
import { type DraftHold, draftOf, identityOf } from './draft-hold.ts';
import {
  answerKey,
  type HoldRequest,
  holdIdentity,
  type TankKey,
  type TokenPayment,
  tankIdentity,
} from './hold-request.ts';

/** What was granted for a request: the hold, until when (Unix seconds), and the terms as text. */
export type KnownTerms = {
  readonly hold: DraftHold;
  readonly validUntil: number;
  readonly terms: string;
  readonly fresh: boolean;
  /** For one to write: what its user pays with. */
  readonly tokens?: Pick<TokenPayment, 'token' | 'most'> | undefined;
};

/** Terms, or an answer, that end within this many seconds are of no use to a client that asks again. */
export const minRest = 10;

/** The condition of the index on operation keys, which contains live holds only. No other index has it. */
export const isLive = sql<SqlBool>`holds.state <> 'settled' AND holds.state <> 'released'`;

/** The live holds that requests of these senders and nonces may join. */
export const liveHoldsOf = fixedStatement<{ readonly operationKeys: readonly string[] }>()(({ db, isOneOf }) =>
  db
    .selectFrom('holds')
    .select('hold_id')
    .select(newColumnNames)
    .where(isLive)
    .where(isOneOf('operation_key', 'operationKeys')),
);

/** What was signed for these requests under these holds. Terms are kept as long as their hold is live. */
const termsOf = fixedStatement<{ readonly holdIds: readonly number[]; readonly requestKeys: readonly string[] }>()(
  ({ db, numbers, texts }) =>
    db
      .selectFrom('signed_terms')
      .select(['hold_id', 'request_key', 'valid_until', 'terms'])
      .where('hold_id', 'in', numbers('holdIds'))
      .where('request_key', 'in', texts('requestKeys')),
);

/** What was granted under holds that requests may join. Most batches join none. */
export function termsUnder(
  holds: readonly { readonly hold_id: number }[],
  requests: readonly HoldRequest[],
): ReturnType<typeof termsOf> {
  const holdIds = holds.map(({ hold_id }) => hold_id);
  const keys = requests.map(({ requestKey, vendor }) => (vendor === undefined ? requestKey : answerKey(requestKey)));
  const requestKeys = [...new Set(keys)];
  return termsOf(holdIds.length === 0 ? undefined : { holdIds, requestKeys });
}

export function toKnownTerms(
  rows: readonly RowOf<typeof termsOf>[],
  holds: ReadonlyMap<string, DraftHold>,
): Map<string, KnownTerms> {
  const knownTerms = new Map<string, KnownTerms>();
  const byHold = new Map([...holds.values()].map((hold) => [hold.holdId, hold]));
  for (const { request_key, hold_id, valid_until, terms } of rows) {
    const hold = byHold.get(hold_id);
    if (hold !== undefined) knownTerms.set(request_key, { hold, validUntil: valid_until, terms, fresh: false });
  }
  return knownTerms;
}

/** Those that a request of the batch would join. */
export function toLiveHolds(
  rows: readonly RowOf<typeof liveHoldsOf>[],
  { tanks, requests }: { readonly tanks: Tanks; readonly requests: readonly HoldRequest[] },
): Map<string, DraftHold> {
  const byIdentity = new Map<string, HoldRequest>();
  for (const request of requests) {
    const tank = tanks.get(tankIdentity(request.tank));
    if (tank !== undefined) byIdentity.set(identityOf(tank.tankId, request), request);
  }
  const holds = new Map<string, DraftHold>();
  for (const row of rows) {
    const identity = holdIdentity(
      row.tank_id,
      { paymasterId: row.paymaster_id, policyId: row.policy_id },
      row.operation_key,
    );
    const request = byIdentity.get(identity);
    if (request !== undefined)
      holds.set(identity, draftOf(readNew(row), request, { holdId: row.hold_id, isNew: false }));
  }
  return holds;
}

/** Tanks of a batch, by their identities, without what they hold. Amounts in wei. */
export type Tanks = ReadonlyMap<string, { readonly tankId: number; readonly funded: bigint; readonly settled: bigint }>;

/** The tanks of a batch. */
export const tanksOf = fixedStatement<readonly TankKey[]>()(({ db, rows }) =>
  db
    .selectFrom('tanks')
    .innerJoin(
      rows<{ chain_id: number; contract: string; wallet: string }>(
        { chain_id: 'number', contract: 'text', wallet: 'text' },
        (tanks) => tanks.map(({ chainId, contract, wallet }) => [chainId, contract, wallet]),
      ).as('asked'),
      (join) =>
        join
          .onRef('asked.chain_id', '=', 'tanks.chain_id')
          .onRef('asked.contract', '=', 'tanks.contract')
          .onRef('asked.wallet', '=', 'tanks.wallet'),
    )
    .select(['tank_id', 'tanks.chain_id', 'tanks.contract', 'tanks.wallet', 'funded', 'settled']),
);

export function toTanks(rows: readonly RowOf<typeof tanksOf>[]): Tanks {
  return new Map(
    rows.map((row) => [
      tankIdentity({ chainId: row.chain_id, contract: row.contract, wallet: row.wallet }),
      {
        tankId: row.tank_id,
        funded: fromWeiText(row.funded),
        settled: fromWeiText(row.settled),
      },
    ]),
  );
}

/** How often paymasters have been changed. */
export const changesOf = fixedStatement<readonly string[]>()(({ db, texts }) =>
  db.selectFrom('paymasters').select(['paymaster_id', 'changes']).where('paymaster_id', 'in', texts()),
);
