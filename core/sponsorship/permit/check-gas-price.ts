import { accept } from '../../domain/result/result.ts';
import type { Identified } from '../identify/identify.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import type { Asked } from '../run/asked.ts';
import { noted } from '../run/noted.ts';
import type { Step } from '../run/steps.ts';
import { capGasPrice } from './operator-caps.ts';

/** The operator's ceiling on the gas price. */
export const checkGasPrice: Step<Asked & Identified & ReadOperation, object> = noted(
  { rule: 'operator-gas-price', checked: ({ operation }) => `maxFeePerGas ${operation.maxFeePerGas} wei` },
  ({ operation, chain }) => {
    const capped = capGasPrice(operation, chain.config);
    return capped.ok ? accept({}) : capped;
  },
);
