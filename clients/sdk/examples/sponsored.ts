/** The application pays: one call of a smart account, with gas from the paymaster's tank. */
import { createPaymaster, createSponsorClient, SponsorshipRefusedError } from '@tollfree/sdk';
import { toSimpleSmartAccount } from 'permissionless/accounts';
import { type Address, createPublicClient, type Hex, http, parseAbi } from 'viem';
import { createBundlerClient, entryPoint08Address } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry as chain } from 'viem/chains';

for (const name of ['NODE_URL', 'OWNER_KEY', 'BUNDLER_URL', 'PAYMASTER_URL', 'CONTRACT']) {
  if (!process.env[name]) throw new Error(`Set ${name}, or start with --env-file=.tollfree/dev.env.`);
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
  paymaster: createPaymaster(createSponsorClient({ url: process.env.PAYMASTER_URL ?? '' })),
});

const contract = { to: process.env.CONTRACT as Address, abi: parseAbi(['function increment()', 'function fail()']) };
const hash = await bundlerClient.sendUserOperation({ calls: [{ ...contract, functionName: 'increment' }] });
const { success, receipt } = await bundlerClient.waitForUserOperationReceipt({ hash });
console.log(success ? 'landed' : 'reverted', receipt.transactionHash);

// A call that the paymaster does not sponsor is refused before it is signed or sent.
try {
  await bundlerClient.sendUserOperation({ calls: [{ ...contract, functionName: 'fail' }] });
} catch (error) {
  if (!(error instanceof SponsorshipRefusedError)) throw error;
  console.log('fail() is not whitelisted, so it was refused:', error.reason);
}
