import { type Hex, parseEther, parseEventLogs } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserOperationWithGas } from '../../core/domain/user-operation.ts';
import type { SignedTerms } from '../../core/evm/paymaster-contracts/family/family.ts';
import { gasSchedules } from '../../core/gas/gas-schedule.ts';
import {
  approvedAhead,
  type BiconomyLab,
  balanceOf,
  customer,
  type DeployedRow,
  depositFor,
  startBiconomyLab,
} from '../support/paymaster-contracts/biconomy-lab.ts';
import { type BiconomyRow, biconomyTable, openTerms } from '../support/paymaster-contracts/biconomy-table.ts';
import {
  approveAll,
  land,
  mintTo,
  newAccountOperation,
  setDeposit,
  signForBundle,
  tryBundle,
} from '../support/paymaster-contracts/send-sponsored.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { everyChange } from './every-change.ts';

/** `AA33`, as text or among the bytes of 0.7's `FailedOpWithRevert`. */
const refusedByPaymaster = /AA33|41413333/;
/** Bytes that make the whole call data 64 KiB, the most that is accepted. */
const longData: Hex = `0x${'ab'.repeat(65_536 - 164)}`;

let lab: BiconomyLab;
let salt = 0n;
beforeAll(async () => {
  lab = await startBiconomyLab();
});
afterAll(() => lab.close());

function tokenAddress() {
  const token = lab.devnet.tokens[1];
  if (token === undefined) throw new Error('the chain has no token');
  return token.address;
}

/** An operation that the contract can be paid for: the tank filled, or tokens owned and approved as the contract wants. */
async function payableOperation(row: BiconomyRow, paymaster: DeployedRow, data?: Hex) {
  salt += 1n;
  const token = tokenAddress();
  const { family, contract } = paymaster;
  const call =
    data === undefined
      ? { target: token, data: approveAll(contract.address) }
      : { target: lab.devnet.tokenRecipient, data };
  let operation = await newAccountOperation(lab, paymaster, { mode: row.mode, salt, ...call });
  if (row.mode === 'ERC20') {
    await mintTo(lab, token, operation.sender);
    const pullsBefore = family.entryPointVersion === '0.7' || data !== undefined;
    if (pullsBefore) operation = await approvedAhead(lab, operation, token, contract.address);
  }
  if (family.customerFunding === undefined) await setDeposit(lab, paymaster, parseEther('10'));
  else if ((await balanceOf(lab, paymaster)) < parseEther('5'))
    await depositFor(lab, paymaster.contract, parseEther('10'));
  return { operation, signedTerms: openTerms(row.mode, customer(lab).address, token) };
}

/** Signs and lands an operation and tells what it cost whom. */
async function landed(paymaster: DeployedRow, operation: UserOperationWithGas, signedTerms: SignedTerms) {
  const keepsBalance = paymaster.family.customerFunding !== undefined;
  const before = keepsBalance ? await balanceOf(lab, paymaster) : 0n;
  const bundle = await signForBundle(lab, paymaster, operation, signedTerms);
  const outcome = await land(lab, operation, bundle, tokenAddress());
  return { ...outcome, deducted: keepsBalance ? before - (await balanceOf(lab, paymaster)) : undefined };
}

describe.each(rowsOfRun(biconomyTable, 4))('$name on a real chain', (row) => {
  test('an operation with the limits of the family lands within worst case and maximum charge', async () => {
    const paymaster = lab.row(row);
    const { family } = paymaster;
    const { operation, signedTerms } = await payableOperation(row, paymaster);
    const outcome = await landed(paymaster, operation, signedTerms);
    expect(outcome.success).toBe(true);
    expect(outcome.actualGasCost).toBeLessThanOrEqual(family.worstCase(operation, signedTerms));
    if (outcome.deducted !== undefined) {
      expect(outcome.deducted).toBeGreaterThanOrEqual(outcome.actualGasCost);
      expect(outcome.deducted).toBeLessThanOrEqual(family.worstCase(operation, signedTerms));
    }
    expect(outcome.charged).toBeLessThanOrEqual(family.maximumTokenCharge(operation, signedTerms));
    if (row.mode === 'ERC20') expect(outcome.charged).toBeGreaterThanOrEqual(outcome.actualGasCost * 3n);
    else expect(outcome.charged).toBe(0n);
  });

  test('the least verification gas that the service signs carries validation and postOp', async () => {
    const paymaster = lab.row(row);
    const { family } = paymaster;
    const { operation, signedTerms } = await payableOperation(row, paymaster);
    await landed(paymaster, operation, signedTerms);
    // Deployed by the operation before: what is left of the limit is the paymaster's.
    const min = family.verificationGas?.(gasSchedules.osaka).min ?? 100_000n;
    const gas = { ...operation.gas, verificationGasLimit: min };
    const next = { ...operation, nonce: 1n, initCode: '0x', gas } as const;
    expect((await landed(paymaster, next, signedTerms)).success).toBe(true);
  });

  test('an operation with 64 KiB of call data lands too', async () => {
    const paymaster = lab.row(row);
    const { operation, signedTerms } = await payableOperation(row, paymaster, longData);
    const gas = {
      ...operation.gas,
      callGasLimit: 500_000n,
      preVerificationGas: 2_700_000n,
      // The paymaster's own limit is the family's from 0.7 on; in 0.6 it is in the operation's, which is estimated.
      ...(operation.entryPointVersion === '0.6' ? { verificationGasLimit: 1_500_000n } : {}),
    };
    const long = { ...operation, gas };
    expect((await landed(paymaster, long, signedTerms)).success).toBe(true);
  });

  test('with any signed field changed after signing, the EntryPoint refuses it', async () => {
    const paymaster = lab.row(row);
    const { family, contract } = paymaster;
    const { operation, signedTerms } = await payableOperation(row, paymaster);
    const { digest } = family.prepare(contract, operation, signedTerms);
    const signature = await lab.signer.signMessage({ message: { raw: digest } });
    // The sender's address and nonce are checked before the paymaster is asked, and another chain is another test's.
    const skipped = ['sender', 'nonce', 'initCode', 'chainId', 'paymaster', 'maxPriorityFeePerGas'];
    const changes = everyChange({ operation, contract, signedTerms }, row.bound).filter(
      ([name]) => !skipped.includes(name),
    );
    expect(changes.length).toBeGreaterThanOrEqual(row.bound.length + 4);
    for (const [field, changed] of changes) {
      const forged = { ...paymaster, family: { ...family, assemble: (data: Hex) => family.assemble(data, signature) } };
      const bundle = await signForBundle(lab, forged, changed.operation, changed.signedTerms);
      await expect(tryBundle(lab, changed.operation, bundle), field).rejects.toThrow('AA34');
    }
  });
});

describe.each(biconomyTable.filter((row) => row.mode === 'SPONSORED' && row.bytes !== 212))(
  'the gas tank of $name',
  (row) => {
    test('is found by the event and the balance of the family', async () => {
      const paymaster = lab.row(row);
      const before = await balanceOf(lab, paymaster);
      const { logs } = await depositFor(lab, paymaster.contract, 12_345n);
      expect(await balanceOf(lab, paymaster)).toBe(before + 12_345n);
      const event = paymaster.family.customerFunding?.depositEvent;
      if (event === undefined) throw new Error('no event');
      const [deposit] = parseEventLogs({ abi: [event], logs });
      expect(deposit?.args).toEqual({ _paymasterId: customer(lab).address, _value: 12_345n });
    });

    test('of someone who has put nothing in pays nothing', async () => {
      const paymaster = lab.row(row);
      const { operation, signedTerms } = await payableOperation(row, paymaster);
      const poor = { ...signedTerms, fundingWallet: lab.devnet.tokenRecipient };
      const bundle = await signForBundle(lab, paymaster, operation, poor);
      await expect(tryBundle(lab, operation, bundle)).rejects.toThrow(refusedByPaymaster);
    });
  },
);

test('a 0.7 token contract takes no operation that only approves inside it', async () => {
  const row = biconomyTable.find(({ name }) => name === 'biconomy-token-0.7');
  if (row === undefined) throw new Error('no row');
  const paymaster = lab.row(row);
  const { operation, signedTerms } = await payableOperation(row, paymaster);
  salt += 1n;
  const call = { mode: row.mode, salt, target: tokenAddress(), data: approveAll(paymaster.contract.address) };
  const unapproved = await newAccountOperation(lab, paymaster, call);
  await mintTo(lab, tokenAddress(), unapproved.sender);
  await expect(
    tryBundle(lab, unapproved, await signForBundle(lab, paymaster, unapproved, signedTerms)),
  ).rejects.toThrow(refusedByPaymaster);
  await expect(
    tryBundle(lab, operation, await signForBundle(lab, paymaster, operation, signedTerms)),
  ).resolves.toBeUndefined();
});
