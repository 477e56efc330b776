import type { Address, Hex } from 'viem';
import type { EntryPointVersion } from '../domain/entry-point-version.ts';
import type { SponsorshipMode } from '../domain/sponsorship.ts';
import type { GasLimits, UserOperationWithGas } from '../domain/user-operation.ts';

/** Where a family is deployed. */
export type PaymasterContract = {
  readonly chainId: number;
  readonly address: Address;
  readonly entryPoint: Address;
};

/** What a signature grants. Times are Unix seconds; `validUntil` is never 0. */
export type Grant =
  | { readonly mode: 'SPONSORED'; readonly validUntil: number; readonly validAfter: number }
  | {
      readonly mode: 'ERC20';
      readonly validUntil: number;
      readonly validAfter: number;
      readonly token: Address;
      /** Token base units for 10^18 wei, premium included. */
      readonly exchangeRate: bigint;
      /** Who receives the tokens. */
      readonly treasury: Address;
    };

/**
 * A kind of paymaster contract: the layout of its `paymasterAndData`, the digest its signer signs, its stub and what it
 * can charge. Pure: no I/O.
 */
export type PaymasterContractFamily = {
  readonly name: string;
  readonly entryPointVersion: EntryPointVersion;
  readonly modes: readonly SponsorshipMode[];
  /** Gas the paymaster itself needs per mode. For 0.6 both limits are 0: it has none of its own. */
  paymasterGasLimits(
    mode: SponsorshipMode,
  ): Pick<GasLimits, 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'>;
  /** `paymasterAndData` without its signature, and the 32-byte hash that is signed as an EIP-191 message. */
  prepare(
    contract: PaymasterContract,
    operation: UserOperationWithGas,
    grant: Grant,
  ): { readonly unsigned: Hex; readonly digest: Hex };
  /** The final `paymasterAndData`: the unsigned part with a 65-byte signature. */
  assemble(unsigned: Hex, signature: Hex): Hex;
  /**
   * `paymasterAndData` for estimation: as long as the final one, with no more zero bytes, the same path on chain, and
   * a signature that no paymaster accepts.
   */
  stub(contract: PaymasterContract, operation: UserOperationWithGas, grant: Grant): Hex;
  /** The most wei that EntryPoint and contract can take from the sponsor's deposit for this operation. */
  worstCase(operation: UserOperationWithGas): bigint;
  /** The most token base units this grant can take from the user, rounded up. 0 in `SPONSORED` mode. */
  maximumTokenCharge(operation: UserOperationWithGas, grant: Grant): bigint;
};
