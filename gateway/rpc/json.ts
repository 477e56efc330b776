import { numberToHex } from 'viem';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import type { SignedPaymasterData } from '../../core/domain/sponsorship.ts';
import type { GasLimits } from '../../core/domain/user-operation.ts';

/** Paymaster data, signed or not. */
type PaymasterFields = {
  readonly entryPointVersion: EntryPointVersion;
  readonly paymaster: string;
  readonly paymasterAndData: string;
  readonly paymasterData: string;
  readonly paymasterSignature?: string;
};

/**
 * Paymaster fields in the form of the operation's EntryPoint. From 0.7 on they always include limits; otherwise clients
 * would keep their own.
 */
export function paymasterFieldsJson(
  fields: PaymasterFields,
  gas: Pick<GasLimits, 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'>,
): Record<string, string> {
  if (fields.entryPointVersion === '0.6') {
    return { paymasterAndData: `"${fields.paymasterAndData}"` };
  }
  return {
    paymaster: `"${fields.paymaster}"`,
    paymasterData: `"${fields.paymasterData}"`,
    ...(fields.paymasterSignature === undefined ? {} : { paymasterSignature: `"${fields.paymasterSignature}"` }),
    paymasterVerificationGasLimit: hexJson(gas.paymasterVerificationGasLimit),
    paymasterPostOpGasLimit: hexJson(gas.paymasterPostOpGasLimit),
  };
}

/** The end of a signature, under the name that all answers have for it. */
export function validityJson({ validUntil }: Pick<SignedPaymasterData, 'validUntil'>): Record<string, string> {
  return { validUntil: String(validUntil) };
}

/** The operation's own limits in hex. */
export function gasLimitsJson(gas: GasLimits): Record<string, string> {
  return {
    preVerificationGas: hexJson(gas.preVerificationGas),
    verificationGasLimit: hexJson(gas.verificationGasLimit),
    callGasLimit: hexJson(gas.callGasLimit),
  };
}

export function hexJson(value: bigint): string {
  return `"${numberToHex(value)}"`;
}

/** The unpacked fields of EntryPoint 0.7 and later. */
function paymasterParts({ paymaster, paymasterData, gas }: SignedPaymasterData): Record<string, string> {
  return {
    paymaster: `"${paymaster}"`,
    paymasterData: `"${paymasterData}"`,
    paymasterVerificationGasLimit: `"${numberToHex(gas.paymasterVerificationGasLimit)}"`,
    paymasterPostOpGasLimit: `"${numberToHex(gas.paymasterPostOpGasLimit)}"`,
  };
}

/** Signed paymaster data in the form of interface 2.5. */
export function signedDataJson(signed: SignedPaymasterData): JsonText {
  const { mode, gas } = signed;
  return {
    jsonText: jsonObject({
      mode: `"${mode}"`,
      MODE: `"${mode}"`,
      paymasterAndData: `"${signed.paymasterAndData}"`,
      preVerificationGas: `"${gas.preVerificationGas}"`,
      verificationGasLimit: String(gas.verificationGasLimit),
      callGasLimit: String(gas.callGasLimit),
      ...(signed.entryPointVersion === '0.6' ? {} : paymasterParts(signed)),
      ...validityJson(signed),
      decisionId: JSON.stringify(signed.decisionId),
    }),
  };
}

/**
 * JSON text that is sent unchanged. Results are written by hand because JSON.stringify cannot write integers beyond 2^53 and
 * writes small numbers in exponent form. `decisionId` identifies the decision, for answers without a field for it.
 */
export type JsonText = { readonly jsonText: string; readonly decisionId?: string };

/** A JSON object whose values are JSON texts. Keys are plain names that need no escaping. */
export function jsonObject(fields: Readonly<Record<string, string>>): string {
  let text = '';
  for (const key in fields) {
    text += `${text === '' ? '{' : ','}"${key}":${fields[key]}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

export function jsonArray(items: readonly string[]): string {
  return `[${items.join(',')}]`;
}
