import { http, parseUnits } from 'viem';
import { createBundlerClient } from 'viem/account-abstraction';
import { expect, test, vi } from 'vitest';
import { createPaymaster } from '../../clients/sdk/create-paymaster.ts';
import { createSponsorClient } from '../../clients/sdk/create-sponsor-client.ts';
import { prepareTokenPayment } from '../../clients/sdk/tokens/prepare-token-payment.ts';
import type { CoreConfig } from '../../core/domain/core-config.ts';
import { mint, targetCall, tokenBalance, tokenWith } from '../support/chain/chain-lab.ts';
import { startPriceServer } from '../support/servers/price-server.ts';
import { chainClient, openClientLab, simpleAccount } from '../support/service/client-lab.ts';

/** The coin's price comes from this address. */
function withCoinPriceFrom(url: string, config: CoreConfig): CoreConfig {
  const source = { kind: 'http', url, path: 'usd', maxAgeSeconds: 60, allowHttp: true } as const;
  const nativePrice = { sources: [source], minimumSources: 1, maximumDeviationBasisPoints: 200 };
  return { ...config, chains: config.chains.map((chain) => ({ ...chain, nativePrice })) };
}

test('a prepared payment lands within its maximum when the coin costs ten times as much', async ({
  onTestFinished,
}) => {
  let usd = 2_000;
  const prices = await startPriceServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ usd }));
  });
  const lab = await openClientLab({ configure: (config) => withCoinPriceFrom(prices.url, config) });
  onTestFinished(lab.close);
  const { devnet } = lab;
  const token = tokenWith(devnet, 6);
  const account = await simpleAccount(devnet, '0.7');
  const sponsor = createSponsorClient({ url: lab.paymaster('0.7').rpcUrl });
  const bundlerClient = createBundlerClient({
    account,
    client: chainClient(devnet),
    transport: http(lab.bundler.url, { retryCount: 0 }),
    paymaster: createPaymaster(sponsor),
    pollingInterval: 20,
  });
  await mint(devnet, token, account.address, parseUnits('1000', 6));
  const calls = [targetCall(devnet, 'increment')];
  const payment = await prepareTokenPayment(sponsor, { bundlerClient, token: token.address, calls });

  const request = { tokens: [token.address], chainId: devnet.chainId, entryPointAddress: devnet.entryPoints['0.7'] };
  const before = await sponsor.getTokenQuotes(request);
  usd *= 10;
  await vi.waitFor(
    async () => {
      const [rate] = await sponsor.getTokenQuotes(request);
      expect(rate?.exchangeRate).toBe(10n * (before[0]?.exchangeRate ?? 0n));
    },
    { timeout: 30_000, interval: 200 },
  );

  const { paymasterContext, operation, maximum } = payment;
  const hash = await bundlerClient.sendUserOperation({ calls: payment.calls, paymasterContext, ...operation });
  expect((await bundlerClient.waitForUserOperationReceipt({ hash })).success).toBe(true);
  const paid = parseUnits('1000', 6) - (await tokenBalance(devnet, token, account.address));
  expect(paid).toBeGreaterThan(0n);
  expect(paid).toBeLessThanOrEqual(maximum);
}, 120_000);
