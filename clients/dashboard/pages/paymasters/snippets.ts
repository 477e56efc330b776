import type { PaymasterItem } from '@tollfree/contract/paymaster';

export type Snippet = { readonly name: string; readonly code: string };

/** What the code of a paymaster contains: its URL, and a named policy that requests choose. */
type Filled = { readonly url: string; readonly policyId?: string };

/**
 * Code for using the paymaster, per library, to paste. A test runs each of them as it is; the names that an application has to
 * define are listed at the top.
 */
export function snippetsFor(filled: Filled, { chainId }: PaymasterItem): readonly Snippet[] {
  return [
    { name: 'viem', code: viem(filled) },
    { name: 'permissionless', code: permissionless(filled) },
    { name: 'wagmi', code: wagmi(filled) },
    { name: 'Tollfree SDK', code: sdk(filled) },
    ...(filled.policyId === undefined ? [{ name: 'curl', code: curl(filled.url, chainId) }] : []),
  ];
}

const yours = `// Yours: account (a smart account), client (a public client of the chain), bundlerUrl,
// and the call's to and data.`;

function contextLine({ policyId }: Filled): string {
  return policyId === undefined ? '' : `\n  paymasterContext: { policyId: '${policyId}' },`;
}

function viem(filled: Filled): string {
  return `import { http } from 'viem';
import { createBundlerClient, createPaymasterClient } from 'viem/account-abstraction';

${yours}
const bundlerClient = createBundlerClient({
  account,
  client,
  transport: http(bundlerUrl),
  paymaster: createPaymasterClient({ transport: http('${filled.url}') }),${contextLine(filled)}
});
const hash = await bundlerClient.sendUserOperation({ calls: [{ to, data }] });`;
}

function permissionless(filled: Filled): string {
  return `import { createSmartAccountClient } from 'permissionless';
import { http } from 'viem';
import { createPaymasterClient } from 'viem/account-abstraction';

${yours}
const smartAccountClient = createSmartAccountClient({
  account,
  client,
  bundlerTransport: http(bundlerUrl),
  paymaster: createPaymasterClient({ transport: http('${filled.url}') }),${contextLine(filled)}
});
const hash = await smartAccountClient.sendUserOperation({ calls: [{ to, data }] });`;
}

function wagmi({ url, policyId }: Filled): string {
  const context = policyId === undefined ? '' : `, context: { policyId: '${policyId}' }`;
  return `import { sendCalls } from 'wagmi/actions';

// Yours: config (of wagmi, with a connected wallet), and the call's to and data.
// For wallets that ask the paymaster themselves (EIP-5792 and ERC-7677).
// The hook useSendCalls takes the same.
const { id } = await sendCalls(config, {
  calls: [{ to, data }],
  capabilities: { paymasterService: { url: '${url}'${context} } },
});`;
}

function sdk({ url, policyId }: Filled): string {
  const context = policyId === undefined ? '' : `, { paymasterContext: { policyId: '${policyId}' } }`;
  return `import { createPaymaster, createSponsorClient, SponsorshipRefusedError } from '@tollfree/sdk';
import { http } from 'viem';
import { createBundlerClient } from 'viem/account-abstraction';

${yours}
const sponsor = createSponsorClient({ url: '${url}' });
const bundlerClient = createBundlerClient({
  account,
  client,
  transport: http(bundlerUrl),
  paymaster: createPaymaster(sponsor${context}),
});
try {
  const hash = await bundlerClient.sendUserOperation({ calls: [{ to, data }] });
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
