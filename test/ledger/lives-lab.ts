import { randomUUID } from 'node:crypto';
import { type Hex, keccak256, toHex } from 'viem';
import { encodeDecisionRecord } from '../../core/decisions/decision-record.ts';
import { manageDecisions } from '../../core/decisions/manage-decisions.ts';
import type { ReadRevertReason } from '../../core/decisions/read-operation.ts';
import type { Decision, OperationLife } from '../../core/domain/decision.ts';
import { createHoldQueue } from '../../core/ledger/holds/hold-queue.ts';
import { createSentRecorder } from '../../core/ledger/operation-status/note-sent.ts';
import { createSignatureRecorder } from '../../core/ledger/operation-status/record-signatures.ts';
import { releaseExpired } from '../../core/ledger/posting/release-expired.ts';
import { revertTo } from '../../core/ledger/revert/revert-to.ts';
import type { UserOperationLanded } from '../../core/node/chain-event.ts';
import type { DecisionRow } from '../../core/store/decision-tables.ts';
import {
  chainId,
  contract,
  depositEvent,
  entryPoint,
  holdRequest,
  insertPaymaster,
  landedEvent,
  numberedAddress,
  openLedger,
  post,
  tankOf,
} from '../support/core/ledger-lab.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';

export const own = { accountId: randomUUID(), paymasterId: randomUUID() };
export const foreign = { accountId: randomUUID(), paymasterId: randomUUID() };
const sender = 0xa1;

export function hashOf(name: string): Hex {
  return keccak256(toHex(name));
}

export type LivesLab = Awaited<ReturnType<typeof openLivesLab>>;

/** A ledger whose operations are signed, sent, landed and rolled back by hand, and all that listens to them. */
export async function openLivesLab(readRevertReason?: ReadRevertReason) {
  const ledger = await openLedger();
  const { store } = ledger;
  let now = 1_800_000_000;
  const clock = { now: () => now * 1_000 };
  await insertPaymaster(store, own);
  await insertPaymaster(store, foreign);
  await post(store, [depositEvent(1, 10n ** 18n)]);
  const signatures = createSignatureRecorder(store, clock, silentLogger);
  const sent = createSentRecorder(store, clock, silentLogger);
  const queue = createHoldQueue(store, clock, []);
  const reading = manageDecisions({
    store,
    clock,
    signatures,
    sent,
    ...(readRevertReason === undefined ? {} : { readRevertReason }),
  });

  async function sign(
    name: string,
    over: { nonce?: bigint; contentId?: Hex; paymasterId?: string; simulated?: boolean } = {},
  ) {
    const { nonce = 0n, paymasterId = own.paymasterId, simulated = true, ...more } = over;
    const decisionId = randomUUID();
    const decisionRow = (): DecisionRow => ({
      decision_id: decisionId,
      paymaster_id: paymasterId,
      chain_id: chainId,
      method: 'getPaymasterData',
      outcome: 'signed',
      mode: 'SPONSORED',
      reason: null,
      sender: numberedAddress(sender),
      token: null,
      nonce: nonce.toString(),
      hold_id: null,
      created_at: now,
      ...encodeDecisionRecord({ trace: [] }),
    });
    const { accountId } = own;
    const asked = { accountId, paymasterId, sender: numberedAddress(sender), nonce, validUntil: now + 300, ...more };
    const outcome = await queue.hold(holdRequest({ tank: tankOf(1), amount: 100n, decisionRow, ...asked }));
    if (outcome.kind !== 'held') throw new Error('It was not held.');
    const { holdId } = outcome;
    signatures.record({ paymasterId, userOperationHash: hashOf(name), holdId, atRisk: false, simulated, decisionId });
    await signatures.flush();
    return { decisionId, holdId };
  }

  async function listen(...events: readonly string[]): Promise<void> {
    await store.db
      .insertInto('notifications')
      .values({
        notification_id: randomUUID(),
        paymaster_id: own.paymasterId,
        url: 'https://example.test',
        active: 1,
        events: JSON.stringify(events),
        tank_is_low: 0,
        secret_sealed: new Uint8Array(1),
        created_at: now,
      })
      .execute();
  }

  return {
    ...ledger,
    reading,
    sign,
    listen,
    sent,
    signatures,
    pass: (seconds: number) => {
      now += seconds;
    },
    now: () => now,
    note: async (name: string) => {
      sent.noteSent({ chainId, entryPoint, userOpHash: hashOf(name) });
      await sent.flush();
    },
    land: async (name: string, over: Partial<UserOperationLanded> = {}): Promise<UserOperationLanded> => {
      const event = { ...landedEvent(sender, over.nonce ?? 0n, 60n), userOperationHash: hashOf(name), ...over };
      await post(store, [event], { now });
      return event;
    },
    landAgain: (event: UserOperationLanded) => post(store, [event], { now }),
    /** The blocks from that of the event on are no longer on the chain. */
    reorg: async ({ blockNumber }: UserOperationLanded) => {
      await store.transaction(async (transaction) => {
        const { next_block } = await transaction
          .selectFrom('contract_watches')
          .select('next_block')
          .executeTakeFirstOrThrow();
        const toBlock = blockNumber - 1n;
        const reversal = {
          chainId,
          contract,
          watchBefore: BigInt(next_block),
          toBlock,
          nextBlock: blockNumber,
        } as const;
        await revertTo(transaction, { ...reversal, lastHash: '0x' }, now);
      });
    },
    /** The confirmed time of the chain is past the end of all signatures. */
    expire: async () => {
      now += 400;
      await store.transaction((transaction) => releaseExpired(transaction, { chainId, contract, chainTime: now }, now));
    },
    life: async (name: string): Promise<OperationLife> => {
      const result = await reading.getOperation({ ...own, userOperationHash: hashOf(name) });
      if (!result.ok) throw new Error(result.refusal.message);
      return result.value;
    },
    decision: async (decisionId: string): Promise<Decision> => {
      const result = await reading.getDecision({ ...own, decisionId });
      if (!result.ok) throw new Error(result.refusal.message);
      return result.value;
    },
    /** What listeners were told, in order: the event, and the hash it was about. */
    reported: async () => {
      const rows = await store.db
        .selectFrom('notification_deliveries')
        .select(['type', 'payload'])
        .orderBy('delivery_number')
        .execute();
      return rows.map(({ type, payload }) => ({ type, data: JSON.parse(payload).data as Record<string, unknown> }));
    },
  };
}
