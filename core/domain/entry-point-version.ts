/** EntryPoint versions of ERC-4337 that the service knows. */
export const entryPointVersions = ['0.6', '0.7', '0.8', '0.9'] as const;
export type EntryPointVersion = (typeof entryPointVersions)[number];
