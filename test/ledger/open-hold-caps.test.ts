import { beforeEach, describe, expect, test } from 'vitest';
import { defaultHoldCaps } from '../../core/domain/chain-config.ts';
import { endOfTime } from '../../core/evm/entry-point/entry-point-abi.ts';
import { createHoldQueue, type HoldQueue } from '../../core/ledger/holds/hold-queue.ts';
import { releaseExpired } from '../../core/ledger/posting/release-expired.ts';
import { checkContractLedger } from '../support/core/check-contract-ledger.ts';
import { inWords } from '../support/core/in-words.ts';
import {
  chainId,
  contract,
  depositEvent,
  type HoldAsked,
  holdRequest,
  landedEvent,
  numberedAddress,
  post,
  tankOf,
} from '../support/core/ledger-lab.ts';
import { useLedger } from '../support/core/use-ledger.ts';

const ledger = useLedger();
let queue: HoldQueue;

beforeEach(async () => {
  queue = createHoldQueue(ledger.store, { now: () => 1_000 }, []);
  await post(ledger.store, [depositEvent(1, 1_000n), depositEvent(2, 1_000n)]);
});

let nonce = 0n;
/** A hold of a sender of its own at tank 1. */
function hold(request: HoldAsked = {}) {
  nonce += 1n;
  const sender = numberedAddress(1_000 + Number(nonce));
  return queue.hold(holdRequest({ tank: tankOf(1), caps: defaultHoldCaps, sender, nonce, amount: 10n, ...request }));
}

const refusedBy = (limit: string) => ({
  kind: 'limited',
  refusal: { reason: 'LIMIT_EXCEEDED', limitKind: 'OPERATOR_CAP', details: { limit } },
});

describe('holds of one client address', () => {
  const caps = { ...defaultHoldCaps, maxOpenHoldsPerClient: 3 };

  test('are counted over all its senders; another address and a caller without one go on', async () => {
    for (let index = 0; index < 3; index += 1)
      expect(await hold({ caps, client: 'a' })).toMatchObject({ kind: 'held' });
    expect(await hold({ caps, client: 'a' })).toMatchObject(refusedBy('maxOpenHoldsPerClient'));
    expect(await hold({ caps, client: 'b' })).toMatchObject({ kind: 'held' });
    expect(await hold({ caps })).toMatchObject({ kind: 'held' });
    expect(await hold({ caps, client: 'a', tank: tankOf(2) })).toMatchObject({ kind: 'held' });
  });

  test('are counted in one batch as one after the other', async () => {
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => hold({ caps, client: 'a' })));
    expect(outcomes.filter(({ kind }) => kind === 'held')).toHaveLength(3);
  });

  test('make room when they expire or land, and the address is forgotten', async () => {
    const sender = numberedAddress(7);
    await hold({ caps, client: 'a', sender, nonce: 7n, validUntil: 2_000 });
    await hold({ caps, client: 'a', validUntil: 2_000 });
    await hold({ caps, client: 'a', validUntil: 9_000 });
    expect(await hold({ caps, client: 'a' })).toMatchObject(refusedBy('maxOpenHoldsPerClient'));
    await post(ledger.store, [landedEvent(7, 7n, 4n)]);
    expect(await hold({ caps, client: 'a', validUntil: 9_000 })).toMatchObject({ kind: 'held' });
    const stretch = { chainId, contract, chainTime: 2_001 };
    await ledger.store.transaction((transaction) => releaseExpired(transaction, stretch, 2_001));
    expect(await hold({ caps, client: 'a' })).toMatchObject({ kind: 'held' });
    const ended = await ledger.store.db.selectFrom('holds').select('client').where('state', '<>', 'live').execute();
    expect(ended).toEqual([{ client: null }, { client: null }]);
  });

  test('may take half of the tank, the first of them more', async () => {
    expect(await hold({ client: 'a', amount: 600n })).toMatchObject({ kind: 'held' });
    expect(await hold({ client: 'a', amount: 1n })).toMatchObject(refusedBy('maxShareOfTankPerClient'));
    expect(await hold({ client: 'b', amount: 200n })).toMatchObject({ kind: 'held' });
    expect(await hold({ client: 'c', amount: 90n })).toMatchObject({ kind: 'held' });
  });
});

describe('holds of a sender', () => {
  const caps = { ...defaultHoldCaps, maxOpenHoldsPerSender: 2 };
  const sender = numberedAddress(7);

  test('are counted for the client that asks for them: a stranger does not use up what it may have open', async () => {
    for (const each of [1n, 2n])
      expect(await hold({ caps, sender, nonce: each, client: 'b' })).toMatchObject({ kind: 'held' });
    expect(await hold({ caps, sender, nonce: 3n, client: 'b' })).toMatchObject(refusedBy('maxOpenHoldsPerSender'));
    for (const each of [4n, 5n])
      expect(await hold({ caps, sender, nonce: each, client: 'a' })).toMatchObject({ kind: 'held' });
    expect(await hold({ caps, sender, nonce: 6n, client: 'a' })).toMatchObject(refusedBy('maxOpenHoldsPerSender'));
    expect(await hold({ caps, sender, nonce: 6n })).toMatchObject({ kind: 'held' });
  });

  test('are counted so in one batch as one after the other', async () => {
    const asked = Array.from({ length: 12 }, (_, index) =>
      hold({ caps, sender, nonce: BigInt(index), client: index % 2 === 0 ? 'a' : 'b' }),
    );
    expect((await Promise.all(asked)).filter(({ kind }) => kind === 'held')).toHaveLength(4);
  });

  test('that a stranger raises are his from then on, as a whole, and no room is left to raise more', async () => {
    const share = { ...defaultHoldCaps, maxShareOfTankPerSender: 0.1 };
    const mine = (nonce: bigint) => ({ caps: share, sender, nonce, client: 'a', amount: 30n });
    for (const each of [1n, 2n, 3n]) expect(await hold(mine(each))).toMatchObject({ kind: 'held' });
    expect(await hold(mine(4n))).toMatchObject(refusedBy('maxShareOfTankPerSender'));
    const raise = (nonce: bigint) => hold({ ...mine(nonce), client: 'b', amount: 60n });
    expect(await raise(1n)).toMatchObject({ kind: 'held' });
    expect(await raise(2n)).toMatchObject(refusedBy('maxShareOfTankPerSender'));
    // What he has taken makes room, and joining it is free.
    expect(await hold(mine(1n))).toMatchObject({ kind: 'held' });
    expect(await hold(mine(4n))).toMatchObject({ kind: 'held' });
    expect(await hold(mine(5n))).toMatchObject(refusedBy('maxShareOfTankPerSender'));
  });
});

describe('holds whose signature never expires', () => {
  test('may take half of the tank, no matter who asks; the first of them more', async () => {
    const lasting = { validUntil: endOfTime };
    expect(await hold({ ...lasting, amount: 250n })).toMatchObject({ kind: 'held' });
    expect(await hold({ ...lasting, amount: 250n })).toMatchObject({ kind: 'held' });
    expect(await hold({ ...lasting, amount: 1n })).toMatchObject(refusedBy('maxShareOfTankWithoutExpiry'));
    expect(await hold({ ...lasting, amount: 900n, tank: tankOf(2) })).toMatchObject({ kind: 'held' });
    expect(await hold({ ...lasting, amount: 1n, tank: tankOf(2) })).toMatchObject(
      refusedBy('maxShareOfTankWithoutExpiry'),
    );
  });
});

describe('holds whose signature lasts long', () => {
  const lasting = { lastsLong: true, validUntil: 80_000 };
  const refused = refusedBy('maxShareOfTankLastingLong');

  test('may take a fifth of the tank together, no matter who asks, and not even the only one more; others go on', async () => {
    expect(await hold({ ...lasting, amount: 201n })).toMatchObject(refused);
    expect(await hold({ ...lasting, amount: 120n, client: 'a' })).toMatchObject({ kind: 'held' });
    expect(await hold({ ...lasting, amount: 80n, client: 'b' })).toMatchObject({ kind: 'held' });
    const over = await hold({ ...lasting, amount: 1n, client: 'c' });
    expect(over).toMatchObject(refused);
    expect('refusal' in over ? over.refusal.message : '').toMatch(/Request a shorter expiryDuration/);
    expect(await hold({ amount: 300n })).toMatchObject({ kind: 'held' });
    expect(await hold({ ...lasting, amount: 200n, tank: tankOf(2) })).toMatchObject({ kind: 'held' });
  });

  test('count as a whole when a short one becomes one of them, and when a short request raises one', async () => {
    const first = { sender: numberedAddress(7), nonce: 7_000n };
    const second = { sender: numberedAddress(8), nonce: 8_000n };
    await hold({ ...first, amount: 150n });
    expect(await hold({ ...first, ...lasting, amount: 150n })).toMatchObject({ kind: 'held' });
    await hold({ ...second, amount: 60n });
    expect(await hold({ ...second, ...lasting, amount: 60n, requestKey: 'again' })).toMatchObject(refused);
    expect(await hold({ ...first, amount: 201n, requestKey: 'raised' })).toMatchObject(refused);
    expect(await hold({ ...first, amount: 200n, requestKey: 'raised' })).toMatchObject({ kind: 'held' });
    expect(await hold({ ...lasting, amount: 1n })).toMatchObject(refused);
  });

  test('make room when they land or expire, and the ledger’s sums agree all along', async () => {
    const faults = () =>
      ledger.store.transaction(
        async (trx) => (await checkContractLedger(trx, { chainId, contract, keepsBalances: false })).faults,
      );
    const sender = numberedAddress(0xa1);
    await hold({ ...lasting, sender, nonce: 1n, amount: 100n });
    await hold({ ...lasting, amount: 100n });
    expect(await hold({ ...lasting, amount: 1n })).toMatchObject(refused);
    expect(await faults()).toEqual([]);
    await post(ledger.store, [landedEvent(0xa1, 1n, 60n)]);
    expect(await hold({ ...lasting, amount: 88n })).toMatchObject({ kind: 'held' });
    expect(await faults()).toEqual([]);
    const stretch = { chainId, contract, chainTime: 80_001 };
    await ledger.store.transaction((trx) => releaseExpired(trx, stretch, 80_001));
    expect(await hold({ ...lasting, amount: 188n })).toMatchObject({ kind: 'held' });
    expect(await faults()).toEqual([]);
  });
});

describe('a request that is over a cap', () => {
  const [share, count] = ['maxShareOfTankPerSender', 'maxOpenHoldsPerSender'];
  const caps = { ...defaultHoldCaps, maxOpenHoldsPerSender: 2, maxShareOfTankPerSender: 0.1 };
  const asked = { caps, sender: numberedAddress(7), client: 'a' };

  const refused = (message: string, details: object) => ({
    kind: 'limited',
    refusal: { message: expect.stringContaining(message), details: { ...details, frees: expect.any(String) } },
  });

  test('is told how many there are or that their share is used up, never what the tank has', async () => {
    await hold({ ...asked, amount: 60n });
    const over = await hold({ ...asked, amount: 41n });
    expect(over).toMatchObject(refused('This sender has signed operations', { limit: share, max: '0.1' }));
    const reported = JSON.stringify('refusal' in over ? over.refusal : over);
    expect(reported).toContain('their share of the gas tank');
    expect(reported).not.toMatch(/wei|1000/);
    expect(reported).toContain('wait until they expire');
    await hold({ ...asked, amount: 40n });
    const third = await hold(asked);
    expect(third).toMatchObject(refused('This sender has 2 signed operations', { limit: count, max: '2' }));
    const ofClient = await hold({ client: 'a', caps: { ...caps, maxOpenHoldsPerClient: 2 } });
    expect(ofClient).toMatchObject(refused('The address of this request has 2', { max: '2' }));
  });

  test('is seen by the operator next to what is open and what may be', async () => {
    const lasting = { ...asked, validUntil: endOfTime };
    await hold({ ...lasting, amount: 60n });
    const fits = {
      rule: 'operator-holds',
      checked: 'open operations of this sender, requested by this client: 2, which hold 100 wei',
    };
    const over = await hold({ ...lasting, amount: 40n, caps: { ...caps, maxShareOfTankWithoutExpiry: 0.09 } });
    expect('rulings' in over ? inWords(over.rulings) : over).toMatchObject([
      { ...fits, limit: '2, and 100 wei' },
      {
        checked: 'open operations of this client address: 2, which hold 100 wei',
        limit: `${caps.maxOpenHoldsPerClient}, and 500 wei`,
      },
      {
        checked: 'open operations of all signatures without expiry: 100 wei',
        limit: '90 wei',
        refusal: {},
      },
    ]);
  });

  test('is let through when it only joins what is open, also after the deposit fell', async () => {
    const again = { ...asked, nonce: 5_000n, amount: 60n };
    await hold(again);
    await hold({ ...asked, amount: 30n });
    expect(await hold({ ...again, chainDeposit: 100n })).toMatchObject({ kind: 'held' });
    expect(await hold({ ...again, amount: 61n, chainDeposit: 100n })).toMatchObject({ kind: 'limited' });
  });

  test('is let through when it only joins what another client has open, however many it has itself', async () => {
    const counted = { ...defaultHoldCaps, maxOpenHoldsPerClient: 1 };
    const others = { caps: counted, sender: numberedAddress(7), nonce: 6_000n };
    await hold({ ...others, client: 'a' });
    await hold({ caps: counted, client: 'b' });
    expect(await hold({ caps: counted, client: 'b' })).toMatchObject(refusedBy('maxOpenHoldsPerClient'));
    expect(await hold({ ...others, client: 'b' })).toMatchObject({ kind: 'held' });
    expect(await hold({ ...others, client: 'b', amount: 11n })).toMatchObject(refusedBy('maxOpenHoldsPerClient'));
  });
});
