import type { EntryPointVersion } from '../../domain/entry-point-version.ts';
import type { GasLimits } from '../../domain/user-operation.ts';
import { entryPointOf } from '../../evm/entry-point/entry-points.ts';

/** The fields that name factory and paymaster in an operation's format. */
type FieldNames = { readonly factory: string; readonly paymaster: string };
const unpackedNames: FieldNames = { factory: 'initCode', paymaster: 'paymasterAndData' };
const packedNames: FieldNames = { factory: 'factory', paymaster: 'paymaster' };

/** What an error code of the EntryPoint means for the sender of the operation. */
type AaCode = {
  /** Field of the user operation to check. */
  readonly field: string;
  /** What happened and what to do about it. */
  readonly advice: string;
  /** The limit that may be too low when the failure has no reason of its own. */
  readonly shortLimit: keyof GasLimits | undefined;
};

/**
 * Codes of EntryPoint 0.6 to 0.9, from the `FailedOp` texts of their sources. Where versions differ in what a limit covers,
 * `shortLimit` is that of 0.7 and up; 0.6 has a single verification limit.
 */
const aaCodes = new Map(
  Object.entries<
    readonly [field: string, advice: string | ((names: FieldNames) => string), shortLimit?: keyof GasLimits]
  >({
    AA10: ['factory', ({ factory }) => `The account is already deployed. Send the operation without ${factory}.`],
    AA13: [
      'factory',
      ({ factory }) =>
        factory === 'initCode'
          ? 'The factory in initCode reverted or ran out of gas. Check its call data, which follows its address.'
          : 'The factory reverted or ran out of gas. Check factory and factoryData.',
      'verificationGasLimit',
    ],
    AA14: ['factory', ({ factory }) => `The factory in ${factory} deploys another account than sender.`],
    AA15: ['factory', ({ factory }) => `The factory in ${factory} did not deploy the sender.`],
    AA20: [
      'sender',
      ({ factory }) => `The sender is not deployed and the operation has no ${factory} that deploys it.`,
    ],
    AA21: ['paymaster', 'The account did not pay the prefund and the operation has no paymaster.'],
    AA22: ['signature', 'The signature is expired or not valid yet.'],
    AA23: [
      'signature',
      'The account reverted when it validated the operation. Send a signature in the right format (a dummy will do) and check that the account supports this EntryPoint.',
      'verificationGasLimit',
    ],
    AA24: ['signature', "The account did not accept the operation's signature."],
    AA25: ['nonce', "The nonce is not the account's next one for its key. Read getNonce again."],
    AA26: [
      'verificationGasLimit',
      'Validating the operation needs more gas than verificationGasLimit.',
      'verificationGasLimit',
    ],
    AA27: ['signature', "The account's signature is for other blocks. It has expired or is not valid yet."],
    AA30: ['paymaster', 'The paymaster contract is not deployed on this chain.'],
    AA31: ['paymaster', "The paymaster contract's deposit in the EntryPoint is too low."],
    AA32: ['paymaster', "The paymaster's signature is expired or not valid yet."],
    AA33: [
      'paymaster',
      'The paymaster contract reverted when it validated the operation.',
      'paymasterVerificationGasLimit',
    ],
    AA34: ['paymaster', "The paymaster contract did not accept the paymaster's signature."],
    AA35: ['paymaster', 'The paymaster contract returned data that cannot be read.'],
    AA36: [
      'paymasterVerificationGasLimit',
      'Validation by the paymaster needs more gas than paymasterVerificationGasLimit.',
      'paymasterVerificationGasLimit',
    ],
    AA37: ['paymaster', "The paymaster's signature is for other blocks. It has expired or is not valid yet."],
    AA40: [
      'verificationGasLimit',
      'Validating the operation needs more gas than verificationGasLimit.',
      'verificationGasLimit',
    ],
    AA41: [
      'verificationGasLimit',
      'The account used up verificationGasLimit before the paymaster was called.',
      'verificationGasLimit',
    ],
    AA50: [
      'callData',
      "The paymaster's postOp reverted. In token mode, check that the account owns and has approved the tokens.",
      'paymasterPostOpGasLimit',
    ],
    AA51: ['preVerificationGas', 'The operation costs more than its gas limits pay for.', 'preVerificationGas'],
    AA90: ['sender', 'The bundle names no beneficiary.'],
    AA91: ['sender', 'The beneficiary of the bundle did not accept its payment.'],
    AA92: ['callData', 'An internal function of the EntryPoint was called.'],
    AA93: ['paymaster', 'The packed paymasterAndData is too short to name a paymaster and its gas limits.'],
    AA94: ['maxFeePerGas', 'A gas limit or fee is larger than the EntryPoint accepts (120 bits).'],
    AA95: ['callGasLimit', 'The gas limits are larger than one transaction or simulation allows.'],
    AA96: ['signature', 'The account names a signature aggregator that does not exist.'],
    AA97: ['factory', 'The account can be created only by the EntryPoint.'],
    AA98: ['paymaster', ({ paymaster }) => `${paymaster} names the zero address.`],
    AA99: ['factory', ({ factory }) => `${factory} is shorter than the address of a factory.`],
  }),
);

/** All codes that have a meaning here, in order. */
export const knownAaCodes: readonly string[] = [...aaCodes.keys()];

/** The meaning of a code, with the operation's own field names; a general one for unknown codes. */
export function explainAaCode(code: string, version: EntryPointVersion): AaCode {
  const [field, advice, shortLimit] = aaCodes.get(code) ?? ['sender', 'The EntryPoint does not accept the operation.'];
  const names = entryPointOf(version).isPacked ? packedNames : unpackedNames;
  return {
    field: field === 'factory' || field === 'paymaster' ? names[field] : field,
    advice: typeof advice === 'string' ? advice : advice(names),
    shortLimit,
  };
}

/** The `AAxx` at the start or inside of a text from an EntryPoint or bundler. */
export function findAaCode(text: string): string | undefined {
  return /\bAA\d{2}\b/.exec(text)?.[0];
}
