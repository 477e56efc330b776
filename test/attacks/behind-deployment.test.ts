import { type Address, parseEther, slice } from 'viem';
import { describe, expect, test } from 'vitest';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import {
  bundler,
  incrementsOf,
  newSmartAccount,
  nextOperation,
  plainLimits,
  targetCall,
} from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { tabledEntryPoints } from '../support/chain/tabled-entry-points.ts';
import { isLongRun } from '../support/run/rows-of-run.ts';
import { askSponsorship, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import type { ProductionService } from '../support/service/production-service.ts';
import { fundedTank } from '../support/service/production-tank.ts';
import { useProductionService } from '../support/service/use-production-service.ts';
import { claimingOperation, deployWritingFactory, liarOf } from './lying-account.ts';
import { bundleAlone } from './measure-attack.ts';

const tankAmount = parseEther('10');
const asGiven = { calculateGasLimits: false };
/** Some 160,000 gas: within the call limit of an operation that cannot be estimated yet. */
const writes = 6;
const limits = { callGasLimit: 100_000n, verificationGasLimit: 100_000n, preVerificationGas: 55_000n };

/** An operation of an account that is to be a lying one, and what makes it that. */
async function prepare({ devnet }: ProductionService, version: DevUserOperation['entryPointVersion']) {
  const factory = await deployWritingFactory(devnet);
  const { sender, initCode } = liarOf(factory, writes, 1n);
  const operation = { ...(await claimingOperation(devnet, version, { sender })), ...limits };
  return { operation, make: () => send(devnet, { to: factory, data: slice(initCode, 20) }) };
}

async function send(
  { client }: ProductionService['devnet'],
  call: { to: Address; data: `0x${string}` },
): Promise<void> {
  const hash = await client.sendTransaction({ account: bundler, chain: client.chain, ...call, gas: 8_000_000n });
  await client.waitForTransactionReceipt({ hash });
}

const versions = isLongRun ? entryPointVersions : tabledEntryPoints;

describe('where the owner takes any account', () => {
  const service = useProductionService();

  test.each(versions)('what is signed for an address of %s is paid when a liar moves in', async (version) => {
    const { devnet } = service();
    const tank = await fundedTank(service(), { family: version, amount: tankAmount, policy: { accounts: 'ANY' } });
    const { rpcUrl } = tank;
    const { operation, make } = await prepare(service(), version);
    const signed = withAnswer(operation, await sponsor(rpcUrl, operation, asGiven));
    await make();
    const { gained, lost } = await bundleAlone(devnet, { tank, operations: [signed] });
    expect(gained).toBeGreaterThan(0n);
    expect(lost).toBeGreaterThan(100_000n * operation.maxPriorityFeePerGas);
    expect(await incrementsOf(devnet, operation.sender)).toBe(0n);
  });
});

describe('without a word of the owner', () => {
  const service = useProductionService();
  const refusal = { httpStatus: 422, code: -32013, reason: 'ACCOUNT_NOT_KNOWN' };

  test.each(versions)('an operation of %s is signed behind an open deployment only', async (version) => {
    const { devnet } = service();
    const { rpcUrl } = await fundedTank(service(), { family: version, amount: tankAmount });
    const { operation: ofLiar } = await prepare(service(), version);
    expect(await askSponsorship(rpcUrl, ofLiar, asGiven)).toMatchObject(refusal);

    const account = newSmartAccount(version);
    const deployment = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
    const behind = {
      ...deployment,
      ...plainLimits('deployed'),
      initCode: '0x',
      nonce: deployment.nonce + (1n << 64n),
      callGasLimit: 90_000n,
    } as const;
    expect(await askSponsorship(rpcUrl, behind, asGiven)).toMatchObject(refusal);
    const signed = withAnswer(deployment, await sponsor(rpcUrl, deployment, { expiryDuration: 60 }));
    expect(await sponsor(rpcUrl, behind, asGiven)).toMatchObject({ MODE: 'SPONSORED' });
    expect(await askSponsorship(rpcUrl, ofLiar, asGiven)).toMatchObject(refusal);

    // Less than the clocks may differ by.
    service().setAhead(280_000);
    await expect
      .poll(() => askSponsorship(rpcUrl, { ...behind, nonce: 2n << 64n }, asGiven), { timeout: 10_000 })
      .toMatchObject(refusal);
    await service().setRight();
    await land(devnet, account, signed);
    expect(await sponsor(rpcUrl, { ...behind, nonce: 3n << 64n }, asGiven)).toMatchObject({ MODE: 'SPONSORED' });
  });

  test('a deployment whose sender is another address opens nothing', async () => {
    const { devnet } = service();
    const { rpcUrl } = await fundedTank(service(), { family: '0.7', amount: tankAmount });
    const { operation: ofLiar } = await prepare(service(), '0.7');
    const { initCode } = await nextOperation(devnet, newSmartAccount('0.7'), []);
    expect(await askSponsorship(rpcUrl, { ...ofLiar, initCode }, asGiven)).toMatchObject({
      reason: 'ESTIMATION_FAILED',
    });
    expect(await askSponsorship(rpcUrl, { ...ofLiar, nonce: 1n << 64n }, asGiven)).toMatchObject(refusal);
  });
});
