/** An externally owned account as its own smart account (EIP-7702): it needs no coin, and keeps its address. */
import { createPaymaster, createSponsorClient } from '@tollfree/sdk';
import { type Address, createPublicClient, type Hex, http, parseAbi } from 'viem';
import { createBundlerClient, toSimple7702SmartAccount } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry as chain } from 'viem/chains';

for (const name of ['NODE_URL', 'OWNER_KEY', 'BUNDLER_URL', 'PAYMASTER_URL', 'CONTRACT']) {
  if (!process.env[name]) throw new Error(`Set ${name}, or start with --env-file=.tollfree/dev.env.`);
}

const client = createPublicClient({ chain, transport: http(process.env.NODE_URL) });
const owner = privateKeyToAccount(process.env.OWNER_KEY as Hex);
const account = await toSimple7702SmartAccount({ client, owner });
const bundlerClient = createBundlerClient({
  account,
  client,
  transport: http(process.env.BUNDLER_URL),
  paymaster: createPaymaster(createSponsorClient({ url: process.env.PAYMASTER_URL ?? '' })),
});

// Signed once: from its first operation on, the account has its delegate's code.
async function authorize() {
  const nonce = await client.getTransactionCount({ address: owner.address });
  return owner.signAuthorization({ address: account.authorization.address, chainId: chain.id, nonce });
}
const isDelegated = await account.isDeployed();

const increment = { to: process.env.CONTRACT as Address, abi: parseAbi(['function increment()']) };
const hash = await bundlerClient.sendUserOperation({
  calls: [
    { ...increment, functionName: 'increment' },
    { ...increment, functionName: 'increment' },
  ],
  ...(isDelegated ? {} : { authorization: await authorize() }),
});
const { success, receipt } = await bundlerClient.waitForUserOperationReceipt({ hash });
console.log(success ? 'landed' : 'reverted', receipt.transactionHash);
