import { BaseError, type Hex, parseAbi, parseEventLogs, size, slice } from 'viem';
import type { ChainClient } from './chain-client.ts';

/** The same in every EntryPoint version (`IEntryPoint`). */
const abi = parseAbi([
  'event UserOperationRevertReason(bytes32 indexed userOpHash, address indexed sender, uint256 nonce, bytes revertReason)',
]);

/** Most bytes of revert data that are kept. The EntryPoint emits no more than 2,048. */
const maxBytes = 2_048;

/**
 * The revert data of a landed operation's calls, from the receipt of its transaction; `0x` for a revert without data.
 * Undefined when the node does not answer, or no longer has the receipt.
 */
export async function readRevertData(
  client: ChainClient,
  { txHash, userOperationHash }: { readonly txHash: Hex; readonly userOperationHash: Hex },
): Promise<Hex | undefined> {
  try {
    const { logs } = await client.getTransactionReceipt({ hash: txHash });
    const reasons = parseEventLogs({ abi, logs });
    const { revertReason } = reasons.find(({ args }) => args.userOpHash === userOperationHash)?.args ?? {};
    if (revertReason === undefined) return '0x';
    return size(revertReason) > maxBytes ? slice(revertReason, 0, maxBytes) : revertReason;
  } catch (cause) {
    if (cause instanceof BaseError) return undefined;
    throw cause;
  }
}
