import { Attribution } from 'ox/erc8021';
import { http } from 'viem';
import { createBundlerClient, createPaymasterClient } from 'viem/account-abstraction';
import { expect, test } from 'vitest';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { targetCall } from '../support/chain/chain-lab.ts';
import { startTestBundler } from '../support/chain/test-bundler.ts';
import { readLanded } from '../support/published-clients/biconomy-bundler.ts';
import { type ClientLab, expectLanded } from '../support/published-clients/client-lab.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { chainClient, simpleAccount } from '../support/service/client-lab.ts';

/** viem's `dataSuffix` of a bundler client, which stands behind the account's call data. */
export function describeViemAttribution(lab: () => ClientLab): void {
  test.each(rowsOfRun(entryPointVersions, 1))(
    'viem with a dataSuffix, EntryPoint %s: operations land with it',
    async (version) => {
      const { devnet, service } = lab();
      const [chain] = service.config.chains;
      if (chain === undefined) throw new Error('The service has no chain.');
      const bundler = await startTestBundler(devnet, chain);
      try {
        const account = await simpleAccount(devnet, version);
        const { rpcUrl } = lab().paymaster(version);
        const dataSuffix = Attribution.toDataSuffix({ appCode: 'baseapp', walletCode: 'a_wallet' });
        const client = createBundlerClient({
          account,
          client: chainClient(devnet),
          transport: http(bundler.url, { retryCount: 0 }),
          paymaster: createPaymasterClient({ transport: http(rpcUrl, { retryCount: 0 }) }),
          dataSuffix,
          pollingInterval: 20,
        });
        for (let nth = 0; nth < 2; nth += 1) {
          const attempt = { client: 'viem', version, sender: account.address, payment: 'SPONSORED' } as const;
          await expectLanded(lab(), attempt, async () => {
            const hash = await client.sendUserOperation({ calls: [targetCall(devnet, 'increment')] });
            const { userOperation } = await client.getUserOperation({ hash });
            expect(userOperation.callData.endsWith(dataSuffix.slice(2))).toBe(true);
            return readLanded(bundler.url, hash);
          });
        }
      } finally {
        await bundler.close();
      }
    },
  );
}
