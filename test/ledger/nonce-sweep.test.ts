import { beforeEach, describe, expect, test } from 'vitest';
import { endOfTime } from '../../core/evm/entry-point/entry-point-abi.ts';
import { createNonceSweep, type NonceSweep } from '../../core/ledger/following/nonce-sweep.ts';
import { createHoldQueue } from '../../core/ledger/holds/hold-queue.ts';
import { hasMovedOnByAll } from '../../core/ledger/releasing/prove-ended.ts';
import type { ChainClient } from '../../core/node/chain-client.ts';
import {
  chainId,
  contract,
  depositEvent,
  entryPoint,
  holdRequest,
  numberedAddress,
  post,
  readTank,
  tankOf,
} from '../support/core/ledger-lab.ts';
import { useLedger } from '../support/core/use-ledger.ts';

const started = 1_800_000_000;
const sender = numberedAddress(0xa1);

const ledger = useLedger();
let now: number;
/** Below it all nonces are used, as the node says that is asked first; and how often it was asked. */
let next: bigint;
let questions: number;

beforeEach(async () => {
  await post(ledger.store, [depositEvent(1, 1_000n)]);
  [now, next, questions] = [started, 0n, 0];
});

/** Holds a wei at this second for each of so many nonces. */
function hold(second: number, nonces: number, first = 0n): Promise<void> {
  return holdUntil(second + 300, second, nonces, first);
}

/** Holds a wei at this second for each of so many nonces, with signatures that are valid until `validUntil`. */
async function holdUntil(validUntil: number, second: number, nonces: number, first = 0n): Promise<void> {
  const queue = createHoldQueue(ledger.store, { now: () => second * 1_000 }, []);
  const requests = Array.from({ length: nonces }, (_, index) =>
    holdRequest({ tank: tankOf(1), amount: 1n, sender, nonce: first + BigInt(index), validUntil }),
  );
  await Promise.all(requests.map((request) => queue.hold(request)));
}

/** A sweep over the nodes next to the first one, which say where the nonce stands; undefined for one that is away. */
function sweepOf(others: readonly (bigint | undefined)[] = []): NonceSweep {
  const client = nodeOf(() => {
    questions += 1;
    return next;
  });
  const nodes = [nodeOf(() => next), ...others.map((reported) => nodeOf(() => reported))];
  const watched = { entryPoint, contracts: [{ address: contract }] };
  const clock = { now: () => now * 1_000 };
  return createNonceSweep({ chainId, client, nodes, watched, store: ledger.store, clock });
}

function nodeOf(reported: () => bigint | undefined): ChainClient {
  const readContract = async () => reported() ?? Promise.reject(new Error('away'));
  return { readContract } as unknown as ChainClient;
}

const held = async () => (await readTank(ledger.store, tankOf(1)))?.held ?? 0n;

describe('holds whose nonce the account has used for something else', () => {
  test('are let go of a minute after they were made, those of other nonces stay', async () => {
    await hold(started - 60, 3);
    await hold(started - 59, 1, 3n);
    next = 2n;
    const sweep = sweepOf();
    await sweep.turn(9n);
    expect(await held()).toBe(2n);
    expect(questions).toBe(3);
    [now, next] = [started + 60, 4n];
    await sweep.turn(9n);
    expect(await held()).toBe(0n);
  });

  test('stay while another node says otherwise; one that is away says nothing', async () => {
    await hold(started - 60, 1);
    next = 1n;
    await sweepOf([0n]).turn(9n);
    expect(await held()).toBe(1n);
    await sweepOf([undefined]).turn(9n);
    expect(await held()).toBe(0n);
  });

  test('are looked for once a minute, however many turns there are', async () => {
    await hold(started - 60, 1);
    const sweep = sweepOf();
    for (const second of [0, 0, 1, 59]) {
      now = started + second;
      await sweep.turn(9n);
    }
    expect(questions).toBe(1);
    now = started + 60;
    await sweep.turn(9n);
    expect(questions).toBe(2);
  });

  test('are all found in one round of several turns', async () => {
    await hold(started - 60, 45);
    next = 45n;
    const sweep = sweepOf();
    const left: (bigint | undefined)[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      await sweep.turn(9n);
      left.push(await held());
    }
    expect(left).toEqual([25n, 5n, 0n, 0n]);
    expect(questions).toBe(45);
  });

  test('are looked for again a minute after a round of several turns began', async () => {
    await hold(started - 60, 45);
    const sweep = sweepOf();
    for (const second of [0, 20, 40, 59]) {
      now = started + second;
      await sweep.turn(9n);
    }
    expect(questions).toBe(45);
    now = started + 60;
    await sweep.turn(9n);
    expect(questions).toBe(65);
  });

  test('are found though others come of age faster than they can be asked about, however long they are valid', async () => {
    await holdUntil(endOfTime, started - 60, 1);
    next = 1n;
    const sweep = sweepOf();
    let made = 0n;
    // Each turn asks about 20, and 21 come of age.
    for (let turn = 0; turn < 4; turn += 1) {
      await holdUntil(now + 300, now - 60, 21, made + 1n);
      made += 21n;
      await sweep.turn(9n);
      now += 1;
    }
    expect(await held()).toBe(made);
  });
});

test('a nonce is used by all nodes’ word; when none answers, that is said', async () => {
  const used = { entryPoint, sender, nonce: 5n };
  const all = (...reported: readonly (bigint | undefined)[]) =>
    hasMovedOnByAll(
      reported.map((one) => nodeOf(() => one)),
      used,
      9n,
    );
  expect(await all(6n, 6n)).toBe(true);
  expect(await all(6n, 5n)).toBe(false);
  expect(await all(undefined, 6n)).toBe(true);
  await expect(all(undefined, undefined)).rejects.toThrow('away');
  // Of another key of nonces.
  await expect(all((1n << 64n) + 6n)).rejects.toThrow('nonce of another key');
});
