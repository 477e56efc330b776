/** The user pays in an ERC-20 token, which the account owns; the paymaster advances the gas. */
import { createPaymaster, createSponsorClient, prepareTokenPayment } from '@tollfree/sdk';
import { toSimpleSmartAccount } from 'permissionless/accounts';
import { type Address, createPublicClient, formatUnits, type Hex, http, parseAbi } from 'viem';
import { createBundlerClient, entryPoint08Address } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry as chain } from 'viem/chains';

for (const name of ['NODE_URL', 'OWNER_KEY', 'PAYMASTER_URL', 'BUNDLER_URL', 'TOKEN', 'CONTRACT']) {
  if (!process.env[name]) throw new Error(`Set ${name}, or start with --env-file=.tollfree/dev.env.`);
}

const client = createPublicClient({ chain, transport: http(process.env.NODE_URL) });
const account = await toSimpleSmartAccount({
  client,
  owner: privateKeyToAccount(process.env.OWNER_KEY as Hex),
  entryPoint: { address: entryPoint08Address, version: '0.8' },
});
const sponsor = createSponsorClient({ url: process.env.PAYMASTER_URL ?? '' });
const bundlerClient = createBundlerClient({
  account,
  client,
  transport: http(process.env.BUNDLER_URL),
  paymaster: createPaymaster(sponsor),
});

// The required approvals come before the calls; the quote binds the service.
const { calls, paymasterContext, operation, expected, maximum, quote } = await prepareTokenPayment(sponsor, {
  bundlerClient,
  token: process.env.TOKEN as Address,
  calls: [{ to: process.env.CONTRACT as Address, abi: parseAbi(['function increment()']), functionName: 'increment' }],
});
console.log(
  `about ${formatUnits(expected, quote.decimal)} ${quote.symbol}, at most ${formatUnits(maximum, quote.decimal)}`,
);

const hash = await bundlerClient.sendUserOperation({ calls, paymasterContext, ...operation });
const { success, receipt } = await bundlerClient.waitForUserOperationReceipt({ hash });
console.log(success ? 'landed' : 'reverted', receipt.transactionHash);
