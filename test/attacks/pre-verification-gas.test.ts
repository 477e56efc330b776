import { describe, expect, test } from 'vitest';
import { signUserOperation } from '../../clients/cli/dev/user-operation/build-user-operation.ts';
import { type EntryPointVersion, entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { newSmartAccount, nextOperation, targetCall, walletWith } from '../support/chain/chain-lab.ts';
import { useService } from '../support/interface/use-service.ts';
import { askSponsorship, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { looseGasGuard } from '../support/service/loose-gas-guard.ts';
import type { RunningService } from '../support/service/running-service.ts';
import { landInOwnBundles } from './own-bundles.ts';

const asGiven = { calculateGasLimits: false };

/** An operation with the limits that the service estimates, and where it is sponsored. */
async function estimated(service: RunningService, version: EntryPointVersion) {
  const { authToken } = await service.issueAccount();
  const { rpcUrl } = await service.fundedPaymaster(authToken, version);
  const account = newSmartAccount(version);
  const drafted = await nextOperation(service.devnet, account, [targetCall(service.devnet, 'increment')]);
  return { rpcUrl, account, operation: withAnswer(drafted, await sponsor(rpcUrl, drafted)) };
}

/** What was signed while the limit was bounded as the others are. */
function greedy(own: bigint): bigint {
  return 2n * own + 100_000n;
}

describe('where the operator allows any preVerificationGas', () => {
  const service = useService({ configure: looseGasGuard });

  test.each(entryPointVersions)('the sender’s own bundler keeps what %s has too much of', async (version) => {
    const { devnet } = service();
    const { rpcUrl, account, operation } = await estimated(service(), version);
    const asked = { ...operation, preVerificationGas: greedy(operation.preVerificationGas) };
    const signed = withAnswer(asked, await sponsor(rpcUrl, asked, asGiven));
    const attacker = await walletWith(devnet, 10n ** 18n);
    const gain = await landInOwnBundles(devnet, {
      wallet: attacker,
      operations: [await signUserOperation(devnet, signed, account.owner)],
    });
    expect(gain).toBeGreaterThan((operation.preVerificationGas + 100_000n) * operation.maxPriorityFeePerGas);
  });
});

describe('without a word of the operator', () => {
  const service = useService();

  test.each(entryPointVersions)(
    'preVerificationGas of %s is a quarter and 5,000 gas over ours at most',
    async (version) => {
      const { rpcUrl, operation } = await estimated(service(), version);
      const most = (operation.preVerificationGas * 5n) / 4n + 5_000n;
      const ask = (preVerificationGas: bigint) => askSponsorship(rpcUrl, { ...operation, preVerificationGas }, asGiven);
      const refusal = { httpStatus: 422, reason: 'LIMIT_EXCEEDED' };
      expect(await ask(greedy(operation.preVerificationGas))).toMatchObject(refusal);
      // Our own figure changes by the bytes that the operation's limits have.
      expect(await ask(most + 200n)).toMatchObject(refusal);
      expect((await ask(most - 200n)).message).toBeUndefined();
    },
  );
});
