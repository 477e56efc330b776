import { SponsoredResultSchema, TokenPaidResultSchema } from '@tollfree/contract/rpc/sponsorship-result';
import type { Address, Hex } from 'viem';
import { AddressSchema, HexSchema, QuantityNumberSchema, QuantityTextSchema } from './wire-fields.ts';

/** Signed paymaster data and the gas limits it was signed for (interface 2.5). Put both into the operation unchanged. */
export type SignedData<Mode extends 'SPONSORED' | 'ERC20' = 'SPONSORED' | 'ERC20'> = {
  readonly mode: Mode;
  /** For EntryPoint 0.6; for 0.7 and up the parts below, packed. */
  readonly paymasterAndData: Hex;
  readonly preVerificationGas: bigint;
  readonly verificationGasLimit: bigint;
  readonly callGasLimit: bigint;
  /** From EntryPoint 0.7 on. */
  readonly paymaster?: Address | undefined;
  readonly paymasterData?: Hex | undefined;
  readonly paymasterVerificationGasLimit?: bigint | undefined;
  readonly paymasterPostOpGasLimit?: bigint | undefined;
  /** Unix seconds. */
  readonly validUntil: number;
  /** Names the decision, to ask the service's operator about it. */
  readonly decisionId: string;
};

const fields = {
  paymasterAndData: HexSchema,
  preVerificationGas: QuantityTextSchema,
  verificationGasLimit: QuantityNumberSchema,
  callGasLimit: QuantityNumberSchema,
  paymaster: AddressSchema.optional(),
  paymasterData: HexSchema.optional(),
  paymasterVerificationGasLimit: QuantityTextSchema.optional(),
  paymasterPostOpGasLimit: QuantityTextSchema.optional(),
} as const;

export const SponsoredDataSchema = SponsoredResultSchema.extend(fields).omit({ MODE: true });
export const TokenPaidDataSchema = TokenPaidResultSchema.extend(fields).omit({ MODE: true });
