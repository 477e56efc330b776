import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Clock } from '../base/time/clock.ts';
import type { Core } from '../domain/core.ts';
import { accept, refuse } from '../domain/result/result.ts';
import type { SignatureRecorder } from '../ledger/holds/record-signatures.ts';
import type { SentRecorder } from '../ledger/lives/note-sent.ts';
import type { FollowedChain } from '../node/followed-chain.ts';
import type { Store } from '../store/store.ts';
import { decodeRequest } from './decision-record.ts';
import { createListDecisions } from './list-decisions.ts';
import { createReadOperation, type ReadRevertReason } from './read-operation.ts';
import { createReadOverview } from './read-overview.ts';
import { createReadUsage } from './read-usage.ts';
import type { DecisionRecorder } from './record-decisions.ts';
import { readSettledDecisions, selectDecisions } from './stored-decision.ts';

/** The part of `Core` that reads decisions. */
export type DecisionReading = Pick<Core, 'listDecisions' | 'getDecision' | 'getOperation' | 'getUsage' | 'getOverview'>;

/** The same refusal for another paymaster's decision, a pruned one and one that never existed. */
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
        .select('decisions.request')
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
      return getUsage(input);
    },
    async getOverview(input) {
      await flush();
      return getOverview(input);
    },
  };
}
