import { expect, test } from 'vitest';
import { fundWithTokens, newSmartAccount, nextOperation, targetCall, tokenWith } from '../support/chain/chain-lab.ts';
import { useService } from '../support/interface/use-service.ts';
import { readHolds } from '../support/service/chain-ledger.ts';
import { askSponsorship, sponsor } from '../support/service/chain-sponsorship.ts';

const gasCap = 600_000;
const service = useService({
  configure: (config) => ({
    ...config,
    chains: config.chains.map((chain) => ({
      ...chain,
      transactionGasCap: gasCap,
      maxGasOverEstimate: 1_000_000,
      accounts: { gas: { KNOWN: { deployment: 30_000_000n } } },
    })),
  }),
});

const manual = { calculateGasLimits: false };

test.each(['sponsored', 'paid in a token'])(
  'limits that no bundler takes are refused and nothing is held, %s',
  async (mode) => {
    const { devnet, config } = service();
    const { authToken } = await service().issueAccount();
    const { rpcUrl, address, fundingWallet } = await service().fundedPaymaster(authToken, '0.7');
    const operation = await nextOperation(devnet, newSmartAccount('0.7'), [targetCall(devnet, 'increment')]);
    const token = tokenWith(devnet, 6);
    if (mode !== 'sponsored') await fundWithTokens(devnet, token, { owner: operation.sender, spender: address });
    const wish = mode === 'sponsored' ? manual : { ...manual, token: token.address };
    const limits = { callGasLimit: 100_000n, verificationGasLimit: 300_000n, preVerificationGas: 60_000n };

    const heavy = { ...operation, ...limits, verificationGasLimit: 900_000n };
    expect(await askSponsorship(rpcUrl, heavy, wish)).toMatchObject({
      httpStatus: 422,
      reason: 'LIMIT_EXCEEDED',
      message: expect.stringMatching(
        /^The gas limits of the operation come to \d+ gas, but bundlers accept at most 600000\./,
      ),
    });
    const slow = { ...operation, ...limits, verificationGasLimit: 5_000_001n };
    expect(await askSponsorship(rpcUrl, slow, wish)).toMatchObject({
      httpStatus: 422,
      reason: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('bundlers accept at most 5000000'),
    });
    const holds = () =>
      readHolds(config.database, address, fundingWallet).filter(({ sender }) => sender === operation.sender);
    expect(holds()).toEqual([]);
    await sponsor(rpcUrl, { ...operation, ...limits }, wish);
    expect(holds()).toHaveLength(1);
  },
);
