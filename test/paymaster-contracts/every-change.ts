import type { Hex } from 'viem';
import type { GasLimits, UserOperationWithGas } from '../../core/domain/user-operation.ts';
import type { PaymasterContract, SignedTerms } from '../../core/evm/paymaster-contracts/family/family.ts';

/** All that a digest is made of. */
export type Signed = {
  readonly operation: UserOperationWithGas;
  readonly contract: PaymasterContract;
  readonly signedTerms: SignedTerms;
};

const operationFields = ['sender', 'nonce', 'initCode', 'callData', 'maxFeePerGas', 'maxPriorityFeePerGas'] as const;
const accountGas = ['callGasLimit', 'verificationGasLimit', 'preVerificationGas'] as const;
const paymasterGas = ['paymasterVerificationGasLimit', 'paymasterPostOpGasLimit'] as const;

/** How many fields {@link everyChange} changes besides those of the terms. */
export function fieldCount({ entryPointVersion }: UserOperationWithGas): number {
  const limits = entryPointVersion === '0.6' ? accountGas.length : accountGas.length + paymasterGas.length;
  return operationFields.length + limits + 2;
}

/** A value with its lowest bit turned; for empty bytes, a zero byte. */
export function turned<T extends bigint | number | Hex>(value: T): T {
  if (typeof value === 'bigint') return (value ^ 1n) as T;
  if (typeof value === 'number') return (value === 1 ? 2 : value - 1) as T;
  const digits: string = value;
  if (digits === '0x') return '0x00' as T;
  return `${digits.slice(0, -1)}${(Number.parseInt(digits.slice(-1), 16) ^ 1).toString(16)}` as T;
}

function withGas(signed: Signed, field: keyof GasLimits): Signed {
  const { operation } = signed;
  return { ...signed, operation: { ...operation, gas: { ...operation.gas, [field]: turned(operation.gas[field]) } } };
}

/** What was signed, changed in one field after the other: those of operation and place, and the given ones of the terms. */
export function everyChange(signed: Signed, termsFields: readonly string[]): [string, Signed][] {
  const { operation, signedTerms, contract } = signed;
  const limits = operation.entryPointVersion === '0.6' ? accountGas : [...accountGas, ...paymasterGas];
  return [
    ...operationFields.map((field): [string, Signed] => [
      field,
      { ...signed, operation: { ...operation, [field]: turned(operation[field]) } },
    ]),
    ...limits.map((field): [string, Signed] => [field, withGas(signed, field)]),
    ...Object.entries(signedTerms)
      .filter(([field]) => termsFields.includes(field))
      .map(([field, value]): [string, Signed] => [
        field,
        { ...signed, signedTerms: { ...signedTerms, [field]: turned(value) } },
      ]),
    ['chainId', { ...signed, contract: { ...contract, chainId: contract.chainId + 1 } }],
    ['paymaster', { ...signed, contract: { ...contract, address: turned(contract.address) } }],
  ];
}
