import { numberToHex } from 'viem';
import { describeOperation, describeReceipt } from './describe-operation.ts';
import type { DevBundlerParts } from './dev-bundler-parts.ts';
import { estimateOperation } from './estimate-operation.ts';
import { readGasPrices, readPriorityFee } from './gas-prices.ts';
import { sendFreeOperation } from './send-free-operation.ts';
import { sendOperation } from './send-operation.ts';

type BundlerMethod = (parts: DevBundlerParts, params: readonly unknown[]) => unknown;

/** What the development bundler answers: the methods of ERC-7769, and the fees that published clients ask for. */
export const bundlerMethods: Readonly<Record<string, BundlerMethod>> = {
  eth_chainId: ({ devnet }) => numberToHex(devnet.chainId),
  eth_supportedEntryPoints: ({ devnet }) => Object.values(devnet.entryPoints),
  eth_estimateUserOperationGas: estimateOperation,
  eth_sendUserOperation: sendOperation,
  boost_sendUserOperation: sendFreeOperation,
  eth_getUserOperationByHash: describeOperation,
  eth_getUserOperationReceipt: describeReceipt,
  pimlico_getUserOperationGasPrice: readGasPrices,
  zd_getUserOperationGasPrice: readGasPrices,
  rundler_maxPriorityFeePerGas: readPriorityFee,
};
