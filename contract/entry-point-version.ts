/** The ERC-4337 EntryPoint versions that the service supports, and their addresses on every public chain. */
export const entryPointAddresses = {
  '0.6': '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789',
  '0.7': '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
  '0.8': '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108',
  '0.9': '0x433709009B8330FDa32311DF1C2AFA402eD8D009',
} as const satisfies Readonly<Record<string, `0x${string}`>>;

export const entryPointVersions = Object.keys(entryPointAddresses) as readonly (keyof typeof entryPointAddresses)[];
