import { privateKeyToAccount } from 'viem/accounts';
import type { EntryPointVersion } from '../../../../core/domain/entry-point-version.ts';
import type { Devnet } from '../../../../server/dev/devnet/devnet.ts';
import { freshKey } from '../../service/running-service.ts';
import type { OpenedAccount } from '../matrix-accounts.ts';
import type { PublishedContracts } from './copy-published-code.ts';

/** A kind of account, with the contracts that are copied for it. */
export type PublishedAccount = {
  readonly kind: string;
  readonly version: EntryPointVersion;
  readonly contracts: PublishedContracts;
  open(devnet: Devnet): Promise<OpenedAccount>;
};

export const newOwner = () => privateKeyToAccount(freshKey());

/** An EntryPoint as permissionless takes it. */
export const entryPointOf = <const version extends '0.6' | '0.7'>({ entryPoints }: Devnet, version: version) => ({
  address: entryPoints[version],
  version,
});
