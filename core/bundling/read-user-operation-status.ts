import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Hex, isHash } from 'viem';
import { type BundledStatus, type BundlerRequest, bundledStatuses } from '../domain/bundling.ts';
import { accept, type Result } from '../domain/result/result.ts';
import type { BundlingParts } from './bundling-parts.ts';
import { inBundlerTurn, type Opened, openBundler } from './open-bundler.ts';
import { readHash } from './read-hash.ts';
import { lacksMethod, refuseByReply, refuseUnavailable } from './reply-refusals.ts';

/**
 * `pimlico_getUserOperationStatus`. If the bundler does not have that method, the status comes from the receipt and the
 * operation.
 */
export async function readUserOperationStatus(
  parts: BundlingParts,
  request: BundlerRequest & { readonly userOperationHash: string },
): Promise<Result<BundledStatus>> {
  const opened = await openBundler(parts, request);
  if (!opened.ok) return opened;
  const hash = readHash(request.userOperationHash);
  if (!hash.ok) return hash;
  return inBundlerTurn(parts, opened.value, request, async () => {
    const params = [hash.value] as const;
    const reply = await opened.value.bundler.ask({ method: 'pimlico_getUserOperationStatus', params });
    if (lacksMethod(reply)) return deriveStatus(opened.value, params);
    if (reply.kind !== 'result') return refuseByReply(reply);
    const status = bundledStatuses.find((one) => one === fieldOf(reply.result, 'status'));
    if (status === undefined) return refuseUnavailable('gave an answer that is not valid');
    return accept({ status, ...transactionOf(fieldOf(reply.result, 'transactionHash')) });
  });
}

async function deriveStatus({ bundler }: Opened, params: readonly [Hex]): Promise<Result<BundledStatus>> {
  const receipt = await bundler.ask({ method: 'eth_getUserOperationReceipt', params });
  if (receipt.kind !== 'result') return refuseByReply(receipt);
  if (receipt.result !== null) {
    const transaction = transactionOf(fieldOf(fieldOf(receipt.result, 'receipt'), 'transactionHash'));
    // An operation whose call reverts is also included: its receipt shows it.
    return accept({ status: 'included', ...transaction });
  }
  const operation = await bundler.ask({ method: 'eth_getUserOperationByHash', params });
  if (operation.kind !== 'result') return refuseByReply(operation);
  if (operation.result === null) return accept({ status: 'not_found' });
  const transaction = transactionOf(fieldOf(operation.result, 'transactionHash'));
  return accept({ status: transaction.transactionHash === undefined ? 'not_submitted' : 'submitted', ...transaction });
}

function transactionOf(value: unknown): { readonly transactionHash?: Hex } {
  return omitAbsent({ transactionHash: typeof value === 'string' && isHash(value) ? value : undefined });
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
