import { omitAbsent } from '@tollfree/contract/omit-absent';
import { mistake } from '../clients/cli/terminal/cli-error.ts';
import type { Flags } from '../clients/cli/terminal/flags.ts';
import type { Core } from '../core/domain/core.ts';
import type { ChainConfig } from '../core/domain/core-config.ts';
import type { UnitPrices } from '../core/domain/unit-prices.ts';
import { createManagement, type Management } from '../core/management/create-management.ts';
import type { SuggestedMaxCost } from '../core/management/paymasters/manage-paymasters.ts';
import type { FeeView } from '../core/node/read-fees.ts';
import { suggestMaxCost } from '../core/policies/suggest-max-cost.ts';
import { leadsAlone } from '../core/store/leading.ts';
import { checkMasterKey, knownMasterKeys } from '../core/store/master-keys/check-master-key.ts';
import { openStore, openToRead } from '../core/store/open-store.ts';
import type { Store } from '../core/store/store.ts';
import type { Config } from './config/config-schema.ts';
import { databaseOf, loadConfig } from './config/load-config.ts';
import { readMasterKey } from './config/secret-files.ts';
import { asOperator } from './process/as-operator.ts';
import { systemClock } from './system-clock.ts';
import { reachCore, withOwnService } from './with-core.ts';

/** The operator's operations on accounts and their authTokens. */
type Accounts = Pick<
  Core,
  | 'createAccount'
  | 'listAccounts'
  | 'inviteAccount'
  | 'linkWallet'
  | 'suspendAccount'
  | 'createAuthToken'
  | 'listAuthTokens'
  | 'revokeAuthToken'
>;

/** The read-only ones of them. */
type AccountLists = Pick<Accounts, 'listAccounts' | 'listAuthTokens'>;

/**
 * Works on accounts through a running core (`--core`, or `core.address` of the configuration), or directly on the configured
 * database, without a running service, chain or signing key.
 */
export function withAccounts(flags: Flags, work: (accounts: Accounts) => Promise<void>): Promise<void> {
  return withOpened(flags, openDatabase, work);
}

/** Reads accounts through a running core or directly: the database is not created, and its schema not upgraded. */
export function withAccountLists(flags: Flags, work: (accounts: AccountLists) => Promise<void>): Promise<void> {
  return withOpened(flags, openLists, work);
}

type Opened<T> = { readonly accounts: T; close(): Promise<void> };

async function withOpened<T>(
  flags: Flags,
  open: (config: Config) => Promise<Opened<T>>,
  work: (accounts: T | Accounts) => Promise<void>,
): Promise<void> {
  const config = loadConfig(withOwnService(flags));
  const opened = config.core === undefined ? await open(config) : reachCore(config);
  try {
    await asOperator(() => work('core' in opened ? opened.core : opened.accounts));
  } finally {
    await opened.close();
  }
}

const openDatabase = async (config: Config): Promise<Opened<Accounts>> => {
  const { management, close } = await openManagement(config);
  return { accounts: management, close };
};

/** Where paymasters can be created, and what the chain charges now: their caps follow from it. */
type CreatingPaymasters = {
  readonly chains: readonly ChainConfig[];
  readonly prices: UnitPrices;
  readonly fees: FeeView;
};

/** The management operations directly on the configured database, with or without a running service. */
export async function openManagement(
  config: Config,
  creating?: CreatingPaymasters,
): Promise<{ readonly management: Management; close(): Promise<void> }> {
  const { database, ...keys } = placeOf(config);
  const store = await openStore(database);
  try {
    await checkMasterKey(store, keys);
  } catch (error) {
    await store.close();
    throw error;
  }
  return { management: managementOf(store, config, creating), close: store.close };
}

async function openLists(config: Config): Promise<Opened<AccountLists>> {
  const { database, ...keys } = placeOf(config);
  const store = await openToRead(database);
  try {
    await store.read((snapshot) => knownMasterKeys(snapshot, keys));
  } catch (error) {
    await store.close();
    throw error;
  }
  const transaction = () => Promise.reject(new Error('The database is open read-only'));
  return {
    accounts: managementOf(
      {
        ...store,
        transaction,
        leadership: leadsAlone,
        hear: () => () => {},
        lostAt: () => undefined,
        damage: () => undefined,
      },
      config,
    ),
    close: store.close,
  };
}

function placeOf(config: Config) {
  const { databaseFile, databaseUrl, masterKeyFile, previousMasterKeyFiles } = config;
  if ((databaseFile ?? databaseUrl) === undefined || masterKeyFile === undefined) {
    throw mistake(
      'Name the service: --core unix:/run/tollfree/core.sock for a running one, or --config with its configuration file.',
    );
  }
  const masterKey = readMasterKey(masterKeyFile);
  return { database: databaseOf(config), masterKey, previousMasterKeys: previousMasterKeyFiles.map(readMasterKey) };
}

function managementOf(store: Store, config: Config, creating?: CreatingPaymasters): Management {
  const { webhooks, validity, decisions } = config;
  return createManagement({
    store,
    // This process sponsors nothing, so there is nothing to invalidate.
    profiles: {
      find: async () => undefined,
      choose: async () => undefined,
      findById: async () => undefined,
      isCurrent: () => true,
      forget: () => undefined,
      forgetAll: () => undefined,
    },
    config: { ...placeOf(config), chains: creating?.chains ?? [], webhooks, validity, decisions },
    clock: systemClock,
    coinPrice: async () => undefined,
    ...omitAbsent({ suggestedMaxCost: creating && suggestionFrom(creating) }),
  });
}

function suggestionFrom({ prices, fees }: CreatingPaymasters): SuggestedMaxCost {
  return ({ chain, contract: { family } }) => suggestMaxCost({ config: chain, family, prices, fees });
}
