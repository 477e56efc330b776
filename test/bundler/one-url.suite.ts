import { createPimlicoClient } from 'permissionless/clients/pimlico';
import { type Hex, http } from 'viem';
import { createBundlerClient, createPaymasterClient } from 'viem/account-abstraction';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type EntryPointVersion, entryPointVersions } from '../../core/domain/entry-point-version.ts';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { startDevnet } from '../../server/dev/devnet/start-devnet.ts';
import { mint, targetCall, tokenWith } from '../support/chain/chain-lab.ts';
import { landingClients } from '../support/chain/landings-table.ts';
import { leasedSignerKey } from '../support/chain/lease-devnet.ts';
import { aaSdkClient } from '../support/published-clients/aa-sdk-client.ts';
import { readLanded } from '../support/published-clients/biconomy-bundler.ts';
import { landAndCheck } from '../support/published-clients/client-lab.ts';
import { permissionlessClient } from '../support/published-clients/sending-clients.ts';
import { useropClient } from '../support/published-clients/userop-client.ts';
import { zerodevClient, zerodevErc7677Client } from '../support/published-clients/zerodev-client.ts';
import { chainClient, simpleAccount } from '../support/service/client-lab.ts';
import { startFundedService } from '../support/service/funded-service.ts';
import { type Alto, altoVersions, startAlto } from './start-alto.ts';

type Lab = {
  readonly devnet: Devnet;
  readonly alto: Alto;
  paymaster(version: EntryPointVersion): DevPaymaster;
  close(): Promise<void>;
};

let lab: Lab;
beforeAll(async () => {
  const devnet = await startDevnet({ port: 0, paymasterSigner: privateKeyToAddress(leasedSignerKey) });
  const alto = await startAlto(devnet);
  const service = await startFundedService(devnet, (chain) => ({
    ...chain,
    bundler: { urls: [alto.url], expose: 'OWN', asksForLimits: true },
  }));
  lab = {
    devnet,
    alto,
    paymaster: service.paymaster,
    close: async () => {
      await service.close();
      await alto.close();
      await devnet.close();
    },
  };
});
afterAll(() => lab.close());

const clients = [permissionlessClient, aaSdkClient, zerodevClient, zerodevErc7677Client, useropClient];
const cells = clients.flatMap((client) =>
  landingClients[client.name].map((version) => ({ client, name: client.name, version })),
);

const landed = (url: string, hash: Hex) => vi.waitFor(() => readLanded(url, hash), { timeout: 30_000 });

describe('with alto behind the paymaster URL, one URL is enough', () => {
  test.each(cells)('for $name, EntryPoint $version: sponsored operations land', async ({ client, name, version }) => {
    const { rpcUrl: url, address } = lab.paymaster(version);
    const account = await client.open({ devnet: lab.devnet, bundler: { url } }, { version, url, address });
    for (let nth = 0; nth < 2; nth += 1) {
      const attempt = { client: name, version, sender: account.sender, payment: 'SPONSORED' } as const;
      await landAndCheck(lab, attempt, async () => landed(url, await account.sponsored()));
    }
  });

  test.each(entryPointVersions)('for an operation that pays in a token, EntryPoint %s', async (version) => {
    const { rpcUrl: url, address } = lab.paymaster(version);
    const token = tokenWith(lab.devnet, 6);
    const account = await permissionlessClient.open(
      { devnet: lab.devnet, bundler: { url } },
      { version, url, address },
    );
    await mint(lab.devnet, token, account.sender, 1_000n * 10n ** BigInt(token.decimals));
    let quoted = 0n;
    const payment = { token, quoted: () => quoted };
    await landAndCheck(lab, { client: 'permissionless', version, sender: account.sender, payment }, async () => {
      const sent = await account.paid(token);
      quoted = sent.quoted;
      return landed(url, sent.hash);
    });
  });
});

describe.each(altoVersions)('viem with alto behind the paymaster URL, EntryPoint %s', (version) => {
  test.each(['slow', 'standard', 'fast'] as const)(
    'lands at the %s price that the URL names, and is told the status of the operation',
    async (speed) => {
      const { devnet } = lab;
      const transport = http(lab.paymaster(version).rpcUrl, { retryCount: 0 });
      const pimlico = createPimlicoClient({ transport, entryPoint: { address: devnet.entryPoints[version], version } });
      const client = createBundlerClient({
        account: await simpleAccount(devnet, version),
        client: chainClient(devnet),
        transport,
        paymaster: createPaymasterClient({ transport }),
        // viem would double the tip of the last bundle, which no one else's transactions bring down here.
        userOperation: { estimateFeesPerGas: async () => (await pimlico.getUserOperationGasPrice())[speed] },
      });
      const hash = await client.sendUserOperation({ calls: [targetCall(devnet, 'increment')] });
      const { receipt, success } = await client.waitForUserOperationReceipt({ hash, pollingInterval: 100 });
      expect(success).toBe(true);
      await vi.waitFor(
        async () => {
          const { transactionHash } = receipt;
          const status = await pimlico.getUserOperationStatus({ hash });
          expect(status).toMatchObject({ status: 'included', transactionHash });
        },
        { timeout: 30_000 },
      );
    },
  );
});
