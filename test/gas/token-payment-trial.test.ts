import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Address } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TokenConfig } from '../../core/domain/core-config.ts';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import type { GasLimits, UserOperation, UserOperationWithGas } from '../../core/domain/user-operation.ts';
import type { TokenTerms } from '../../core/evm/paymaster-contracts/family/family.ts';
import {
  asCharged,
  createTokenPaymentTrial,
  postOpLimitOf,
  type TrialRequest,
} from '../../core/gas/token-payment-trial.ts';
import { createChainClient } from '../../core/node/chain-client.ts';
import { setAllowance, setTokenBalance } from '../support/chain/chain-lab.ts';
import {
  type EstimationBench,
  makeCase,
  puzzleCall,
  startEstimationBench,
} from '../support/estimation/estimation-bench.ts';

const gas: GasLimits = {
  callGasLimit: 200_000n,
  verificationGasLimit: 600_000n,
  preVerificationGas: 60_000n,
  paymasterVerificationGasLimit: 100_000n,
  paymasterPostOpGasLimit: 100_000n,
};

let bench: EstimationBench;
beforeAll(async () => {
  bench = await startEstimationBench();
});
afterAll(() => bench.close());

/** An operation of a new account in token mode; in per cent, what that has of what the operation can cost. */
async function makeTrial(
  version: EntryPointVersion,
  given: Partial<Record<'balance' | 'allowance' | 'inAdvance', bigint>> & { token?: Address } = {},
  functionName: 'store' | 'failWithText' = 'store',
  changed: Partial<UserOperationWithGas> = {},
) {
  const call = puzzleCall(bench, functionName, functionName === 'store' ? ['0x'] : []);
  const { request, family, contract, signedTerms } = await makeCase(
    bench,
    { version, mode: 'ERC20', ...omitAbsent({ token: given.token }) },
    [call],
  );
  const [token] = bench.devnet.tokens;
  if (token === undefined || signedTerms.mode !== 'ERC20') throw new Error('That is no token mode.');
  const limits = version === '0.6' ? { ...gas, paymasterVerificationGasLimit: 0n, paymasterPostOpGasLimit: 0n } : gas;
  const operation: UserOperationWithGas = { ...request.operation, gas: limits, ...changed };
  const { balance = 100n, allowance = 100n, inAdvance = 0n } = given;
  const window = { validAfter: 1, validUntil: 1 };
  const needed = family.maximumTokenCharge(asCharged(operation), { ...signedTerms, ...window });
  const past: TokenTerms = { ...signedTerms, ...window, inAdvance: (needed * inAdvance) / 100n };
  const owner = operation.sender;
  await setTokenBalance(bench.devnet, token, { owner, amount: (needed * balance) / 100n });
  await setAllowance(bench.devnet, token, { owner, spender: contract.address, amount: (needed * allowance) / 100n });
  const trial: TrialRequest = {
    operation,
    entryPoint: request.entryPoint,
    paymaster: contract.address,
    tokenRecipient: bench.devnet.tokenRecipient,
    // Nothing else of it is looked at.
    token: { symbol: token.symbol, address: given.token ?? token.address } as TokenConfig,
    needed,
    weiPerUnit: 0n,
    paymasterAndData: async (tried) => {
      const { unsigned, digest } = family.prepare(contract, tried, past);
      return family.assemble(unsigned, await bench.paymasterSigner.signMessage({ message: { raw: digest } }));
    },
  };
  return trial;
}

const ourTrial = () => createTokenPaymentTrial(bench);

describe.each(['0.6', '0.7'] as const)('a payment in tokens with EntryPoint %s', (version) => {
  test('passes with exactly what the operation can cost, and tells what its postOp needs', async () => {
    const tried = await ourTrial().try(await makeTrial(version));
    expect(tried).toMatchObject({ ok: true, value: { postOpGas: expect.any(BigInt) } });
    const { postOpGas } = tried.ok ? tried.value : { postOpGas: 0n };
    // Two storage slots are written, one of them a new one.
    expect(postOpGas).toBeGreaterThan(25_000n);
    expect(postOpGas).toBeLessThan(100_000n);
  });

  test.each(['balance', 'allowance'] as const)('is refused with half as much of %s, which is named', async (lacks) => {
    const request = await makeTrial(version, { [lacks]: 50n });
    const tried = await ourTrial().try(request);
    expect(tried).toMatchObject({
      ok: false,
      refusal: {
        reason: 'TOKEN_PAYMENT_FAILS',
        details: { lacks, needed: `${request.needed}`, [lacks]: `${request.needed / 2n}` },
      },
    });
  });

  test('is tried although the operation waits for others of its account', async () => {
    const waiting = await makeTrial(version, {}, 'store', { nonce: 7n });
    expect(await ourTrial().try(waiting)).toMatchObject({ ok: true });
  });

  test('of a call that reverts is refused for that, unless the operator allows it', async () => {
    const request = await makeTrial(version, {}, 'failWithText');
    expect(await ourTrial().try(request)).toMatchObject({
      ok: false,
      refusal: { field: 'callData', details: { revert: 'Error("the vault is closed")' } },
    });
    const lenient = { ...bench, config: { ...bench.config, allowRevertingOperations: true } };
    expect(await createTokenPaymentTrial(lenient).try(request)).toMatchObject({ ok: true });
  });

  test('is measured before the operation has its limits, where it can be tried', async () => {
    const { payable } = await ourTrial().measure(await makeTrial(version));
    expect(payable).toEqual({ postOpGas: expect.any(BigInt), balance: expect.any(BigInt) });
    expect(payable?.postOpGas).toBeGreaterThan(25_000n);
    expect((await ourTrial().measure(await makeTrial(version, { balance: 0n }))).payable).toBeUndefined();
  });

  test('is neither tried nor measured without a node', async () => {
    const request = await makeTrial(version);
    const config = { ...bench.config, nodeUrls: ['http://127.0.0.1:1'] };
    const away = createTokenPaymentTrial({ client: createChainClient(config), config });
    expect(await away.try(request)).toMatchObject({ ok: false, refusal: { reason: 'CHAIN_UNAVAILABLE' } });
    expect(await away.measure(request)).toEqual({ tokenRecipientHolds: false });
  });
});

test('a token that does not let itself be taken is named with its revert, though there is enough of it', async () => {
  // Answers every question with the largest number, and reverts with 0xdeadbeef when asked for `transferFrom`.
  const bytecode = '0x5f3560e01c6323b872dd146016575f195f5260205ff35b63deadbeef5f526004601cfd';
  const address: Address = '0x00000000000000000000000000000000000f2072';
  await bench.devnet.client.setCode({ address, bytecode });
  const request = await makeTrial('0.7', { token: address });
  expect(await ourTrial().try(request)).toMatchObject({
    ok: false,
    refusal: {
      reason: 'TOKEN_PAYMENT_FAILS',
      message: expect.stringContaining('The transfer reverts with 0xdeadbeef'),
      details: { token: address, revertData: '0xdeadbeef' },
    },
  });
});

test('a payment that the paymaster takes in advance is refused where that is what fails, and what lacks is named', async () => {
  const tried = await ourTrial().try(await makeTrial('0.7', { balance: 50n, inAdvance: 80n }));
  expect(tried).toMatchObject({ ok: false, refusal: { reason: 'TOKEN_PAYMENT_FAILS', details: { lacks: 'balance' } } });
  expect(await ourTrial().try(await makeTrial('0.7', { inAdvance: 80n }))).toMatchObject({ ok: true });
});

test('a limit of postOp that is too low is no refusal: what is needed is told', async () => {
  const paymasterPostOpGasLimit = 5_000n;
  const request = await makeTrial('0.7', {}, 'store', { gas: { ...gas, paymasterPostOpGasLimit } });
  const tried = await ourTrial().try(request);
  expect(tried.ok && tried.value.postOpGas > paymasterPostOpGasLimit).toBe(true);
});

test('an operation that the EntryPoint does not take is refused for that', async () => {
  const request = await makeTrial('0.7', {}, 'store', { initCode: '0x' });
  expect(await ourTrial().try(request)).toMatchObject({
    ok: false,
    refusal: { reason: 'ESTIMATION_FAILED', details: { aaCode: 'AA20' } },
  });
});

test('a limit of postOp is the verification limit with EntryPoint 0.6, a third of which is charged at most', () => {
  const operation = { gas } as UserOperation & { gas: GasLimits };
  expect(postOpLimitOf({ ...operation, entryPointVersion: '0.6' })).toBe(600_000n);
  expect(asCharged({ ...operation, entryPointVersion: '0.6' }).gas).toEqual({ ...gas, verificationGasLimit: 200_000n });
  for (const entryPointVersion of ['0.7', '0.8'] as const) {
    expect(postOpLimitOf({ ...operation, entryPointVersion })).toBe(100_000n);
    expect(asCharged({ ...operation, entryPointVersion }).gas).toEqual(gas);
  }
});
