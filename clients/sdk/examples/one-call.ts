/** The application pays, in one call: prepare, sponsor, sign, send and wait. One error says what went wrong. */
import { SendSponsoredError, sendSponsored } from '@tollfree/sdk/send';
import { toSimpleSmartAccount } from 'permissionless/accounts';
import { type Address, createPublicClient, type Hex, http, parseAbi } from 'viem';
import { entryPoint08Address } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry as chain } from 'viem/chains';

for (const name of ['NODE_URL', 'OWNER_KEY', 'PAYMASTER_URL', 'CONTRACT']) {
  if (!process.env[name]) throw new Error(`Set ${name}, or start with --env-file=.tollfree/dev.env.`);
}

const account = await toSimpleSmartAccount({
  client: createPublicClient({ chain, transport: http(process.env.NODE_URL) }),
  owner: privateKeyToAccount(process.env.OWNER_KEY as Hex),
  entryPoint: { address: entryPoint08Address, version: '0.8' },
});
const urls = { url: process.env.PAYMASTER_URL ?? '', bundlerUrl: process.env.BUNDLER_URL };
const contract = { to: process.env.CONTRACT as Address, abi: parseAbi(['function increment()', 'function fail()']) };

for (const functionName of ['increment', 'fail'] as const) {
  try {
    const sent = await sendSponsored({ account, ...urls, calls: [{ ...contract, functionName }] });
    console.log('landed', sent.transactionHash);
  } catch (error) {
    if (!(error instanceof SendSponsoredError)) throw error;
    console.log('failed', error.step, error.reason);
    console.log('to the user:', error.userMessage);
  }
}
