import type { Snippet } from '../paymasters/snippets.ts';

/** How a request chooses a policy, for each library, to put into the code of the page Connect. */
export function policySnippetsFor(policyId: string): readonly Snippet[] {
  return [
    { name: 'viem, permissionless', code: clientOption(policyId) },
    { name: 'wagmi', code: capability(policyId) },
    { name: 'Tollfree SDK', code: sdk(policyId) },
  ];
}

function clientOption(policyId: string): string {
  return `// One more line of createBundlerClient or createSmartAccountClient
  paymasterContext: { policyId: '${policyId}' },`;
}

function capability(policyId: string): string {
  return `capabilities: {
  paymasterService: {
    url: paymasterUrl, // the RPC URL of the page Connect
    context: { policyId: '${policyId}' },
  },
},`;
}

function sdk(policyId: string): string {
  return `const paymaster = createPaymaster(sponsor, { context: { policyId: '${policyId}' } });`;
}
