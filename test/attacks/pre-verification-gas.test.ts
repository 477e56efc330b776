import { parseEther } from 'viem';
import { describe, expect, test } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { signUserOperation } from '../../server/dev/user-operation/build-user-operation.ts';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { tabledEntryPoints } from '../support/chain/tabled-entry-points.ts';
import { askSponsorship, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import type { ProductionService } from '../support/service/production-service.ts';
import { fundedTank } from '../support/service/production-tank.ts';
import { useProductionService } from '../support/service/use-production-service.ts';
import { bundleAlone } from './measure-attack.ts';

const asGiven = { calculateGasLimits: false };

/** An operation with the limits that the service estimates, and where it is sponsored. */
async function estimated(service: ProductionService, version: EntryPointVersion) {
  const tank = await fundedTank(service, { family: version, amount: parseEther('10') });
  const account = newSmartAccount(version);
  const drafted = await nextOperation(service.devnet, account, [targetCall(service.devnet, 'increment')]);
  return { tank, account, operation: withAnswer(drafted, await sponsor(tank.rpcUrl, drafted)) };
}

/** What was signed while the limit was bounded as the others are. */
function greedy(own: bigint): bigint {
  return 2n * own + 100_000n;
}

describe('where the operator allows nearly any preVerificationGas', () => {
  const service = useProductionService({
    settings: () => ({
      chain: {
        maxPreVerificationGasOverEstimate: 1_000_000,
        accounts: { gas: { KNOWN: { preVerification: 1_000_000 } } },
      },
    }),
  });

  test.each(tabledEntryPoints)('the sender’s own bundler keeps what %s has too much of', async (version) => {
    const { devnet } = service();
    const { tank, account, operation } = await estimated(service(), version);
    const asked = { ...operation, preVerificationGas: greedy(operation.preVerificationGas) };
    const signed = withAnswer(asked, await sponsor(tank.rpcUrl, asked, asGiven));
    const operations = [await signUserOperation(devnet, signed, account.owner)];
    const { gained, lost } = await bundleAlone(devnet, { tank, operations });
    expect(gained).toBeGreaterThan((operation.preVerificationGas + 100_000n) * operation.maxPriorityFeePerGas);
    expect(lost).toBeGreaterThan(gained);
  });
});

describe('without a word of the operator', () => {
  const service = useProductionService();

  test.each(tabledEntryPoints)(
    'preVerificationGas of %s is a quarter of what is no data and 5,000 gas over ours at most',
    async (version) => {
      const { tank, operation } = await estimated(service(), version);
      const most = operation.preVerificationGas + 43_000n / 4n + 5_000n;
      const ask = (preVerificationGas: bigint) =>
        askSponsorship(tank.rpcUrl, { ...operation, preVerificationGas }, asGiven);
      const refusal = { httpStatus: 422, reason: 'LIMIT_EXCEEDED' };
      expect(await ask(greedy(operation.preVerificationGas))).toMatchObject(refusal);
      // Our own metric changes by the bytes that the operation's limits have.
      expect(await ask(most + 200n)).toMatchObject(refusal);
      expect((await ask(most - 200n)).message).toBeUndefined();
    },
  );
});

describe('on a chain that charges the gas limit of a bundle', () => {
  const service = useProductionService({
    settings: () => ({ chain: { dataFee: 'monad', accounts: { gas: { KNOWN: { preVerification: 1_000_000 } } } } }),
  });

  test.each(tabledEntryPoints)(
    'a sender of %s is not paid for a verification limit that its bundler does not send',
    async (version) => {
      const { tank, operation } = await estimated(service(), version);
      const beyond = 150_000n;
      const wasteful = {
        ...operation,
        verificationGasLimit: operation.verificationGasLimit + beyond,
        preVerificationGas: operation.preVerificationGas + beyond,
      };
      expect(await askSponsorship(tank.rpcUrl, wasteful, asGiven)).toMatchObject({
        httpStatus: 422,
        reason: 'LIMIT_EXCEEDED',
        message: expect.stringContaining('preVerificationGas'),
      });
      // The limit alone is nothing that costs: the EntryPoint charges what validation uses of it.
      const { preVerificationGas } = operation;
      expect((await askSponsorship(tank.rpcUrl, { ...wasteful, preVerificationGas }, asGiven)).httpStatus).toBe(200);
    },
  );
});
