import { cursorForm, defaultPageSize, maxPageSize } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { sql } from 'kysely';
import type { Clock } from '../base/time/clock.ts';
import { parseAddress } from '../base/values/parse-address.ts';
import type { Owned } from '../domain/access/actor.ts';
import type { Core } from '../domain/core.ts';
import type { DecisionFilter } from '../domain/decision.ts';
import { accept, invalidField, refuse } from '../domain/result/result.ts';
import type { SentRecorder } from '../ledger/operation-status/note-sent.ts';
import type { SignatureRecorder } from '../ledger/operation-status/record-signatures.ts';
import type { FollowedChain } from '../node/followed-chain.ts';
import { dialectOf } from '../store/dialect-of.ts';
import { ownPaymasterId, ownsPaymaster, paymasterNotFound } from '../store/own-paymaster.ts';
import type { Store } from '../store/store.ts';
import { countRecent } from './count-decisions.ts';
import { decodeRequest } from './decision-record.ts';
import { createReadOperation, type ReadRevertReason } from './read-operation.ts';
import { createReadOverview } from './read-overview.ts';
import { createReadUsage } from './read-usage.ts';
import type { DecisionRecorder } from './record-decisions.ts';
import {
  readSettledDecisions,
  type StoredDecision,
  selectAnyDecisions,
  selectDecisions,
  statusOfDecision,
} from './stored-decision.ts';

export type DecisionReading = Pick<Core, 'listDecisions' | 'getDecision' | 'getOperation' | 'getUsage' | 'getOverview'>;

/** One refusal for another paymaster's decision, a pruned one and one that never existed. */
const decisionNotFound = refuse({ reason: 'DECISION_NOT_FOUND', message: 'Decision not found' });

/** Pending writes of `recorder` are written before reading, so that a decision is visible as soon as it was answered. */
export function manageDecisions(parts: {
  readonly store: Store;
  readonly clock: Clock;
  /** Whose tanks the overview shows. */
  readonly chains?: ReadonlyMap<number, FollowedChain>;
  readonly recorder?: Pick<DecisionRecorder, 'flush'>;
  readonly signatures?: Pick<SignatureRecorder, 'flush'>;
  readonly sent?: Pick<SentRecorder, 'flush'>;
  readonly readRevertReason?: ReadRevertReason;
}): DecisionReading {
  const { store, clock, chains = new Map(), recorder, signatures, sent } = parts;
  const { readRevertReason = async () => undefined } = parts;
  const flush = () => Promise.all([recorder?.flush(), signatures?.flush(), sent?.flush()]);
  const listDecisions = createListDecisions(store);
  const getOperation = createReadOperation(store, readRevertReason);
  const getUsage = createReadUsage(parts);
  const getOverview = createReadOverview({ store, clock, chains });
  return {
    async listDecisions(input) {
      await flush();
      return listDecisions(input);
    },
    async getDecision({ decisionId, ...owned }) {
      await flush();
      const row = await selectDecisions(store.db, owned)
        .where('decisions.decision_id', '=', decisionId)
        .executeTakeFirst();
      const [decision] = await readSettledDecisions(store, row === undefined ? [] : [row]);
      if (row === undefined || decision === undefined) return decisionNotFound;
      return accept({ ...decision, ...omitAbsent({ requestJson: decodeRequest(row, decisionId) }) });
    },
    async getOperation(input) {
      await flush();
      return getOperation(input);
    },
    async getUsage(input) {
      await recorder?.flush();
      await countRecent(store);
      return getUsage(input);
    },
    async getOverview(input) {
      await flush();
      await countRecent(store);
      return getOverview(input);
    },
  };
}

/** Most decisions that one call scans for matches; the next call continues after them. */
export const maxScanned = 10_000;

/**
 * A page of decisions, newest first. With a selective filter a page may have fewer than requested, even none, and still have
 * a next one.
 */
function createListDecisions(store: Store): Core['listDecisions'] {
  return async ({ filter, cursor, limit = defaultPageSize, ...owned }) => {
    if (cursor !== undefined && !cursorForm.test(cursor)) {
      return invalidField('cursor', 'must be the nextCursor of an earlier answer');
    }
    const sender = filter.sender === undefined ? undefined : parseAddress(filter.sender);
    if (filter.sender !== undefined && sender === undefined) return invalidField('sender', 'must be a valid address');
    if (!(await ownsPaymaster(store.db, owned))) return paymasterNotFound;
    const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor);
    const size = Math.min(Math.max(limit, 1), maxPageSize);
    if (filter.txHash !== undefined) {
      const rows = await landedIn(store, owned, { ...filter, ...omitAbsent({ sender }), txHash: filter.txHash }, size);
      return accept({ decisions: await readSettledDecisions(store, rows) });
    }
    const floor = await findFloor(store, owned, before);
    // One more than requested, to see whether there are more.
    const rows = await matching(selectDecisions(store.db, owned), { ...filter, ...omitAbsent({ sender }) })
      .where('decisions.decision_number', '<', before)
      .where('decisions.decision_number', '>=', floor ?? 0)
      .orderBy('decisions.decision_number', 'desc')
      .limit(size + 1)
      .execute();
    const page = rows.slice(0, size);
    const next = rows.length > size ? page.at(-1)?.decision_number : floor;
    return accept({
      decisions: await readSettledDecisions(store, page),
      ...omitAbsent({ nextCursor: next?.toString() }),
    });
  };
}

/** The number of the last decision that one call scans; undefined when there are fewer. */
async function findFloor({ db }: Store, owned: Owned, before: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('decisions')
    .select('decision_number')
    .where('paymaster_id', '=', ownPaymasterId(db, owned))
    .where('decision_number', '<', before)
    .orderBy('decision_number', 'desc')
    .offset(maxScanned - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.decision_number;
}

/** The decisions whose operations landed in a transaction, newest first: those of its first holds, in one page. */
async function landedIn(
  store: Store,
  owned: Owned,
  { txHash, ...filter }: DecisionFilter & { readonly txHash: string },
  size: number,
): Promise<readonly StoredDecision[]> {
  const holds = await store.db
    .selectFrom('holds')
    .select('hold_id')
    .where('landed_tx', '=', txHash.toLowerCase())
    .where('paymaster_id', '=', ownPaymasterId(store.db, owned))
    .limit(size)
    .execute();
  const ids = holds.map((row) => row.hold_id);
  if (ids.length === 0) return [];
  const { db } = store;
  // Found by their holds: with the paymaster or the number as a key, all decisions of the paymaster would be read.
  const ofOwn = selectAnyDecisions(db).where(
    dialectOf(db).unindexed('decisions.paymaster_id'),
    '=',
    ownPaymasterId(db, owned),
  );
  return matching(ofOwn, filter)
    .where('decisions.hold_id', 'in', dialectOf(db).numbers(ids))
    .orderBy(sql`+decisions.decision_number`, 'desc')
    .limit(size)
    .execute();
}

function matching(all: ReturnType<typeof selectAnyDecisions>, filter: DecisionFilter) {
  const { outcome, reason, sender, mode, status, from, until } = filter;
  let query = all;
  if (outcome !== undefined) query = query.where('decisions.outcome', '=', outcome);
  if (reason !== undefined) query = query.where('decisions.reason', '=', reason);
  if (sender !== undefined) query = query.where('decisions.sender', '=', sender);
  if (mode !== undefined) query = query.where('decisions.mode', '=', mode);
  if (status !== undefined) query = query.where(statusOfDecision, '=', status);
  if (from !== undefined) query = query.where('decisions.created_at', '>=', from);
  if (until !== undefined) query = query.where('decisions.created_at', '<', until);
  return query;
}
