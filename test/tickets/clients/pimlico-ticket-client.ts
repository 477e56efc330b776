import { createPimlicoClient } from 'permissionless/clients/pimlico';
import { http } from 'viem';
import { createBundlerClient } from 'viem/account-abstraction';
import { targetCall } from '../../support/chain/chain-lab.ts';
import { chainClient, simpleAccount } from '../../support/service/client-lab.ts';
import { type TicketClient, ticketWays } from './ticket-client.ts';

/** Pimlico's own method, which answers limits and data at once. */
export const pimlicoTicketClient: TicketClient = {
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
