import { z } from 'zod';
import { NoParamsSchema } from '../no-params.ts';

const wei = z.string().describe('Wei per gas, in hex.');
const price = z.object({ maxFeePerGas: wei, maxPriorityFeePerGas: wei });
const speeds = z.object({ slow: price, standard: price, fast: price });

const params = NoParamsSchema;

/**
 * The methods by which clients ask what to offer for gas, with the form of each maker. All tell the same: never more than the
 * paymaster signs.
 */
export const gasPriceMethods = [
  { method: 'pimlico_getUserOperationGasPrice', params, result: speeds },
  { method: 'zd_getUserOperationGasPrice', params, result: speeds },
  { method: 'gas_getUserOperationGasPrice', params, result: speeds },
  { method: 'skandha_getGasPrice', params, result: price },
  { method: 'thirdweb_getUserOperationGasPrice', params, result: price },
  { method: 'biconomy_getGasFeeValues', params, result: price.extend(speeds.shape) },
  { method: 'rundler_maxPriorityFeePerGas', params, result: wei },
] as const;
export type GasPriceMethod = (typeof gasPriceMethods)[number]['method'];
