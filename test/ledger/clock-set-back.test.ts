import { expect, onTestFinished, test } from 'vitest';
import { createPatience } from '../../core/ledger/following/following.ts';
import { createNonceSweep } from '../../core/ledger/following/nonce-sweep.ts';
import { createHoldQueue } from '../../core/ledger/holds/hold-queue.ts';
import type { ChainClient } from '../../core/node/chain-client.ts';
import { createCircuitBreaker, maxFailuresInRow, restMs } from '../../core/node/rpc/circuit-breaker.ts';
import { startChainWatcher } from '../../core/runtime/chain-watcher.ts';
import { createFollowHealth } from '../../core/runtime/follow-health.ts';
import {
  chainId,
  contract,
  depositEvent,
  entryPoint,
  holdRequest,
  openLedger,
  post,
  readTank,
  tankOf,
} from '../support/core/ledger-lab.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';

const year = 365 * 86_400_000;

/** A clock that is a year ahead until it is set right. */
function wrongClock() {
  let ahead = year;
  let passed = 1_800_000_000_000;
  return {
    now: () => passed + ahead,
    pass: (milliseconds: number) => {
      passed += milliseconds;
    },
    setRight: () => {
      ahead = 0;
    },
  };
}

test('a doubt that began by a clock that was ahead is dispelled half a minute after that was set right', () => {
  const clock = wrongClock();
  const patience = createPatience(clock);
  patience.isOver(contract, 5n);
  clock.setRight();
  expect(patience.isOver(contract, 5n)).toBe(false);
  clock.pass(30_000);
  expect(patience.isOver(contract, 5n)).toBe(true);
});

test('a node whose rest began by a clock that was ahead is tried again once that was set right', () => {
  const clock = wrongClock();
  const breaker = createCircuitBreaker({ clock });
  for (let left = maxFailuresInRow; left > 0; left -= 1) breaker.failed(new Error('away'));
  clock.pass(restMs - 1);
  expect(breaker.takeTrial()).toBe(false);
  clock.setRight();
  expect(breaker.takeTrial()).toBe(true);
});

test('a ledger that was in step by a clock that ran ahead counts as behind until the next look', () => {
  const clock = wrongClock();
  const health = createFollowHealth({
    chainId,
    contracts: [contract],
    pollIntervalMs: 4_000,
    clock,
    logger: silentLogger,
  });
  health.followed(new Map());
  expect(health.faultOf(contract)).toBeUndefined();
  clock.setRight();
  expect(health.faultOf(contract)).toMatch(/^the ledger has been behind the chain/);
  health.followed(new Map());
  expect(health.faultOf(contract)).toBeUndefined();
});

test('a hold whose nonce is used up is let go of though the last round began by a clock that was ahead', async () => {
  const { store, close } = await openLedger();
  onTestFinished(close);
  await post(store, [depositEvent(1, 100n)]);
  await createHoldQueue(store, { now: () => 1_000 }, []).hold(holdRequest({ tank: tankOf(1), amount: 60n }));
  let next = 0n;
  const client = { readContract: async () => next } as unknown as ChainClient;
  const clock = wrongClock();
  const watched = { entryPoint, contracts: [{ address: contract }] };
  const sweep = createNonceSweep({ chainId, client, nodes: [client], watched, store, clock });
  await sweep.turn(10n);
  clock.setRight();
  next = 1n;
  await sweep.turn(10n);
  expect(await readTank(store, tankOf(1))).toMatchObject({ held: 0n });
});

test('what was seen of the chain by a clock that was ahead is not signed on', async () => {
  const { store, close } = await openLedger();
  onTestFinished(close);
  const head = { number: 10n, timestamp: 1n, baseFeePerGas: null };
  const client = { getBlock: async () => head, getGasPrice: async () => 1n } as unknown as ChainClient;
  const clock = wrongClock();
  const chain = { chainId, client, nodes: [client], watched: [], confirmations: 0, startBlock: 0n };
  const watcher = startChainWatcher({ ...chain, pollIntervalMs: 3_600_000, store, clock, logger: silentLogger });
  onTestFinished(() => watcher.close());
  await watcher.catchUp();
  expect(watcher.view()).toMatchObject({ headTime: 1 });
  clock.setRight();
  expect(watcher.view()).toBeUndefined();
});
