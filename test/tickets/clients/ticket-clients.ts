import { CandidePaymaster } from 'abstractionkit';
import { createPimlicoClient } from 'permissionless/clients/pimlico';
import { type Hex, http, slice } from 'viem';
import { createBundlerClient } from 'viem/account-abstraction';
import { targetCall } from '../../support/chain/chain-lab.ts';
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
import { chainClient, simpleAccount } from '../../support/service/client-lab.ts';
import { type Sending, type TicketClient, type TicketWay, ticketWays } from './ticket-client.ts';
import { walletTicketClients } from './wallet-ticket-clients.ts';

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
const sendingTicketClients: readonly TicketClient[] = [
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

/** Pimlico's own method, which answers limits and data at once. */
const pimlicoTicketClient: TicketClient = {
  name: 'permissionless, `sponsorUserOperation` of its Pimlico client',
  version: '0.7',
  arrives: ticketWays,
  policyName: 'sponsorshipPolicyId',
  async send({ devnet, bundlerUrl, paymasterUrl, context, headers, policyId }) {
    const account = await simpleAccount(devnet, '0.7');
    const entryPoint = { address: devnet.entryPoints['0.7'], version: '0.7' } as const;
    const transport = http(paymasterUrl, { retryCount: 0, fetchOptions: { headers } });
    const pimlico = createPimlicoClient({ chain: devnet.client.chain, entryPoint, transport });
    const client = createBundlerClient({
      account,
      client: chainClient(devnet),
      transport: http(bundlerUrl, { retryCount: 0 }),
      pollingInterval: 20,
    });
    const fees = await devnet.client.estimateFeesPerGas();
    const bare = await client.prepareUserOperation({
      calls: [targetCall(devnet, 'increment')],
      parameters: ['factory', 'nonce', 'signature'],
      ...fees,
    });
    const sponsored = await pimlico.sponsorUserOperation({
      userOperation: { ...bare, ...fees },
      paymasterContext: context,
      ...(policyId === undefined ? {} : { sponsorshipPolicyId: policyId }),
    });
    const unsigned = { ...bare, ...fees, ...sponsored };
    const signature = await account.signUserOperation(unsigned);
    const hash = await client.sendUserOperation({ ...unsigned, signature });
    return { sender: account.address, hash };
  },
};

/** Candide's, which knows a policy as a parameter of its own, and no headers. */
const candideTicketClient: TicketClient = {
  name: '`abstractionkit`',
  version: '0.7',
  arrives: ['ticket', 'sponsorshipInfo.ticket'],
  policyName: 'sponsorshipPolicyId',
  async send({ devnet, bundlerUrl, paymasterUrl, context, policyId }) {
    const account = await simpleAccount(devnet, '0.7');
    const client = createBundlerClient({ account, client: chainClient(devnet), transport: http(bundlerUrl) });
    const fees = await devnet.client.estimateFeesPerGas();
    const { factory, factoryData, nonce, callData, signature } = await client.prepareUserOperation({
      calls: [targetCall(devnet, 'increment')],
      parameters: ['factory', 'nonce', 'signature'],
      ...fees,
    });
    const bare = {
      sender: account.address,
      nonce,
      factory: factory ?? null,
      factoryData: factoryData ?? null,
      callData,
      callGasLimit: 0n,
      verificationGasLimit: 0n,
      preVerificationGas: 0n,
      signature,
      ...fees,
      paymaster: null,
      paymasterVerificationGasLimit: null,
      paymasterPostOpGasLimit: null,
      paymasterData: null,
    };
    const [filled] = await new CandidePaymaster(paymasterUrl).createSponsorPaymasterUserOperation(
      { entrypointAddress: devnet.entryPoints['0.7'] },
      bare,
      bundlerUrl,
      policyId,
      { context },
    );
    const { paymaster, paymasterData, paymasterVerificationGasLimit, paymasterPostOpGasLimit, ...limits } = filled;
    const unsigned = {
      sender: account.address,
      nonce,
      callData,
      signature,
      ...fees,
      ...(factory === undefined ? {} : { factory, factoryData }),
      callGasLimit: limits.callGasLimit,
      verificationGasLimit: limits.verificationGasLimit,
      preVerificationGas: limits.preVerificationGas,
      paymaster: slice(paymaster as Hex, 0, 20),
      paymasterData: paymasterData as Hex,
      paymasterVerificationGasLimit: paymasterVerificationGasLimit ?? 0n,
      paymasterPostOpGasLimit: paymasterPostOpGasLimit ?? 0n,
    };
    const signed = await account.signUserOperation(unsigned);
    return { sender: account.address, hash: await client.sendUserOperation({ ...unsigned, signature: signed }) };
  },
};

/** The rows of the table in `docs/clients.md`. */
export const ticketClients: readonly TicketClient[] = [
  ...sendingTicketClients,
  pimlicoTicketClient,
  candideTicketClient,
  ...walletTicketClients,
];
