import { numberToHex } from 'viem';
import type { SignedPaymasterData } from '../../../core/domain/sponsorship.ts';
import { type JsonText, jsonObject } from './json-text.ts';

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
      validUntil: String(signed.validUntil),
      decisionId: JSON.stringify(signed.decisionId),
    }),
  };
}
