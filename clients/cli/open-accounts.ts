import type { Core } from '../../core/domain/core.ts';
import { createManagement } from '../../core/management/create-management.ts';
import { checkMasterKey } from '../../core/store/master-keys/check-master-key.ts';
import { openStore } from '../../core/store/open-store.ts';
import { mistake } from './cli-error.ts';
import type { Config } from './config/config-schema.ts';
import { type Flags, loadConfig } from './config/load-config.ts';
import { withOwnConfig } from './config/own-config.ts';
import { readMasterKey } from './config/secret-files.ts';
import { reachCore } from './reach-core.ts';
import { systemClock } from './system-clock.ts';

/** What an operator does with accounts and their authTokens. */
export type Accounts = Pick<
  Core,
  | 'createAccount'
  | 'listAccounts'
  | 'inviteAccount'
  | 'linkWallet'
  | 'suspendAccount'
  | 'issueAuthToken'
  | 'listAuthTokens'
  | 'revokeAuthToken'
>;

/**
 * Works on accounts through a running core (`--core`, or `core.address` of the configuration), or on the database of
 * the configuration itself, which needs no running service, chain or signing key.
 */
export async function withAccounts(flags: Flags, work: (accounts: Accounts) => Promise<void>): Promise<void> {
  const config = loadConfig(withOwnConfig(flags));
  const opened = config.core === undefined ? await openDatabase(config) : reachCore(config);
  try {
    await work('core' in opened ? opened.core : opened.accounts);
  } finally {
    await opened.close();
  }
}

async function openDatabase(config: Config): Promise<{ accounts: Accounts; close(): Promise<void> }> {
  const { databaseFile, masterKeyFile, webhooks, validity, decisions } = config;
  if (databaseFile === undefined || masterKeyFile === undefined) {
    throw mistake(
      'Say which service: --core unix:/run/tollfree/core.sock for a running one, or --config with its configuration file.',
    );
  }
  const keys = {
    masterKey: readMasterKey(masterKeyFile),
    previousMasterKeys: config.previousMasterKeyFiles.map(readMasterKey),
  };
  const store = await openStore(databaseFile);
  try {
    await checkMasterKey(store, keys);
  } catch (error) {
    await store.close();
    throw error;
  }
  const accounts = createManagement({
    store,
    // Accounts and authTokens are not part of what is cached for sponsorships.
    profiles: { find: async () => undefined, findById: async () => undefined, forget: () => undefined },
    config: { databaseFile, ...keys, chains: [], webhooks, validity, decisions },
    clock: systemClock,
    coinPrice: async () => undefined,
  });
  return { accounts, close: store.close };
}
