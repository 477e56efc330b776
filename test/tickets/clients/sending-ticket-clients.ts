import { aaSdkClient } from '../../support/published-clients/aa-sdk-client.ts';
import { metamaskClient } from '../../support/published-clients/metamask-client.ts';
import {
  type AppClient,
  type AskedPaymaster,
  permissionlessClient,
  type SendingAccount,
  sdkPaymasterClient,
  viemClient,
} from '../../support/published-clients/sending-clients.ts';
import { zerodevClient, zerodevErc7677Client } from '../../support/published-clients/zerodev-client.ts';
import type { Sending, TicketClient, TicketWay } from './ticket-client.ts';
import { ticketWays } from './ticket-client.ts';

type Opened = { open(surroundings: Parameters<AppClient['open']>[0], asked: AskedPaymaster): Promise<SendingAccount> };

/** A client that asks the paymaster by itself, with a context that the application gives it. */
function ofSending(
  name: string,
  client: Opened,
  more: Partial<Pick<TicketClient, 'arrives' | 'dropped' | 'policyName'>> = { policyName: 'policyId' },
): TicketClient {
  return {
    name,
    version: '0.7',
    arrives: ticketWays,
    ...more,
    async send({ devnet, bundlerUrl, paymasterUrl: url, paymaster, context, headers, policyId }: Sending) {
      const named = policyId === undefined ? {} : { [more.policyName ?? 'policyId']: policyId };
      const asked = { version: '0.7', url, address: paymaster, context: { ...context, ...named }, headers } as const;
      const account = await client.open({ devnet, bundler: { url: bundlerUrl } }, asked);
      return { sender: account.sender, hash: await account.sponsored() };
    },
  };
}

const inContext: readonly TicketWay[] = ['ticket', 'sponsorshipInfo.ticket'];

/** Clients that are told of a paymaster's URL and ask it themselves. */
export const sendingTicketClients: readonly TicketClient[] = [
  ofSending('viem', viemClient),
  ofSending('permissionless', permissionlessClient, { policyName: 'sponsorshipPolicyId' }),
  ofSending('`createPaymaster` of `@tollfree/sdk`', sdkPaymasterClient as unknown as Opened, {
    arrives: inContext,
    policyName: 'policyId',
  }),
  ofSending('`@zerodev/sdk`, paymaster actions', zerodevErc7677Client),
  ofSending('`@zerodev/sdk`, `sponsorUserOperation`', zerodevClient, {
    arrives: ['authorization'],
    dropped: inContext,
  }),
  ofSending('`@aa-sdk/core`, `erc7677Middleware`', aaSdkClient),
  ofSending('`@metamask/smart-accounts-kit`', metamaskClient),
];
