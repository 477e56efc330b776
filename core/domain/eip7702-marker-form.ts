/**
 * How a bundler packs the EIP-7702 marker `0x7702` that an operation has as its factory. `as-sent`: in the two or twenty
 * bytes it was sent with, like viem and alto, and in twenty when `factoryData` follows it. `padded`: always in twenty. The EntryPoint takes both and hashes the
 * delegate in either's place; a paymaster contract hashes the bytes.
 */
export const eip7702MarkerForms = ['as-sent', 'padded'] as const;
export type Eip7702MarkerForm = (typeof eip7702MarkerForms)[number];
