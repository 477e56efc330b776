import { describe, expect, test } from 'vitest';
import {
  approveCall,
  mint,
  newSmartAccount,
  nextOperation,
  targetCall,
  tokenWith,
} from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { entryPointsOfRun } from '../support/chain/tabled-entry-points.ts';
import { type ClientLab, expectLanded } from '../support/published-clients/client-lab.ts';
import { curlClient, ethersClient, sdkClient } from '../support/published-clients/plain-clients.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';

const combinations = [curlClient, sdkClient, ethersClient].flatMap((client) =>
  entryPointsOfRun.map((version) => ({ client, name: client.name, version })),
);

/** Clients that know the two methods and nothing else. */
export function describePlainClients(lab: () => ClientLab): void {
  describe.each(combinations)('$name, EntryPoint $version', ({ client, name, version }) => {
    const url = () => lab().paymaster(version).rpcUrl;
    const increment = () => targetCall(lab().devnet, 'increment');

    test.each(['pm_getFeeQuoteOrData', 'pm_sponsorUserOperation'] as const)(
      '%s: a sponsored operation lands',
      async (way) => {
        const { devnet } = lab();
        const account = newSmartAccount(version);
        const operation = await nextOperation(devnet, account, [increment()]);
        const signed = { ...operation, ...(await client.sponsor(url(), way, operation)) };
        const attempt = { client: name, version, sender: operation.sender, payment: 'SPONSORED' } as const;
        await expectLanded(lab(), attempt, () => land(devnet, account, signed));
      },
    );

    test.each(rowsOfRun([6, 18], 1))(
      'both methods, a token with %i decimals: an operation lands within the quote',
      async (decimals) => {
        const { devnet } = lab();
        const token = tokenWith(devnet, decimals);
        const account = newSmartAccount(version);
        const drafted = await nextOperation(devnet, account, [increment()]);
        await mint(devnet, token, drafted.sender, 1_000n * 10n ** BigInt(decimals));
        const { max, spender } = await client.quote(url(), drafted, token.address);
        expect(spender).toBe(lab().paymaster(version).address);
        const operation = await nextOperation(devnet, account, [approveCall(token, spender, max), increment()]);
        const signed = { ...operation, ...(await client.pay(url(), operation, token.address)) };
        const payment = { token, quoted: () => max };
        const attempt = { client: name, version, sender: operation.sender, payment } as const;
        await expectLanded(lab(), attempt, () => land(devnet, account, signed));
      },
    );
  });
}
