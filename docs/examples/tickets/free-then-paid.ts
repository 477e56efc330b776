/** Your page, where each signed-in user has some operations for free and pays the others in a token. */
import { createSponsorClient, sponsorOrPay } from '@tollfree/sdk';
import { toSimpleSmartAccount } from 'permissionless/accounts';
import { type Address, createPublicClient, type Hex, http, parseAbi } from 'viem';
import { createBundlerClient, entryPoint08Address } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry as chain } from 'viem/chains';

for (const name of ['NODE_URL', 'OWNER_KEY', 'PAYMASTER_URL', 'BUNDLER_URL', 'TOKEN', 'CONTRACT', 'BACKEND_URL']) {
  if (!process.env[name]) throw new Error(`Set ${name}, as docs/tickets.md says.`);
}

const client = createPublicClient({ chain, transport: http(process.env.NODE_URL) });
const account = await toSimpleSmartAccount({
  client,
  owner: privateKeyToAccount(process.env.OWNER_KEY as Hex),
  entryPoint: { address: entryPoint08Address, version: '0.8' },
});
const sponsor = createSponsorClient({ url: process.env.PAYMASTER_URL ?? '' });
const bundlerClient = createBundlerClient({ account, client, transport: http(process.env.BUNDLER_URL) });
const token = process.env.TOKEN as Address;
const maximum = BigInt(process.env.MAXIMUM ?? '5000000');
const calls = [
  { to: process.env.CONTRACT as Address, abi: parseAbi(['function increment()']), functionName: 'increment' },
];

// In a browser the session cookie is sent by itself; here the program sends it.
const answer = await fetch(`${process.env.BACKEND_URL}/ticket`, {
  method: 'POST',
  headers: { cookie: process.env.SESSION_COOKIE ?? '' },
});
const { ticket } = (await answer.json()) as { ticket: string };

// The same ticket names the user of the free and of the paid operation; only one of them is signed.
const { hash, paidBy } = await sponsorOrPay(sponsor, {
  bundlerClient,
  calls,
  payIn: { token, maximum },
  paymasterContext: { ticket },
});
const { success } = await bundlerClient.waitForUserOperationReceipt({ hash });
console.log(success ? 'landed' : 'reverted', `paid by the ${paidBy}`);
