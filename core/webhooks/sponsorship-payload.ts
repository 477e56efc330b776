import { type Address, type Hex, numberToHex } from 'viem';
import type { SponsorshipMode } from '../domain/sponsorship.ts';
import type { UserOperationWithGas } from '../domain/user-operation.ts';

/** Version of the content of `payload: "OPERATION"`. Fields may be added without a new version, but not changed. */
const sponsorshipPayloadVersion = 1;

/** The content. Wei, and millionths of a USD. */
type SponsorshipNotice = {
  readonly decisionId: string;
  readonly paymasterId: string;
  readonly policyId?: string;
  readonly chainId: number;
  /** `ERC20` for an operation that the user pays for, under a policy that binds it like a sponsored one. */
  readonly mode: SponsorshipMode;
  readonly entryPoint: Address;
  readonly operation: UserOperationWithGas;
  readonly calls: readonly {
    readonly target: Address;
    readonly value: bigint;
    readonly selector?: Hex;
    readonly data: Hex;
    /** The account holder's name for the registered contract. */
    readonly contractName?: string;
  }[];
  /** The user of the request's ticket, as a digest, and its label. */
  readonly ticket?: { readonly subject: string; readonly label?: string };
  readonly worstCase: bigint;
  readonly worstCaseUsdMicros?: bigint;
};

/** Its JSON text. It contains no signature, apiKey or ticket, so its reader cannot request a sponsorship with it. */
export function sponsorshipJson(reported: SponsorshipNotice): string {
  const { operation, calls, ticket, worstCase, worstCaseUsdMicros: usdMicros, ...ids } = reported;
  return JSON.stringify({
    version: sponsorshipPayloadVersion,
    ...ids,
    userOperation: operationFields(operation),
    calls: calls.map(({ value, ...call }) => ({ ...call, value: value.toString() })),
    ticket: ticket ?? null,
    worstCaseWei: worstCase.toString(),
    worstCaseUsd: usdMicros === undefined ? null : usdText(usdMicros),
  });
}

function operationFields({ sender, nonce, initCode, callData, gas, ...fees }: UserOperationWithGas) {
  const limits = Object.entries(gas).map(([name, limit]) => [name, numberToHex(limit)]);
  return {
    ...{ sender, nonce: numberToHex(nonce), initCode, callData },
    ...Object.fromEntries(limits),
    maxFeePerGas: numberToHex(fees.maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(fees.maxPriorityFeePerGas),
    ...(fees.eip7702Delegate === undefined ? {} : { eip7702Delegate: fees.eip7702Delegate }),
  };
}

function usdText(micros: bigint): string {
  return `${micros / 1_000_000n}.${(micros % 1_000_000n).toString().padStart(6, '0')}`;
}
