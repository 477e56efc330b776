import { entryPointAddresses, entryPointVersions } from '@tollfree/contract/entry-point-version';

export type EntryPointVersion = keyof typeof entryPointAddresses;
export { entryPointAddresses, entryPointVersions };
