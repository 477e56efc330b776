import { concat, type Hex, hexToBigInt, pad } from 'viem';
import type { UserOperation } from '../../domain/user-operation.ts';
import { createdSafeThreshold } from '../../evm/account-codes/kinds/safe.ts';
import { dummySignature } from '../../evm/account-codes/known-code.ts';
import { isSafeCall } from '../../evm/account-decoders/safe.ts';
import { maxSignatures } from '../../gas/unseen-signatures.ts';
import type { ChainClient } from '../../node/chain-client.ts';

/** `OwnerManager.threshold` of a Safe. */
const thresholdSlot: Hex = '0x4';
const validityTimes = pad('0x', { size: 12 });
/** Depth of the Merkle tree of operations in front of them, in the module of EntryPoint 0.9: none. */
const singleOperation = '0x00';

/**
 * The operation of a Safe with dummy signatures of as many owners as have to sign, if the client sent none: a single dummy would
 * be refused for its length before anything is checked. Other operations stay as they are. Without an answer of the node it is
 * one signature.
 */
export async function withSafeSignatures<Operation extends UserOperation>(
  client: ChainClient,
  operation: Operation,
): Promise<Operation> {
  const { signature, callData, entryPointVersion } = operation;
  if (signature !== '0x' || !isSafeCall(callData)) return operation;
  const threshold = await safeThreshold(client, operation);
  const count = threshold > 0n && threshold <= maxSignatures ? Number(threshold) : 1;
  const prefix = entryPointVersion === '0.9' ? concat([singleOperation, validityTimes]) : validityTimes;
  return { ...operation, signature: concat([prefix, ...Array<Hex>(count).fill(dummySignature)]) };
}

/** How many owners of a Safe have to sign, also of one that the operation creates; 0 without an answer of the node. */
export async function safeThreshold(
  client: ChainClient,
  { initCode, sender }: Pick<UserOperation, 'initCode' | 'sender'>,
): Promise<bigint> {
  const created = createdSafeThreshold(initCode);
  if (created !== undefined) return created;
  const word = await client.getStorageAt({ address: sender, slot: thresholdSlot }).catch(() => undefined);
  return word === undefined || word === '0x' ? 0n : hexToBigInt(word);
}
