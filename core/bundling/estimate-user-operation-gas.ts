import { maxStateOverrideBytes } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { isAddressEqual } from 'viem';
import type { BundledOperationRequest, BundlerGasEstimate } from '../domain/bundling.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import { toRpcOperation } from '../evm/entry-point/rpc-operation.ts';
import type { VerificationGas } from '../evm/paymaster-contracts/family/family.ts';
import { maxBundlerLimit, readBundlerQuantity } from '../gas/ask-bundler.ts';
import { withEstimationSignature } from '../gas/simulation/estimation-context.ts';
import { addUnseenGas, unseenGasOf } from '../sponsorship/gas/find-gas-limits.ts';
import { withSafeSignatures } from '../sponsorship/gas/safe-signatures.ts';
import { type BundlingParts, inBundlerTurn, type Opened, openBundler } from './bundling-parts.ts';
import { type ReadForBundler, readForBundler } from './read-bundled-operation.ts';
import { refuseByReply, refuseUnavailable } from './reply-refusals.ts';

/**
 * `eth_estimateUserOperationGas`: the bundler's limits for an operation. With `OWN` another paymaster than this one is
 * refused; data of this one need not be signed yet, and may be absent. An absent one is no more work for the bundler.
 */
export async function estimateUserOperationGas(
  parts: BundlingParts,
  request: BundledOperationRequest & { readonly stateOverrideJson?: string },
): Promise<Result<BundlerGasEstimate>> {
  const opened = await openBundler(parts, request);
  if (!opened.ok) return opened;
  const read = readForBundler(opened.value, request);
  if (!read.ok) return read;
  if (opened.value.expose === 'OWN' && isOfAnother(opened.value, read.value)) return notOwn(opened.value);
  const override = readOverride(request.stateOverrideJson);
  if (!override.ok) return override;
  const operation = withEstimationSignature(read.value.operation);
  const sent = toRpcOperation({ ...read.value, operation }, opened.value.chain.config.eip7702Marker ?? 'as-sent');
  return inBundlerTurn(parts, opened.value, request, async () => {
    const params = [sent, read.value.entryPoint, ...override.value];
    const unseen = await unseenGas(opened.value, read.value);
    if (!unseen.ok) return unseen;
    const reply = await opened.value.bundler.ask({ method: 'eth_estimateUserOperationGas', params });
    if (reply.kind !== 'result') return refuseByReply(reply);
    const limits = readLimits(reply.result);
    return limits === undefined
      ? refuseUnavailable('did not return gas limits')
      : accept(addUnseenGas(limits, unseen.value));
  });
}

/**
 * What a bundler does not measure of an operation that this paymaster pays for: it stops at the first dummy signature, and at
 * the stub. Most clients sign with the bundler's limits, and take no others from a paymaster.
 */
async function unseenGas(opened: Opened, { operation, paymaster }: ReadForBundler): Promise<Result<VerificationGas>> {
  if (paymaster === undefined || isOfAnother(opened, { paymaster })) return accept({ unseen: 0n, min: 0n });
  return unseenGasOf({ ...opened, operation: await withSafeSignatures(opened.chain.client, operation) });
}

function isOfAnother({ contract }: Opened, { paymaster }: Pick<ReadForBundler, 'paymaster'>): boolean {
  return paymaster !== undefined && !isAddressEqual(paymaster, contract.location.address);
}

function notOwn({ contract }: Opened): Result<never> {
  return refuse({
    reason: 'OPERATION_NOT_SIGNED',
    message: `Operations with another paymaster than ${contract.location.address} are not estimated here. Put in what pm_getPaymasterStubData answers, or no paymaster.`,
    field: 'paymaster',
  });
}

/** The third parameter, if given. */
function readOverride(json: string | undefined): Result<readonly unknown[]> {
  if (json === undefined) return accept([]);
  const field = 'stateOverride';
  if (Buffer.byteLength(json) > maxStateOverrideBytes) {
    const message = `${field} must have at most ${maxStateOverrideBytes} bytes`;
    return refuse({ reason: 'INVALID_PARAMS', message, field });
  }
  try {
    return accept([JSON.parse(json)]);
  } catch {
    return refuse({ reason: 'INVALID_PARAMS', message: `${field} must be JSON`, field });
  }
}

function readLimits(result: unknown): BundlerGasEstimate | undefined {
  if (typeof result !== 'object' || result === null) return undefined;
  const limit = (name: keyof BundlerGasEstimate) =>
    readBundlerQuantity((result as Record<string, unknown>)[name], maxBundlerLimit);
  const callGasLimit = limit('callGasLimit');
  const verificationGasLimit = limit('verificationGasLimit');
  const preVerificationGas = limit('preVerificationGas');
  if (callGasLimit === undefined || verificationGasLimit === undefined || preVerificationGas === undefined) {
    return undefined;
  }
  return {
    callGasLimit,
    verificationGasLimit,
    preVerificationGas,
    ...omitAbsent({
      paymasterVerificationGasLimit: limit('paymasterVerificationGasLimit'),
      paymasterPostOpGasLimit: limit('paymasterPostOpGasLimit'),
    }),
  };
}
