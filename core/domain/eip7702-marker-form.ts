/**
 * How a bundler packs the EIP-7702 marker `0x7702` of an operation's factory field. `as-sent`: in the two or twenty bytes of
 * the request, like viem and alto, and in twenty if `factoryData` follows it. `padded`: always in twenty. The EntryPoint
 * accepts both and hashes the delegate instead; a paymaster contract hashes the bytes.
 */
export const eip7702MarkerForms = ['as-sent', 'padded'] as const;
export type Eip7702MarkerForm = (typeof eip7702MarkerForms)[number];
