import { omitAbsent } from '@tollfree/contract/omit-absent';
import { beforeEach, describe, expect, test } from 'vitest';
import type { BudgetTerms } from '../../core/domain/budget.ts';
import { checkAccounts } from '../../core/ledger/checking/check-accounts.ts';
import { createHoldQueue, type HoldQueue } from '../../core/ledger/holds/hold-queue.ts';
import { ensureContractTotals } from '../../core/ledger/posting/pass-block.ts';
import { releaseExpired } from '../../core/ledger/posting/release-expired.ts';
import { revertTo } from '../../core/ledger/revert/revert-to.ts';
import { manageBudgets } from '../../core/management/manage-budgets.ts';
import { openStore } from '../../core/store/open-store.ts';
import { toWeiText } from '../../core/store/wei.ts';
import { inWords } from '../support/core/in-words.ts';
import {
  chainId,
  contract,
  depositEvent,
  type HoldAsked,
  holdRequest,
  insertPaymaster,
  landedEvent,
  numberedAddress,
  post,
  tankOf,
} from '../support/core/ledger-lab.ts';
import { useLedger } from '../support/core/use-ledger.ts';
import { isOnPostgres } from '../support/store/test-database.ts';

/** Friday, 20 November 2026, 12:00:00 UTC. */
const noon = Date.UTC(2026, 10, 20, 12) / 1000;
const day = 86_400;
const [accountId, otherAccountId] = [1, 2].map((number) => `20000000-0000-4000-8000-00000000000${number}`) as [
  string,
  string,
];
const [ofGame, ofShop, ofOther] = [1, 2, 3].map((number) => `10000000-0000-4000-8000-00000000000${number}`) as [
  string,
  string,
  string,
];
const tank = tankOf(1);
/** A tank of another chain. */
const farTank = { ...tank, chainId: 8_453, contract: numberedAddress(0xc2) };
const usd = 1_000_000n;
/** What costs one USD at the price, in wei. */
const unit = 10n ** 12n;
const price = usd * 10n ** 6n;

const ledger = useLedger();
let queue: HoldQueue;
let now: number;
let nonces = 0n;
const clock = { now: () => now * 1000 };

beforeEach(async () => {
  now = noon;
  queue = createHoldQueue(ledger.store, clock, []);
  await insertPaymaster(ledger.store, { paymasterId: ofGame, accountId });
  await insertPaymaster(ledger.store, { paymasterId: ofShop, accountId });
  await insertPaymaster(ledger.store, { paymasterId: ofOther, accountId: otherAccountId });
  await post(ledger.store, [depositEvent(1, 10n ** 24n)]);
  await ensureContractTotals(ledger.store, [{ chainId: farTank.chainId, address: farTank.contract }]);
  const funds = { funded: toWeiText(10n ** 24n), settled: toWeiText(0n) };
  const { chainId: chain_id, contract: address, wallet } = farTank;
  await ledger.store.db
    .insertInto('tanks')
    .values({ chain_id, contract: address, wallet, ...funds })
    .execute();
});

const budgets = () => manageBudgets({ store: ledger.store, clock });

async function setBudget(over: Partial<BudgetTerms> = {}) {
  const terms = { name: 'all', maxUsdMicros: 37n * usd, window: 'month', ...over };
  const created = await budgets().createBudget({ accountId, terms });
  if (!created.ok) throw new Error(created.refusal.message);
  return created.value;
}

/** What is used of each budget, in whole USD, by name: its accounts are what its holds come to. */
async function used(): Promise<Record<string, number>> {
  const list = await budgets().listBudgets({ accountId });
  if (!list.ok) throw new Error(list.refusal.message);
  expect(await ledger.store.read(checkAccounts)).toEqual([]);
  return Object.fromEntries(list.value.map(({ name, usedUsdMicros }) => [name, Number(usedUsdMicros / usd)]));
}

type Asked = Omit<HoldAsked, 'seenUsdMicrosPerCoin'> & { readonly price?: bigint | undefined };

/** Amounts are in units. */
function ask(asked: Asked = {}) {
  const { amount = 5n, price: seen, ...over } = { price, ...asked };
  nonces += 1n;
  return queue.hold(
    holdRequest({
      tank,
      paymasterId: ofGame,
      amount: amount * unit,
      nonce: nonces,
      validUntil: now + 300,
      requestKey: `${nonces}`,
      ...omitAbsent({ seenUsdMicrosPerCoin: seen }),
      ...over,
    }),
  );
}
const kindOf = async (over?: Asked) => (await ask(over)).kind;

describe('a budget of the account', () => {
  test('is never passed by 1,000 requests at once, whichever paymaster and chain they are of', async () => {
    await setBudget();
    await setBudget({ name: 'shop', maxUsdMicros: 11n * usd, paymasterIds: [ofShop] });
    const outcomes = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) =>
        ask({ amount: 1n, paymasterId: index % 2 === 0 ? ofGame : ofShop, tank: index % 3 === 0 ? farTank : tank }),
      ),
    );
    expect(outcomes.filter(({ kind }) => kind === 'held')).toHaveLength(37);
    expect(outcomes.filter(({ kind }) => kind === 'limited')).toHaveLength(963);
    expect(await used()).toEqual({ all: 37, shop: 11 });
  });

  test('is never passed by two cores at one database', async () => {
    await setBudget();
    // A file has one process; at a server it is another one, with a connection of its own.
    const store = isOnPostgres ? await openStore(ledger.database) : ledger.store;
    const other = createHoldQueue(store, clock, []);
    const first = queue;
    const asked = Array.from({ length: 100 }, (_, index) => {
      queue = index % 2 === 0 ? first : other;
      return kindOf({ amount: 1n, paymasterId: index % 2 === 0 ? ofGame : ofShop });
    });
    expect((await Promise.all(asked)).filter((kind) => kind === 'held')).toHaveLength(37);
    expect(await used()).toEqual({ all: 37 });
    if (isOnPostgres) await store.close();
  });

  test('leaves other accounts, other paymasters and what users pay for alone', async () => {
    await setBudget({ maxUsdMicros: 0n, paymasterIds: [ofShop] });
    expect(await kindOf({ paymasterId: ofShop })).toBe('limited');
    expect(await kindOf({ paymasterId: ofGame })).toBe('held');
    expect(await kindOf({ paymasterId: ofOther })).toBe('held');
    expect(await kindOf({ paymasterId: ofShop, mode: 'ERC20' })).toBe('held');
    expect(await used()).toEqual({ all: 0 });
    // Decided in one transaction with those of another account.
    await setBudget({ name: 'none', maxUsdMicros: 0n });
    const together = await Promise.all([ofGame, ofOther].map((paymasterId) => ask({ paymasterId })));
    expect(together.map(({ kind }) => kind)).toEqual(['limited', 'held']);
  });

  test('refuses with its own reason while no one knows what the coin is worth, and says nothing of the money', async () => {
    await setBudget({ name: 'secret name', maxUsdMicros: 1234n * usd });
    const unpriced = await ask({ price: undefined });
    if (unpriced.kind !== 'limited') throw new Error(`It was ${unpriced.kind}.`);
    expect(unpriced.refusal.reason).toBe('BUDGET_NOT_COUNTED');
    const over = await ask({ amount: 2_000n });
    if (over.kind !== 'limited') throw new Error(`It was ${over.kind}.`);
    expect(over.refusal).toMatchObject({ reason: 'LIMIT_EXCEEDED', limitKind: 'ACCOUNT_BUDGET' });
    for (const refusal of [unpriced.refusal, over.refusal]) {
      expect(JSON.stringify(refusal)).not.toMatch(/secret|1234|2000/);
    }
    // The account holder finds it in the trace.
    expect(inWords(over.rulings).at(-1)).toMatchObject({
      rule: 'account-budget',
      checked: '2000.000000 USD asked of the budget “secret name”',
      limit: '1234.000000 USD in a month',
      used: '0.000000 USD',
    });
    // A price so wrong that nothing costs as much is none.
    expect(await kindOf({ price: price * 10n ** 6n })).toBe('limited');
    expect(await used()).toEqual({ 'secret name': 0 });
  });

  test('counts what lands by what it cost, gives back the rest, and counts again what the chain takes back', async () => {
    await setBudget();
    const sender = numberedAddress(7);
    for (const nonce of [1n, 2n]) expect(await kindOf({ sender, nonce, paymasterId: ofShop })).toBe('held');
    expect(await used()).toEqual({ all: 10 });
    await post(ledger.store, [landedEvent(7, 1n, 2n * unit)]);
    expect(await used()).toEqual({ all: 7 });
    await ledger.store.transaction((trx) => releaseExpired(trx, { chainId, contract, chainTime: now + 301 }, now));
    expect(await used()).toEqual({ all: 2 });
    await reversal();
    expect(await used()).toEqual({ all: 5 });
  });

  test('counts the price of the hold, or that of the booking where it is higher', async () => {
    await setBudget({ maxUsdMicros: 1_000n * usd });
    const sender = numberedAddress(7);
    for (const nonce of [1n, 2n, 3n]) await ask({ sender, nonce });
    await post(ledger.store, [landedEvent(7, 1n, 2n * unit)], {
      coinPrice: { usdMicrosPerCoin: 10n * price, at: now },
    });
    expect(await used()).toEqual({ all: 20 + 5 + 5 });
    await post(ledger.store, [landedEvent(7, 2n, 2n * unit)], {
      coinPrice: { usdMicrosPerCoin: price / 10n, at: now },
    });
    expect(await used()).toEqual({ all: 20 + 2 + 5 });
    await reversal();
    expect(await used()).toEqual({ all: 15 });
  });

  test('counts an operation that is asked for again once, with the most that was asked', async () => {
    await setBudget();
    const nonce = 1_000_000n;
    expect(await kindOf({ nonce, amount: 5n })).toBe('held');
    expect(await kindOf({ nonce, amount: 3n })).toBe('held');
    expect(await kindOf({ nonce, amount: 9n, price: 2n * price })).toBe('held');
    expect(await used()).toEqual({ all: 5 + 4 * 2 });
    // All at once, in one transaction.
    await Promise.all([4n, 9n, 6n].map((amount) => ask({ nonce: nonce + 1n, amount })));
    expect(await used()).toEqual({ all: 13 + 9 });
    // Asked by a key of another policy of the same paymaster it is another hold, and counts by itself.
    expect(await kindOf({ nonce: nonce + 2n, amount: 16n })).toBe('limited');
    expect(await kindOf({ nonce: nonce + 2n, amount: 15n })).toBe('held');
    // The same request again is answered, although there is nothing left.
    const again = { nonce: nonce + 2n, amount: 15n, requestKey: 'again' };
    expect(await kindOf(again)).toBe('held');
  });

  test('counts from when it is set, and goes on unless its window or its paymasters change', async () => {
    await ask({ amount: 30n, paymasterId: ofShop });
    const first = await setBudget();
    expect(first.usedUsdMicros).toBe(0n);
    expect(await kindOf({ amount: 8n })).toBe('held');
    await budgets().deleteBudget({ accountId, budgetId: first.budgetId });
    const second = await setBudget();
    expect(await used()).toEqual({ all: 0 });
    expect(await kindOf({ amount: 30n, paymasterId: ofShop })).toBe('held');
    const change = (over: Partial<BudgetTerms>) =>
      budgets().replaceBudget({
        accountId,
        budgetId: second.budgetId,
        terms: { name: 'all', maxUsdMicros: 37n * usd, window: 'month', ...over },
      });
    await change({ name: 'renamed', maxUsdMicros: 29n * usd });
    expect(await used()).toEqual({ renamed: 30 });
    expect(await kindOf({ amount: 1n })).toBe('limited');
    await change({ paymasterIds: [ofGame] });
    expect(await used()).toEqual({ all: 0 });
    await ask({ amount: 4n });
    expect(await used()).toEqual({ all: 4 });
    await change({ paymasterIds: [ofGame], window: 'ever' });
    expect(await used()).toEqual({ all: 0 });
  });

  test('values a hold from before a price was known as a whole, once there is one', async () => {
    const nonce = 1_000_000n;
    expect(await kindOf({ nonce, amount: 30n, price: undefined })).toBe('held');
    await setBudget();
    expect(await used()).toEqual({ all: 0 });
    expect(await kindOf({ nonce, amount: 38n })).toBe('limited');
    expect(await kindOf({ nonce, amount: 31n })).toBe('held');
    expect(await used()).toEqual({ all: 31 });
  });

  test('does not let join without a price what needs more of it', async () => {
    const nonce = 1_000_000n;
    await setBudget();
    await ask({ nonce, amount: 15n });
    expect(await kindOf({ nonce, amount: 16n, price: undefined })).toBe('limited');
    expect(await kindOf({ nonce, amount: 12n, price: undefined })).toBe('held');
    expect(await used()).toEqual({ all: 15 });
  });

  test.each([
    ['day', Date.UTC(2026, 10, 21)],
    ['week', Date.UTC(2026, 10, 23)],
    ['month', Date.UTC(2026, 11, 1)],
  ] as const)(
    'by %s begins again with the next one, and a hold of the last that is asked for again counts in it',
    async (window, next) => {
      const { until } = await setBudget({ window, maxUsdMicros: 10n * usd });
      expect(until).toBe(next / 1000);
      now = next / 1000 - 1;
      const nonce = 1_000_000n;
      expect(await kindOf({ nonce, amount: 8n })).toBe('held');
      expect(await kindOf({ amount: 3n })).toBe('limited');
      now += 1;
      expect(await used()).toEqual({ all: 0 });
      expect(await kindOf({ amount: 1n })).toBe('held');
      // What joins the hold of the last window moves it to this one, as a whole.
      expect(await kindOf({ nonce, amount: 10n })).toBe('limited');
      expect(await kindOf({ nonce, amount: 9n })).toBe('held');
      expect(await used()).toEqual({ all: 10 });
      // A clock that is set back finds the window of before, without it.
      now -= 1;
      expect(await used()).toEqual({ all: 0 });
    },
  );

  test('ever never begins again', async () => {
    expect(await setBudget({ window: 'ever', maxUsdMicros: 10n * usd })).not.toHaveProperty('until');
    expect(await kindOf({ amount: 8n })).toBe('held');
    now += 4_000 * day;
    expect(await kindOf({ amount: 3n })).toBe('limited');
    expect(await kindOf({ amount: 2n })).toBe('held');
  });
});

/** Rolls back all that the chain has told. */
async function reversal(): Promise<void> {
  const watch = { chain_id: chainId, contract, next_block: 100_000, last_hash: '' };
  await ledger.store.db
    .insertInto('contract_watches')
    .values(watch)
    .onConflict((conflict) => conflict.columns(['chain_id', 'contract']).doUpdateSet(watch))
    .execute();
  const way = { chainId, contract, watchBefore: 100_000n, toBlock: 0n, nextBlock: 1n, lastHash: '' } as const;
  await ledger.store.transaction((trx) => revertTo(trx, way, now));
}
