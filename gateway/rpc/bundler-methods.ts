import { omitAbsent } from '@tollfree/contract/omit-absent';
import {
  type BundledOperationParams,
  biconomyGetUserOperationStatus,
  type EthEstimateUserOperationGasParams,
  ethEstimateUserOperationGas,
  ethGetUserOperationByHash,
  ethGetUserOperationReceipt,
  ethSendUserOperation,
  type GasPriceMethod,
  gasPriceMethods,
  type OperationHashParams,
  pimlicoGetUserOperationStatus,
} from '@tollfree/contract/rpc/bundler-methods';
import type { NoParams } from '@tollfree/contract/rpc/chain-reference';
import { isAbsent, isAbsentOrZero } from '@tollfree/contract/rpc/field-forms';
import { numberToHex } from 'viem';
import type {
  BundledStatus,
  GasPrice,
  GasPrices,
  OperationView,
  SentUserOperation,
} from '../../core/domain/bundling.ts';
import type { Core } from '../../core/domain/core.ts';
import type { Result } from '../../core/domain/result/result.ts';
import type { GasLimits } from '../../core/domain/user-operation.ts';
import { hexJson, jsonObject } from './json.ts';
import { paymasterDataRequest } from './paymaster-data-request.ts';
import type { RpcMethod, UncountedAddress } from './rpc-response.ts';
import { rawUserOperation } from './sponsorship-request.ts';

export const sendUserOperationMethod: RpcMethod<BundledOperationParams> = {
  method: ethSendUserOperation.method,
  params: ethSendUserOperation.params,
  paramCount: 2,
  async handle(core, [userOperation, entryPoint], asking) {
    const { apiKey, chainId, clientAddress, arrival } = asking;
    const sent = isUnpaid(userOperation)
      ? await relay(core, [userOperation, entryPoint], asking)
      : await core.sendUserOperation({
          apiKey,
          chainId,
          clientAddress,
          arrival,
          entryPoint,
          userOperation: rawUserOperation(userOperation),
        });
    if (!sent.ok) return sent;
    const { userOperationHash, decisionId } = sent.value;
    return { ok: true, value: { jsonText: `"${userOperationHash}"`, ...omitAbsent({ decisionId }) } };
  },
};

/**
 * No bundler would accept such an operation for its fees: it is sent to be relayed, as with `tollfree_relayUserOperation`.
 */
function isUnpaid(operation: BundledOperationParams[0]): boolean {
  const { paymaster, paymasterAndData, maxFeePerGas, maxPriorityFeePerGas } = operation;
  return (
    [paymaster, paymasterAndData, maxPriorityFeePerGas, maxFeePerGas].every(isAbsentOrZero) && !isAbsent(maxFeePerGas)
  );
}

async function relay(
  core: Core,
  [userOperation, entryPoint]: BundledOperationParams,
  asking: UncountedAddress,
): Promise<Result<SentUserOperation>> {
  const request = paymasterDataRequest([userOperation, entryPoint, numberToHex(asking.chainId), undefined], asking);
  return request.ok ? core.relayUserOperation(request.value) : request;
}

export const estimateUserOperationGasMethod: RpcMethod<EthEstimateUserOperationGasParams> = {
  method: ethEstimateUserOperationGas.method,
  params: ethEstimateUserOperationGas.params,
  paramCount: 3,
  async handle(core, [userOperation, entryPoint, override], { apiKey, chainId, clientAddress, arrival }) {
    const asking = { apiKey, chainId, clientAddress, arrival };
    const stateOverrideJson = override == null ? undefined : JSON.stringify(override);
    const estimated = await core.estimateUserOperationGas({
      ...asking,
      entryPoint,
      userOperation: rawUserOperation(userOperation),
      ...omitAbsent({ stateOverrideJson }),
    });
    if (!estimated.ok) return estimated;
    const price = givenPrice(userOperation) ?? (await quoteStandard(core, asking));
    const jsonText = jsonObject({ ...limitFields(estimated.value), ...(price && priceFields(price)) });
    return { ok: true, value: { jsonText } };
  },
};

/** The fees of an operation that has both. `@biconomy/account` replaces them with those of the estimate, even absent ones. */
function givenPrice(operation: BundledOperationParams[0]): GasPrice | undefined {
  const { maxFeePerGas, maxPriorityFeePerGas } = operation;
  if (isAbsent(maxFeePerGas) || isAbsent(maxPriorityFeePerGas)) return undefined;
  return { maxFeePerGas: BigInt(maxFeePerGas), maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas) };
}

/** The fees that an operation without any should have; undefined if no price is known, since the limits stand without. */
async function quoteStandard(core: Core, asking: Parameters<Core['quoteGasPrices']>[0]): Promise<GasPrice | undefined> {
  const prices = await core.quoteGasPrices(asking);
  return prices.ok ? prices.value.standard : undefined;
}

function limitFields(limits: Partial<GasLimits>): Record<string, string> {
  return Object.fromEntries(Object.entries(limits).map(([name, limit]) => [name, hexJson(limit)]));
}

function priceFields({ maxFeePerGas, maxPriorityFeePerGas }: GasPrice): Record<string, string> {
  return { maxFeePerGas: hexJson(maxFeePerGas), maxPriorityFeePerGas: hexJson(maxPriorityFeePerGas) };
}

function speedFields({ slow, standard, fast }: GasPrices): Record<string, string> {
  const price = (one: GasPrice) => jsonObject(priceFields(one));
  return { slow: price(slow), standard: price(standard), fast: price(fast) };
}

const speeds = (prices: GasPrices) => jsonObject(speedFields(prices));
const onePrice = ({ standard }: GasPrices) => jsonObject(priceFields(standard));

/** The prices in each vendor's form. */
const forms: Readonly<Record<GasPriceMethod, (prices: GasPrices) => string>> = {
  pimlico_getUserOperationGasPrice: speeds,
  zd_getUserOperationGasPrice: speeds,
  gas_getUserOperationGasPrice: speeds,
  skandha_getGasPrice: onePrice,
  thirdweb_getUserOperationGasPrice: onePrice,
  // @biconomy/account reads one price, @biconomy/abstractjs the speeds.
  biconomy_getGasFeeValues: (prices) => jsonObject({ ...priceFields(prices.standard), ...speedFields(prices) }),
  rundler_maxPriorityFeePerGas: ({ standard }) => hexJson(standard.maxPriorityFeePerGas),
};

export const gasPrices: readonly RpcMethod<NoParams>[] = gasPriceMethods.map(({ method, params }) => ({
  method,
  params,
  paramCount: 0,
  async handle(core, _params, { apiKey, chainId, clientAddress, arrival }) {
    const prices = await core.quoteGasPrices({ apiKey, chainId, clientAddress, arrival });
    return prices.ok ? { ok: true, value: { jsonText: forms[method](prices.value) } } : prices;
  },
}));

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
