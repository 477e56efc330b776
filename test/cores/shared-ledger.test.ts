import { type Address, getAddress } from 'viem';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type LedgerState, writeLedgerStates } from '../../core/ledger/following/following.ts';
import { createFollowHealth } from '../../core/runtime/follow-health.ts';
import { sharingLimits } from '../../core/runtime/leading/ask-leader.ts';
import {
  describeDifference,
  followLeaderStates,
  shareLedgerHealth,
} from '../../core/runtime/leading/share-ledger-health.ts';
import { whileLeading } from '../../core/runtime/leading/while-leading.ts';
import type { Leadership, Store } from '../../core/store/store.ts';
import { chainId, contract, openLedger } from '../support/core/ledger-lab.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';

const settings = '{"confirmations":"3"}';

/** A process that leads when it is told to. */
function handLed(leads: boolean): Leadership & { set(leads: boolean): void } {
  const listeners = new Set<() => void>();
  let now = leads;
  return {
    isShared: true,
    leads: () => now,
    leader: async () => 'another',
    check: async () => {},
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    set: (next) => {
      now = next;
      for (const listener of listeners) listener();
    },
  };
}

async function openStoreOfLedger(): Promise<Store> {
  const ledger = await openLedger();
  onTestFinished(() => ledger.close());
  return ledger.store;
}

function tell(store: Store, state: LedgerState): Promise<void> {
  const states = new Map([[contract, state]]);
  return store.transaction((trx) => writeLedgerStates(trx, { chainId, states, settings }));
}

describe('a process that does not keep the ledger', () => {
  const clock = { now: () => Date.now() + ahead };
  let ahead = 0;

  async function hear(store: Store, own = settings) {
    ahead = 0;
    const received = followLeaderStates({ chainId, settings: own, store, clock, logger: silentLogger });
    onTestFinished(() => received.close());
    await received.tried;
    return received;
  }

  test('uses what the leader reported until that is too old', async () => {
    const store = await openStoreOfLedger();
    await tell(store, { state: 'kept' });
    const received = await hear(store);
    expect([received.faultOf(contract), received.isKept(contract)]).toEqual([undefined, true]);
    ahead = sharingLimits.maxSilence + 1_000;
    expect(received.faultOf(contract)).toBe('no process has kept its ledger for 31 seconds');
    expect(received.isKept(contract)).toBe(false);
  });

  test('measures the age of a report by the clock of the database', async () => {
    const store = await openStoreOfLedger();
    await tell(store, { state: 'kept' });
    const longAgo = Date.now() - 2 * sharingLimits.maxSilence;
    await store.transaction((trx) => trx.updateTable('ledger_states').set({ told_at: longAgo }).execute());
    expect((await hear(store)).faultOf(contract)).toMatch(/^no process has kept its ledger for (60|61) seconds$/);
  });

  test('signs nothing while the ledger is stopped or no process keeps it', async () => {
    const store = await openStoreOfLedger();
    expect((await hear(store)).faultOf(contract)).toBe('no process keeps its ledger');
    await tell(store, { state: 'stopped', fault: 'a block is gone' });
    const received = await hear(store);
    expect(received.faultOf(contract)).toBe('a block is gone');
    expect(received.faultOf(getAddress(`0x${'12'.repeat(20)}`))).toBe('no process keeps its ledger');
  });

  test('reports what it would do otherwise', async () => {
    const store = await openStoreOfLedger();
    await tell(store, { state: 'kept' });
    expect((await hear(store)).difference()).toBeUndefined();
    expect((await hear(store, '{"confirmations":"1"}')).difference()).toContain('confirmations is 1 here and 3 there');
  });
});

test('settings that differ are named, also where one side does not have them', () => {
  const text = describeDifference('{"a":"1","b":"2"}', '{"b":"2","c":"3"}');
  expect(text).toMatch(/a is 1 here and not set there, c is not set here and 3 there$/);
  expect(describeDifference('{"a":"1"}', undefined)).toBeUndefined();
});

describe('a process that begins to lead', () => {
  async function share(leadership: Leadership, store: Store) {
    const clock = { now: () => Date.now() };
    const contracts: readonly Address[] = [contract];
    const health = createFollowHealth({ chainId, contracts, pollIntervalMs: 1_000, clock, logger: silentLogger });
    const shared = shareLedgerHealth({
      chainId,
      contracts,
      settings,
      health,
      store: { ...store, leadership },
      clock,
      logger: silentLogger,
    });
    onTestFinished(() => shared.close());
    await shared.tried;
    return shared;
  }
  const stateOf = async (store: Store) =>
    await store.db.selectFrom('ledger_states').select(['state', 'fault']).executeTakeFirstOrThrow();

  test('uses the last reported state until it has read the chain itself, then reports its own', async () => {
    const store = await openStoreOfLedger();
    await tell(store, { state: 'stopped', fault: 'a block is gone' });
    const leadership = handLed(false);
    const health = await share(leadership, store);
    leadership.set(true);
    expect(health.faultOf(contract)).toBe('a block is gone');
    health.followed(new Map([[contract, { kind: 'node', text: 'the chain could not be read' }]]));
    expect(health.faultOf(contract), 'it stays stopped until the ledger is in step').toBe('a block is gone');
    health.followed(new Map());
    expect([health.faultOf(contract), health.fault()]).toEqual([undefined, undefined]);
    await vi.waitFor(async () => expect(await stateOf(store)).toEqual({ state: 'kept', fault: null }));
  });

  test('is ready at once where the ledger was kept until then, and otherwise once it is', async () => {
    const store = await openStoreOfLedger();
    const first = await share(handLed(true), store);
    expect(first.fault()).toBe('the ledger is catching up with the chain');
    await tell(store, { state: 'kept' });
    const leadership = handLed(false);
    const next = await share(leadership, store);
    leadership.set(true);
    expect(next.fault()).toBeUndefined();
  });

  test('stops reporting once another process leads, and uses that one’s reports', async () => {
    const store = await openStoreOfLedger();
    const leadership = handLed(true);
    const health = await share(leadership, store);
    health.followed(new Map());
    await vi.waitFor(async () => expect(await stateOf(store)).toEqual({ state: 'kept', fault: null }));
    leadership.set(false);
    await tell(store, { state: 'stopped', fault: 'a block is gone' });
    health.followed(new Map());
    await vi.waitFor(() => expect(health.faultOf(contract)).toBe('a block is gone'), { timeout: 20_000 });
    expect(await stateOf(store)).toMatchObject({ state: 'stopped' });
  });
});

test('what runs while a process leads is never there twice, and is gone when it no longer leads', async () => {
  const leadership = handLed(false);
  const seen: string[] = [];
  const ends: (() => void)[] = [];
  const running = whileLeading(leadership, () => {
    seen.push('begun');
    return {
      close: async () => {
        seen.push('closing');
        await new Promise<void>((resolve) => ends.push(resolve));
        seen.push('ended');
      },
    };
  });
  expect(seen).toEqual([]);
  leadership.set(true);
  await vi.waitFor(() => expect(seen).toEqual(['begun']));
  leadership.set(false);
  await vi.waitFor(() => expect(seen).toEqual(['begun', 'closing']));
  leadership.set(true);
  ends[0]?.();
  await vi.waitFor(() => expect(seen).toEqual(['begun', 'closing', 'ended', 'begun']));
  const closed = running.close();
  await vi.waitFor(() => expect(ends).toHaveLength(2));
  ends[1]?.();
  await closed;
  leadership.set(true);
  await Promise.resolve();
  expect(seen.filter((one) => one === 'begun')).toHaveLength(2);
});
