/** Your page: asks your backend for a ticket, then sends one operation that the paymaster sponsors for this user. */
import { toSimpleSmartAccount } from 'permissionless/accounts';
import { type Address, createPublicClient, type Hex, http, parseAbi } from 'viem';
import { createBundlerClient, createPaymasterClient, entryPoint08Address } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry as chain } from 'viem/chains';

for (const name of ['NODE_URL', 'OWNER_KEY', 'BUNDLER_URL', 'PAYMASTER_URL', 'BACKEND_URL', 'CONTRACT']) {
  if (!process.env[name]) throw new Error(`Set ${name}, as docs/tickets.md says.`);
}

const client = createPublicClient({ chain, transport: http(process.env.NODE_URL) });
const account = await toSimpleSmartAccount({
  client,
  owner: privateKeyToAccount(process.env.OWNER_KEY as Hex),
  entryPoint: { address: entryPoint08Address, version: '0.8' },
});
const bundlerClient = createBundlerClient({
  account,
  client,
  transport: http(process.env.BUNDLER_URL),
  paymaster: createPaymasterClient({ transport: http(process.env.PAYMASTER_URL) }),
});

// In a browser the session cookie is sent by itself; here the program sends it.
const answer = await fetch(`${process.env.BACKEND_URL}/ticket`, {
  method: 'POST',
  headers: { cookie: process.env.SESSION_COOKIE ?? '' },
});
const { ticket } = answer.ok ? ((await answer.json()) as { ticket: string }) : { ticket: undefined };

const call = {
  to: process.env.CONTRACT as Address,
  abi: parseAbi(['function increment()']),
  functionName: 'increment',
} as const;
try {
  const hash = await bundlerClient.sendUserOperation({ calls: [call], paymasterContext: { ticket } });
  const { success, receipt } = await bundlerClient.waitForUserOperationReceipt({ hash });
  console.log(success ? 'landed' : 'reverted', receipt.transactionHash);
} catch (error) {
  console.log('refused:', /Details: (.*)/.exec(String(error))?.[1]);
}
