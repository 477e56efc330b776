import { randomUUID } from 'node:crypto';
import { createWalletClient, http, parseGwei } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ChainClient } from '../../core/node/chain-client.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { leaseDevnet } from '../support/chain/lease-devnet.ts';
import { insertPaymaster } from '../support/core/ledger-lab.ts';
import { depositRule, ether, executorRule, type HotWalletLab, openHotWalletLab, version } from './hot-wallet-lab.ts';

let devnet: Devnet;
let lab: HotWalletLab;

beforeEach(async () => {
  devnet = await leaseDevnet();
  lab = await openHotWalletLab(devnet);
});
afterEach(async () => {
  await devnet.client.setAutomine(true);
  await lab.close();
  await devnet.close();
});

/** Sends as the operator does with the same wallet by hand. */
async function sendByHand(nonce: number, maxFeePerGas = parseGwei('50')) {
  const account = privateKeyToAccount(lab.key);
  const client = createWalletClient({ account, chain: devnet.client.chain, transport: http(devnet.rpcUrl) });
  return client.sendTransaction({
    to: account.address,
    value: 1n,
    nonce,
    gas: 21_000n,
    maxFeePerGas,
    maxPriorityFeePerGas: maxFeePerGas,
  });
}

const forDeposit = () => ({
  targets: [{ target: lab.contract, entryPoint: devnet.entryPoints[version], rule: depositRule }],
});

describe('a balance below its mark', () => {
  test('is topped up to the wei, once, and left alone from then on', async () => {
    await lab.setTarget(ether('0.25'));
    await lab.turn();
    await lab.mine(1);
    expect(await lab.executorBalance()).toBe(executorRule.to);
    await lab.mine(2);
    await lab.turn();
    expect(await lab.transfers()).toMatchObject([{ state: 'landed', amount: ether('2.75'), nonce: 0 }]);
    await lab.turn();
    expect(await lab.transfers()).toHaveLength(1);
  });

  test('is left alone as long as it is at its mark', async () => {
    await lab.setTarget(executorRule.below);
    expect(await lab.turn()).toEqual({ walletBalance: ether('100') });
    expect(await lab.transfers()).toEqual([]);
  });

  test('is topped up at the EntryPoint for a paymaster contract', async () => {
    const before = await lab.deposit();
    expect(before).toBeLessThan(depositRule.below);
    await lab.turn(forDeposit());
    await lab.mine(1);
    expect(await lab.deposit()).toBe(depositRule.to);
    expect(await lab.transfers()).toMatchObject([{ amount: depositRule.to - before, target: lab.contract }]);
  });

  test('waits for the transfer before it to be confirmed', async () => {
    const both = { targets: [{ target: lab.executor, rule: executorRule }, ...forDeposit().targets] };
    await lab.turn(both);
    await lab.turn(both);
    expect(await lab.transfers()).toMatchObject([{ target: lab.executor, state: 'open' }]);
    await lab.mine(2);
    await lab.turn(both);
    expect(await lab.transfers()).toMatchObject([{ state: 'landed' }, { target: lab.contract, nonce: 1 }]);
  });
});

describe('the cap of the day', () => {
  test('counts every transfer with its highest gas fee, and stops the next one', async () => {
    await lab.turn();
    await lab.mine(2);
    const [first] = await lab.transfers();
    expect(await lab.sentInDay()).toBe(ether('3') + (first?.gas ?? 0n) * (first?.fees.maxFeePerGas ?? 0n));
    await lab.setTarget(0n);
    expect(await lab.turn({ maxPerDay: ether('6') })).toMatchObject({ block: 'cap' });
    expect(await lab.executorBalance()).toBe(0n);
    expect(await lab.turn({ maxPerDay: ether('6.1') })).not.toHaveProperty('block');
    await lab.mine(1);
    expect(await lab.executorBalance()).toBe(ether('3'));
  });

  test('is free again a day after each transfer, and not at midnight', async () => {
    const maxPerDay = ether('3.5');
    await lab.turn({ maxPerDay });
    await lab.mine(2);
    await lab.setTarget(0n);
    lab.pass(86_300);
    expect(await lab.turn({ maxPerDay })).toMatchObject({ block: 'cap' });
    lab.pass(200);
    expect(await lab.turn({ maxPerDay })).not.toHaveProperty('block');
    expect(await lab.transfers()).toHaveLength(2);
  });

  test('counts a transfer that has not landed, and one whose nonce was used for something else', async () => {
    const maxPerDay = ether('3.5');
    await devnet.client.setAutomine(false);
    await lab.turn({ maxPerDay });
    await sendByHand(0);
    await devnet.client.setAutomine(true);
    await lab.mine(3);
    expect(await lab.executorBalance()).toBe(0n);
    expect(await lab.turn({ maxPerDay })).toMatchObject({ block: 'cap' });
    expect(await lab.transfers()).toMatchObject([{ state: 'replaced' }]);
  });

  test('bounds what a bundler burns that has the key of an executor', async () => {
    for (let round = 0; round < 6; round += 1) {
      await lab.setTarget(0n);
      await lab.turn();
      await lab.mine(2);
    }
    const left = await devnet.client.getBalance({ address: lab.wallet.address });
    expect(await lab.transfers()).toHaveLength(3);
    expect(ether('100') - left).toBeLessThanOrEqual(ether('10'));
  });
});

describe('nothing is sent', () => {
  test('if the wallet has too little coin', async () => {
    await devnet.client.setBalance({ address: lab.wallet.address, value: ether('3') });
    expect(await lab.turn()).toMatchObject({ block: 'wallet', walletBalance: ether('3') });
    expect(await lab.transfers()).toEqual([]);
  });

  test('if gas is above the ceiling of the chain', async () => {
    expect(await lab.turn({ maxFeePerGasCeiling: 1n })).toMatchObject({ block: 'fees' });
    expect(await lab.transfers()).toEqual([]);
  });

  test('if the wallet has a transaction under way that the service did not send', async () => {
    await devnet.client.setAutomine(false);
    await sendByHand(0);
    expect(await lab.turn()).toMatchObject({ block: 'nonce' });
    expect(await lab.transfers()).toEqual([]);
  });

  test('if the wallet is the funding wallet of a paymaster', async () => {
    const paymasterId = randomUUID();
    await insertPaymaster(lab.store, { paymasterId, accountId: randomUUID() });
    await lab.store.db
      .insertInto('funding_wallets')
      .values({
        paymaster_id: paymasterId,
        address: lab.wallet.address,
        message: 'm',
        signature: `0x${'00'.repeat(65)}`,
        set_at: 1,
      })
      .execute();
    expect(await lab.turn()).toMatchObject({ block: 'shared' });
    expect(await lab.transfers()).toEqual([]);
  });

  test('while nothing may be signed on any chain', async () => {
    const fault = { fault: () => 'the database lost commits' } as object;
    expect(await lab.turn(fault)).toMatchObject({ block: 'fault', text: 'the database lost commits' });
    expect(await lab.transfers()).toEqual([]);
  });
});

describe('a transfer lands once', () => {
  /** The process ends where the next one takes up what is in the store. */
  const killed = new Error('killed');

  test('if the process ends after it was written and before it was signed', async () => {
    const signTransaction = () => Promise.reject(killed);
    await expect(lab.turn({ wallet: { ...lab.wallet, signTransaction } })).rejects.toThrow('killed');
    expect(await lab.transfers()).toMatchObject([{ state: 'open', nonce: 0, txHashes: [] }]);
    expect(await lab.executorBalance()).toBe(0n);
    await lab.turn();
    await lab.mine(2);
    await lab.turn();
    expect(await lab.transfers()).toMatchObject([{ state: 'landed', nonce: 0 }]);
    expect(await lab.executorBalance()).toBe(ether('3'));
  });

  test('if the process ends after it was signed and before a node got it', async () => {
    // It answers questions, and takes no transaction.
    const deaf = { ...devnet.client, request: () => Promise.reject(killed) } as unknown as ChainClient;
    await lab.turn({ nodes: [deaf] });
    const [written] = await lab.transfers();
    expect(written).toMatchObject({ state: 'open' });
    expect(await lab.executorBalance()).toBe(0n);
    await lab.turn();
    await lab.mine(2);
    await lab.turn();
    expect(await lab.transfers()).toMatchObject([{ state: 'landed', txHashes: written?.txHashes }]);
    expect(await lab.executorBalance()).toBe(ether('3'));
  });

  test('if the process ends between sending and confirming', async () => {
    await devnet.client.setAutomine(false);
    await lab.turn();
    await lab.turn();
    await devnet.client.setAutomine(true);
    await lab.mine(3);
    await lab.turn();
    await lab.turn();
    expect(await lab.transfers()).toMatchObject([{ state: 'landed', txHashes: [expect.any(String)] }]);
    expect(await lab.executorBalance()).toBe(ether('3'));
  });

  test('if its fees became too low: it is replaced under the same nonce, and the cap counts the higher fee', async () => {
    await devnet.client.setAutomine(false);
    await lab.turn();
    const [first] = await lab.transfers();
    const counted = await lab.sentInDay();
    // Blocks without it, since their base fee is above what it pays.
    await devnet.client.setNextBlockBaseFeePerGas({ baseFeePerGas: (first?.fees.maxFeePerGas ?? 0n) + 1n });
    await lab.mine(1);
    lab.pass(100);
    await lab.turn();
    expect(await lab.transfers()).toMatchObject([{ fees: first?.fees }]);
    lab.pass(100);
    await lab.turn();
    const [raised] = await lab.transfers();
    expect(raised).toMatchObject({ nonce: 0, state: 'open', txHashes: [first?.txHashes[0], expect.any(String)] });
    expect(await lab.sentInDay()).toBeGreaterThan(counted);
    await lab.mine(3);
    await lab.turn();
    expect(await lab.transfers()).toMatchObject([{ state: 'landed', landedTx: raised?.txHashes[1] }]);
    expect(await lab.executorBalance()).toBe(ether('3'));
  });

  test('if its fees are too low and the cap has no room for higher ones: it waits as it is', async () => {
    await devnet.client.setAutomine(false);
    await lab.turn();
    const maxPerDay = await lab.sentInDay();
    lab.pass(200);
    await lab.turn({ maxPerDay });
    const [only] = await lab.transfers();
    expect(only?.txHashes).toHaveLength(1);
    lab.pass(800);
    expect(await lab.turn({ maxPerDay })).toMatchObject({ block: 'stuck' });
    await lab.mine(3);
    expect(await lab.turn({ maxPerDay })).not.toHaveProperty('block');
    expect(await lab.transfers()).toMatchObject([{ state: 'landed' }]);
  });

  test('if a reorg drops it before it is confirmed, or after', async () => {
    for (const blocks of [0, 3]) {
      await lab.setTarget(0n);
      const nextNonce = await devnet.client.getTransactionCount({ address: lab.wallet.address });
      const before = await devnet.client.snapshot();
      await lab.turn();
      await lab.mine(blocks);
      await lab.turn();
      const [sent] = (await lab.transfers()).slice(-1);
      expect(sent?.state).toBe(blocks === 0 ? 'open' : 'landed');
      // The chain goes on without the block that had it.
      await devnet.client.revert({ id: before });
      expect(await devnet.client.getTransactionCount({ address: lab.wallet.address })).toBe(nextNonce);
      expect(await lab.executorBalance()).toBe(0n);
      await lab.turn();
      await lab.mine(2);
      await lab.turn();
      expect((await lab.transfers()).slice(-1)).toMatchObject([
        { state: 'landed', txHashes: sent?.txHashes, nonce: nextNonce },
      ]);
      expect(await lab.executorBalance()).toBe(ether('3'));
    }
    expect(await lab.transfers()).toHaveLength(2);
  });
});
