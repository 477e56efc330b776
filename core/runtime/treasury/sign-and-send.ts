import { encodeFunctionData, keccak256, parseAbi, type TransactionSerializable } from 'viem';
import { unixSeconds } from '../../base/time/clock.ts';
import { readCarried } from '../../ledger/treasury/authorizations.ts';
import { isCarrier, type Transfer, type TransferDraft } from '../../ledger/treasury/transfers.ts';
import { recordSigned } from '../../ledger/treasury/write-transfers.ts';
import type { TreasuryParts } from './treasury-parts.ts';

const entryPointAbi = parseAbi(['function depositTo(address account) payable']);

export function callOf({ target, entryPoint, amount: value }: Pick<TransferDraft, 'target' | 'entryPoint' | 'amount'>) {
  if (entryPoint === undefined) return { to: target, value };
  const data = encodeFunctionData({ abi: entryPointAbi, functionName: 'depositTo', args: [target] });
  return { to: entryPoint, value, data };
}

/**
 * Signs a transfer with the recorded fees, unless it is signed already, and sends it to all nodes. If the process is killed
 * in between, the next turn continues with the transfer: its nonce is the same, so it lands once.
 */
export async function signAndSend(parts: TreasuryParts, transfer: Transfer): Promise<void> {
  const raw = transfer.raw ?? (await sign(parts, transfer));
  const { nodes, logger, chainId } = parts;
  const sent = await Promise.allSettled(
    nodes.map((node) => node.request({ method: 'eth_sendRawTransaction', params: [raw] })),
  );
  if (sent.some(({ status }) => status === 'fulfilled')) return;
  // Nodes that already have it reject it; the chain shows whether it lands.
  const [first] = sent;
  const err = first?.status === 'rejected' ? first.reason : undefined;
  logger.debug({ err, chainId, transferId: transfer.transferId }, 'No node took the refill');
}

/** The same for each attempt: authorizations join or leave a transaction only before it is signed. */
async function listOf({ db }: TreasuryParts['store'], { transferId }: Transfer) {
  return (await readCarried(db, transferId)).map(({ authorization }) => authorization);
}

async function sign({ wallet, client, store, clock, chainId, logger }: TreasuryParts, transfer: Transfer) {
  const { transferId, nonce, gas, amount, target, fees } = transfer;
  const { baseFeePerGas } = await client.getBlock();
  const common = { chainId, nonce, gas, ...callOf(transfer) };
  const authorizationList = isCarrier(transfer) ? await listOf(store, transfer) : undefined;
  const transaction: TransactionSerializable =
    authorizationList !== undefined
      ? { ...common, type: 'eip7702', ...fees, authorizationList }
      : baseFeePerGas === null
        ? { ...common, type: 'legacy', gasPrice: fees.maxFeePerGas }
        : { ...common, type: 'eip1559', ...fees };
  const raw = await wallet.signTransaction(transaction);
  const txHash = keccak256(raw);
  await recordSigned(store, transfer, { raw, txHash, now: unixSeconds(clock) });
  logger.info({ chainId, transferId, target, wei: amount.toString(), nonce, txHash }, 'Sending a refill');
  return raw;
}
