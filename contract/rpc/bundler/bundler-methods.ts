import { ethEstimateUserOperationGas } from './eth-estimate-user-operation-gas.ts';
import { ethSendUserOperation } from './eth-send-user-operation.ts';
import { ethSupportedEntryPoints } from './eth-supported-entry-points.ts';
import { gasPriceMethods } from './gas-prices.ts';
import {
  biconomyGetUserOperationStatus,
  ethGetUserOperationByHash,
  ethGetUserOperationReceipt,
  pimlicoGetUserOperationStatus,
} from './operation-lookups.ts';

/** The names of all methods that are a bundler's. */
export const bundlerMethodNames: readonly string[] = [
  ethSendUserOperation,
  ethEstimateUserOperationGas,
  ethGetUserOperationReceipt,
  ethGetUserOperationByHash,
  ethSupportedEntryPoints,
  pimlicoGetUserOperationStatus,
  biconomyGetUserOperationStatus,
  ...gasPriceMethods,
].map(({ method }) => method);
