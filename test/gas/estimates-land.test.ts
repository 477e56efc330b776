import { encodeFunctionData, parseAbi, parseEther } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import type { GasLimits } from '../../core/domain/user-operation.ts';
import { advanceReserve, postOpReserve } from '../../core/evm/paymaster-contracts/singleton/singleton-terms.ts';
import { createGasEstimator } from '../../core/gas/create-gas-estimator.ts';
import type { GasEstimator } from '../../core/gas/estimator.ts';
import { gasSchedules } from '../../core/gas/gas-schedule.ts';
import { unmeasuredPostOpGas } from '../../core/gas/simulation/estimation-context.ts';
import type { DevCall } from '../../server/dev/user-operation/build-user-operation.ts';
import { entryPointsOfRun, tabledEntryPoints } from '../support/chain/tabled-entry-points.ts';
import {
  type Case,
  depositAbi,
  type EstimationBench,
  erc20Abi,
  land,
  makeCase,
  puzzleAbi,
  puzzleCall,
  send,
  startEstimationBench,
} from '../support/estimation/estimation-bench.ts';
import {
  corpus,
  deployingCorpus,
  expectFairCharge,
  expectTight,
  provableLimits,
  readTrial,
  refunded,
  tryToLand,
  withoutMargins,
} from '../support/estimation/estimation-corpus.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { type EstimationRow, renderEstimates } from './estimation-table.ts';

/** What limits of token mode have on top: for a costlier transfer, and for tokens that are taken in advance. */
const reserves = {
  paymasterPostOpGasLimit: postOpReserve(gasSchedules.osaka),
  paymasterVerificationGasLimit: advanceReserve(gasSchedules.osaka),
};

let bench: EstimationBench;
let estimator: GasEstimator;
beforeAll(async () => {
  bench = await startEstimationBench();
  estimator = createGasEstimator({ client: bench.client, config: bench.config });
});
const rows: EstimationRow[] = [];
afterAll(async () => {
  process.stdout.write(`${renderEstimates(rows)}\n`);
  await bench.close();
});

async function estimate(subject: Case): Promise<GasLimits> {
  const result = await estimator.estimate(subject.request);
  if (!result.ok) throw new Error(`${result.refusal.reason}: ${result.refusal.message}`);
  return result.value.limits;
}

/** All calls on the oldest EntryPoint and on the newest, whose forms differ; some of them on those between in a short run. */
function corpusOf(version: EntryPointVersion): typeof corpus {
  return version === '0.6' || version === '0.9' ? corpus : rowsOfRun(corpus, 3);
}

/** An owner whose account is on chain. */
async function deployedOwner(version: EntryPointVersion): Promise<PrivateKeyAccount> {
  const subject = await makeCase(bench, { version }, []);
  await land(bench, subject, await estimate(subject));
  return subject.owner;
}

describe.each(entryPointsOfRun)('a sponsored operation of EntryPoint %s', (version) => {
  let owner: PrivateKeyAccount;
  beforeAll(async () => {
    owner = await deployedOwner(version);
  });

  test.each(corpusOf(version))('lands with the estimate, which is close to what is needed: %s', async (name, calls) => {
    const subject = await makeCase(bench, { version, owner }, calls(bench));
    const gas = await estimate(subject);

    await expectTight(bench, subject, gas);
    const before = await readCalls(subject);
    const outcome = await land(bench, subject, gas);
    expect(outcome.success).toBe(true);
    expect(await readCalls(subject)).toBeGreaterThan(before);
    rows.push({ name, version, mode: 'SPONSORED', limits: gas, outcome });
    if (name === refunded) expect(outcome.actualGasUsed).toBeGreaterThanOrEqual(outcome.receipt.gasUsed);
    else expectFairCharge(version, gas, outcome);
  });

  test.each(deployingCorpus)('lands when it deploys its account, every limit close: %s', async (name, calls) => {
    const subject = await makeCase(bench, { version }, calls(bench));
    const gas = await estimate(subject);
    await expectTight(bench, subject, gas);
    const outcome = await land(bench, subject, gas);
    expect(outcome.success).toBe(true);
    expect(await readCalls(subject)).toBeGreaterThan(0n);
    rows.push({ name: `a deployment and ${name}`, version, mode: 'SPONSORED', limits: gas, outcome });
    expectFairCharge(version, gas, outcome);
  });

  test.each(['undeployed', 'deployed'] as const)(
    'that is allowed to revert lands and reverts by itself, every limit close: %s',
    async (state) => {
      const calls = [puzzleCall(bench, 'fill', [20n]), puzzleCall(bench, 'failWithText')];
      const made = await makeCase(bench, { version, ...(state === 'deployed' ? { owner } : {}) }, calls);
      const subject = { ...made, request: { ...made.request, mayRevert: true } };
      const gas = await estimate(subject);
      expect((await tryToLand(bench, subject, gas))?.revertText).toContain('the vault is closed');
      const short = { ...gas, callGasLimit: withoutMargins(gas.callGasLimit) };
      expect((await tryToLand(bench, subject, short))?.revertText).not.toContain('the vault is closed');
      for (const limit of ['verificationGasLimit', 'paymasterVerificationGasLimit'] as const) {
        if (gas[limit] === 0n) continue;
        expect(await tryToLand(bench, subject, { ...gas, [limit]: withoutMargins(gas[limit]) })).toBeUndefined();
      }
      const outcome = await land(bench, subject, gas);
      expect(outcome.success).toBe(false);
      expect(readTrial(outcome.receipt.logs).revertText).toContain('the vault is closed');
      rows.push({ name: `a batch that reverts, ${state}`, version, mode: 'SPONSORED', limits: gas, outcome });
      expectFairCharge(version, gas, outcome);
    },
  );

  test('lands when it only deploys its account', async () => {
    const subject = await makeCase(bench, { version }, []);
    const gas = await estimate(subject);
    expect(gas.callGasLimit).toBe(gasSchedules.osaka.valueCall);
    expect((await land(bench, subject, gas)).success).toBe(true);
    expect(await bench.client.getCode({ address: subject.request.operation.sender })).toBeDefined();
  });

  test('lands when its account calls back into the EntryPoint', async () => {
    const entryPoint = bench.devnet.entryPoints[version];
    const probe = await makeCase(bench, { version, owner }, []);
    const { sender } = probe.request.operation;
    await bench.devnet.client.setBalance({ address: sender, value: parseEther('1') });
    const data = encodeFunctionData({ abi: depositAbi, args: [sender] });
    const subject = await makeCase(bench, { version, owner }, [{ to: entryPoint, value: 5n, data }]);
    expect((await land(bench, subject, await estimate(subject))).success).toBe(true);
    const balance = await bench.client.readContract({
      address: entryPoint,
      abi: parseAbi(['function balanceOf(address) view returns (uint256)']),
      functionName: 'balanceOf',
      args: [sender],
    });
    expect(balance).toBe(5n);
  });

  test('has the allowance that the caller asked for on top of its call gas', async () => {
    const calls = [puzzleCall(bench, 'store', ['0x'])];
    const plain = await estimate(await makeCase(bench, { version, owner }, calls));
    const roomy = await estimate(await makeCase(bench, { version, owner, callGasAllowance: 60_000n }, calls));
    expect(roomy.callGasLimit).toBe(plain.callGasLimit + 60_000n);
  });

  test('is estimated although the paymaster has no deposit', async () => {
    const subject = await makeCase(bench, { version, owner }, [puzzleCall(bench, 'store', ['0x'])]);
    const { operation } = subject.request;
    const request = { ...subject.request, operation: { ...operation, maxFeePerGas: parseEther('1000') } };
    expect((await estimator.estimate(request)).ok).toBe(true);
  });
});

describe.each(tabledEntryPoints)('an operation of EntryPoint %s that pays in tokens', (version) => {
  async function ownerWithTokens(): Promise<PrivateKeyAccount> {
    const subject = await makeCase(bench, { version }, []);
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'mint',
      args: [subject.request.operation.sender, 10n ** 18n],
    });
    await send(bench.devnet, bench.bundler, { to: token(), data });
    return subject.owner;
  }
  function token() {
    const [first] = bench.devnet.tokens;
    if (first === undefined) throw new Error('The chain has no token.');
    return first.address;
  }
  function approval(): DevCall {
    const spender = Object.entries(bench.devnet.paymasterContracts).find(([name]) => name.endsWith(version))?.[1];
    if (spender === undefined) throw new Error('There is no paymaster.');
    return {
      to: token(),
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 10n ** 18n] }),
    };
  }

  describe('and has approved them', () => {
    let owner: PrivateKeyAccount;
    beforeAll(async () => {
      owner = await ownerWithTokens();
      const subject = await makeCase(bench, { version, owner, mode: 'ERC20' }, [approval()]);
      const gas = await estimate(subject);
      const outcome = await land(bench, subject, gas);
      rows.push({ name: 'a deployment and an approval', version, mode: 'ERC20', limits: gas, outcome });
    });

    test.each(corpusOf(version))(
      'lands with the estimate, which is close to what is needed: %s',
      async (name, calls) => {
        const subject = await makeCase(bench, { version, owner, mode: 'ERC20' }, calls(bench));
        const gas = await estimate(subject);
        // The heaviest call leaves no gas in the simulation to try 0.6's postOp, which then has its fixed allowance.
        const isFixed = gas.verificationGasLimit === unmeasuredPostOpGas(gasSchedules.osaka);
        expect(isFixed).toBe(version === '0.6' && name === 'seven million gas of fresh storage');
        const provable = isFixed ? provableLimits.filter((limit) => limit !== 'verificationGasLimit') : provableLimits;
        await expectTight(bench, subject, gas, provable, reserves);
        const outcome = await land(bench, subject, gas);
        expect(outcome.success).toBe(true);
        if (name === refunded) expect(outcome.actualGasUsed).toBeGreaterThanOrEqual(outcome.receipt.gasUsed);
        else expectFairCharge(version, gas, outcome);
        rows.push({ name, version, mode: 'ERC20', limits: gas, outcome });
      },
    );
  });

  test.each(deployingCorpus)('lands when it deploys its account, every limit close: %s', async (name, calls) => {
    const owner = await ownerWithTokens();
    const subject = await makeCase(bench, { version, owner, mode: 'ERC20' }, [approval(), ...calls(bench)]);
    const gas = await estimate(subject);
    // postOp is cheaper where the allowance was written just before: part of its reserve.
    const limits = provableLimits.filter((limit) => limit !== 'paymasterPostOpGasLimit');
    await expectTight(bench, subject, gas, limits, reserves);
    const outcome = await land(bench, subject, gas);
    expect(outcome.success).toBe(true);
    rows.push({ name: `a deployment, an approval, ${name}`, version, mode: 'ERC20', limits: gas, outcome });
    expectFairCharge(version, gas, outcome);
  });

  test('lands when it approves the tokens itself, and again afterwards', async () => {
    const owner = await ownerWithTokens();
    const options = { version, owner, mode: 'ERC20' } as const;
    const first = await makeCase(bench, options, [approval(), puzzleCall(bench, 'store', ['0x'])]);
    expect((await land(bench, first, await estimate(first))).success).toBe(true);
    const second = await makeCase(bench, options, [puzzleCall(bench, 'store', ['0x'])]);
    expect((await land(bench, second, await estimate(second))).success).toBe(true);
  });

  test('lands when moving the token takes far more gas than usual', async () => {
    const owner = await deployedOwner(version);
    const options = { version, owner, mode: 'ERC20', token: bench.heavyToken } as const;
    const subject = await makeCase(bench, options, [puzzleCall(bench, 'store', ['0x'])]);
    expect((await land(bench, subject, await estimate(subject))).success).toBe(true);
  });

  test('lands with limits from before the account owned or had approved any', async () => {
    const owner = privateKeyToAccount(generatePrivateKey());
    const options = { version, owner, mode: 'ERC20' } as const;
    const early = await makeCase(bench, { ...options, callGasAllowance: 60_000n }, [
      puzzleCall(bench, 'store', ['0x']),
    ]);
    const gas = await estimate(early);
    const mint = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'mint',
      args: [early.request.operation.sender, 10n ** 12n],
    });
    await send(bench.devnet, bench.bundler, { to: token(), data: mint });
    const subject = await makeCase(bench, options, [puzzleCall(bench, 'store', ['0x']), approval()]);
    // The client's batch is longer than the operation that was estimated, so its data is priced again.
    const { preVerificationGas } = await estimate(subject);
    expect((await land(bench, subject, { ...gas, preVerificationGas })).success).toBe(true);
  });
});

/**
 * Code of an account that takes 7 million gas for whatever it is called with, then answers 0: it counts down in a loop.
 * PUSH3 270000, JUMPDEST, PUSH1 1, SWAP1, SUB, DUP1, PUSH1 4, JUMPI, PUSH1 0, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN.
 */
const heavyAccount = '0x62041eb05b6001900380600457600060005260206000f3';

test.each(entryPointsOfRun)(
  'an account of EntryPoint %s that is too heavy for one simulation gets close limits too',
  async (version) => {
    const subject = await makeCase(bench, { version }, []);
    const sender = privateKeyToAccount(generatePrivateKey()).address;
    await bench.devnet.client.setCode({ address: sender, bytecode: heavyAccount });
    const operation = {
      ...subject.request.operation,
      sender,
      nonce: 0n,
      initCode: '0x',
      callData: '0x12345678',
    } as const;
    const heavy = { ...subject, request: { ...subject.request, operation } };
    await expectTight(bench, heavy, await estimate(heavy), ['callGasLimit', 'verificationGasLimit']);
  },
);

describe.each(['0.7', '0.8'] as const)('an account of EntryPoint %s', (version) => {
  test('is estimated with the whole operation when it has executeUserOp', async () => {
    const subject = await makeCase(bench, { version }, []);
    const sender = bench.wholeOperationAccount;
    const nonce = await bench.client.readContract({
      address: bench.devnet.entryPoints[version],
      abi: parseAbi(['function getNonce(address, uint192) view returns (uint256)']),
      functionName: 'getNonce',
      args: [sender, 0n],
    });
    const operation = {
      ...subject.request.operation,
      sender,
      nonce,
      initCode: '0x',
      callData: '0x8dd7712faabb',
    } as const;
    const whole = { ...subject, request: { ...subject.request, operation } };
    const gas = await estimate(whole);
    const outcome = await land(bench, whole, gas);
    expect(outcome.success).toBe(true);
    const lastHash = await bench.client.readContract({
      address: sender,
      abi: parseAbi(['function lastHash() view returns (bytes32)']),
      functionName: 'lastHash',
    });
    expect(lastHash).toBe(outcome.userOpHash);
  });

  test("has the paymaster's verification limit raised when it is too low", async () => {
    const subject = await makeCase(bench, { version }, [puzzleCall(bench, 'store', ['0x'])]);
    const paymasterGas = { paymasterVerificationGasLimit: 22_000n, paymasterPostOpGasLimit: 0n };
    const short = { ...subject, request: { ...subject.request, paymasterGas } };
    const gas = await estimate(short);
    expect(gas.paymasterVerificationGasLimit).toBeGreaterThan(22_000n);
    expect((await land(bench, short, gas)).success).toBe(true);
  });
});

async function readCalls(subject: Case): Promise<bigint> {
  return bench.client.readContract({
    address: bench.puzzle,
    abi: puzzleAbi,
    functionName: 'calls',
    args: [subject.request.operation.sender],
  });
}
