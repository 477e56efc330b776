import { type GasPriceMethod, gasPriceMethods } from '@tollfree/contract/rpc/bundler-methods';
import type { NoParams } from '@tollfree/contract/rpc/chain-reference';
import type { GasPrice, GasPrices } from '../../../core/domain/bundling.ts';
import { jsonObject } from '../json/json-text.ts';
import { hexJson } from '../json/paymaster-fields-json.ts';
import type { RpcMethod } from '../rpc-method.ts';

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
