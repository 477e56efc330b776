import { createWalletClient, custom, type Hex, http, isHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type CreateConnectorFn, createConfig } from 'wagmi';
import { connect, sendCalls, waitForCallsStatus } from 'wagmi/actions';
import { createCapabilities } from '../../../clients/sdk/create-capabilities.ts';
import { smartWallet } from '../../../clients/sdk/examples/wallet/smart-wallet.ts';
import { targetCall } from '../../support/chain/chain-lab.ts';
import { freshKey } from '../../support/service/running-service.ts';
import type { Sending, TicketClient } from './ticket-client.ts';

/** What the application hands to the wallet, which asks the paymaster: nothing of its own connection to it. */
function capabilitiesOf({ paymasterUrl: url, context, policyId }: Sending) {
  return createCapabilities({ url, paymasterContext: { ...context, ...(policyId === undefined ? {} : { policyId }) } });
}

function newWallet({ devnet, bundlerUrl }: Sending): CreateConnectorFn {
  const owner = privateKeyToAccount(freshKey());
  return smartWallet({ owner, chain: devnet.client.chain, nodeUrl: devnet.rpcUrl, bundlerUrl });
}

function hashOf(id: string): Hex {
  if (!isHex(id)) throw new Error('The wallet gave no hash.');
  return id;
}

const wallet = {
  version: '0.8',
  arrives: ['ticket', 'sponsorshipInfo.ticket'],
  policyName: 'policyId',
} as const;

/** Wallets that answer EIP-5792 and ask the paymaster that `paymasterService` names, as Coinbase's do. */
export const walletTicketClients: readonly TicketClient[] = [
  {
    ...wallet,
    name: 'wagmi, `sendCalls`',
    async send(sending) {
      const { chain } = sending.devnet.client;
      const config = createConfig({
        chains: [chain],
        connectors: [newWallet(sending)],
        transports: { [chain.id]: http(sending.devnet.rpcUrl) },
      });
      const [connector] = config.connectors;
      if (connector === undefined) throw new Error('There is no wallet.');
      const { accounts } = await connect(config, { connector });
      const calls = [targetCall(sending.devnet, 'increment')];
      const { id } = await sendCalls(config, { chainId: chain.id, calls, capabilities: capabilitiesOf(sending) });
      await waitForCallsStatus(config, { id, pollingInterval: 20 });
      return { sender: accounts[0], hash: hashOf(id) };
    },
  },
  {
    ...wallet,
    name: 'viem, `sendCalls`',
    async send(sending) {
      const { chain } = sending.devnet.client;
      // Of what wagmi has for a connector it takes nothing.
      const { getAccounts, getProvider } = newWallet(sending)({} as Parameters<CreateConnectorFn>[0]);
      const [account] = await getAccounts();
      if (account === undefined) throw new Error('The wallet has no account.');
      const provider = (await getProvider()) as Parameters<typeof custom>[0];
      const client = createWalletClient({ account, chain, transport: custom(provider), pollingInterval: 20 });
      const calls = [targetCall(sending.devnet, 'increment')];
      const { id } = await client.sendCalls({ calls, capabilities: capabilitiesOf(sending) });
      await client.waitForCallsStatus({ id });
      return { sender: account, hash: hashOf(id) };
    },
  },
];
