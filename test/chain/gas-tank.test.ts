import { encodeFunctionData, parseAbi, parseEther } from 'viem';
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { type Devnet, devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import { sendInOrder } from '../../server/dev/devnet/devnet-client.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import {
  depositOf,
  fillTank,
  fundWithTokens,
  mineAt,
  newSmartAccount,
  nextOperation,
  plainLimits,
  type SmartAccount,
  targetCall,
  tokenWith,
  walletWith,
} from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { tabledEntryPoints } from '../support/chain/tabled-entry-points.ts';
import { anyGasPrice, looseGivenLimitsCheck } from '../support/service/any-clock.ts';
import { readHolds, readTank, type Tank } from '../support/service/chain-ledger.ts';
import { chooseWallet, type LabPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import { signedAnswer } from '../support/service/chain-rpc.ts';
import { askSponsorship, prefundOf, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

/** Limits and fees of every operation here, so that each has the same worst case. */
const fixed = {
  ...plainLimits('undeployed'),
  maxFeePerGas: 20_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
};
/** How long the ledger may need to follow the chain on a busy machine. */
const patience = { timeout: 10_000 };
const tooSmall = { httpStatus: 422, code: -32014, reason: 'INSUFFICIENT_FUNDS' };

let service: RunningService;
let devnet: Devnet;
beforeAll(async () => {
  service = await startService({ configure: (config) => anyGasPrice(looseGivenLimitsCheck(config)) });
  devnet = service.devnet;
});
afterAll(() => service.close());

type Tanked = { readonly paymaster: LabPaymaster; readonly wallet: LocalAccount };

/** A paymaster of its own with a new funding wallet and this much in its tank. */
async function paymasterWith(version: EntryPointVersion, amount: bigint): Promise<Tanked> {
  const paymaster = await openPaymaster(service, version);
  const wallet = await walletWith(devnet, 0n);
  await chooseWallet(paymaster, wallet);
  if (amount > 0n) await fillTank(devnet, version, wallet, amount);
  return { paymaster, wallet };
}

async function operationOf(account: SmartAccount, nonceKey = 0n): Promise<DevUserOperation> {
  const built = await nextOperation(devnet, account, [targetCall(devnet, 'increment')], nonceKey);
  return { ...built, ...fixed };
}

/** An `increment` of a new account that owns tokens and has approved the paymaster contract. */
async function payingOperation(version: EntryPointVersion): Promise<DevUserOperation> {
  const operation = await operationOf(newSmartAccount(version));
  const spender = devnet.paymasterContracts[devnetFamilies[version]];
  await fundWithTokens(devnet, tokenWith(devnet, 6), { owner: operation.sender, spender });
  return operation;
}

const asGiven = { calculateGasLimits: false };
const ask = ({ paymaster }: Tanked, operation: DevUserOperation, expiryDuration = 300) =>
  askSponsorship(paymaster.rpcUrl, operation, { ...asGiven, expiryDuration });

/** The worst case of one operation, as the EntryPoint's rule has it for what the service signs. */
async function worstCase(version: EntryPointVersion): Promise<bigint> {
  const rich = await paymasterWith(version, parseEther('1'));
  const operation = await operationOf(newSmartAccount(version));
  return prefundOf(operation, await sponsor(rich.paymaster.rpcUrl, operation, asGiven));
}

function tankOf(version: EntryPointVersion, wallet: LocalAccount): Tank {
  return readTank(service.config.database, contractOf(version), wallet.address);
}

function contractOf(version: EntryPointVersion) {
  return devnet.paymasterContracts[devnetFamilies[version]];
}

async function untilTankIs(version: EntryPointVersion, wallet: LocalAccount, expected: Tank): Promise<void> {
  await vi.waitFor(() => expect(tankOf(version, wallet)).toEqual(expected), patience);
}

describe.each(tabledEntryPoints)('a tank of EntryPoint %s', (version) => {
  test('for five operations signs exactly five of ten asked at once, and more as they are settled', async () => {
    const worst = await worstCase(version);
    const funded = worst * 6n - 1n;
    const tanked = await paymasterWith(version, funded);
    const accounts = Array.from({ length: 10 }, () => newSmartAccount(version));
    const operations = await Promise.all(accounts.map((account) => operationOf(account)));
    const answers = await Promise.all(operations.map((operation) => ask(tanked, operation)));

    const signed = answers.flatMap((answer, index) => {
      const [account, operation] = [accounts[index], operations[index]];
      if (answer.code !== undefined || account === undefined || operation === undefined) return [];
      return [{ account, operation: withAnswer(operation, signedAnswer(answer)) }];
    });
    expect(signed).toHaveLength(5);
    for (const answer of answers.filter(({ code }) => code !== undefined)) expect(answer).toMatchObject(tooSmall);
    expect(tankOf(version, tanked.wallet)).toEqual({ funded, settled: 0n, held: worst * 5n });
    expect(await ask(tanked, await operationOf(newSmartAccount(version)))).toMatchObject(tooSmall);

    let settled = 0n;
    for (const { account, operation } of signed) settled += (await land(devnet, account, operation)).actualGasCost;
    await untilTankIs(version, tanked.wallet, { funded, settled, held: 0n });

    const affordable = Number((funded - settled) / worst);
    expect(affordable).toBeLessThanOrEqual(5);
    expect(affordable).toBeGreaterThan(0);
    const again = await Promise.all(
      Array.from({ length: 7 }, async () => ask(tanked, await operationOf(newSmartAccount(version)))),
    );
    expect(again.filter(({ httpStatus }) => httpStatus === 200)).toHaveLength(affordable);
  });

  test('for one operation signs it again and again, and no other', async () => {
    const tanked = await paymasterWith(version, await worstCase(version));
    const account = newSmartAccount(version);
    const operation = await operationOf(account);
    for (const _ of [1, 2, 3]) expect((await ask(tanked, operation)).httpStatus).toBe(200);
    expect(readHolds(service.config.database, contractOf(version), tanked.wallet.address)).toHaveLength(1);
    expect(await ask(tanked, await operationOf(account, 5n))).toMatchObject(tooSmall);
    expect(await ask(tanked, { ...operation, maxFeePerGas: operation.maxFeePerGas + 1n })).toMatchObject(tooSmall);
  });

  test('advances the gas of token-paid operations too, within what it has', async () => {
    const rich = await paymasterWith(version, parseEther('1'));
    const tokenPaid = { ...asGiven, token: tokenWith(devnet, 6).address };
    const operation = await payingOperation(version);
    const worst = prefundOf(operation, await sponsor(rich.paymaster.rpcUrl, operation, tokenPaid));

    const tanked = await paymasterWith(version, worst);
    expect((await askSponsorship(tanked.paymaster.rpcUrl, operation, tokenPaid)).httpStatus).toBe(200);
    expect(tankOf(version, tanked.wallet)).toEqual({ funded: worst, settled: 0n, held: worst });
    const next = await payingOperation(version);
    expect(await askSponsorship(tanked.paymaster.rpcUrl, next, tokenPaid)).toMatchObject(tooSmall);
    expect(await ask(tanked, next)).toMatchObject(tooSmall);
  });

  test('gets back what a failed call did not use, and keeps what the chain took', async () => {
    const worst = await worstCase(version);
    const tanked = await paymasterWith(version, worst);
    const account = newSmartAccount(version);
    const pay = { ...targetCall(devnet, 'pay'), value: 1n };
    const operation = { ...(await nextOperation(devnet, account, [pay])), ...fixed };
    await devnet.client.setBalance({ address: operation.sender, value: 1n });
    const answer = signedAnswer(await ask(tanked, operation));
    // The coin it wanted to pay is gone by the time it lands.
    await devnet.client.setBalance({ address: operation.sender, value: 0n });
    const outcome = await land(devnet, account, withAnswer(operation, answer));
    expect(outcome.success).toBe(false);
    await untilTankIs(version, tanked.wallet, { funded: worst, settled: outcome.actualGasCost, held: 0n });
  });

  test('sees a deposit at once, without a restart', async () => {
    const worst = await worstCase(version);
    const tanked = await paymasterWith(version, 0n);
    const operation = await operationOf(newSmartAccount(version));
    expect(await ask(tanked, operation)).toMatchObject(tooSmall);
    await fillTank(devnet, version, tanked.wallet, worst - 1n);
    expect(await ask(tanked, operation)).toMatchObject(tooSmall);
    await fillTank(devnet, version, tanked.wallet, 1n);
    expect((await ask(tanked, operation)).httpStatus).toBe(200);
    expect(tankOf(version, tanked.wallet)).toEqual({ funded: worst, settled: 0n, held: worst });
  });

  test('is the tank of the funding wallet that is set, old signatures stay with the old one', async () => {
    const worst = await worstCase(version);
    const tanked = await paymasterWith(version, worst);
    const account = newSmartAccount(version);
    const operation = await operationOf(account);
    const first = withAnswer(operation, signedAnswer(await ask(tanked, operation)));

    const next = await walletWith(devnet, 0n);
    await chooseWallet(tanked.paymaster, next);
    const other = newSmartAccount(version);
    expect(await ask(tanked, await operationOf(other))).toMatchObject(tooSmall);
    await fillTank(devnet, version, next, worst);
    const second = await operationOf(other);
    const signed = withAnswer(second, signedAnswer(await ask(tanked, second)));
    expect(tankOf(version, next)).toEqual({ funded: worst, settled: 0n, held: worst });

    const landedFirst = await land(devnet, account, first);
    const landedSecond = await land(devnet, other, signed);
    await untilTankIs(version, tanked.wallet, { funded: worst, settled: landedFirst.actualGasCost, held: 0n });
    await untilTankIs(version, next, { funded: worst, settled: landedSecond.actualGasCost, held: 0n });

    const { management, apiKey } = tanked.paymaster;
    const shown = await management.readGasTank({ apiKey });
    const left = (worst - landedFirst.actualGasCost).toString();
    expect(shown.formerTanks).toEqual([{ fundingWallet: tanked.wallet.address, left, held: '0' }]);
    await chooseWallet(tanked.paymaster, tanked.wallet);
    const back = await management.readGasTank({ apiKey });
    expect([back.fundingWallet, back.funded]).toEqual([tanked.wallet.address, worst.toString()]);
  });

  test('is not touched by what someone else pays in', async () => {
    const tanked = await paymasterWith(version, 0n);
    await fillTank(devnet, version, await walletWith(devnet, 0n), parseEther('1'));
    expect(await ask(tanked, await operationOf(newSmartAccount(version)))).toMatchObject(tooSmall);
  });

  test('gives the money back when the chain has passed an unsent operation’s validUntil', async () => {
    const worst = await worstCase(version);
    const tanked = await paymasterWith(version, worst);
    const unsent = signedAnswer(await ask(tanked, await operationOf(newSmartAccount(version)), 60));
    const waiting = await operationOf(newSmartAccount(version));
    expect(await ask(tanked, waiting)).toMatchObject(tooSmall);
    // Signed to the last second, held to the last second.
    await mineAt(devnet, unsent.validUntil);
    expect(await ask(tanked, waiting)).toMatchObject(tooSmall);
    await mineAt(devnet, unsent.validUntil + 1);
    expect((await ask(tanked, waiting)).httpStatus).toBe(200);
    expect(tankOf(version, tanked.wallet)).toEqual({ funded: worst, settled: 0n, held: worst });
  });
});

test('nothing more is signed when the contract’s owner has withdrawn its deposit, whatever the tanks say', async () => {
  const tanked = await paymasterWith('0.7', parseEther('1'));
  expect((await ask(tanked, await operationOf(newSmartAccount('0.7')))).httpStatus).toBe(200);
  const signer = service.config.chains[0]?.signer;
  if (signer?.kind !== 'raw') throw new Error('The development chain has a raw key.');
  const owner = privateKeyToAccount(signer.privateKey.reveal());
  await devnet.client.setBalance({ address: owner.address, value: parseEther('1') });
  const args = [owner.address, await depositOf(devnet, '0.7', contractOf('0.7'))] as const;
  const data = encodeFunctionData({ abi: parseAbi(['function withdrawTo(address to, uint256 amount)']), args });
  await sendInOrder(devnet.client, owner, [
    { description: 'a withdrawal', to: contractOf('0.7'), data, gas: 200_000n },
  ]);
  const operation = await operationOf(newSmartAccount('0.7'));
  // The deposit is read with every look at the chain.
  await vi.waitFor(async () => expect(await ask(tanked, operation)).toMatchObject(tooSmall), patience);
});

test('a paymaster without a funding wallet has no tank', async () => {
  const paymaster = await openPaymaster(service, '0.7');
  const operation = await operationOf(newSmartAccount('0.7'));
  expect(await askSponsorship(paymaster.rpcUrl, operation)).toMatchObject(tooSmall);
});
