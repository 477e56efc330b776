import type { GasLimits } from '../../domain/user-operation.ts';

/** What an error code of the EntryPoint means for the sender of the operation. */
type AaCode = {
  /** Field of the user operation to check. */
  readonly field: string;
  /** What happened and what to do about it. */
  readonly advice: string;
  /** The limit that may be too low when the failure has no reason of its own. */
  readonly shortLimit?: keyof GasLimits;
};

/**
 * Codes of EntryPoint 0.6 to 0.9, from the `FailedOp` texts of their sources. Where versions differ in what a limit covers,
 * `shortLimit` is that of 0.7 and up; 0.6 has a single verification limit.
 */
const aaCodes: ReadonlyMap<string, AaCode> = new Map([
  ['AA10', { field: 'initCode', advice: 'The account is already deployed. Send the operation without initCode.' }],
  [
    'AA13',
    {
      field: 'initCode',
      advice: 'The factory in initCode reverted or ran out of gas. Check factory and factoryData.',
      shortLimit: 'verificationGasLimit',
    },
  ],
  ['AA14', { field: 'initCode', advice: 'The factory in initCode deploys another account than sender.' }],
  ['AA15', { field: 'initCode', advice: 'The factory in initCode did not deploy the sender.' }],
  [
    'AA20',
    { field: 'sender', advice: 'The sender is not deployed and the operation has no initCode that deploys it.' },
  ],
  [
    'AA21',
    { field: 'paymasterAndData', advice: 'The account did not pay the prefund and the operation has no paymaster.' },
  ],
  ['AA22', { field: 'signature', advice: 'The signature is expired or not valid yet.' }],
  [
    'AA23',
    {
      field: 'signature',
      advice:
        'The account reverted when it validated the operation. Send a signature in the right format (a dummy will do) and check that the account supports this EntryPoint.',
      shortLimit: 'verificationGasLimit',
    },
  ],
  ['AA24', { field: 'signature', advice: "The account did not accept the operation's signature." }],
  ['AA25', { field: 'nonce', advice: "The nonce is not the account's next one for its key. Read getNonce again." }],
  [
    'AA26',
    {
      field: 'verificationGasLimit',
      advice: 'Validating the operation needs more gas than verificationGasLimit.',
      shortLimit: 'verificationGasLimit',
    },
  ],
  [
    'AA27',
    { field: 'signature', advice: "The account's signature is for other blocks. It has expired or is not valid yet." },
  ],
  ['AA30', { field: 'paymasterAndData', advice: 'The paymaster contract is not deployed on this chain.' }],
  ['AA31', { field: 'paymasterAndData', advice: "The paymaster contract's deposit in the EntryPoint is too low." }],
  ['AA32', { field: 'paymasterAndData', advice: "The paymaster's signature is expired or not valid yet." }],
  [
    'AA33',
    {
      field: 'paymasterAndData',
      advice: 'The paymaster contract reverted when it validated the operation.',
      shortLimit: 'paymasterVerificationGasLimit',
    },
  ],
  ['AA34', { field: 'paymasterAndData', advice: "The paymaster contract did not accept the paymaster's signature." }],
  ['AA35', { field: 'paymasterAndData', advice: 'The paymaster contract returned data that cannot be read.' }],
  [
    'AA36',
    {
      field: 'paymasterVerificationGasLimit',
      advice: 'Validation by the paymaster needs more gas than paymasterVerificationGasLimit.',
      shortLimit: 'paymasterVerificationGasLimit',
    },
  ],
  [
    'AA37',
    {
      field: 'paymasterAndData',
      advice: "The paymaster's signature is for other blocks. It has expired or is not valid yet.",
    },
  ],
  [
    'AA40',
    {
      field: 'verificationGasLimit',
      advice: 'Validating the operation needs more gas than verificationGasLimit.',
      shortLimit: 'verificationGasLimit',
    },
  ],
  [
    'AA41',
    {
      field: 'verificationGasLimit',
      advice: 'The account used up verificationGasLimit before the paymaster was called.',
      shortLimit: 'verificationGasLimit',
    },
  ],
  [
    'AA50',
    {
      field: 'callData',
      advice:
        "The paymaster's postOp reverted. In token mode, check that the account owns and has approved the tokens.",
      shortLimit: 'paymasterPostOpGasLimit',
    },
  ],
  [
    'AA51',
    {
      field: 'preVerificationGas',
      advice: 'The operation costs more than its gas limits pay for.',
      shortLimit: 'preVerificationGas',
    },
  ],
  ['AA90', { field: 'sender', advice: 'The bundle names no beneficiary.' }],
  ['AA91', { field: 'sender', advice: 'The beneficiary of the bundle did not accept its payment.' }],
  ['AA92', { field: 'callData', advice: 'An internal function of the EntryPoint was called.' }],
  [
    'AA93',
    { field: 'paymasterAndData', advice: 'paymasterAndData is too short to name a paymaster and its gas limits.' },
  ],
  ['AA94', { field: 'maxFeePerGas', advice: 'A gas limit or fee is larger than the EntryPoint accepts (120 bits).' }],
  ['AA95', { field: 'callGasLimit', advice: 'The gas limits are larger than one transaction or simulation allows.' }],
  ['AA96', { field: 'signature', advice: 'The account names a signature aggregator that does not exist.' }],
  ['AA97', { field: 'initCode', advice: 'The account can be created only by the EntryPoint.' }],
  ['AA98', { field: 'paymasterAndData', advice: 'paymasterAndData names the zero address.' }],
  ['AA99', { field: 'initCode', advice: 'initCode is shorter than the address of a factory.' }],
]);

const unknownCode: AaCode = { field: 'sender', advice: 'The EntryPoint does not accept the operation.' };

/** The meaning of a code; a general one for unknown codes. */
export function explainAaCode(code: string): AaCode {
  return aaCodes.get(code) ?? unknownCode;
}

/** The `AAxx` at the start or inside of a text from an EntryPoint or bundler. */
export function findAaCode(text: string): string | undefined {
  return /\bAA\d{2}\b/.exec(text)?.[0];
}
