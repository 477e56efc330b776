/** Your page, where a ticket covers some operations and the user pays for the next ones in a token. */
import { createPaymaster, createSponsorClient, prepareTokenPayment, SponsorshipRefusedError } from '@tollfree/sdk';
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
const paymaster = createPaymaster(sponsor);
const bundlerClient = createBundlerClient({ account, client, paymaster, transport: http(process.env.BUNDLER_URL) });
const token = process.env.TOKEN as Address;
const mostToPay = BigInt(process.env.MAXIMUM ?? '5000000');
const wanted = [
  { to: process.env.CONTRACT as Address, abi: parseAbi(['function increment()']), functionName: 'increment' },
];

// In a browser the session cookie is sent by itself; here the program sends it.
const answer = await fetch(`${process.env.BACKEND_URL}/ticket`, {
  method: 'POST',
  headers: { cookie: process.env.SESSION_COOKIE ?? '' },
});
const { ticket } = (await answer.json()) as { ticket: string };

/** Sends the calls free of charge while the ticket covers them, else paid in the token. */
async function send(): Promise<{ readonly hash: Hex; readonly paidBy: 'application' | 'user' }> {
  try {
    const hash = await bundlerClient.sendUserOperation({ calls: wanted, paymasterContext: { ticket } });
    return { hash, paidBy: 'application' };
  } catch (error) {
    if (!(error instanceof SponsorshipRefusedError) || error.reason !== 'TICKET_USED_UP') throw error;
  }
  // The used-up ticket still says who the user is.
  const payment = await prepareTokenPayment(sponsor, {
    bundlerClient,
    token,
    calls: wanted,
    paymasterContext: { ticket },
  });
  const { calls, maximum, paymasterContext, operation } = payment;
  if (maximum > mostToPay) throw new Error('The operation costs more than the user is to pay.');
  return { hash: await bundlerClient.sendUserOperation({ calls, paymasterContext, ...operation }), paidBy: 'user' };
}

for (let count = 0; count < 2; count += 1) {
  const { hash, paidBy } = await send();
  const { success } = await bundlerClient.waitForUserOperationReceipt({ hash });
  console.log(success ? 'landed' : 'reverted', `paid by the ${paidBy}`);
}
