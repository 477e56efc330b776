import { numberToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { newSmartAccount, nextOperation, targetCall, tokenWith } from '../support/chain/chain-lab.ts';
import { entryPointsOfRun } from '../support/chain/tabled-entry-points.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { askQuotes, askSponsorship } from '../support/service/chain-sponsorship.ts';
import { type ClientLab, openClientLab } from '../support/service/client-lab.ts';

let lab: ClientLab;
beforeAll(async () => {
  lab = await openClientLab();
}, 60_000);
afterAll(() => lab.close());

describe.each(entryPointsOfRun)('an operation of EntryPoint %s without a price', (version) => {
  async function ask() {
    const { devnet } = lab;
    const { rpcUrl } = lab.paymaster(version);
    const drafted = await nextOperation(devnet, newSmartAccount(version), [targetCall(devnet, 'increment')]);
    const limits = { callGasLimit: 100_000n, verificationGasLimit: 400_000n, preVerificationGas: 60_000n };
    const operation = { ...drafted, ...limits, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };
    const { address: token } = tokenWith(devnet, 6);
    const of7677 = (method: string) =>
      askRpc(rpcUrl, method, [
        toRpcUserOperation(operation),
        devnet.entryPoints[version],
        numberToHex(devnet.chainId),
        {},
      ]);
    return { rpcUrl, operation, token, of7677 };
  }

  test('is refused with where to get one, wherever something is signed or quoted', async () => {
    const { rpcUrl, operation, token, of7677 } = await ask();
    const answers = [
      await askSponsorship(rpcUrl, operation),
      await askSponsorship(rpcUrl, operation, { token }),
      await askQuotes(rpcUrl, operation),
      await of7677('pm_getPaymasterData'),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({ code: -32602, reason: 'INVALID_PARAMS' });
      expect(answer.message).toMatch(/^maxFeePerGas must not be 0: .*pimlico_getUserOperationGasPrice/);
    }
  });

  test('gets a stub, since clients ask for it before they know the price', async () => {
    const { of7677 } = await ask();
    expect((await of7677('pm_getPaymasterStubData')).reason).toBeUndefined();
  });
});
