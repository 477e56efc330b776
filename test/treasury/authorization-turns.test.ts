import { type Address, getAddress, numberToHex, parseGwei, type SignedAuthorization, zeroAddress } from 'viem';
import { type LocalAccount, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { authorizationHash, authorizationNonce, delegateOf } from '../../core/evm/entry-point/eip7702.ts';
import { endOfTime } from '../../core/evm/entry-point/entry-point-abi.ts';
import { checkContractLedger } from '../../core/ledger/checking/check-ledger.ts';
import { holdBatch } from '../../core/ledger/holds/hold-batch.ts';
import { ensureContractTotals } from '../../core/ledger/posting/pass-block.ts';
import { watchRelay } from '../../core/ledger/relay-desk.ts';
import type { ChainClient } from '../../core/node/chain-client.ts';
import type { ChainWatcher } from '../../core/node/followed-chain.ts';
import { startChainWatcher } from '../../core/runtime/chain-watcher.ts';
import type { TreasuryParts } from '../../core/runtime/treasury/treasury-parts.ts';
import { fromWeiText } from '../../core/store/wei.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { systemClock } from '../../server/system-clock.ts';
import { walletWith } from '../support/chain/chain-lab.ts';
import { signDelegation } from '../support/chain/eip7702-lab.ts';
import { leaseDevnet } from '../support/chain/lease-devnet.ts';
import { holdRequest } from '../support/core/ledger-lab.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import { transfer } from '../support/relay/relay-lab.ts';
import { freshKey } from '../support/service/running-service.ts';
import { ether, executorRule, openTreasuryLab, type TreasuryLab, version } from './treasury-lab.ts';

const inTank = ether('5');

let devnet: Devnet;
let lab: TreasuryLab;
let relay: Address;
let wallet: LocalAccount;
let watcher: ChainWatcher;

beforeEach(async () => {
  devnet = await leaseDevnet();
  lab = await openTreasuryLab(devnet);
  relay = getAddress(devnet.entryPoints[version]);
  wallet = await walletWith(devnet, ether('100'));
  await ensureContractTotals(lab.store, [{ chainId: devnet.chainId, address: relay }]);
  watcher = watch();
  await watcher.catchUp();
  await transfer(devnet, wallet, { to: lab.executor, value: inTank });
  await lab.mine(2);
  await watcher.catchUp();
  expect(await tank()).toEqual({ funded: inTank, settled: 0n, held: 0n });
});
afterEach(async () => {
  await devnet.client.setAutomine(true);
  await watcher.close();
  await lab.close();
  await devnet.close();
});

/** Follows the relay, whose only executor is that of the treasury's lab. */
function watch(): ChainWatcher {
  const { chainId } = devnet;
  const client = devnet.client as unknown as ChainClient;
  const watched = watchRelay(lab.store, { chainId, contract: relay, executors: [lab.executor] });
  return startChainWatcher({
    ...{ chainId, client, nodes: [client], confirmations: 2, pollIntervalMs: 3_600_000, startBlock: 0n },
    watched: [{ entryPoint: relay, contracts: [{ address: relay, relay: watched }] }],
    ...{ store: lab.store, clock: systemClock, logger: silentLogger },
  });
}

const rule = { maxPerDay: ether('5'), perAccountPerDay: 2 };

/** A turn of a treasury that sends authorizations and tops up nothing. */
const turn = (over: Partial<TreasuryParts> = {}) =>
  lab.turn({ targets: [], relay: { contract: relay, authorizations: rule }, ...over });

/** Confirms what was mined, in the ledger and for the treasury. */
async function confirm(): Promise<void> {
  await lab.mine(3);
  await watcher.catchUp();
  await turn();
}

const newOwner = () => privateKeyToAccount(freshKey());
const codeOf = async (address: Address) => delegateOf(await devnet.client.getCode({ address }));
const coin = () => devnet.client.getBalance({ address: lab.wallet.address });

/** Accepts an authorization as the service does: with its hold, before anything of it is signed. */
async function hold(authorization: SignedAuthorization, authority: Address, amount = ether('0.1')): Promise<void> {
  const { address, chainId, r, s, yParity, nonce } = authorization;
  const parity = yParity === 0 ? 0 : 1;
  const numbers = { chainId: BigInt(chainId), nonce: BigInt(nonce), r: BigInt(r), s: BigInt(s) };
  const operation = JSON.stringify({ address, chainId, nonce, r, s, yParity: parity });
  const userOperationHash = authorizationHash({ address, ...numbers, yParity: parity });
  const request = holdRequest({
    tank: { chainId: devnet.chainId, contract: relay, wallet: wallet.address },
    ...{ amount, sender: authority, nonce: authorizationNonce(BigInt(nonce)), validUntil: endOfTime },
    requestKey: userOperationHash,
    relayed: { userOperationHash, operation, authority },
  });
  const now = Math.floor(Date.now() / 1_000);
  const [outcome] = await lab.store.transaction((transaction) => holdBatch(transaction, [request], now));
  expect(outcome?.kind).toBe('held');
}

/** Accepts the delegation of an account. */
async function delegation(owner: PrivateKeyAccount = newOwner(), amount?: bigint): Promise<PrivateKeyAccount> {
  await hold(await signDelegation(devnet, owner, devnet.simple7702Account), owner.address, amount);
  return owner;
}

async function tank() {
  const row = await lab.store.db
    .selectFrom('tanks')
    .selectAll()
    .where('wallet', '=', wallet.address)
    .where('contract', '=', relay)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { funded: fromWeiText(row.funded), settled: fromWeiText(row.settled), held: fromWeiText(row.held) };
}

async function ends() {
  return lab.store.db.selectFrom('holds').select(['state', 'success']).orderBy('hold_id').execute();
}

/** What the tank paid, with nothing held and the ledger equal to the executor's balance. */
async function paid(): Promise<bigint> {
  const now = await tank();
  expect(now).toMatchObject({ funded: inTank, held: 0n });
  const checked = await lab.store.read((snapshot) =>
    checkContractLedger(snapshot, { chainId: devnet.chainId, contract: relay, keepsBalances: false }),
  );
  expect(checked.faults).toEqual([]);
  expect(checked).toMatchObject({ bookDeposit: await lab.executorBalance(), treasuryDeposits: now?.settled });
  return now?.settled ?? 0n;
}

describe('authorizations that wait', () => {
  test('are sent together to the wallet itself without data, and share the cost to the wei', async () => {
    const before = await coin();
    const owners = [await delegation(), await delegation(), await delegation()];
    await turn();
    await confirm();
    for (const { address } of owners) expect(await codeOf(address)).toBe(devnet.simple7702Account);
    const [sent] = await lab.transfers();
    expect(sent).toMatchObject({ state: 'landed', target: lab.wallet.address, amount: 0n, nonce: 0 });
    const { to, input, value } = await devnet.client.getTransaction({ hash: sent?.landedTx ?? '0x' });
    expect([getAddress(to ?? '0x'), input, value]).toEqual([lab.wallet.address, '0x', 0n]);
    expect(await codeOf(lab.wallet.address)).toBeUndefined();
    expect(await paid()).toBe(before - (await coin()));
    expect(await ends()).toEqual([1, 2, 3].map(() => ({ state: 'settled', success: 1 })));
  });

  test('are one of each account in a transaction, and those that it has made void cost nothing', async () => {
    const before = await coin();
    const owner = await delegation();
    await hold(await signDelegation(devnet, owner, zeroAddress), owner.address);
    await turn();
    await confirm();
    await turn();
    expect(await lab.transfers()).toHaveLength(1);
    expect(await devnet.client.getTransactionCount(owner)).toBe(1);
    expect(await paid()).toBe(before - (await coin()));
  });

  test('are released without cost once the account has used its nonce', async () => {
    const owner = newOwner();
    await devnet.client.setBalance({ address: owner.address, value: ether('1') });
    await delegation(owner);
    await transfer(devnet, owner, { to: wallet.address, value: 1n });
    await turn();
    expect(await lab.transfers()).toEqual([]);
    expect(await paid()).toBe(0n);
  });

  test('wait while gas costs more than was held for them, and are released after 15 minutes', async () => {
    await delegation(newOwner(), 1_000n);
    expect(await turn()).toMatchObject({ block: 'fees' });
    lab.pass(600);
    expect(await turn()).toMatchObject({ block: 'fees' });
    lab.pass(600);
    expect(await turn()).not.toHaveProperty('block');
    expect(await lab.transfers()).toEqual([]);
    expect(await paid()).toBe(0n);
  });

  test('are released if the operator no longer sends them', async () => {
    await delegation();
    await turn({ relay: { contract: relay } });
    expect(await lab.transfers()).toEqual([]);
    expect(await paid()).toBe(0n);
  });
});

describe('the limits of authorizations', () => {
  test('are counted per account and day, also for those that had no effect', async () => {
    const owner = newOwner();
    for (const delegate of [devnet.simple7702Account, zeroAddress, devnet.simple7702Account]) {
      await hold(await signDelegation(devnet, owner, delegate), owner.address);
      await turn();
      await confirm();
    }
    expect(await lab.transfers()).toHaveLength(2);
    expect(await codeOf(owner.address)).toBeUndefined();
    await paid();
  });

  test('leave the rest of the daily cap to refills', async () => {
    const relayed = { contract: relay, authorizations: { ...rule, maxPerDay: 1_000n } };
    const below = { target: lab.executor, rule: { below: inTank + 1n, to: inTank + ether('1') } };
    await delegation();
    expect(await turn({ relay: relayed })).toMatchObject({ block: 'cap' });
    await turn({ relay: relayed, targets: [below] });
    expect(await lab.transfers()).toMatchObject([{ target: lab.executor, amount: ether('1') }]);
  });
});

/** Rejects what is sent, as a node that cannot be reached. */
const unreachable = () => {
  const client = devnet.client as unknown as ChainClient;
  return new Proxy(client, {
    get: (of, name, receiver) =>
      name === 'request' ? () => Promise.reject(new Error('away')) : Reflect.get(of, name, receiver),
  });
};

describe('an authorization is paid for once', () => {
  test('if the process is killed before it signs, after it signs, and before it settles', async () => {
    const before = await coin();
    const owner = await delegation();
    const killed = { ...lab.wallet, signTransaction: () => Promise.reject(new Error('killed')) };
    await expect(turn({ wallet: killed })).rejects.toThrow('killed');
    expect(await lab.transfers()).toMatchObject([{ state: 'open', nonce: 0, txHashes: [] }]);
    await turn({ nodes: [unreachable()] });
    const [signed] = await lab.transfers();
    expect(signed?.txHashes).toHaveLength(1);
    expect(await codeOf(owner.address)).toBeUndefined();
    await turn();
    await confirm();
    await turn();
    expect(await lab.transfers()).toMatchObject([{ state: 'landed', landedTx: signed?.txHashes[0] }]);
    expect(await codeOf(owner.address)).toBe(devnet.simple7702Account);
    expect(await paid()).toBe(before - (await coin()));
    expect(await devnet.client.getTransactionCount({ address: lab.wallet.address })).toBe(1);
  });

  test('if the ledger is behind when it is confirmed', async () => {
    const before = await coin();
    await delegation();
    await turn();
    await lab.mine(3);
    await turn();
    expect(await lab.transfers()).toMatchObject([{ state: 'landed' }]);
    expect(await tank()).toMatchObject({ settled: 0n, held: ether('0.1') });
    await watcher.catchUp();
    await turn();
    expect(await paid()).toBe(before - (await coin()));
  });

  test('if a reorg drops it before it is confirmed, or after', async () => {
    for (const isConfirmed of [false, true]) {
      const before = await coin();
      const { settled = 0n } = (await tank()) ?? {};
      const owner = await delegation();
      const snapshot = await devnet.client.snapshot();
      await turn();
      // In a block before the chain goes back: a transaction in the pool would outlive that.
      await lab.mine(1);
      if (isConfirmed) await confirm();
      expect((await tank())?.held).toBe(isConfirmed ? 0n : ether('0.1'));
      await devnet.client.revert({ id: snapshot });
      // The chain goes on with other blocks.
      await devnet.client.mine({ blocks: 6, interval: 7 });
      await watcher.catchUp();
      expect(await tank()).toMatchObject({ settled, held: ether('0.1') });
      expect(await codeOf(owner.address)).toBeUndefined();
      await turn();
      await confirm();
      expect(await codeOf(owner.address)).toBe(devnet.simple7702Account);
      expect((await paid()) - settled).toBe(before - (await coin()));
    }
  });

  test('if it is replaced with higher fees', async () => {
    const before = await coin();
    const owner = await delegation();
    await devnet.client.setAutomine(false);
    await turn();
    lab.pass(200);
    await turn();
    const [raised] = await lab.transfers();
    expect(raised?.txHashes).toHaveLength(2);
    await confirm();
    expect(await lab.transfers()).toMatchObject([{ state: 'landed', landedTx: raised?.txHashes[1] }]);
    expect(await codeOf(owner.address)).toBe(devnet.simple7702Account);
    expect(await paid()).toBe(before - (await coin()));
  });

  test('if another transaction of the wallet takes its nonce: it goes with the next one', async () => {
    const owner = await delegation();
    await turn({ nodes: [unreachable()] });
    await transfer(devnet, privateKeyToAccount(lab.key), { to: wallet.address, value: 1n });
    await lab.mine(3);
    const before = await coin();
    await turn();
    await turn();
    await confirm();
    expect(await lab.transfers()).toMatchObject([{ state: 'replaced' }, { state: 'landed', nonce: 1 }]);
    expect(await codeOf(owner.address)).toBe(devnet.simple7702Account);
    expect(await paid()).toBe(before - (await coin()));
  });
});

describe('without its hot wallet in the configuration, an authorization', () => {
  const other: Address = '0x1111111111111111111111111111111111111111';
  const hour = 3_600;

  test('is released if nothing of it was signed, unless another hot wallet sends it', async () => {
    const owner = await delegation();
    await lab.settleFormer(relay, other);
    expect((await tank())?.held).toBe(ether('0.1'));
    await lab.settleFormer(relay);
    expect(await paid()).toBe(0n);
    await turn();
    expect(await lab.transfers()).toEqual([]);
    expect(await codeOf(owner.address)).toBeUndefined();
  });

  test.each([undefined, other])(
    'is paid for if its transaction lands; the configured wallet is %s',
    async (configured) => {
      const before = await coin();
      const owner = await delegation();
      await turn();
      await lab.settleFormer(relay, configured);
      expect((await tank())?.held).toBe(ether('0.1'));
      await lab.mine(3);
      await watcher.catchUp();
      // The wallet that still sends settles its own.
      await lab.settleFormer(relay, lab.wallet.address);
      expect((await tank())?.held).toBe(ether('0.1'));
      await lab.settleFormer(relay, configured);
      expect(await lab.transfers()).toMatchObject([{ state: 'landed' }]);
      expect(await codeOf(owner.address)).toBe(devnet.simple7702Account);
      expect(await paid()).toBe(before - (await coin()));
    },
  );

  test('is released once another transaction has taken the nonce of its own', async () => {
    await delegation();
    await turn({ nodes: [unreachable()] });
    await transfer(devnet, privateKeyToAccount(lab.key), { to: wallet.address, value: 1n });
    await lab.settleFormer(relay);
    expect((await tank())?.held).toBe(ether('0.1'));
    await lab.mine(3);
    await lab.settleFormer(relay);
    expect(await lab.transfers()).toMatchObject([{ state: 'replaced' }]);
    expect(await paid()).toBe(0n);
  });

  test('is released after a day without a transaction on chain, and costs its tank nothing if that lands later', async () => {
    const owner = await delegation();
    await devnet.client.setAutomine(false);
    await turn();
    lab.pass(23 * hour);
    await lab.settleFormer(relay);
    expect((await tank())?.held).toBe(ether('0.1'));
    lab.pass(2 * hour);
    await lab.settleFormer(relay);
    expect(await paid()).toBe(0n);
    await lab.mine(3);
    await watcher.catchUp();
    await lab.settleFormer(relay);
    expect(await codeOf(owner.address)).toBe(devnet.simple7702Account);
    expect(await paid()).toBe(0n);
  });
});

test('an account that uses its nonce at the last moment has no delegate, and its tank pays the transaction', async () => {
  const owner = newOwner();
  await devnet.client.setBalance({ address: owner.address, value: ether('1') });
  await delegation(owner);
  const before = await coin();
  await devnet.client.setAutomine(false);
  await turn();
  await devnet.client.sendTransaction({
    ...{ account: owner, chain: devnet.client.chain, to: wallet.address, value: 1n, gas: 21_000n },
    ...{ maxFeePerGas: parseGwei('500'), maxPriorityFeePerGas: parseGwei('500') },
  });
  await confirm();
  expect(await codeOf(owner.address)).toBeUndefined();
  expect(await ends()).toEqual([{ state: 'settled', success: 0 }]);
  const cost = await paid();
  expect(cost).toBe(before - (await coin()));
  expect(cost).toBeGreaterThan(0n);
});

describe('on a layer 2 with a fee for data', () => {
  /** A node whose receipts have that fee, in wei. */
  const withDataFee = (l1Fee: bigint) => {
    const client = devnet.client as unknown as ChainClient;
    const read: ChainClient['getTransactionReceipt'] = async (asked) =>
      Object.assign(await client.getTransactionReceipt(asked), { l1Fee: numberToHex(l1Fee) });
    return new Proxy(client, {
      get: (of, name, receiver) => (name === 'getTransactionReceipt' ? read : Reflect.get(of, name, receiver)),
    });
  };

  test('the tanks share it like the gas, to the wei', async () => {
    const [before, dataFee] = [await coin(), ether('0.01') + 1n];
    for (const _ of [1, 2]) await delegation();
    await turn();
    await lab.mine(3);
    await watcher.catchUp();
    await turn({ client: withDataFee(dataFee) });
    expect(await paid()).toBe(before - (await coin()) + dataFee);
  });

  test('the tank pays no more than was held, and the operator the rest', async () => {
    await delegation();
    await turn();
    await lab.mine(3);
    await watcher.catchUp();
    await turn({ client: withDataFee(ether('1')) });
    expect((await tank())?.settled).toBe(ether('0.1'));
    expect(await ends()).toEqual([{ state: 'settled', success: 1 }]);
  });
});

test('executors are topped up before authorizations are sent', async () => {
  await delegation();
  const target = { target: (await walletWith(devnet, 0n)).address, rule: executorRule };
  await turn({ targets: [target] });
  expect(await lab.transfers()).toMatchObject([{ target: target.target }]);
});
