import type { PaymasterItem } from '@tollfree/contract/paymaster';

export type Snippet = { readonly name: string; readonly code: string };

/** Code for using the paymaster, per library, to paste. */
export function snippetsFor(url: string, { chainId }: PaymasterItem): readonly Snippet[] {
  return [
    { name: 'viem', code: viem(url) },
    { name: 'permissionless', code: permissionless(url) },
    { name: 'wagmi', code: wagmi(url) },
    { name: 'Tollfree SDK', code: sdk(url) },
    { name: 'curl', code: curl(url, chainId) },
  ];
}

function viem(url: string): string {
  return `import { http } from 'viem';
import { createBundlerClient, createPaymasterClient } from 'viem/account-abstraction';

const bundlerClient = createBundlerClient({
  account, // your smart account
  client, // a public client of the chain
  transport: http(bundlerUrl),
  paymaster: createPaymasterClient({ transport: http('${url}') }),
});
const hash = await bundlerClient.sendUserOperation({ calls: [{ to, data }] });`;
}

function permissionless(url: string): string {
  return `import { createSmartAccountClient } from 'permissionless';
import { http } from 'viem';
import { createPaymasterClient } from 'viem/account-abstraction';

const smartAccountClient = createSmartAccountClient({
  account, // your smart account
  chain,
  bundlerTransport: http(bundlerUrl),
  paymaster: createPaymasterClient({ transport: http('${url}') }),
});
const hash = await smartAccountClient.sendTransaction({ to, data });`;
}

function wagmi(url: string): string {
  return `import { useSendCalls } from 'wagmi';

// For wallets that ask the paymaster themselves (EIP-5792 and ERC-7677).
const { mutate: sendCalls } = useSendCalls();
sendCalls({
  calls: [{ to, data }],
  capabilities: { paymasterService: { url: '${url}' } },
});`;
}

function sdk(url: string): string {
  return `import { createPaymaster, createSponsorClient, SponsorshipRefusedError } from '@tollfree/sdk';
import { http } from 'viem';
import { createBundlerClient } from 'viem/account-abstraction';

const sponsor = createSponsorClient({ url: '${url}' });
const bundlerClient = createBundlerClient({
  account, // your smart account
  client, // a public client of the chain
  transport: http(bundlerUrl),
  paymaster: createPaymaster(sponsor),
});
try {
  await bundlerClient.sendUserOperation({ calls: [{ to, data }] });
} catch (error) {
  if (error instanceof SponsorshipRefusedError) console.log(error.reason, error.message);
  else throw error;
}`;
}

function curl(url: string, chainId: number): string {
  const ask = (method: string) =>
    `curl -s '${url}' \\
  -H 'content-type: application/json' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"${method}","params":[]}'`;
  return `# The EntryPoint that this paymaster signs for
${ask('pm_supportedEntryPoints')}

# Its chain, ${chainId}
${ask('pm_chainId')}`;
}
