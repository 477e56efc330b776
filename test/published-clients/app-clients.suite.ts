import { afterAll, beforeAll, describe, test } from 'vitest';
import { mint, tokenWith } from '../support/chain/chain-lab.ts';
import { landingClients } from '../support/chain/landings-table.ts';
import { startTestBundler, type TestBundler } from '../support/chain/test-bundler.ts';
import { aaSdkClient } from '../support/published-clients/aa-sdk-client.ts';
import { readLanded } from '../support/published-clients/biconomy-bundler.ts';
import { type ClientLab, expectLanded } from '../support/published-clients/client-lab.ts';
import { metamaskClient } from '../support/published-clients/metamask-client.ts';
import { useropClient } from '../support/published-clients/userop-client.ts';
import { zerodevClient, zerodevErc7677Client } from '../support/published-clients/zerodev-client.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';

/** Of each client the newest EntryPoint first. */
const cells = [useropClient, aaSdkClient, zerodevClient, zerodevErc7677Client, metamaskClient].flatMap((client) =>
  rowsOfRun(landingClients[client.name].toReversed(), 1).map((version) => ({ client, name: client.name, version })),
);

/** Clients of others that talk to a bundler themselves, with nothing changed but addresses. */
export function describeAppClients(lab: () => ClientLab): void {
  describe.each(cells)('$name, EntryPoint $version', ({ client, name, version }) => {
    let bundler: TestBundler;
    beforeAll(async () => {
      const [chain] = lab().service.config.chains;
      if (chain === undefined) throw new Error('The service has no chain.');
      bundler = await startTestBundler(lab().devnet, chain);
    });
    afterAll(() => bundler.close());

    const open = () => {
      const { rpcUrl: url, address } = lab().paymaster(version);
      return client.open({ devnet: lab().devnet, bundler }, { version, url, address });
    };

    test('sponsored operations land, also the one that deploys', async () => {
      const account = await open();
      for (let nth = 0; nth < 2; nth += 1) {
        const attempt = { client: name, version, sender: account.sender, payment: 'SPONSORED' } as const;
        await expectLanded(lab(), attempt, async () => readLanded(bundler.url, await account.sponsored()));
      }
    });

    test('operations paid in tokens land for no more than the rate says', async () => {
      const { devnet } = lab();
      const token = tokenWith(devnet, 6);
      const account = await open();
      await mint(devnet, token, account.sender, 1_000n * 10n ** BigInt(token.decimals));
      for (let nth = 0; nth < 2; nth += 1) {
        let quoted = 0n;
        const payment = { token, quoted: () => quoted };
        await expectLanded(lab(), { client: name, version, sender: account.sender, payment }, async () => {
          const sent = await account.paid(token);
          quoted = sent.quoted;
          return readLanded(bundler.url, sent.hash);
        });
      }
    });
  });
}
