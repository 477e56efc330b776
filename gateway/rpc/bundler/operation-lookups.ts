import {
  biconomyGetUserOperationStatus,
  ethGetUserOperationByHash,
  ethGetUserOperationReceipt,
  type OperationHashParams,
  pimlicoGetUserOperationStatus,
} from '@tollfree/contract/rpc/bundler-methods';
import type { BundledStatus, OperationView } from '../../../core/domain/bundling.ts';
import type { RpcMethod } from '../rpc-method.ts';

type LookUp = RpcMethod<OperationHashParams>;

function lookUp({ method, params }: Pick<LookUp, 'method' | 'params'>, view: OperationView): LookUp {
  return {
    method,
    params,
    paramCount: 1,
    async handle(core, [userOperationHash], { apiKey, chainId, clientAddress, arrival }) {
      const request = { apiKey, chainId, clientAddress, arrival };
      const found = await core.lookUpUserOperation({ ...request, view, userOperationHash });
      return found.ok ? { ok: true, value: { jsonText: found.value.json } } : found;
    },
  };
}

function readStatus(
  { method, params }: Pick<LookUp, 'method' | 'params'>,
  write: (found: BundledStatus) => object,
): LookUp {
  return {
    method,
    params,
    paramCount: 1,
    async handle(core, [userOperationHash], { apiKey, chainId, clientAddress, arrival }) {
      const request = { apiKey, chainId, clientAddress, arrival };
      const found = await core.readUserOperationStatus({ ...request, userOperationHash });
      return found.ok ? { ok: true, value: { jsonText: JSON.stringify(write(found.value)) } } : found;
    },
  };
}

const biconomyStates = {
  not_found: 'SUBMITTED',
  not_submitted: 'SUBMITTED',
  submitted: 'SUBMITTED',
  included: 'CONFIRMED',
  reverted: 'CONFIRMED',
  failed: 'REJECTED',
  rejected: 'REJECTED',
} as const satisfies Record<BundledStatus['status'], string>;

export const operationLookups: readonly LookUp[] = [
  lookUp(ethGetUserOperationReceipt, 'receipt'),
  lookUp(ethGetUserOperationByHash, 'operation'),
  readStatus(pimlicoGetUserOperationStatus, ({ status, transactionHash = null }) => ({ status, transactionHash })),
  // Its clients wait until there is a transaction.
  readStatus(biconomyGetUserOperationStatus, ({ status, ...rest }) => ({ state: biconomyStates[status], ...rest })),
];
