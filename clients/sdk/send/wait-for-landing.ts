import { type Hex, parseAbi } from 'viem';
import {
  type BundlerClient,
  getUserOperation,
  getUserOperationReceipt,
  type SmartAccount,
  type UserOperationReceipt,
} from 'viem/account-abstraction';
import { readContract } from 'viem/actions';
import { SendSponsoredError } from '../errors/send-sponsored-error.ts';

const nonceAbi = parseAbi(['function getNonce(address sender, uint192 key) view returns (uint256)']);

/** Polls between two reads of the EntryPoint, and polls that a bundler gets to find the receipt after the nonce was used. */
const pollsPerNonce = 5;

type Awaited = {
  readonly bundlerClient: BundlerClient;
  readonly account: SmartAccount;
  readonly hash: Hex;
  readonly nonce: bigint;
  /** Milliseconds. */
  readonly timeout: number;
  readonly pollingInterval: number;
};

/**
 * The receipt of a sent operation. Rejects when another operation has used its nonce, and after `timeout`: as dropped if the
 * bundler no longer knows it, else as still pending. A bundler that does not answer is asked again until then.
 */
export async function waitForLanding(awaited: Awaited): Promise<UserOperationReceipt> {
  const { bundlerClient, hash, timeout, pollingInterval } = awaited;
  const end = Date.now() + timeout;
  let pollsSinceUsed = 0;
  for (let poll = 1; Date.now() < end; poll += 1) {
    const receipt = await getUserOperationReceipt(bundlerClient, { hash }).catch(() => undefined);
    if (receipt !== undefined) return receipt;
    if (pollsSinceUsed > 0 || poll % pollsPerNonce === 0) {
      pollsSinceUsed = (await isNonceUsed(awaited)) ? pollsSinceUsed + 1 : 0;
      if (pollsSinceUsed > pollsPerNonce) throw failed(awaited, 'REPLACED', 'another operation has used its nonce');
    }
    await new Promise((resolve) => setTimeout(resolve, pollingInterval));
  }
  const known = await getUserOperation(bundlerClient, { hash }).catch(() => undefined);
  throw known === undefined
    ? failed(awaited, 'DROPPED', `it did not land in ${timeout} ms, and the bundler no longer knows it`)
    : failed(awaited, 'TIMEOUT', `it did not land in ${timeout} ms. The bundler still has it`);
}

async function isNonceUsed({ account, nonce }: Awaited): Promise<boolean> {
  const args = [account.address, nonce >> 64n] as const;
  const { address } = account.entryPoint;
  const call = { address, abi: nonceAbi, functionName: 'getNonce', args } as const;
  const next = await readContract(account.client, call).catch(() => undefined);
  return next !== undefined && next > nonce;
}

function failed({ hash }: Awaited, failure: 'REPLACED' | 'DROPPED' | 'TIMEOUT', why: string): SendSponsoredError {
  return new SendSponsoredError('wait', failure, { hash, message: `The operation ${hash} has not landed: ${why}.` });
}
