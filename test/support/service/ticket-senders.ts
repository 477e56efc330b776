import { createKernelAccountClient, createZeroDevPaymasterClient } from '@zerodev/sdk';
import { createSmartAccountClient } from 'permissionless';
import { createPimlicoClient } from 'permissionless/clients/pimlico';
import { http, parseGwei } from 'viem';
import { createBundlerClient, createPaymasterClient, type PaymasterActions } from 'viem/account-abstraction';
import type { Devnet } from '../../../clients/cli/dev/devnet/devnet.ts';
import { createPaymaster } from '../../../clients/sdk/create-paymaster.ts';
import { createSponsorClient } from '../../../clients/sdk/create-sponsor-client.ts';
import { targetCall } from '../chain/chain-lab.ts';
import { chainClient, simpleAccount } from './client-lab.ts';

/** A way in which a published client hands a ticket on: what it is built with. */
export type TicketSender = {
  readonly client: string;
  readonly way: 'context' | 'sponsorshipInfo' | 'authorization';
  /** Has an operation prepared by the client; gives what the paymaster added, and rejects where it refuses. */
  prepare(devnet: Devnet, url: string, ticket: string | undefined): Promise<unknown>;
};

type Sent = Pick<TicketSender, 'way'> & { readonly url: string; readonly ticket: string | undefined };

function transportOf({ way, url, ticket }: Sent) {
  const isHeader = way === 'authorization' && ticket !== undefined;
  return http(url, {
    retryCount: 0,
    ...(isHeader && { fetchOptions: { headers: { authorization: `Bearer ${ticket}` } } }),
  });
}

function contextOf({ way, ticket }: Sent) {
  if (way === 'context') return { paymasterContext: { ticket } };
  return way === 'sponsorshipInfo' ? { paymasterContext: { sponsorshipInfo: { ticket } } } : {};
}

/** Given, so that no bundler is asked for them. */
const given = {
  ...{ callGasLimit: 100_000n, verificationGasLimit: 420_000n, preVerificationGas: 60_000n },
  ...{ maxFeePerGas: parseGwei('2'), maxPriorityFeePerGas: parseGwei('1') },
};

/** The common part of clients that are made of viem's `prepareUserOperation`. */
async function baseOf(devnet: Devnet, sent: Sent) {
  const account = await simpleAccount(devnet, '0.7');
  const { chain } = devnet.client;
  return {
    settings: { account, chain, client: chainClient(devnet), ...contextOf(sent) },
    operation: { calls: [targetCall(devnet, 'increment')], ...given },
  };
}

const viem = async (devnet: Devnet, sent: Sent, paymaster: Partial<PaymasterActions>) => {
  const { settings, operation } = await baseOf(devnet, sent);
  const client = createBundlerClient({ ...settings, transport: http(sent.url), paymaster });
  return (await client.prepareUserOperation(operation)).paymasterData;
};

const kinds = {
  viem: (devnet, sent) => viem(devnet, sent, createPaymasterClient({ transport: transportOf(sent) })),
  '@tollfree/sdk': (devnet, sent) => viem(devnet, sent, createPaymaster(createSponsorClient({ url: sent.url }))),
  permissionless: async (devnet, sent) => {
    const { settings, operation } = await baseOf(devnet, sent);
    const entryPoint = { address: devnet.entryPoints['0.7'], version: '0.7' } as const;
    const paymaster = createPimlicoClient({ chain: settings.chain, entryPoint, transport: transportOf(sent) });
    const client = createSmartAccountClient({ ...settings, bundlerTransport: http(sent.url), paymaster });
    return (await client.prepareUserOperation(operation)).paymasterData;
  },
  '@zerodev/sdk': async (devnet, sent) => {
    const { settings, operation } = await baseOf(devnet, sent);
    const paymaster = createZeroDevPaymasterClient({ chain: settings.chain, transport: transportOf(sent) });
    const client = createKernelAccountClient({ ...settings, bundlerTransport: http(sent.url), paymaster });
    return (await client.prepareUserOperation(operation)).paymasterData;
  },
  '@zerodev/sdk, sponsorUserOperation': async (devnet, sent) => {
    const { settings, operation } = await baseOf(devnet, sent);
    const zerodev = createZeroDevPaymasterClient({ chain: settings.chain, transport: transportOf(sent) });
    const client = createKernelAccountClient({
      ...settings,
      bundlerTransport: http(sent.url),
      paymaster: { getPaymasterData: (userOperation) => zerodev.sponsorUserOperation({ userOperation }) },
    });
    return (await client.prepareUserOperation(operation)).paymasterData;
  },
} as const satisfies Record<string, (devnet: Devnet, sent: Sent) => Promise<unknown>>;

/** Which client can send a ticket in which way: those that build their own contexts have the header. */
const ways: Readonly<Record<keyof typeof kinds, readonly TicketSender['way'][]>> = {
  viem: ['context', 'sponsorshipInfo', 'authorization'],
  '@tollfree/sdk': ['context', 'sponsorshipInfo'],
  permissionless: ['context', 'sponsorshipInfo', 'authorization'],
  '@zerodev/sdk': ['context', 'sponsorshipInfo', 'authorization'],
  '@zerodev/sdk, sponsorUserOperation': ['authorization'],
};

export const ticketSenders: readonly TicketSender[] = (Object.keys(kinds) as (keyof typeof kinds)[]).flatMap((client) =>
  ways[client].map((way) => ({
    client,
    way,
    prepare: (devnet, url, ticket) => kinds[client](devnet, { way, url, ticket }),
  })),
);
